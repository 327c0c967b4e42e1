"""Row convolution: each step of a sequence sees some steps that follow it."""

from __future__ import annotations

from typing import Any

from twinoar.core.dim import differ
from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ShapeError
from twinoar.ops.shape.pad import pad_constant
from twinoar.ops.shape.slice import END, slice_op


@op(desc=Desc("row_conv", {"X": "x", "Filter": "weight"}))
def row_conv(x: Tensor, weight: Tensor) -> Tensor:
    """sum over w of x[:, t + w] weight[w], with zeros after the last step.

    x: [N,T,D], floating. weight: [W,D]. Returns [N,T,D]. Raises ShapeError. Source: Amodei et al.
    2015, arXiv 1512.02595, section 3.7.

    >>> from twinoar.ops.conv.row_conv import row_conv
    >>> x = twinoar.to_tensor([[[1.0], [2.0], [4.0]]])
    >>> row_conv(x, twinoar.ones([2, 1])).flatten().tolist()
    [3.0, 6.0, 4.0]
    """
    if x.ndim != 3 or weight.ndim != 2 or differ(x.spec.shape[2], weight.spec.shape[1]):
        raise ShapeError(f"x must be [N,T,D], and weight [W,D], received {x.spec}, {weight.spec}")
    time, width = x.spec.shape[1], weight.spec.shape[0]
    seen: Any = min(time, width) if isinstance(time, int) else width
    total = x * _row(weight, 0)
    for w in range(1, seen):
        total = total + following(x, w) * _row(weight, w)
    return total


@row_conv.samples
def _(s):
    yield s(s.randn(2, 5, 3), s.randn(3, 3))
    yield s(s.randn(1, 2, 3), s.randn(4, 3))
    yield s(s.randn(2, 3, 1, dtype="float64"), s.randn(1, 1, dtype="float64"))
    yield s.bad(ShapeError, "weight [W,D]", s.randn(2, 5, 3), s.randn(3, 2))


def following(x: Tensor, steps: int, value: float = 0.0) -> Tensor:
    """x [N,T,*] with each step in the place of the one `steps` before it, and `value` for the rest.

    steps: negative to move the other way.

    >>> following(twinoar.to_tensor([[[1.0], [2.0], [4.0]]]), 1).flatten().tolist()
    [2.0, 4.0, 0.0]
    """
    if steps == 0:
        return x
    sides = (0, steps) if steps > 0 else (-steps, 0)
    wide = pad_constant(x, (0, 0, *sides, *(0, 0) * (x.ndim - 2)), value)
    return slice_op(wide, (1,), (max(steps, 0),), (END if steps > 0 else steps,))


def _row(weight: Tensor, w: int) -> Tensor:
    return slice_op(weight, (0,), (w,), (w + 1,), (0,))
