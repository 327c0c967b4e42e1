"""Draws from the gamma, Poisson and binomial distributions.

A key gives the bits (see `twinoar.ops.random.uniform`); NumPy's generator makes of them what it
makes of its own, rejecting some, so the numbers may change with NumPy's version.
"""

from __future__ import annotations

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.interpreter import recording, using
from twinoar.core.op.declare import Spec, Tensor, function, primitive
from twinoar.core.op.explain import told
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.create.fill import zeros_of
from twinoar.ops.math._unary import quiet
from twinoar.ops.math.cast import astype, in_one_shape
from twinoar.ops.math.gamma import digamma_of, log_gamma_of
from twinoar.ops.random.uniform import check_key, generator

SMALLEST = np.finfo(np.float64).tiny


def generator_of(key: np.ndarray) -> np.random.Generator:
    """NumPy's generator over the bits of a key."""
    seed, counter = (int(k) for k in key)
    return np.random.Generator(np.random.Philox(key=seed, counter=[0, counter, 0, 0]))


def _drawn_like(key: Spec, x: Spec) -> Spec:
    check_key(key)
    if not x.dtype.is_floating:
        raise DTypeError(f"parameters must be floating, received {x}")
    return x


def _drawn(method: str, what: str, x: np.ndarray, key: np.ndarray) -> np.ndarray:
    if x.dtype.kind not in "fV":
        raise TypeError
    wide = x.astype(np.float64)
    if not (wide >= 0).all():
        raise ArgumentError(f"{what} must not be negative, received {wide.min()}")
    return np.asarray(getattr(generator_of(key), method)(wide)).astype(x.dtype)


@quiet
def _sensitivity(x: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """-(dP / dx) / (dP / d drawn), where P is the distribution function of gamma draws.

    P(x, drawn) is the sum over k of drawn^(x + k) exp(-drawn) / gamma(x + k + 1).
    """
    a = x.astype(np.float64)
    z = np.maximum(drawn.astype(np.float64), SMALLEST)
    log_z = np.log(z)
    terms = int(z.max(initial=0) + 8 * np.sqrt(z.max(initial=0)) + 40)
    slope = np.zeros_like(z)
    for k in range(terms):
        term = np.exp((a + k) * log_z - z - log_gamma_of(a + k + 1))
        slope += term * (log_z - digamma_of(a + k + 1))
    return (-slope / np.exp((a - 1) * log_z - z - log_gamma_of(a))).astype(x.dtype)


@primitive(infer=lambda x, drawn: x, kernel=_sensitivity)
def gamma_sensitivity(x: Tensor, drawn: Tensor) -> Tensor:
    """How gamma draws change with their shape parameter x: the implicit derivative.

    x, drawn: [*]. Returns [*]. Source: arXiv 1805.08498, eq. 5.
    """


@gamma_sensitivity.samples
def _(s):
    yield s(s.uniform(0.5, 5, 2, 3), s.uniform(0.1, 5, 2, 3), gradient=False, half=False)
    yield s(s.zeros(0, 2) + 1, s.zeros(0, 2), gradient=False, half=False)


@primitive(
    infer=_drawn_like,
    kernel=lambda key, x: _drawn("standard_gamma", "the shape", x, key),
    grad=lambda g, x, out: (None, g * gamma_sensitivity(x, out)),
)
def gamma_random(key: Tensor, x: Tensor) -> Tensor:
    """Draws from the gamma distributions of shape x and rate 1. See `standard_gamma`."""


@gamma_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, s.uniform(0.5, 5, 2, 3), gradient=False)
    yield s(key, s.uniform(0.5, 5, dtype="float64"), gradient=False)
    yield s(key, s.zeros(0, 2), gradient=False)
    yield s.bad(ArgumentError, "must not be negative", key, -s.uniform(1, 2, 2), static_error=False)
    yield s.bad(DTypeError, "must be floating", key, s.ints(0, 3, 2))


@primitive(
    infer=_drawn_like,
    kernel=lambda key, x: _drawn("poisson", "the rate", x, key),
    grad=lambda g, specs: (None, zeros_of(specs[1])),
)
def poisson_random(key: Tensor, x: Tensor) -> Tensor:
    """Draws from the Poisson distributions of rate x. See `poisson`."""


@poisson_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, s.uniform(0.5, 5, 2, 3), gradient=False)
    yield s(key, s.zeros(0, 2), gradient=False)
    yield s.bad(ArgumentError, "must not be negative", key, -s.uniform(1, 2, 2), static_error=False)
    yield s.bad(DTypeError, "must be floating", key, s.ints(0, 3, 2))


def _binomial_spec(key: Spec, count: Spec, prob: Spec) -> Spec:
    check_key(key)
    if count.shape != prob.shape:
        raise ShapeError(f"count {count} and prob {prob} must have one shape")
    if not prob.dtype.is_floating:
        raise DTypeError(f"probabilities must be floating, received {prob}")
    return Spec(prob.shape, int64)


@primitive(infer=_binomial_spec)
def binomial_random(key: Tensor, count: Tensor, prob: Tensor) -> Tensor:
    """Draws from the binomial distributions of `count` trials. See `binomial`."""


@binomial_random.kernel
def _(key, count, prob):
    if count.shape != prob.shape or prob.dtype.kind not in "fV":
        raise TypeError
    wide = prob.astype(np.float64)
    if not ((wide >= 0) & (wide <= 1)).all() or not (count >= 0).all():
        raise ArgumentError("counts must not be negative, and probabilities in [0, 1]")
    return np.asarray(generator_of(key).binomial(count.astype(np.int64), wide), np.int64)


@binomial_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, s.ints(0, 9, 2, 3), s.uniform(0, 1, 2, 3), gradient=False)
    yield s(key, s.ints(0, 9, 0), s.zeros(0), gradient=False)
    yield s.bad(
        ArgumentError, "in [0, 1]", key, s.ints(1, 9, 2), s.uniform(2, 3, 2), static_error=False
    )
    yield s.bad(ShapeError, "one shape", key, s.ints(1, 9, 3), s.uniform(0, 1, 2))


@told
def standard_gamma(x: Tensor, name: str | None = None) -> Tensor:
    """Draws from the gamma distributions of shape x and rate 1, with a gradient.

    x: [*], floating, positive. Returns [*]. Raises ArgumentError where x is negative, DTypeError.

    >>> import twinoar
    >>> bool((twinoar.standard_gamma(twinoar.ones([5])) > 0).all())
    True
    """
    return gamma_random(generator.next_key(), x, name=name)


@told
def poisson(x: Tensor, name: str | None = None) -> Tensor:
    """Draws from the Poisson distributions of rate x; their gradient is zero.

    x: [*], floating. Returns [*] of the dtype of x. Raises ArgumentError where x is negative,
    DTypeError.

    >>> import twinoar
    >>> twinoar.poisson(twinoar.zeros([2])).tolist()
    [0.0, 0.0]
    """
    return poisson_random(generator.next_key(), x, name=name)


@function
def binomial(count: Tensor, prob: Tensor) -> Tensor:
    """Draws from the binomial distributions: how many of `count` trials of probability `prob`
    succeed.

    count: integers. prob: floating, in [0, 1]; the two broadcast. Returns their shape, int64.

    >>> import twinoar
    >>> twinoar.binomial(twinoar.to_tensor([3, 4]), twinoar.to_tensor([0.0, 1.0])).tolist()
    [0, 4]
    """
    with using(recording(False)):
        counts, probs = in_one_shape((astype(count, int64), prob))
        return binomial_random(generator.next_key(), counts, probs)
