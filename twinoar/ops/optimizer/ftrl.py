"""Update rule of FTRL: follow the regularized leader."""

from __future__ import annotations

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.ops.create.fill import zeros_like
from twinoar.ops.index.mask import where
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.math.sign import sign
from twinoar.ops.optimizer._numpy import rate_for

State = tuple[Tensor, ...]


LEAST_PENALTY = 1e-10  # Paddle adds it to l1 and l2


@op(
    desc=Desc(
        "ftrl",
        {
            "Param": "param",
            "SquaredAccumulator": "squared",
            "LinearAccumulator": "linear",
            "Grad": "grad",
            "LearningRate": "learning_rate",
        },
        ("ParamOut", "SquaredAccumOut", "LinearAccumOut"),
        {"l1": "l1", "l2": "l2", "lr_power": "lr_power"},
    )
)
def ftrl(
    param: Tensor,
    grad: Tensor,
    squared: Tensor,
    linear: Tensor,
    learning_rate: Tensor,
    l1: float = 0.0,
    l2: float = 0.0,
    lr_power: float = -0.5,
) -> State:
    """One step of FTRL-Proximal, which follows all past gradients at once and leaves many zeros.

    All tensors: [*], float. Returns the new param, sum of squares and linear sum. Source: McMahan
    et al., KDD 2013, algorithm 1, with lambda_2 = 2 l2 and beta = 0.
    """
    rate = rate_for(param, learning_rate)
    following = squared + grad * grad
    grown = _power(following, lr_power)
    linear = linear + grad - (grown - _power(squared, lr_power)) / rate * param
    least = l1 + LEAST_PENALTY
    shrunk = (least * sign(linear) - linear) / (grown / rate + 2 * (l2 + LEAST_PENALTY))
    return where(magnitude(linear) > least, shrunk, zeros_like(param)), following, linear


def _power(x: Tensor, lr_power: float) -> Tensor:
    return sqrt(x) if lr_power == -0.5 else x**-lr_power


@ftrl.samples
def _(s):
    sums = (s.uniform(0.1, 1, 2, 3), s.randn(2, 3))
    yield s(s.randn(2, 3), s.randn(2, 3), *sums, 0.1, gradient=False)
    yield s(s.randn(2, 3), s.randn(2, 3), *sums, 0.1, 0.5, 0.1, -0.7, gradient=False)
