"""Filter pruning of Programs, by PaddleSlim's names."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.fluid
from typing import Any, Literal, overload

import numpy as _numpy

class Pruner:
    """Prunes filters of Programs."""
    def __init__(self, criterion: builtins.str | collections.abc.Callable[[_numpy.ndarray[Any, Any]], _numpy.ndarray[Any, Any]] = 'l1_norm', idx_selector: builtins.str = 'default_idx_selector') -> None: ...
    def prune(self, program: twinoar.fluid.Program, scope: twinoar.fluid.Scope, params: collections.abc.Sequence[builtins.str], ratios: collections.abc.Sequence[Any], place: Any = None, lazy: builtins.bool = False, only_graph: builtins.bool = False, param_backup: builtins.bool = False, param_shape_backup: builtins.bool = False) -> builtins.tuple[twinoar.fluid.Program, builtins.dict[builtins.str, _numpy.ndarray[Any, Any]] | None, builtins.dict[builtins.str, builtins.list[builtins.int]] | None]:
        """Remove shares of the filters of parameters, by name, in the scope; a smaller Program."""
    importance: Any
