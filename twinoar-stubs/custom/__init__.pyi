"""Operators of one's own, in Python: compiled, differentiated and saved as the built-in ones are."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

class Elements:
    """What the function of a loop nest returns: a shape, and the element at each index of it."""
    dtype: Any
    def __init__(self, shape: collections.abc.Sequence[Any], element: collections.abc.Callable[..., Any], dtype: Any = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    shape: collections.abc.Sequence[Any]
    element: collections.abc.Callable[..., Any]
def associative_scan(function: collections.abc.Callable[..., Any] | None = None, *, name: builtins.str | None = None, replace: builtins.bool = False, check: builtins.bool = True, **rules: Any) -> Any:
    """Define an operator that gives what the first elements along an axis make together."""
def check(op: Any, *args: Any, tolerance: Any = ..., **kwargs: Any) -> builtins.str:
    """Hold an operator against itself: its rules, its modes and its gradients must agree."""
def elementwise(function: collections.abc.Callable[..., Any] | None = None, *, name: builtins.str | None = None, integers: builtins.bool = False, replace: builtins.bool = False, **rules: Any) -> Any:
    """Define an operator by what one element of its result is, from one element of each operand."""
from twinoar.core.loop import language as language
def loop(function: collections.abc.Callable[..., Any] | None = None, *, name: builtins.str | None = None, replace: builtins.bool = False, **rules: Any) -> Any:
    """Define an operator by the shape of its result and the element at each index."""
def op(function: collections.abc.Callable[..., Any] | None = None, *, name: builtins.str | None = None, replace: builtins.bool = False, **rules: Any) -> Any:
    """Define an operator by a function of ordinary operators, which is one line in a Program."""
def primitive(function: collections.abc.Callable[..., Any] | None = None, *, name: builtins.str | None = None, replace: builtins.bool = False, **rules: Any) -> Any:
    """Define an operator by its rules alone; the function has the signature and no body."""
