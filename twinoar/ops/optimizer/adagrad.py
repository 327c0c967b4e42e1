"""Update rules of Adagrad and of its decayed form."""

from __future__ import annotations

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.ops.math.root import sqrt
from twinoar.ops.optimizer._numpy import rate_for

State = tuple[Tensor, ...]


@op(
    desc=Desc(
        "adagrad",
        {"Param": "param", "Grad": "grad", "Moment": "moment", "LearningRate": "learning_rate"},
        ("ParamOut", "MomentOut"),
        {"epsilon": "epsilon"},
    )
)
def adagrad(
    param: Tensor, grad: Tensor, moment: Tensor, learning_rate: Tensor, epsilon: float = 1e-6
) -> State:
    """One step of Adagrad: an element's rate falls with the squares of the gradients it has seen.

    param, grad, moment: [*], float. Returns the new param and moment.
    Source: Duchi, Hazan and Singer, JMLR 12 (2011), with diagonal matrices.
    """
    moment = moment + grad * grad
    return param - rate_for(param, learning_rate) * grad / (sqrt(moment) + epsilon), moment


@adagrad.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3), s.uniform(0.1, 1, 2, 3), 0.1, gradient=False)
    yield s(s.randn(), s.randn(), s.uniform(0.1, 1), s.uniform(0.1, 0.2), gradient=False)


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
