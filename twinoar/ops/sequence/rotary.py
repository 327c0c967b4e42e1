"""Rotary position embedding: the operator that turns pairs of numbers by angles.

Source: arXiv 2104.09864, section 3.4.2.
"""

from __future__ import annotations

from twinoar.core.op.declare import Tensor, op
from twinoar.errors import ShapeError
from twinoar.ops.math.cast import astype
from twinoar.ops.shape.concat import chunk, concat
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import check_floating


@op(name="fused_rotary_position_embedding", amp="low")
def turned(x: Tensor, sin: Tensor, cos: Tensor, neighbours: bool = True) -> Tensor:
    """x * cos + quarter turn of x * sin: pairs of the last dimension, turned by angles.

    x: [*,D], floating, D even. sin, cos: of the angle of each number, broadcast to x. neighbours:
    pairs are neighbours; else number i of one half goes with number i of the other. Returns the
    shape and dtype of x. Raises ShapeError, DTypeError.
    """
    check_floating(x.spec)
    size = x.spec.shape[-1] if x.ndim else 1
    if not isinstance(size, int) or size % 2:
        raise ShapeError(f"the last dimension of x must be even, received {x.spec}")
    return astype(x * cos + _quarter(x, neighbours) * sin, x.dtype)


def _quarter(x: Tensor, neighbours: bool) -> Tensor:
    """Pairs (a, b) turned to (-b, a)."""
    if not neighbours:
        one, other = chunk(x, 2, -1)
        return concat([-other, one], -1)
    shape = x.spec.shape
    pairs = reshape(x, (*shape[:-1], shape[-1] // 2, 2))
    one, other = chunk(pairs, 2, -1)
    return reshape(concat([-other, one], -1), shape)


@turned.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(3, 4), s.randn(3, 4))
    yield s(s.randn(2, 3, 4), s.randn(3, 4), s.randn(3, 4), False)
    yield s(s.randn(6), s.randn(6), s.randn(6), False)
    yield s(s.zeros(0, 2), s.randn(2), s.randn(2))
    yield s.bad(ShapeError, "must be even", s.randn(2, 3), s.randn(3), s.randn(3))
