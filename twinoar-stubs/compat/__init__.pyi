"""Other ways to write programs: PyTorch's arguments, and `import paddle`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.compat
import typing
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def equal(input: twinoar._TensorLike, other: twinoar._TensorLike) -> builtins.bool:
    """Whether two tensors are of one shape and equal everywhere."""
@overload
def equal(*args: Any, input: Any = ..., other: Any = ..., out: Any = ...) -> builtins.bool: ...
def install() -> None:
    """Serve `import paddle` from twinoar in this process, even where the real Paddle is installed."""
@overload
def max(input: twinoar._TensorLike, dim: Any = None, keepdim: builtins.bool = False, *, other: Any = None) -> Any:
    """The largest element; along `dim` the largest ones and where they are; or of two tensors."""
@overload
def max(*args: Any, input: Any = ..., dim: Any = ..., keepdim: Any = ..., other: Any = ..., out: Any = ...) -> Any: ...
@overload
def median(input: twinoar._TensorLike, dim: Any = None, keepdim: builtins.bool = False) -> Any:
    """The middle element, the lower one of two; along `dim` with where it is."""
@overload
def median(*args: Any, input: Any = ..., dim: Any = ..., keepdim: Any = ..., out: Any = ...) -> Any: ...
@overload
def min(input: twinoar._TensorLike, dim: Any = None, keepdim: builtins.bool = False, *, other: Any = None) -> Any:
    """The smallest element; along `dim` the smallest ones and where they are; or of two tensors."""
@overload
def min(*args: Any, input: Any = ..., dim: Any = ..., keepdim: Any = ..., other: Any = ..., out: Any = ...) -> Any: ...
@overload
def nanmedian(input: twinoar._TensorLike, dim: Any = None, keepdim: builtins.bool = False) -> Any:
    """`median` of what is a number."""
@overload
def nanmedian(*args: Any, input: Any = ..., dim: Any = ..., keepdim: Any = ..., out: Any = ...) -> Any: ...
from . import nn as nn
def seed() -> builtins.int:
    """Seed the random numbers with a number that nobody knows before, which is returned."""
@overload
def slogdet(x: twinoar._TensorLike) -> twinoar.compat._SlogdetResult:
    """The signs of the determinants of square matrices, and the logarithms of their sizes."""
@overload
def slogdet(*args: Any, x: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.compat._SlogdetResult: ...
@overload
def sort(input: twinoar._TensorLike, dim: Any = -1, descending: builtins.bool = False, stable: builtins.bool = False) -> twinoar.compat._Found:
    """The elements in order along `dim`, and where each was."""
@overload
def sort(*args: Any, input: Any = ..., dim: Any = ..., descending: Any = ..., stable: Any = ..., out: Any = ...) -> twinoar.compat._Found: ...
@overload
def split(tensor: twinoar._TensorLike, split_size_or_sections: Any, dim: Any = 0) -> builtins.tuple[twinoar.Tensor, ...]:
    """Parts of a tensor along `dim`: all of one size but the last, or of the sizes given."""
@overload
def split(*args: Any, tensor: Any = ..., split_size_or_sections: Any = ..., dim: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, ...]: ...
def uninstall() -> None:
    """Undo `install`: later imports are not served; modules already imported stay usable."""
@overload
def unique(input: twinoar._TensorLike, sorted: builtins.bool = True, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, dim: Any = None) -> twinoar.Tensor:
    """The different elements, or slices along `dim`"""
@overload
def unique(*args: Any, input: Any = ..., sorted: Any = ..., return_inverse: Any = ..., return_counts: Any = ..., dim: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class _SlogdetResult(typing.NamedTuple):
    """The signs of determinants, and the logarithms of their sizes."""
    sign: Any
    logabsdet: Any
class _Found(typing.NamedTuple):
    """Elements, and where along the dimension they are."""
    values: Any
    indices: Any
