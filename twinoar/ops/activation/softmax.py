"""Softmax over an axis and its logarithm; and the gated and the grouped maximum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.op.declare import (
    Desc,
    Spec,
    Tensor,
    function,
    loop,
    normalize_axis,
    op,
    primitive,
)
from twinoar.errors import AxisError, DTypeError, ShapeError
from twinoar.ops.activation.smooth import sigmoid, widened
from twinoar.ops.index.along_axis import first_maximum
from twinoar.ops.math.cast import astype, promote_to_floating
from twinoar.ops.math.exponential import exp
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.concat import chunk, concat_op
from twinoar.ops.shape.reshape import reshape_op

FEW = 64  # elements from which five NumPy functions take longer than a compiled kernel's call


def _along(x: Spec, axis: int) -> Spec:
    if x.ndim or axis not in (0, -1):
        normalize_axis(axis, x.ndim)
    return x


def _axes(x: np.ndarray, axis: int) -> int | None:
    """The axis for NumPy, which has none to name where there are no dimensions."""
    return axis if x.ndim or axis not in (0, -1) else None


def _shifted(x: np.ndarray, axis: int | None) -> np.ndarray:
    """x less its maximum: exp does not overflow."""
    return x - np.max(x, axis=axis, keepdims=True, initial=-np.inf).astype(x.dtype)


def _row(x: loop.Reader, i: Sequence[loop.Expr], axis: int) -> tuple[loop.Expr, loop.Expr]:
    """The maximum of the row that element i is in, and the sum of exp of what is less by that."""
    axes = (normalize_axis(axis, x.ndim),) if x.ndim else ()
    sizes, term = x.over(i, axes, keepdim=True)
    largest = loop.reduce("max", sizes, term)
    return largest, loop.sum(sizes, lambda *k: loop.exp(term(*k) - largest))


def _samples(s):
    yield s(s.randn(2, 3))
    yield s(s.randn(2, 3, 4), 1)
    yield s(s.randn(2, 3, dtype="float64"), 0, tolerance=1e-12)
    yield s(np.array([[1000.0, 0.0, -1000.0], [80.0, 81.0, 82.0]], np.float32), gradient=False)
    yield s(s.randn())
    yield s(s.randn(2, 1))
    yield s(s.zeros(2, 0))
    yield s(s.zeros(0, 2))
    yield s(s.ints(0, 3, 4), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)


@primitive(
    name="softmax",
    infer=_along,
    promote=promote_to_floating,
    compiled_from=FEW,
    desc=Desc("softmax", {"X": "x"}, attrs={"axis": "axis"}),
    samples=_samples,
    amp="high",
)
def softmax_op(x: Tensor, axis: int = -1) -> Tensor:
    """exp(x) / sum(exp(x)) along `axis`: the operator under `softmax`."""


@softmax_op.kernel
@widened
def _(x, axis):
    axis = _axes(x, axis)
    out = np.exp(_shifted(x, axis))
    return out / out.sum(axis=axis, keepdims=True)


@softmax_op.lower
def _(i, x, axis):
    largest, total = _row(x, i, axis)
    return loop.exp(x[i] - largest) / total


@softmax_op.grad
def _(g, out, specs, axis):
    axes = (axis,) if specs[0].ndim else ()
    return out * (g - sum_op(g * out, axes, True))


def _shares_in_place(
    x: Tensor, axis: int = -1, dtype: Any = None, name: str | None = None
) -> Tensor:
    if not x.dtype.is_floating:
        raise DTypeError(
            f"softmax_ changes a tensor that can hold shares, received {x.dtype.name}",
            cure="use softmax, which makes a new tensor",
        )
    return softmax(x, axis, dtype, name=name)


@function(inplace=_shares_in_place)
def softmax(x: Tensor, axis: int = -1, dtype: Any = None) -> Tensor:
    """exp(x) / sum(exp(x)) along `axis`: positive shares that sum to 1.

    x: [*]; with `dtype`, x is cast to it first. Returns [*]. Raises AxisError.

    >>> twinoar.nn.functional.softmax(twinoar.to_tensor([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    return softmax_op(x if dtype is None else astype(x, dtype), axis)


@primitive(
    name="log_softmax",
    infer=_along,
    promote=promote_to_floating,
    desc=Desc("log_softmax", {"X": "x"}, attrs={"axis": "axis"}),
    samples=_samples,
    amp="high",
)
def log_softmax_op(x: Tensor, axis: int = -1) -> Tensor:
    """x - log(sum(exp(x))) along `axis`: the operator under `log_softmax`."""


@log_softmax_op.kernel
@widened
def _(x, axis):
    axis = _axes(x, axis)
    shifted = _shifted(x, axis)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


@log_softmax_op.lower
def _(i, x, axis):
    largest, total = _row(x, i, axis)
    return x[i] - largest - loop.log(total)


@log_softmax_op.grad
def _(g, out, specs, axis):
    axes = (axis,) if specs[0].ndim else ()
    return g - exp(out) * sum_op(g, axes, True)


@function
def log_softmax(x: Tensor, axis: int = -1, dtype: Any = None) -> Tensor:
    """log(softmax(x)) along `axis`, accurate where the share is tiny.

    x: [*]; with `dtype`, x is cast to it first. Returns [*]. Raises AxisError.

    >>> twinoar.nn.functional.log_softmax(twinoar.to_tensor([1000.0, 0.0])).tolist()
    [0.0, -1000.0]
    """
    return log_softmax_op(x if dtype is None else astype(x, dtype), axis)


@function
def glu(x: Tensor, axis: int = -1) -> Tensor:
    """a * sigmoid(b), where a and b are the halves of x along `axis`: a gated linear unit.

    x: [*], of even size along the axis. Returns [*] with half of it. Raises ShapeError, AxisError.
    Source: Dauphin et al. 2017, arXiv 1612.08083.

    >>> from twinoar.ops.activation.softmax import glu
    >>> glu(twinoar.to_tensor([3.0, 0.0])).tolist()
    [1.5]
    """
    return glu_op(x, axis)


@op(name="glu")
def glu_op(x: Tensor, axis: int = -1) -> Tensor:
    """Halves of x, one times the sigmoid of the other: the operator under `glu`."""
    kept, gate = chunk(x, 2, axis)
    return kept * sigmoid(gate)


@glu_op.grad
def _(g, x, axis):
    kept, gate = chunk(x, 2, axis)
    share = sigmoid(gate)
    of_kept = g * share
    return concat_op((of_kept, of_kept * kept * (1.0 - share)), axis)


@glu_op.samples
def _(s):
    yield s(s.randn(3, 4))
    yield s(s.randn(4, 2, dtype="float64"), 0)
    yield s(s.zeros(0, 4))
    yield s.bad(AxisError, "axis", s.randn(2, 4), 3)


def _grouped(x: Spec, groups: int, axis: int) -> Spec:
    at = normalize_axis(axis, x.ndim)
    channels = x.shape[at]
    if isinstance(channels, int) and channels % groups:
        raise ShapeError(
            f"{channels} channels do not divide into groups of {groups}",
            cure="choose a number of groups that divides the channels",
        )
    return Spec((*x.shape[:at], channels // groups, *x.shape[at + 1 :]), x.dtype)


@op(
    infer=_grouped,
    desc=Desc("maxout", {"X": "x"}, attrs={"groups": "groups", "axis": "axis"}),
)
def maxout(x: Tensor, groups: int, axis: int = 1) -> Tensor:
    """The maximum of each `groups` channels that follow each other; the first has the gradient.

    x: [N,C,*], channels along `axis`. Returns [N,C/groups,*]. Raises ShapeError where the channels
    do not divide. Source: Goodfellow et al. 2013, arXiv 1302.4389.

    >>> from twinoar.ops.activation.softmax import maxout
    >>> maxout(twinoar.to_tensor([[1.0, 2.0, 4.0, 3.0]]), groups=2).tolist()
    [[2.0, 4.0]]
    """
    shape = _grouped(x.spec, groups, axis).shape
    at = normalize_axis(axis, x.ndim)
    return first_maximum(reshape_op(x, (*shape[: at + 1], groups, *shape[at + 1 :])), at + 1)


@maxout.samples
def _(s):
    yield s(s.distinct(2, 6, 2, 2), 3)
    yield s(s.distinct(2, 3, 4), 2, -1)
    yield s(s.distinct(2, 4), 1)
    yield s(s.zeros(0, 4), 2)
    yield s.bad(ShapeError, "do not divide", s.randn(2, 3, 1, 1), 2)
    yield s.bad(AxisError, "axis must be", s.randn(2, 4), 2, 2)
