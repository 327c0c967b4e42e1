"""Update rule of RAdam."""

from __future__ import annotations

import numpy as np

from twinoar.core.op.declare import Tensor, op
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.select import maximum, select
from twinoar.ops.optimizer._numpy import rate_for

State = tuple[Tensor, ...]


RECTIFIED_ABOVE = 5.0  # arXiv 1908.03265, algorithm 2, with the bound of the authors' program


@op
def radam(
    param: Tensor,
    grad: Tensor,
    beta1_pow: Tensor,
    beta2_pow: Tensor,
    rho: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    learning_rate: Tensor,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> State:
    """One step of RAdam: Adam whose first steps, of uncertain scale, are those of momentum alone.

    All tensors: [*], float. beta1_pow, beta2_pow: powers, of the last step; rho: t beta2^t /
    (1 - beta2^t) of the last step t. Returns the new param and the five others that are remembered.
    Source: arXiv 1908.03265, algorithm 2.
    """
    beta1_pow, beta2_pow = beta1_pow * beta1, beta2_pow * beta2
    rho = (rho * (beta2 - beta2_pow) + beta2_pow) / (1 - beta2_pow)
    moment1 = beta1 * moment1 + (1 - beta1) * grad
    moment2 = beta2 * moment2 + (1 - beta2) * (grad * grad)
    rounded = float(np.asarray(beta2, beta2_pow.spec.dtype.numpy))  # as it is in rho
    longest = 2 / (1 - rounded) - 1
    length = longest - 2 * rho
    is_rectified = length > RECTIFIED_ABOVE
    sure = maximum(length, RECTIFIED_ABOVE)
    rectifier = (sure - 4) * (sure - 2) * longest / ((longest - 4) * (longest - 2) * sure)
    scaled = sqrt(rectifier * (1 - beta2_pow)) / (sqrt(moment2) + epsilon)
    step = moment1 / (1 - beta1_pow) * select(is_rectified, scaled, 1.0)
    param = param - rate_for(param, learning_rate) * step
    return param, beta1_pow, beta2_pow, rho, moment1, moment2


@radam.samples
def _(s):
    tensors = (s.randn(2, 3), s.randn(2, 3), s.uniform(0.5, 0.9, 2, 3), s.uniform(0.5, 0.9, 2, 3))
    moments = (s.randn(2, 3), s.uniform(0.1, 1, 2, 3))
    yield s(*tensors, s.uniform(1, 2, 2, 3), *moments, 0.1, gradient=False)
    yield s(*tensors, s.uniform(900, 990, 2, 3), *moments, 0.1, gradient=False)
    yield s(*tensors, s.uniform(1, 2, 2, 3), *moments, 0.1, 0.8, 0.9, 1e-3, gradient=False)
