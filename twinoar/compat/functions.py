"""Functions of `paddle.compat`: with the arguments and results that PyTorch's have."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from twinoar.core.op.explain import explained
from twinoar.core.values import Value as Tensor
from twinoar.functional import split  # noqa: F401  # exported
from twinoar.ops.index import quantile
from twinoar.ops.index import sort as sorting
from twinoar.ops.index import unique as uniqueness
from twinoar.ops.index.along_axis import take_along_axis
from twinoar.ops.linalg.linear_system import slogdet_op
from twinoar.ops.math.compare import equal_all
from twinoar.ops.math.select import maximum, minimum
from twinoar.ops.random import uniform as random
from twinoar.ops.reduce import extreme
from twinoar.ops.shape.reshape import squeeze, unsqueeze

SEED_BITS = 52


class Found(NamedTuple):
    """Elements, and where along the dimension they are."""

    values: Any
    indices: Any


class SlogdetResult(NamedTuple):
    """The signs of determinants, and the logarithms of their sizes."""

    sign: Any
    logabsdet: Any


@explained
def max(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """The largest element; along `dim` the largest ones and where they are; or of two tensors.

    dim: a dimension, or the other tensor, whose larger elements are taken. Of several largest the
    first is meant, and gets the gradient.

    >>> twinoar.compat.max(twinoar.to_tensor([[1, 5, 2]]), 1).indices.tolist()
    [1]
    """
    return _extreme(extreme.max, extreme.argmax, maximum, (input, dim, keepdim, other))


@explained
def min(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """The smallest element; along `dim` the smallest ones and where they are; or of two tensors.

    See `max`.
    """
    return _extreme(extreme.min, extreme.argmin, minimum, (input, dim, keepdim, other))


def _extreme(whole: Any, position: Any, between: Any, given: tuple[Any, ...]) -> Any:
    x, dim, keepdim, other = given
    if other is None and isinstance(dim, Tensor):
        dim, other = None, dim
    if other is not None:
        return between(x, other)
    if dim is None:
        return whole(x)
    if not x.ndim:
        return Found(x, position(x))
    return _taken(x, position(x, dim, True), dim, keepdim)


def _taken(x: Tensor, indices: Tensor, dim: int, keepdim: bool) -> Found:
    values = take_along_axis(x, indices, dim)
    return Found(*((y if keepdim else squeeze(y, dim)) for y in (values, indices)))


@explained
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The middle element, the lower one of two; along `dim` with where it is.

    >>> twinoar.compat.median(twinoar.to_tensor([4.0, 1.0, 3.0, 2.0])).item()
    2.0
    """
    return _middle(quantile.median, input, dim, keepdim)


@explained
def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """`median` of what is a number."""
    return _middle(quantile.nanmedian, input, dim, keepdim)


def _middle(function: Any, x: Tensor, dim: int | None, keepdim: bool) -> Any:
    if dim is None:
        return function(x, mode="min")
    _, indices = function(x, dim, True, "min")
    return _taken(x, indices, dim, keepdim)


@explained
def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Found:
    """The elements in order along `dim`, and where each was.

    >>> twinoar.compat.sort(twinoar.to_tensor([3, 1])).indices.tolist()
    [1, 0]
    """
    if not input.ndim:
        return Found(*(y[0] for y in sort(unsqueeze(input, 0))))
    indices = sorting.argsort(input, dim, descending, stable)
    return Found(take_along_axis(input, indices, dim), indices)


@explained
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements, or slices along `dim`. See `twinoar.unique`."""
    return uniqueness.unique(
        input, return_inverse=return_inverse, return_counts=return_counts, axis=dim
    )


@explained
def slogdet(x: Tensor) -> SlogdetResult:
    """The signs of the determinants of square matrices, and the logarithms of their sizes."""
    return SlogdetResult(*slogdet_op(x))


@explained
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors are of one shape and equal everywhere."""
    return bool(equal_all(input, other))


def seed() -> int:
    """Seed the random numbers with a number that nobody knows before, which is returned."""
    number = secrets.randbits(SEED_BITS)
    random.seed(number)
    return number
