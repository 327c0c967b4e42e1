"""Update rules of Adam, AdamW and AMSGrad."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ShapeError
from twinoar.ops.math.root import rsqrt, sqrt
from twinoar.ops.math.select import maximum
from twinoar.ops.optimizer._numpy import checked, number_in, rate_for, rest_of, single, type_of_step

State = tuple[Tensor, ...]


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
    moment1 = beta1 * moment1 + rest_of(beta1, precision) * grad
    moment2 = beta2 * moment2 + rest_of(beta2, precision) * (grad * grad)
    rate = rate_for(param, learning_rate) / (1 - single(beta1_pow))
    root = sqrt(moment2) * rsqrt(1 - single(beta2_pow)) + epsilon
    return param - rate * moment1 / root, moment1, moment2, beta1_pow * beta1, beta2_pow * beta2


@adam.infer
def _(param, grad, moment1, moment2, beta1_pow, beta2_pow, learning_rate, beta1, beta2, epsilon):
    return (*checked(param, grad, moment1, moment2), beta1_pow, beta2_pow)


@adam.kernel
def adam_step(
    param, grad, moment1, moment2, beta1_pow, beta2_pow, learning_rate, beta1, beta2, epsilon
):
    """The step in NumPy."""
    checked(param, grad, moment1, moment2)
    precision = moment2.dtype
    moment1 = moment1 * beta1
    moment1 += grad * rest_of(beta1, precision)
    moment2 = moment2 * beta2
    scratch = np.asarray(grad * grad)
    scratch *= rest_of(beta2, precision)
    moment2 += scratch
    np.sqrt(moment2, out=scratch)
    scratch /= math.sqrt(1 - number_in(beta2_pow))
    scratch += epsilon
    np.divide(moment1, scratch, out=scratch)
    scratch *= number_in(learning_rate) / (1 - number_in(beta1_pow))
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
    return (*checked(param, grad, moment1, moment2), beta1_pow, beta2_pow)


@adamw.kernel
def _(
    param, grad, moment1, moment2, beta1_pow, beta2_pow, learning_rate, beta1, beta2, epsilon, decay
):
    precise = type_of_step(param.dtype)
    kept = precise(1) - precise(number_in(learning_rate)) * precise(decay)
    shrunk = np.asarray(param * float(kept), param.dtype)
    moments, powers = (moment1, moment2), (beta1_pow, beta2_pow)
    return adam_step(shrunk, grad, *moments, *powers, learning_rate, beta1, beta2, epsilon)


adamw.samples(_adam_samples)


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
