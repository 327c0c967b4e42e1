"""Update rule of NAdam."""

from __future__ import annotations

from twinoar.core.op.declare import Tensor, op
from twinoar.ops.math.root import sqrt
from twinoar.ops.optimizer._numpy import rate_for

State = tuple[Tensor, ...]


MOMENTUM_DECAY = 0.96  # Dozat 2016, below algorithm 2: mu_t = beta1 (1 - 0.96^(decay t) / 2)


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
