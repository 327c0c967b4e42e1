"""Update rules of Paddle 1 that Paddle 2 has no optimizer for: parameters and moments, one step on.

As in `update_more`: the learning rate is an operand, [] or a number, and there are no gradients.
"""

from __future__ import annotations

from twinoar.core.desc import Desc
from twinoar.core.op import op
from twinoar.core.values import Value
from twinoar.ops.create import zeros_like
from twinoar.ops.mask import where
from twinoar.ops.math import abs as magnitude
from twinoar.ops.math import sign, sqrt
from twinoar.ops.reduce import sum as total
from twinoar.ops.update import rate_for

Tensor = Value
State = tuple[Tensor, ...]
LEAST_PENALTY = 1e-10  # Paddle adds it to l1 and l2


@op(
    desc=Desc(
        "decayed_adagrad",
        {"Param": "param", "Grad": "grad", "Moment": "moment", "LearningRate": "learning_rate"},
        ("ParamOut", "MomentOut"),
        {"decay": "decay", "epsilon": "epsilon"},
    )
)
def decayed_adagrad(
    param: Tensor,
    grad: Tensor,
    moment: Tensor,
    learning_rate: Tensor,
    decay: float = 0.95,
    epsilon: float = 1e-6,
) -> State:
    """One step of Adagrad that forgets: the sum of squares becomes a running mean.

    param, grad, moment: [*], float. Returns the new param and moment.
    """
    moment = decay * moment + (1 - decay) * (grad * grad)
    return param - rate_for(param, learning_rate) * grad / (sqrt(moment) + epsilon), moment


@decayed_adagrad.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3), s.uniform(0.1, 1, 2, 3), 0.1, gradient=False)


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


@op(
    desc=Desc(
        "lars_momentum",
        {
            "Param": "param",
            "Grad": "grad",
            "Velocity": "velocity",
            "LearningRate": "learning_rate",
        },
        ("ParamOut", "VelocityOut"),
        {
            "mu": "mu",
            "lars_coeff": "coefficient",
            "lars_weight_decay": ("decay", lambda x: [x], lambda x: x[0]),  # of each parameter
        },
    )
)
def lars_momentum(
    param: Tensor,
    grad: Tensor,
    velocity: Tensor,
    learning_rate: Tensor,
    mu: float = 0.9,
    coefficient: float = 0.001,
    decay: float = 0.0005,
) -> State:
    """One step of momentum at a rate in the ratio of the parameter's length to its gradient's.

    param, grad, velocity: [*], float. Returns the new param and velocity.
    Source: arXiv 1708.03888, algorithm 1.
    """
    size, slope = sqrt(total(param * param)), sqrt(total(grad * grad))
    both = sign(size) * sign(slope)  # 1, or 0 where one of them is 0: then the ratio is 1
    ratio = both * coefficient * size / (slope + decay * size + (1 - both)) + (1 - both)
    rate = rate_for(param, learning_rate) * ratio
    velocity = mu * velocity + rate * (grad + decay * param)
    return param - velocity, velocity


@lars_momentum.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3), s.randn(2, 3), 0.1, gradient=False)
    yield s(s.zeros(2, 3), s.randn(2, 3), s.randn(2, 3), 0.1, gradient=False)
