"""Update rule of Rprop."""

from __future__ import annotations

from twinoar.core.op.declare import Tensor, op
from twinoar.ops.math.select import maximum, minimum, select
from twinoar.ops.math.sign import sign

State = tuple[Tensor, ...]


@op
def rprop(
    param: Tensor,
    grad: Tensor,
    previous: Tensor,
    rates: Tensor,
    smallest: float = 1e-5,
    largest: float = 50.0,
    shrink: float = 0.5,
    grow: float = 1.2,
) -> State:
    """One step of Rprop: each element moves by a rate of its own, against the sign of its gradient.

    param, grad, previous, rates: [*], float. A rate grows while the sign stays, and shrinks,
    without a step, where it changes. Returns the new param, gradient to remember, and rates.
    Source: Riedmiller and Braun, A Direct Adaptive Method, 1993, eq. 3 to 5.
    """
    agreement = grad * previous
    turned = agreement < 0
    grad = select(turned, 0.0, grad)
    rates = select(turned, rates * shrink, select(agreement > 0, rates * grow, rates))
    rates = minimum(maximum(rates, smallest), largest)
    return param - sign(grad) * rates, grad, rates


@rprop.samples
def _(s):
    tensors = (s.randn(2, 3), s.randn(2, 3), s.randn(2, 3), s.uniform(0.1, 1, 2, 3))
    yield s(*tensors, gradient=False)
    yield s(*tensors, 0.2, 0.3, 0.4, 1.5, gradient=False)
