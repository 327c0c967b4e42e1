"""Minima of functions, by steps that learn the curvature: BFGS, and with little memory L-BFGS."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def minimize_bfgs(objective_func: collections.abc.Callable[[Any], Any], initial_position: Any, max_iters: Any = 50, tolerance_grad: Any = ..., tolerance_change: Any = ..., initial_inverse_hessian_estimate: Any = None, line_search_fn: builtins.str = 'strong_wolfe', max_line_search_iters: Any = 50, initial_step_length: Any = ..., dtype: builtins.str = 'float32', name: builtins.str | None = None) -> builtins.tuple[Any, Any, Any, Any, Any, Any]:
    """The minimum of a function of a vector, from `initial_position` on, by BFGS."""
def minimize_lbfgs(objective_func: collections.abc.Callable[[Any], Any], initial_position: Any, history_size: Any = 100, max_iters: Any = 50, tolerance_grad: Any = ..., tolerance_change: Any = ..., initial_inverse_hessian_estimate: Any = None, line_search_fn: builtins.str = 'strong_wolfe', max_line_search_iters: Any = 50, initial_step_length: Any = ..., dtype: builtins.str = 'float32', name: builtins.str | None = None) -> builtins.tuple[Any, Any, Any, Any, Any]:
    """The minimum of a function of a vector, by BFGS that remembers `history_size` steps."""
