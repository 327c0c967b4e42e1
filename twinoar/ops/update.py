"""Update rules of the common optimizers: a parameter and what is remembered of it, one step on.

The learning rate is an operand: a number, or a tensor with one element. Powers of betas hold one
element, those of the step at hand. None has a gradient rule of its own: an optimizer wants none.
The bodies are the formulas; the kernels compute the same in few passes over memory.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.desc import Desc
from twinoar.core.op import op
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ShapeError
from twinoar.ops.cast import cast
from twinoar.ops.math import rsqrt, sqrt
from twinoar.ops.shape import reshape

Tensor = Value
State = tuple[Tensor, ...]


@op(
    desc=Desc(
        "sgd",
        {"Param": "param", "Grad": "grad", "LearningRate": "learning_rate"},
        ("ParamOut",),
        write=lambda attrs, specs: {"multi_precision": False},
    )
)
def sgd(param: Tensor, grad: Tensor, learning_rate: Tensor) -> Tensor:
    """One step of gradient descent: param - learning_rate * grad.

    param, grad: [*], float. Returns the new param. Raises ShapeError where grad has another shape.
    """
    return param - rate_for(param, learning_rate) * grad


@sgd.infer
def _(param, grad, learning_rate):
    return _checked(param, grad)[0]


@sgd.kernel
def _(param, grad, learning_rate):
    _checked(param, grad)
    step = grad * _number(learning_rate)
    return np.subtract(param, step).astype(param.dtype, copy=False)


@sgd.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3), 0.1, gradient=False)
    yield s(s.randn(2, 3), s.randn(2, 3), s.uniform(0.1, 1, 1), gradient=False)
    yield s(s.randn(), s.randn(), s.uniform(0.1, 1, 1), gradient=False)
    yield s(s.zeros(0, 3), s.zeros(0, 3), s.uniform(0.1, 1), gradient=False)
    yield s(s.randn(2, dtype="float64"), s.randn(2, dtype="float64"), 0.1, gradient=False)
    yield s.bad(ShapeError, "grad has shape [3]", s.randn(2, 3), s.randn(3), 0.1)


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
    return _checked(param, grad, velocity)


@momentum.kernel
def _(param, grad, velocity, learning_rate, mu, use_nesterov):
    _checked(param, grad, velocity)
    velocity = velocity * mu
    velocity += grad
    step = velocity * (mu if use_nesterov else _number(learning_rate))
    if use_nesterov:
        step += grad
        step *= _number(learning_rate)
    return np.subtract(param, step).astype(param.dtype, copy=False), velocity


@momentum.samples
def _(s):
    moving = (s.randn(2, 3), s.randn(2, 3), s.randn(2, 3))
    yield s(*moving, 0.1, gradient=False)
    yield s(*moving, s.uniform(0.1, 1, 1), 0.5, True, gradient=False)
    yield s(s.randn(), s.randn(), s.randn(), s.uniform(0.1, 1, 1), gradient=False)
    yield s.bad(ShapeError, "grad has shape [3]", s.randn(2, 3), s.randn(3), s.randn(2, 3), 0.1)
    yield s.bad(ShapeError, "velocity has shape []", s.randn(2), s.randn(2), s.randn(), 0.1)


ADAM_SLOTS = {
    "Param": "param",
    "Grad": "grad",
    "LearningRate": "learning_rate",
    "Moment1": "moment1",
    "Moment2": "moment2",
    "Beta1Pow": "beta1_pow",
    "Beta2Pow": "beta2_pow",
}
ADAM_RESULTS = ("ParamOut", "Moment1Out", "Moment2Out", "Beta1PowOut", "Beta2PowOut")
ADAM_ATTRS = {"beta1": "beta1", "beta2": "beta2", "epsilon": "epsilon"}
ADAM_FIXED = {
    "lazy_mode": False,
    "min_row_size_to_use_multithread": ("LONG", 1000),
    "multi_precision": False,
    "use_global_beta_pow": False,
}


@op(
    desc=Desc(
        "adam", ADAM_SLOTS, ADAM_RESULTS, ADAM_ATTRS, write=lambda attrs, specs: dict(ADAM_FIXED)
    )
)
def adam(
    param: Tensor,
    grad: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    beta1_pow: Tensor,
    beta2_pow: Tensor,
    learning_rate: Tensor,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> State:
    """One step of Adam.

    param, grad, moment1, moment2: [*], float. beta1_pow, beta2_pow: beta to the power of the number
    of this step, [1]. Returns the new param, moments and powers. Raises ShapeError where grad or a
    moment has another shape. Source: arXiv 1412.6980, algorithm 1.
    """
    precision = moment2.dtype.numpy
    moment1 = beta1 * moment1 + _rest(beta1, precision) * grad
    moment2 = beta2 * moment2 + _rest(beta2, precision) * (grad * grad)
    rate = rate_for(param, learning_rate) / (1 - _single(beta1_pow))
    root = sqrt(moment2) * rsqrt(1 - _single(beta2_pow)) + epsilon
    return param - rate * moment1 / root, moment1, moment2, beta1_pow * beta1, beta2_pow * beta2


@adam.infer
def _(param, grad, moment1, moment2, beta1_pow, beta2_pow, learning_rate, beta1, beta2, epsilon):
    return (*_checked(param, grad, moment1, moment2), beta1_pow, beta2_pow)


@adam.kernel
def adam_step(
    param, grad, moment1, moment2, beta1_pow, beta2_pow, learning_rate, beta1, beta2, epsilon
):
    """The step in NumPy."""
    _checked(param, grad, moment1, moment2)
    precision = moment2.dtype
    moment1 = moment1 * beta1
    moment1 += grad * _rest(beta1, precision)
    moment2 = moment2 * beta2
    scratch = np.asarray(grad * grad)
    scratch *= _rest(beta2, precision)
    moment2 += scratch
    np.sqrt(moment2, out=scratch)
    scratch /= math.sqrt(1 - _number(beta2_pow))
    scratch += epsilon
    np.divide(moment1, scratch, out=scratch)
    scratch *= _number(learning_rate) / (1 - _number(beta1_pow))
    new = np.subtract(param, scratch).astype(param.dtype, copy=False)
    return new, moment1, moment2, beta1_pow * beta1, beta2_pow * beta2


def _adam_samples(s):
    moments = (s.randn(2, 3), s.uniform(0.1, 1, 2, 3))
    powers = (s.uniform(0.5, 0.9, 1), s.uniform(0.5, 0.9, 1))
    yield s(s.randn(2, 3), s.randn(2, 3), *moments, *powers, 0.1, gradient=False)
    rate = s.uniform(0.1, 1, 1)
    yield s(s.randn(2, 3), s.randn(2, 3), *moments, *powers, rate, 0.8, 0.9, 1e-3, gradient=False)
    yield s(s.randn(), s.randn(), s.randn(), s.uniform(0.1, 1), *powers, rate, gradient=False)
    yield s.bad(ShapeError, "grad has shape [3]", s.randn(2, 3), s.randn(3), *moments, *powers, 0.1)


adam.samples(_adam_samples)


def _read_adamw(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> State:
    operands = {name: slots[slot][0] for slot, name in ADAM_SLOTS.items()}
    operands["learning_rate"] = operands["learning_rate"] * attrs.get("lr_ratio", 1.0)
    settings = {name: attrs[name] for name in ADAM_ATTRS}
    decay = attrs.get("coeff", 0.01) if attrs.get("with_decay", False) else 0.0
    return adamw(**operands, **settings, decay=decay)


@op(
    desc=Desc(
        "adamw",
        ADAM_SLOTS,
        ADAM_RESULTS,
        ADAM_ATTRS | {"coeff": "decay"},
        write=lambda attrs, specs: ADAM_FIXED | {"lr_ratio": 1.0, "with_decay": True},
        read=_read_adamw,
    )
)
def adamw(
    param: Tensor,
    grad: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    beta1_pow: Tensor,
    beta2_pow: Tensor,
    learning_rate: Tensor,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    decay: float = 0.01,
) -> State:
    """One step of AdamW: param shrinks by learning_rate * decay of itself, then Adam's step.

    Operands and results: see `adam`. Source: arXiv 1711.05101, algorithm 2.
    """
    param = param * (1 - rate_for(param, learning_rate) * decay)
    powers = (beta1_pow, beta2_pow)
    return adam(param, grad, moment1, moment2, *powers, learning_rate, beta1, beta2, epsilon)


@adamw.infer
def _(
    param, grad, moment1, moment2, beta1_pow, beta2_pow, learning_rate, beta1, beta2, epsilon, decay
):
    return (*_checked(param, grad, moment1, moment2), beta1_pow, beta2_pow)


@adamw.kernel
def _(
    param, grad, moment1, moment2, beta1_pow, beta2_pow, learning_rate, beta1, beta2, epsilon, decay
):
    precise = _precise(param.dtype)
    kept = precise(1) - precise(_number(learning_rate)) * precise(decay)
    shrunk = np.asarray(param * float(kept), param.dtype)
    moments, powers = (moment1, moment2), (beta1_pow, beta2_pow)
    return adam_step(shrunk, grad, *moments, *powers, learning_rate, beta1, beta2, epsilon)


adamw.samples(_adam_samples)


def rate_for(param: Tensor, learning_rate: Any) -> Any:
    """The learning rate in the dtype of `param`, []; a number as it is."""
    rate = _single(learning_rate)
    return cast(rate, param.dtype) if isinstance(rate, Value) else rate


def _single(x: Any) -> Any:
    """A tensor with one element as []; a number as it is."""
    return reshape(x, ()) if isinstance(x, Value) and x.spec.ndim else x


def _rest(beta: float, dtype: np.dtype) -> float:
    """1 - beta in the precision of the moments: powers of beta are too, and the two must cancel."""
    precise = _precise(dtype)
    return float(precise(1) - precise(beta))


def _precise(dtype: np.dtype) -> type[np.floating]:
    """The type that numbers of a step are computed in."""
    return np.float64 if dtype == np.float64 else np.float32


def _number(x: Any) -> float:
    """The only element of an array, or a number."""
    return x.item() if isinstance(x, np.ndarray) else x


def _checked(param: Any, grad: Any, *states: Any) -> Any:
    """Specs of what is updated. Raises ShapeError where a shape is not that of param."""
    names = ("grad", "velocity") if len(states) == 1 else ("grad", "moment1", "moment2")
    for name, x in zip(names, (grad, *states), strict=False):
        if x.shape != param.shape:
            raise ShapeError(
                f"{name} has shape {list(x.shape)}, param {list(param.shape)}",
                cure="reset the optimizer's state where a parameter changed its shape",
            )
    return (param, *states) if isinstance(param, Spec) else None
