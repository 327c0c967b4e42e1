"""Update rule of LAMB."""

from __future__ import annotations

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.sign import sign
from twinoar.ops.optimizer._numpy import rate_for, single
from twinoar.ops.reduce.reduction import sum as total

State = tuple[Tensor, ...]


@op(
    desc=Desc(
        "lamb",
        {
            "Param": "param",
            "Grad": "grad",
            "Moment1": "moment1",
            "Moment2": "moment2",
            "Beta1Pow": "beta1_pow",
            "Beta2Pow": "beta2_pow",
            "LearningRate": "learning_rate",
        },
        ("ParamOut", "Moment1Out", "Moment2Out", "Beta1PowOut", "Beta2PowOut"),
        {
            "weight_decay": "decay",
            "beta1": "beta1",
            "beta2": "beta2",
            "epsilon": "epsilon",
            "always_adapt": "always_adapt",
        },
    )
)
def lamb(
    param: Tensor,
    grad: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    beta1_pow: Tensor,
    beta2_pow: Tensor,
    learning_rate: Tensor,
    decay: float = 0.01,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    always_adapt: bool = False,
) -> State:
    """One step of LAMB: Adam's direction, as long as the parameter times the learning rate.

    param, grad and moments: [*], float. always_adapt: scale so without decay, too. Returns the new
    param, moments and powers. Source: arXiv 1904.00962, algorithm 2.
    """
    moment1 = beta1 * moment1 + (1 - beta1) * grad
    moment2 = beta2 * moment2 + (1 - beta2) * (grad * grad)
    mean = moment1 / (1 - single(beta1_pow))
    direction = mean / (sqrt(moment2 / (1 - single(beta2_pow))) + epsilon)
    if decay:
        direction = direction + decay * param
    step = rate_for(param, learning_rate) * direction
    if decay or always_adapt:
        size, length = sqrt(total(param * param)), sqrt(total(direction * direction))
        both = sign(size) * sign(length)  # 1, or 0 where one of them is 0: then the ratio is 1
        step = step * (both * size / (length + (1 - both)) + (1 - both))
    return param - step, moment1, moment2, beta1_pow * beta1, beta2_pow * beta2


@lamb.samples
def _(s):
    moments = (s.randn(2, 3), s.uniform(0.1, 1, 2, 3))
    powers = (s.uniform(0.5, 0.9, 1), s.uniform(0.5, 0.9, 1))
    yield s(s.randn(2, 3), s.randn(2, 3), *moments, *powers, 0.1, gradient=False)
    yield s(s.zeros(2, 3), s.randn(2, 3), *moments, *powers, 0.1, gradient=False)
    tensors = (s.randn(2, 3), s.randn(2, 3), *moments, *powers)
    yield s(*tensors, 0.1, decay=0.0, gradient=False)
    yield s(*tensors, 0.1, decay=0.0, always_adapt=True, gradient=False)
