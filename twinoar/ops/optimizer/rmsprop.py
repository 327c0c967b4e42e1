"""Update rule of RMSProp."""

from __future__ import annotations

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.ops.math.root import sqrt
from twinoar.ops.optimizer._numpy import rate_for

State = tuple[Tensor, ...]


@op(
    desc=Desc(
        "rmsprop",
        {
            "Param": "param",
            "Grad": "grad",
            "Moment": "moment",
            "MeanSquare": "mean_square",
            "MeanGrad": "mean_grad",
            "LearningRate": "learning_rate",
        },
        ("ParamOut", "MomentOut", "MeanSquareOut", "MeanGradOut"),
        {"decay": "rho", "epsilon": "epsilon", "momentum": "momentum", "centered": "centered"},
    )
)
def rmsprop(
    param: Tensor,
    grad: Tensor,
    moment: Tensor,
    mean_square: Tensor,
    mean_grad: Tensor,
    learning_rate: Tensor,
    rho: float = 0.95,
    epsilon: float = 1e-6,
    momentum: float = 0.0,
    centered: bool = False,
) -> State:
    """One step of RMSProp: gradients over the root of their running mean square.

    centered: the variance in place of the mean square. All tensors: [*], float. Returns the new
    param, moment, mean_square and mean_grad. Source: Graves, arXiv 1308.0850, eq. 38 to 45.
    """
    mean_square = rho * mean_square + (1 - rho) * (grad * grad)
    spread = mean_square
    if centered:
        mean_grad = rho * mean_grad + (1 - rho) * grad
        spread = mean_square - mean_grad * mean_grad
    moment = momentum * moment + rate_for(param, learning_rate) * grad / sqrt(spread + epsilon)
    return param - moment, moment, mean_square, mean_grad + 0.0


@rmsprop.samples
def _(s):
    tensors = (s.randn(2, 3), s.randn(2, 3), s.randn(2, 3), s.uniform(1, 2, 2, 3), s.zeros(2, 3))
    yield s(*tensors, 0.1, gradient=False)
    yield s(*tensors, 0.1, momentum=0.5, centered=True, gradient=False)
