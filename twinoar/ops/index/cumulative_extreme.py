"""Running extrema along an axis: cummax, cummin, logcumsumexp."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import DType, int64
from twinoar.core.op.declare import (
    Desc,
    Spec,
    Tensor,
    function,
    loop,
    normalize_axis,
    primitive,
    procedure,
)
from twinoar.errors import AxisError
from twinoar.ops.index._running_extreme import running_extreme
from twinoar.ops.index.along_axis import put_along_axis_op
from twinoar.ops.math._unary import quiet
from twinoar.ops.math.cast import astype, promote_to_floating
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.fill import fill, zeros_of
from twinoar.ops.math.select import maximum
from twinoar.ops.reduce._scan import scan
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.shape.roll import flip_op


def _running_specs(x: Spec, axis: int, dtype: DType) -> tuple[Spec, Spec]:
    normalize_axis(axis, x.ndim)
    return x, Spec(x.shape, dtype)


def _running_kernel(extreme: Any) -> Any:
    @quiet
    def kernel(x: np.ndarray, axis: int, dtype: DType) -> tuple[np.ndarray, np.ndarray]:
        out = extreme.accumulate(x, axis)
        shape = [1] * x.ndim
        shape[axis] = x.shape[axis]
        own = np.arange(x.shape[axis]).reshape(shape)
        places = np.where((x == out) | (x != x), own, 0)
        return out, np.maximum.accumulate(places, axis).astype(dtype.numpy)

    return kernel


def _running_gradient(gs: Any, outs: Any, specs: Any, axis: int) -> Tensor:
    return put_along_axis_op(zeros_of(specs[0]), astype(outs[1], int64), gs[0], axis, "add")


def _running_samples(s):
    yield s(s.distinct(2, 5))
    yield s(s.distinct(3, 4, dtype="float64"), 0, "int32")
    yield s(np.array([1.0, np.nan, 3.0]), gradient=False)
    yield s(s.ints(0, 3, 2, 5), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)


def _running_desc(kind: str) -> Desc:
    return Desc(
        kind, {"x": "x"}, outputs=("out", "indices"), attrs={"axis": "axis", "dtype": "dtype"}
    )


@primitive(
    apart="axis",
    name="cummax",
    infer=_running_specs,
    kernel=_running_kernel(np.maximum),
    procedure=lambda p, x, axis: running_extreme(p, x, axis, least=False),
    grad=_running_gradient,
    desc=_running_desc("cummax"),
    samples=_running_samples,
)
def cummax_op(x: Tensor, axis: int = -1, dtype: DType = int64) -> tuple[Tensor, Tensor]:
    """Running maxima: the operator under `cummax`."""


@primitive(
    apart="axis",
    name="cummin",
    infer=_running_specs,
    kernel=_running_kernel(np.minimum),
    procedure=lambda p, x, axis: running_extreme(p, x, axis, least=True),
    grad=_running_gradient,
    desc=_running_desc("cummin"),
    samples=_running_samples,
)
def cummin_op(x: Tensor, axis: int = -1, dtype: DType = int64) -> tuple[Tensor, Tensor]:
    """Running minima: the operator under `cummin`."""


def _running(op: Any, x: Tensor, axis: int | None, dtype: Any) -> tuple[Tensor, Tensor]:
    if axis is None:
        return op(reshape_op(x, (-1,)), 0, dtype)
    if x.ndim == 0:
        normalize_axis(axis, 1)  # as of one element
        return x.clone(), fill((), 0, dtype)
    return op(x, axis, dtype)


@function(method=True)
def cummax(x: Tensor, axis: int | None = None, dtype: Any = "int64") -> tuple[Tensor, Tensor]:
    """The largest elements so far along an axis, of the flattened x without one, and where they
    stand last.

    x: [*]. Returns [*], or [n] without an axis, and positions of `dtype`. Raises AxisError.

    >>> [part.tolist() for part in twinoar.cummax(twinoar.to_tensor([1, 3, 2, 3]))]
    [[1, 3, 3, 3], [0, 1, 1, 3]]
    """
    return _running(cummax_op, x, axis, dtype)


@function(method=True)
def cummin(x: Tensor, axis: int | None = None, dtype: Any = "int64") -> tuple[Tensor, Tensor]:
    """The smallest elements so far along an axis, and where they stand last. See `cummax`.

    >>> [part.tolist() for part in twinoar.cummin(twinoar.to_tensor([2, 3, 1, 1]))]
    [[2, 2, 1, 1], [0, 0, 2, 3]]
    """
    return _running(cummin_op, x, axis, dtype)


@primitive(
    apart="axis",
    name="logcumsumexp",
    infer=lambda x, axis: _running_specs(x, axis, int64)[0],
    promote=promote_to_floating,
    desc=Desc(
        "logcumsumexp",
        {"X": "x"},
        attrs={"axis": "axis"},
        fixed={"flatten": False, "exclusive": False, "reverse": False},
    ),
)
def logcumsumexp_op(x: Tensor, axis: int = -1) -> Tensor:
    """Running sums in the space of logarithms: the operator under `logcumsumexp`."""


@logcumsumexp_op.kernel
@quiet
def _(x, axis):
    if x.dtype.kind == "V":
        return np.logaddexp.accumulate(x.astype(np.float32), axis).astype(x.dtype)
    return np.logaddexp.accumulate(x, axis)


@logcumsumexp_op.procedure
def _(p, x, axis):
    scan(p, x, axis, _log_add, -math.inf)


@procedure
def _log_add(x, y):
    """log(exp(x) + exp(y)), of equal infinities too."""
    greater = loop.max(x, y) + loop.log1p(loop.exp(-abs(x - y)))
    return x + math.log(2) if x == y else greater


@logcumsumexp_op.grad
def _(g, x, out, axis):
    # dx[i] = exp(x[i]) * the sum of g[j] exp(-out[j]) from i on, by logarithms of each sign
    def part(of_one_sign: Tensor) -> Tensor:
        back = flip_op(log(of_one_sign) - out, (axis,))
        return exp(flip_op(logcumsumexp_op(back, axis), (axis,)) + x)

    return part(maximum(g, 0.0)) - part(maximum(-g, 0.0))


@logcumsumexp_op.samples
def _(s):
    yield s(s.randn(2, 3), second=False)
    yield s(s.randn(3, 4, dtype="float64"), 0, second=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)


@function(method=True)
def logcumsumexp(x: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
    """log of the running sums of exp(x) along an axis, of the flattened x without one.

    x: [*]; with `dtype`, x is cast to it first. Returns [*], or [n]. Raises AxisError.

    >>> [round(y, 4) for y in twinoar.logcumsumexp(twinoar.to_tensor([0.0, 0.0])).tolist()]
    [0.0, 0.6931]
    """
    x = x if dtype is None else astype(x, dtype)
    if axis is None:
        return logcumsumexp_op(reshape_op(x, (-1,)), 0)
    if x.ndim == 0:
        return reshape_op(logcumsumexp_op(reshape_op(x, (1,)), axis), ())
    return logcumsumexp_op(x, axis)
