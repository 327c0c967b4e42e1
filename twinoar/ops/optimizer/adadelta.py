"""Update rule of Adadelta."""

from __future__ import annotations

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.ops.math.root import sqrt
from twinoar.ops.optimizer._numpy import rate_for

State = tuple[Tensor, ...]


@op(
    desc=Desc(
        "adadelta",
        {
            "Param": "param",
            "Grad": "grad",
            "AvgSquaredGrad": "mean_square",
            "AvgSquaredUpdate": "mean_square_step",
            "LearningRate": "learning_rate",
        },
        ("ParamOut", "AvgSquaredGradOut", "AvgSquaredUpdateOut"),
        {"rho": "rho", "epsilon": "epsilon"},
    )
)
def adadelta(
    param: Tensor,
    grad: Tensor,
    mean_square: Tensor,
    mean_square_step: Tensor,
    learning_rate: Tensor,
    rho: float = 0.95,
    epsilon: float = 1e-6,
) -> State:
    """One step of Adadelta: steps in the ratio of past steps to past gradients.

    All tensors: [*], float. Returns the new param, mean_square and mean_square_step.
    Source: arXiv 1212.5701, algorithm 1.
    """
    mean_square = rho * mean_square + (1 - rho) * (grad * grad)
    step = sqrt((mean_square_step + epsilon) / (mean_square + epsilon)) * grad
    mean_square_step = rho * mean_square_step + (1 - rho) * (step * step)
    return param - rate_for(param, learning_rate) * step, mean_square, mean_square_step


@adadelta.samples
def _(s):
    squares = (s.uniform(0.1, 1, 2, 3), s.uniform(0.1, 1, 2, 3))
    yield s(s.randn(2, 3), s.randn(2, 3), *squares, 0.1, gradient=False)
