"""Update rules of NAdam, RAdam, ASGD and Rprop: parameters and what is remembered, one step on.

Each takes the learning rate as an operand, [] or a number. None has a gradient rule of its own: an
optimizer wants none.
"""

from __future__ import annotations

import numpy as np

from twinoar.core.op import op
from twinoar.core.values import Value
from twinoar.ops.cast import cast
from twinoar.ops.compare import equal
from twinoar.ops.math import sign, sqrt
from twinoar.ops.reduce import sum as total
from twinoar.ops.select import maximum, minimum, select
from twinoar.ops.sequence import iota
from twinoar.ops.shape import reshape
from twinoar.ops.update import rate_for

Tensor = Value
State = tuple[Tensor, ...]

MOMENTUM_DECAY = 0.96  # Dozat 2016, below algorithm 2: mu_t = beta1 (1 - 0.96^(decay t) / 2)
RECTIFIED_ABOVE = 5.0  # arXiv 1908.03265, algorithm 2, with the bound of the authors' program


@op
def nadam(
    param: Tensor,
    grad: Tensor,
    decay_pow: Tensor,
    beta2_pow: Tensor,
    product: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    learning_rate: Tensor,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    momentum_decay: float = 0.004,
) -> State:
    """One step of NAdam: Adam that looks ahead along its momentum, as Nesterov's method does.

    All tensors: [*], float. decay_pow, beta2_pow: powers of 0.96 and beta2, of the last step, as is
    product, that of all momenta. Returns the new param and the five others that are remembered.
    Source: Dozat, Incorporating Nesterov Momentum into Adam, 2016, algorithm 2.
    """
    decay_pow, beta2_pow = decay_pow * MOMENTUM_DECAY, beta2_pow * beta2
    mu = beta1 * (1 - 0.5 * decay_pow**momentum_decay)
    following = beta1 * (1 - 0.5 * decay_pow**momentum_decay * MOMENTUM_DECAY**momentum_decay)
    product = product * mu
    moment1 = beta1 * moment1 + (1 - beta1) * grad
    moment2 = beta2 * moment2 + (1 - beta2) * (grad * grad)
    ahead = following / (1 - product * following) * moment1 + (1 - mu) / (1 - product) * grad
    scale = sqrt(moment2 / (1 - beta2_pow)) + epsilon
    param = param - rate_for(param, learning_rate) * (ahead / scale)
    return param, decay_pow, beta2_pow, product, moment1, moment2


@nadam.samples
def _(s):
    powers = (s.uniform(0.5, 0.9, 2, 3), s.uniform(0.5, 0.9, 2, 3), s.uniform(0.1, 0.5, 2, 3))
    moments = (s.randn(2, 3), s.uniform(0.1, 1, 2, 3))
    yield s(s.randn(2, 3), s.randn(2, 3), *powers, *moments, 0.1, gradient=False)
    yield s(
        s.randn(2, 3), s.randn(2, 3), *powers, *moments, 0.1, 0.8, 0.9, 1e-3, 0.1, gradient=False
    )


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


@op
def asgd(
    param: Tensor,
    grad: Tensor,
    direction: Tensor,
    seen: Tensor,
    steps: Tensor,
    learning_rate: Tensor,
) -> State:
    """One step along the mean of the last gradients, of as many batches as there are.

    param, grad: [*], float. seen: [B,*], the last gradient of each batch; direction: [*], their
    sum; steps: [1], int64, how many steps were done. Returns the new param, direction, seen and
    steps. Source: arXiv 1309.2388, algorithm 1, with the batches in turn.
    """
    count = seen.spec.shape[0]
    chosen = reshape(equal(iota(count), steps % count), (count, *[1] * param.spec.ndim))
    oldest = total(select(chosen, seen, 0.0), 0)
    direction = direction - oldest + grad
    seen = select(chosen, grad, seen)
    batches = cast(minimum(reshape(steps, ()) + 1, count), param.dtype)
    step = rate_for(param, learning_rate) / batches * direction
    return param - step, direction, seen, steps + 1


@asgd.samples
def _(s):
    tensors = (s.randn(2, 3), s.randn(2, 3), s.randn(2, 3), s.randn(4, 2, 3))
    yield s(*tensors, s.ints(2, 3, 1), 0.1, gradient=False)
    yield s(*tensors, s.ints(5, 6, 1), 0.1, gradient=False)
    yield s(s.randn(), s.randn(), s.randn(), s.randn(1), s.ints(2, 3, 1), 0.1, gradient=False)


@op
def rprop(
    param: Tensor,
    grad: Tensor,
    previous: Tensor,
    rates: Tensor,
    smallest: float = 1e-5,
    largest: float = 50.0,
    shrink: float = 0.5,
    grow: float = 1.2,
) -> State:
    """One step of Rprop: each element moves by a rate of its own, against the sign of its gradient.

    param, grad, previous, rates: [*], float. A rate grows while the sign stays, and shrinks,
    without a step, where it changes. Returns the new param, gradient to remember, and rates.
    Source: Riedmiller and Braun, A Direct Adaptive Method, 1993, eq. 3 to 5.
    """
    agreement = grad * previous
    turned = agreement < 0
    grad = select(turned, 0.0, grad)
    rates = select(turned, rates * shrink, select(agreement > 0, rates * grow, rates))
    rates = minimum(maximum(rates, smallest), largest)
    return param - sign(grad) * rates, grad, rates


@rprop.samples
def _(s):
    tensors = (s.randn(2, 3), s.randn(2, 3), s.randn(2, 3), s.uniform(0.1, 1, 2, 3))
    yield s(*tensors, gradient=False)
    yield s(*tensors, 0.2, 0.3, 0.4, 1.5, gradient=False)


__all__ = ["asgd", "nadam", "radam", "rprop"]
