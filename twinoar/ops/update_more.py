"""Update rules of the less common optimizers: parameters and moments, one step on.

Each takes the learning rate as an operand, [] or a number; powers of betas are of shape [1], those
of the step at hand. None has a gradient rule of its own: an optimizer wants none.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.desc import Desc
from twinoar.core.op import op
from twinoar.core.values import Value
from twinoar.ops.math import abs as magnitude
from twinoar.ops.math import rsqrt, sign, sqrt
from twinoar.ops.reduce import sum as total
from twinoar.ops.select import maximum
from twinoar.ops.shape import reshape
from twinoar.ops.update import rate_for

Tensor = Value
State = tuple[Tensor, ...]


def single(x: Any) -> Any:
    """A tensor with one element as [], so that it changes no shape; a number as it is."""
    return reshape(x, ()) if isinstance(x, Value) and x.spec.ndim else x


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


@op
def amsgrad(
    param: Tensor,
    grad: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    moment2_max: Tensor,
    beta1_pow: Tensor,
    beta2_pow: Tensor,
    learning_rate: Tensor,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    decay: float = 0.0,
) -> State:
    """One step of Adam with the largest second moment so far; decay shrinks param before, as AdamW.

    param, grad and moments: [*], float. Returns the new param, moments and powers.
    Source: Reddi, Kale and Kumar, ICLR 2018, algorithm 2.
    """
    moment1 = beta1 * moment1 + (1 - beta1) * grad
    moment2 = beta2 * moment2 + (1 - beta2) * (grad * grad)
    moment2_max = maximum(moment2_max, moment2)
    root = sqrt(moment2_max) * rsqrt(1 - single(beta2_pow)) + epsilon
    step = rate_for(param, learning_rate) / (1 - single(beta1_pow)) * moment1 / root
    if decay:
        param = param * (1 - rate_for(param, learning_rate) * decay)
    return param - step, moment1, moment2, moment2_max, beta1_pow * beta1, beta2_pow * beta2


@amsgrad.samples
def _(s):
    moments = (s.randn(2, 3), s.uniform(0.1, 1, 2, 3), s.uniform(0.1, 1, 2, 3))
    powers = (s.uniform(0.5, 0.9, 1), s.uniform(0.5, 0.9, 1))
    yield s(s.randn(2, 3), s.randn(2, 3), *moments, *powers, 0.1, gradient=False)
    yield s(s.randn(2, 3), s.randn(2, 3), *moments, *powers, 0.1, decay=0.1, gradient=False)
