"""Running sums and products along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.op.declare import Desc, Spec, Tensor, function, normalize_axis, primitive
from twinoar.errors import AxisError
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import isinf
from twinoar.ops.math.select import select
from twinoar.ops.reduce._scan import add, multiply, scan
from twinoar.ops.reduce.affine_scan import affine_scan, neighbours
from twinoar.ops.reduce.reduction import accumulate, sum_op
from twinoar.ops.shape.reshape import reshape_op


def _read_cumsum(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    x, axis = slots["X"][0], attrs.get("axis", -1)
    if attrs.get("flatten"):
        x, axis = reshape_op(x, (-1,)), 0
    out = cumsum_op(x, axis, attrs.get("reverse", False))
    return out - x if attrs.get("exclusive") else out


def _scanned(x: Spec, axis: int) -> Spec:
    if x.ndim or axis not in (0, -1):
        normalize_axis(axis, x.ndim)
    return x


@primitive(
    apart="axis",
    name="cumsum",
    infer=lambda x, axis, reverse: Spec(
        _scanned(x, axis).shape, x.dtype if x.dtype.is_differentiable else int64
    ),
    grad=lambda g, axis, reverse: cumsum_op(g, axis, not reverse),
    desc=Desc(
        "cumsum",
        {"X": "x"},
        attrs={"axis": "axis", "reverse": "reverse"},
        fixed={"flatten": False, "exclusive": False},
        read=_read_cumsum,
    ),
    amp="high",
)
def cumsum_op(x: Tensor, axis: int, reverse: bool = False) -> Tensor:
    """Running sums along `axis`, from its end for `reverse`: the operator under `cumsum`.

    x: [*]. Returns [*]; bool and integers sum up to int64. Raises AxisError.
    """


@cumsum_op.kernel
def _(x, axis, reverse):
    if x.dtype.kind in "biu":
        x = x.astype(np.int64)
    if x.ndim == 0 and axis in (0, -1):
        return x
    if reverse:
        return np.flip(accumulate(np.cumsum, np.flip(x, axis), axis=axis, **_dtype(x)), axis).copy()
    return accumulate(np.cumsum, x, axis=axis, **_dtype(x))


@cumsum_op.procedure
def _(p, x, axis, reverse):
    scan(p, x, axis, add, 0, reverse=reverse)


def _dtype(x: np.ndarray) -> dict[str, Any]:
    """Keeps NumPy from widening integers."""
    return {"dtype": x.dtype} if x.dtype.kind in "biu" else {}


@cumsum_op.samples
def _(s):
    yield s(s.randn(2, 3), 0)
    yield s(s.randn(2, 3), -1)
    yield s(s.randn(2, 3), 1, True)
    yield s(s.randn(3, dtype="float64"), 0, tolerance=1e-12)
    yield s(s.randn(), 0)
    yield s(s.zeros(0, 2), 0)
    yield s(s.ints(0, 9, 4), 0, gradient=False)
    yield s(s.ints(0, 9, 4, dtype="int32"), 0, True, gradient=False)
    yield s(s.ints(100, 127, 4, dtype="int8"), 0, gradient=False)
    yield s(s.ints(0, 1, dtype="uint8"), 0, gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)


def numbered(like: Tensor) -> Tensor:
    """0, 1, 2 and so on, int64, in the shape of a tensor, whose sizes only a run may know."""
    ones = reshape_op(astype(like, int64) * 0 + 1, (-1,))
    return reshape_op(cumsum_op(ones, 0) - 1, like.spec.shape)


def _cumsum_in_place(
    x: Tensor, axis: Any = None, dtype: Any = None, name: str | None = None
) -> Tensor:
    return cumsum(x, axis, x.dtype if dtype is None else dtype, name=name)


@function(method=True, inplace=_cumsum_in_place)
def cumsum(x: Tensor, axis: Any = None, dtype: Any = None) -> Tensor:
    """Running sums along `axis`; without one, of the flattened x.

    x: [*]; with `dtype`, x is cast to it first. Returns [*], or [n] for all n elements without an
    axis, in `dtype`; without one bool and integers sum up to int64. Raises AxisError.

    >>> twinoar.cumsum(twinoar.to_tensor([[1, 2], [3, 4]]), axis=1).tolist()
    [[1, 3], [3, 7]]
    """
    if dtype is not None:
        x = astype(x, dtype)
    if axis is None:
        x, axis = reshape_op(x, (-1,)), 0
    if dtype is None:
        return cumsum_op(x, axis)
    return astype(cumsum_op(x, axis), dtype)


@primitive(
    apart="dim",
    name="cumprod",
    infer=lambda x, dim: _scanned(x, dim),
    desc=Desc("cumprod", {"X": "x"}, attrs={"dim": "dim"}),
    amp="high",
)
def cumprod_op(x: Tensor, dim: int) -> Tensor:
    """Running products along `dim`: the operator under `cumprod`.

    x: [*]. Returns [*]. Raises AxisError.
    """


@cumprod_op.kernel
def _(x, dim):
    if x.ndim == 0 and dim in (0, -1):
        return x
    return accumulate(np.cumprod, x, axis=dim, **_dtype(x))


@cumprod_op.procedure
def _(p, x, dim):
    scan(p, x, dim, multiply, 1)


@cumprod_op.grad
def _(g, x, out, dim):
    # The slope of an element is what stands before it times t, where t[i] = g[i] + x[i+1] t[i+1]:
    # nothing is divided by x, which may be zero or infinite. Where the others hold both, a product
    # of them is nan, which t, that multiplies from the end, does not see.
    if x.ndim == 0:
        return g
    axis = normalize_axis(dim, x.ndim)
    without_last, without_first = neighbours(axis, reverse=False)
    factors = without_last.placed(without_first(x), x.spec)
    after = affine_scan((factors, g), (True,), axis, True)
    slope = without_first.replaced(after, without_first(after) * without_last(out))
    undefined = _among_others(x == 0.0, axis) & _among_others(isinf(x), axis)
    return select(undefined, float("nan"), slope)


def _among_others(mask: Tensor, axis: int) -> Tensor:
    """Whether another element of the line has what the mask says."""
    return sum_op(mask, (axis,), True) > astype(mask, int64)


@cumprod_op.samples
def _(s):
    yield s(s.uniform(0.5, 2, 2, 3), 0)
    yield s(s.uniform(-2, -0.5, 2, 3), -1)
    yield s(s.uniform(0.5, 2, 3, dtype="float64"), 0, tolerance=1e-12)
    yield s(np.array([[2.0, 0.0, 3.0, 0.0, 5.0], [1.0, 2.0, 3.0, 0.0, 2.0]]), 1)
    yield s(s.randn(), 0)
    yield s(s.zeros(0, 2), 0)
    yield s(s.ints(0, 9, 4), 0, gradient=False)
    yield s(s.ints(0, 9, 4, dtype="int32"), 0, gradient=False)
    yield s.bad(AxisError, "must be", s.randn(2, 3), 2)


@function(method=True, inplace=True)
def cumprod(x: Tensor, dim: Any = None, dtype: Any = None) -> Tensor:
    """Running products along `dim`; without one, of the flattened x.

    x: [*]; with `dtype`, x is cast to it first. Returns [*], or [n] for all n elements without
    `dim`. Raises AxisError.

    >>> twinoar.cumprod(twinoar.to_tensor([[1, 2], [3, 4]]), dim=0).tolist()
    [[1, 2], [3, 8]]
    """
    if dtype is not None:
        x = astype(x, dtype)
    if dim is None:
        return cumprod_op(reshape_op(x, (-1,)), 0)
    return cumprod_op(x, dim)
