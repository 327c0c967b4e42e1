"""Update rule of Adamax."""

from __future__ import annotations

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.ops.math.select import maximum
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.optimizer._numpy import rate_for, single

State = tuple[Tensor, ...]


@op(
    desc=Desc(
        "adamax",
        {
            "Param": "param",
            "Grad": "grad",
            "Moment": "moment",
            "InfNorm": "norm",
            "Beta1Pow": "beta1_pow",
            "LearningRate": "learning_rate",
        },
        ("ParamOut", "MomentOut", "InfNormOut"),
        {"beta1": "beta1", "beta2": "beta2", "epsilon": "epsilon"},
    )
)
def adamax(
    param: Tensor,
    grad: Tensor,
    moment: Tensor,
    norm: Tensor,
    beta1_pow: Tensor,
    learning_rate: Tensor,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> State:
    """One step of Adamax: Adam with the maximum norm of past gradients.

    param, grad, moment, norm: [*], float. Returns the new param, moment and norm.
    Source: arXiv 1412.6980, algorithm 2.
    """
    moment = beta1 * moment + (1 - beta1) * grad
    norm = maximum(magnitude(grad), beta2 * norm + epsilon)
    rate = rate_for(param, learning_rate) / (1 - single(beta1_pow))
    return param - rate * (moment / norm), moment, norm


@adamax.samples
def _(s):
    moments = (s.randn(2, 3), s.uniform(0.1, 1, 2, 3))
    yield s(s.randn(2, 3), s.randn(2, 3), *moments, s.uniform(0.5, 0.9, 1), 0.1, gradient=False)
