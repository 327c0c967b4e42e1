"""Update rules with momentum: classic, Nesterov's, and LARS."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ShapeError
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.sign import sign
from twinoar.ops.optimizer._numpy import checked, number_in, rate_for
from twinoar.ops.reduce.reduction import sum as total

State = tuple[Tensor, ...]


def _read_momentum(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> State:
    param, grad = slots["Param"][0], slots["Grad"][0]
    grad = grad * attrs.get("rescale_grad", 1.0)
    if attrs.get("regularization_method", "") == "l2_decay":
        grad = grad + attrs.get("regularization_coeff", 0.0) * param
    nesterov = attrs.get("use_nesterov", False)
    rate = slots["LearningRate"][0]
    return momentum(param, grad, slots["Velocity"][0], rate, attrs["mu"], nesterov)


@op(
    desc=Desc(
        "momentum",
        {
            "Param": "param",
            "Grad": "grad",
            "Velocity": "velocity",
            "LearningRate": "learning_rate",
        },
        ("ParamOut", "VelocityOut"),
        {"mu": "mu", "use_nesterov": "use_nesterov"},
        write=lambda attrs, specs: {
            "regularization_method": "",
            "regularization_coeff": 0.0,
            "rescale_grad": 1.0,
            "multi_precision": False,
        },
        read=_read_momentum,
    )
)
def momentum(
    param: Tensor,
    grad: Tensor,
    velocity: Tensor,
    learning_rate: Tensor,
    mu: float = 0.9,
    use_nesterov: bool = False,
) -> State:
    """One step of gradient descent with momentum.

    param, grad, velocity: [*], float. Returns the new param and velocity. Raises ShapeError where
    grad has another shape. Source: Sutskever et al. 2013, without and with their equation 4.
    """
    velocity = mu * velocity + grad
    direction = grad + mu * velocity if use_nesterov else velocity
    return param - rate_for(param, learning_rate) * direction, velocity


@momentum.infer
def _(param, grad, velocity, learning_rate, mu, use_nesterov):
    return checked(param, grad, velocity)


@momentum.kernel
def _(param, grad, velocity, learning_rate, mu, use_nesterov):
    checked(param, grad, velocity)
    velocity = velocity * mu
    velocity += grad
    step = velocity * (mu if use_nesterov else number_in(learning_rate))
    if use_nesterov:
        step += grad
        step *= number_in(learning_rate)
    return np.subtract(param, step).astype(param.dtype, copy=False), velocity


@momentum.samples
def _(s):
    moving = (s.randn(2, 3), s.randn(2, 3), s.randn(2, 3))
    yield s(*moving, 0.1, gradient=False)
    yield s(*moving, s.uniform(0.1, 1, 1), 0.5, True, gradient=False)
    yield s(s.randn(), s.randn(), s.randn(), s.uniform(0.1, 1, 1), gradient=False)
    yield s.bad(ShapeError, "grad has shape [3]", s.randn(2, 3), s.randn(3), s.randn(2, 3), 0.1)
    yield s.bad(ShapeError, "velocity has shape []", s.randn(2), s.randn(2), s.randn(), 0.1)


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
