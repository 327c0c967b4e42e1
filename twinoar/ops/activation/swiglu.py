"""SwiGLU: a linear unit gated by another, through x * sigmoid(x)."""

from __future__ import annotations

from twinoar.core.op.declare import Tensor, op
from twinoar.errors import ShapeError
from twinoar.ops.activation.smooth import silu
from twinoar.ops.shape.concat import chunk


@op
def swiglu(x: Tensor, y: Tensor | None = None) -> Tensor:
    """silu(x) * y; without y the halves of x along its last dimension are both.

    x, y: [*], floating. Returns [*], half as long without y. Raises ShapeError for an odd length.
    Source: arXiv 2002.05202, eq. 5.

    >>> twinoar.nn.functional.swiglu(twinoar.to_tensor([0.0, 50.0]), twinoar.ones([2])).tolist()
    [0.0, 50.0]
    """
    if y is None:
        length = x.spec.shape[-1] if x.ndim else 1
        if isinstance(length, int) and length % 2:
            raise ShapeError(
                f"the last dimension of x must be even, received {x.spec}",
                cure="give the gated part as y",
            )
        x, y = chunk(x, 2, -1)
    return silu(x) * y


@swiglu.samples
def _(s):
    yield s(s.randn(3, 4), s.randn(3, 4))
    yield s(s.randn(2, 3, 4))
    yield s(s.zeros(0, 4))
    yield s.bad(ShapeError, "must be even", s.randn(2, 3))
