"""Products with Jacobian matrices, and the matrices of functions."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.incubate.autograd
from typing import Any, Literal, overload

import numpy as _numpy

class Hessian(twinoar.incubate.autograd.Jacobian):
    """The Hessian matrix of func at xs, [N,N] or [B,N,N]; func gives one number, or one for each of the batch"""
    def __init__(self, func: collections.abc.Callable[..., Any], xs: Any, is_batched: builtins.bool = False) -> None: ...
class Jacobian:
    """The Jacobian matrix of func at xs: [M,N] for all results of M and arguments of N elements."""
    def __init__(self, func: collections.abc.Callable[..., Any], xs: Any, is_batched: builtins.bool = False) -> None: ...
    @property
    def shape(self) -> builtins.tuple[Any, ...]:
        """The sizes of the matrix."""
    def __getitem__(self, index: Any) -> Any: ...
def disable_prim() -> None:
    """Undo `enable_prim`."""
def enable_prim() -> None:
    """Nothing but what `prim_enabled` says: all gradients are made of operators, any number of times."""
def forward_grad(outputs: Any, inputs: Any, grad_inputs: Any = None) -> Any:
    """How outputs change where inputs change by `grad_inputs`: a value, or a list for a list."""
def grad(outputs: Any, inputs: Any, grad_outputs: Any = None) -> Any:
    """The gradients of outputs with respect to inputs, in the form of inputs: a value, or a list."""
def jvp(func: collections.abc.Callable[..., Any], xs: Any, v: Any = None) -> builtins.tuple[Any, Any]:
    """func(*xs), and the product of its Jacobian matrix with v: the change of the results along v."""
def prim2orig(block: Any = None) -> None:
    """Nothing: there are no primitive operators to be replaced."""
def prim_enabled() -> builtins.bool:
    """Whether `enable_prim` was called."""
def vjp(func: collections.abc.Callable[..., Any], xs: Any, v: Any = None) -> builtins.tuple[Any, Any]:
    """func(*xs), and the product of v with its Jacobian matrix: the gradient of xs."""
