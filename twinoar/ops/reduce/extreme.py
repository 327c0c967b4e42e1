"""The largest and smallest elements over axes, and where they are."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from twinoar.core.dtype import DType, dtype_of, int32, int64
from twinoar.core.loop import bits
from twinoar.core.op.declare import Desc, Spec, Tensor, function, loop, normalize_axes, primitive
from twinoar.core.varying import less
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.ops.math.cast import cast
from twinoar.ops.reduce.reduction import (
    axes_of,
    over,
    reading,
    reduce_desc,
    reduced,
    reduced_shape,
    spread,
    sum_op,
)

MANY = 1 << 31  # elements whose positions int32, of which vectors hold twice as many, cannot tell


def _of_some(x: Spec, axis: tuple[int, ...], keepdim: bool) -> Spec:
    """An `infer` rule: as `reduced`, and refuses to choose among no elements."""
    out = reduced(x, axis, keepdim)
    if 0 not in out.shape and 0 in [x.shape[a] for a in normalize_axes(axis, x.ndim)]:
        raise ShapeError(
            f"an extreme of no elements is not defined, received shape {list(x.shape)}"
        )
    return out


def _shared(g: Tensor, x: Tensor, out: Tensor, specs: Any, axis: Any, keepdim: bool) -> Tensor:
    """The gradient of an extreme: in equal parts to all elements that equal it."""
    spec = specs[0]
    at = cast(x == spread(out, spec, axis, keepdim), spec.dtype)
    count = spread(sum_op(at, axis, True), spec, axis, True)
    return spread(g, spec, axis, keepdim) * (at / count)


def _reduced(kind: str, i: Any, x: Any, axis: Any, keepdim: bool) -> Any:
    """An element of the reduction `kind` of x."""
    return loop.reduce(kind, *x.over(i, normalize_axes(axis, x.ndim), keepdim))


def _samples(s):
    yield s(s.distinct(2, 3, 4))
    yield s(s.distinct(2, 3, 4), (1,))
    yield s(s.distinct(2, 3, 4), (-1, 0), True)
    yield s(s.distinct(2, 3, dtype="float64"), (0,))
    yield s(s.randn())
    yield s(s.distinct(3, 1, 2), (1,))
    yield s(np.array([1.0, np.nan, 3.0]), gradient=False)
    yield s(s.zeros(2, 0), (0,))
    yield s(s.ints(-5, 5, 2, 3), (1,), gradient=False)
    yield s(s.bools(2, 3), (1,), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), (2,))
    yield s.bad(ShapeError, "of no elements", s.zeros(2, 0), (1,))


# What the four reductions share.
extreme = partial(primitive, infer=_of_some, grad=_shared, samples=_samples)


@extreme(
    name="max",
    kernel=lambda x, axis, keepdim: np.max(x, axis=over(axis), keepdims=keepdim),
    lower=lambda i, x, axis, keepdim: _reduced("max", i, x, axis, keepdim),
    desc=reduce_desc("reduce_max", read=reading(lambda: max_op)),
)
def max_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """The largest element over `axis`: the operator under `max`."""


@function(method=True)
def max(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    """The largest element over `axis`, of all for None; nan where there is nan.

    x: [*]. Returns the shape without the axes, or with sizes of 1 for `keepdim`; equal elements
    share the gradient. Raises AxisError, ShapeError for no elements.

    >>> twinoar.max(twinoar.to_tensor([[1.0, 5.0], [4.0, 3.0]]), axis=1).tolist()
    [5.0, 4.0]
    """
    return max_op(x, axes_of(x, axis), keepdim)


@extreme(
    name="min",
    kernel=lambda x, axis, keepdim: np.min(x, axis=over(axis), keepdims=keepdim),
    lower=lambda i, x, axis, keepdim: _reduced("min", i, x, axis, keepdim),
    desc=reduce_desc("reduce_min", read=reading(lambda: min_op)),
)
def min_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """The smallest element over `axis`: the operator under `min`."""


@function(method=True)
def min(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    """The smallest element over `axis`, of all for None; nan where there is nan.

    x: [*]. Returns the shape without the axes, or with sizes of 1 for `keepdim`; equal elements
    share the gradient. Raises AxisError, ShapeError for no elements.

    >>> twinoar.min(twinoar.to_tensor([[1.0, 5.0], [4.0, 3.0]]), axis=1).tolist()
    [1.0, 3.0]
    """
    return min_op(x, axes_of(x, axis), keepdim)


@extreme(
    name="amax",
    kernel=lambda x, axis, keepdim: np.max(x, axis=over(axis), keepdims=keepdim),
    lower=lambda i, x, axis, keepdim: _reduced("max", i, x, axis, keepdim),
    desc=reduce_desc("reduce_amax", "LONGS", read=reading(lambda: amax_op)),
)
def amax_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """The largest element over `axis`: the operator under `amax`."""


@function(method=True)
def amax(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    """The largest element over `axis`, as `max`: equal elements share the gradient in both.

    >>> twinoar.to_tensor([[1.0, 5.0], [4.0, 3.0]]).amax(axis=0).tolist()
    [4.0, 5.0]
    """
    return amax_op(x, axes_of(x, axis), keepdim)


@extreme(
    name="amin",
    kernel=lambda x, axis, keepdim: np.min(x, axis=over(axis), keepdims=keepdim),
    lower=lambda i, x, axis, keepdim: _reduced("min", i, x, axis, keepdim),
    desc=reduce_desc("reduce_amin", "LONGS", read=reading(lambda: amin_op)),
)
def amin_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """The smallest element over `axis`: the operator under `amin`."""


@function(method=True)
def amin(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    """The smallest element over `axis`, as `min`: equal elements share the gradient in both.

    >>> twinoar.to_tensor([[1.0, 5.0], [4.0, 3.0]]).amin(axis=0).tolist()
    [1.0, 3.0]
    """
    return amin_op(x, axes_of(x, axis), keepdim)


def _position(x: Spec, axis: int | None, keepdim: bool, dtype: DType) -> Spec:
    axes = () if axis is None else (axis,)
    return Spec(reduced_shape(_of_some(x, axes, True).shape, axes, keepdim), dtype)


def _position_kernel(function: Any, least: float) -> Any:
    def kernel(x: Any, axis: int | None, keepdim: bool, dtype: DType) -> Any:
        if x.dtype.kind == "f" and np.isnan(x).any():
            x = np.where(np.isnan(x), least, x)
        return np.asarray(function(x, axis=axis, keepdims=keepdim), dtype.numpy)

    return kernel


def _position_of(kind: str, i: Any, x: Any, axis: Any, keepdim: bool) -> Any:
    """A position in x, where nan is never chosen before a number, as in Paddle.

    The extreme is found first, then the first position at which it stands: two reductions that
    take many elements at once, where one of pairs would wait for each element. Floats are compared
    by their ranks, as a maximum of floats that passes nan over is taken one by one.
    """
    shape, element = x.over(i, normalize_axes(axis, x.ndim), keepdim)
    count = math.prod(shape)
    dtype = int32 if less(count, MANY) else int64

    def term(*k: Any) -> Any:
        found = element(*k)
        return _rank(kind, found) if x.dtype.is_floating else found

    extreme = loop.reduce(kind, shape, term)

    def place(*k: Any) -> Any:
        here = loop.cast(loop.flatten(k, shape), dtype)
        return loop.select(loop.eq(term(*k), extreme), here, loop.const(count, dtype))

    return loop.cast(loop.reduce("min", shape, place), int64)


def _rank(kind: str, x: Any) -> Any:
    """The rank of a float, where nan has the last."""
    found = bits.rank(x)
    last = bits.rank(loop.const(-math.inf if kind == "max" else math.inf, x.dtype))
    return loop.select(loop.isnan(x), last, found)


def _position_desc(kind: str, reduction: Any) -> Desc:
    def write(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
        return {"axis": ("LONG", attrs["axis"] or 0), "flatten": attrs["axis"] is None}

    def read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
        dtype = attrs.get("dtype")
        return reduction()(
            slots["X"][0],
            None if attrs.get("flatten") else attrs.get("axis", -1),
            attrs.get("keepdims", False),
            dtype if isinstance(dtype, DType) else int64,
        )

    attrs = {"keepdims": "keepdim", "dtype": "dtype"}
    return Desc(kind, {"X": "x"}, attrs=attrs, write=write, read=read)


def _position_samples(s):
    yield s(s.distinct(2, 3, 4), gradient=False)
    yield s(s.distinct(2, 3, 4), 1, gradient=False)
    yield s(s.distinct(2, 3, 4), -1, True, gradient=False)
    yield s(s.distinct(2, 3), None, True, gradient=False)
    yield s(s.distinct(2, 3), 0, dtype="int32", gradient=False)
    yield s(s.ints(0, 2, 9), gradient=False)
    yield s(np.array([1.0, np.nan, 3.0, np.nan]), gradient=False)
    yield s(np.array([[np.nan, -np.inf], [np.inf, np.nan]], "float32"), 0, gradient=False)
    yield s(s.randn(), gradient=False)
    yield s(s.zeros(0, 2), 1, gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)
    yield s.bad(ShapeError, "of no elements", s.zeros(2, 0), 1)


@primitive(
    name="argmax",
    infer=_position,
    kernel=_position_kernel(np.argmax, -math.inf),
    lower=lambda i, x, axis, keepdim: _position_of("max", i, x, axis, keepdim),
    grad=lambda: None,
    desc=_position_desc("arg_max", lambda: argmax_op),
    samples=_position_samples,
)
def argmax_op(
    x: Tensor, axis: int | None = None, keepdim: bool = False, dtype: DType = int64
) -> Tensor:
    """The position of the largest element: the operator under `argmax`."""


@primitive(
    name="argmin",
    infer=_position,
    kernel=_position_kernel(np.argmin, math.inf),
    lower=lambda i, x, axis, keepdim: _position_of("min", i, x, axis, keepdim),
    grad=lambda: None,
    desc=_position_desc("arg_min", lambda: argmin_op),
    samples=_position_samples,
)
def argmin_op(
    x: Tensor, axis: int | None = None, keepdim: bool = False, dtype: DType = int64
) -> Tensor:
    """The position of the smallest element: the operator under `argmin`."""


def _position_arguments(x: Tensor, axis: Any, dtype: Any) -> tuple[int | None, Any]:
    axes = axes_of(x, axis)
    if len(axes) > 1:
        raise ArgumentError(f"expected one axis or None, received {list(axes)}")
    if dtype not in (int32, int64):
        raise DTypeError(f"dtype must be int32 or int64, received {dtype_of(dtype).name}")
    return (axes[0] if axes else None), dtype


@function(method=True)
def argmax(x: Tensor, axis: Any = None, keepdim: bool = False, dtype: Any = "int64") -> Tensor:
    """The position of the largest element along `axis`, the first of equals; without an axis in the
    flattened x.

    x: [*]; nan counts as -inf. Returns the shape without the axis, or with a size of 1
    for `keepdim`, of `dtype`. Raises AxisError, ShapeError for no elements, DTypeError for a
    `dtype` other than int32 and int64.

    >>> x = twinoar.to_tensor([[1.0, 5.0], [6.0, 3.0]])
    >>> twinoar.argmax(x).item(), twinoar.argmax(x, axis=1).tolist()
    (2, [1, 0])
    """
    axis, dtype = _position_arguments(x, axis, dtype)
    return argmax_op(x, axis, keepdim, dtype)


@function(method=True)
def argmin(x: Tensor, axis: Any = None, keepdim: bool = False, dtype: Any = "int64") -> Tensor:
    """The position of the smallest element along `axis`, the first of equals; without an axis in
    the flattened x.

    x: [*]; nan counts as inf. Returns the shape without the axis, or with a size of 1
    for `keepdim`, of `dtype`. Raises AxisError, ShapeError for no elements, DTypeError for a
    `dtype` other than int32 and int64.

    >>> x = twinoar.to_tensor([[1.0, 5.0], [6.0, 3.0]])
    >>> twinoar.argmin(x).item(), twinoar.argmin(x, axis=1).tolist()
    (0, [0, 1])
    """
    axis, dtype = _position_arguments(x, axis, dtype)
    return argmin_op(x, axis, keepdim, dtype)
