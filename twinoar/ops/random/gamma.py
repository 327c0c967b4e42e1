"""Draws from the gamma, Poisson and binomial distributions: by rejection, or step by step.

Element p has block p of its key for itself, and for tries the blocks p + t * 2**40, t = 1, 2, ...;
see `twinoar.ops.random.philox`.
"""

from __future__ import annotations

import math

import numpy as np

from twinoar.core.dtype import float64, int64
from twinoar.core.interpreter import recording, using
from twinoar.core.loop.draws import (
    ARRAYS,
    bell,
    wide_positive,
    wide_radius_and_turn,
    wide_unit,
)
from twinoar.core.loop.gamma import digamma_of
from twinoar.core.loop.philox import Wide
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.loop.rejection import (
    binomial_try,
    decay,
    gamma_try,
    poisson_try,
    power_of_rest,
    power_of_unit,
)
from twinoar.core.op.declare import Spec, Tensor, function, loop, primitive
from twinoar.core.op.explain import told
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.math._unary import quiet
from twinoar.ops.math.cast import astype, in_one_shape
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.random.philox import TRY, pair
from twinoar.ops.random.rejection import steps, tries, wides
from twinoar.ops.random.uniform import check_key, generator

SMALLEST = float(np.finfo(np.float64).tiny)
PRECISION = 2.0**-54  # of the last term of a series, over all
SMALL = 10.0  # means below it are drawn along the probabilities
MOST = 1000.0  # steps along them: the probability of more is below 1e-300


def _drawn_like(key: Spec, x: Spec) -> Spec:
    check_key(key)
    if not x.dtype.is_floating:
        raise DTypeError(f"parameters must be floating, received {x}")
    return x


def _parameter(what: str, x: np.ndarray) -> np.ndarray:
    """A parameter as a line of float64. Raises ArgumentError for one that is none."""
    if x.dtype.kind not in "fV":
        raise TypeError
    wide = x.astype(np.float64).reshape(-1)
    if not ((wide >= 0) & (wide < np.inf)).all():
        raise ArgumentError(
            f"{what} must not be negative, and finite, received {wide.min()} to {wide.max()}"
        )
    return wide


@quiet
def _sensitivity(x: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """-(dP / dx) / (dP / d drawn), where P is the distribution function of gamma draws.

    P(x, drawn) is the sum over k of drawn^(x + k) exp(-drawn) / gamma(x + k + 1).
    """
    a = x.astype(np.float64)
    z = np.maximum(drawn.astype(np.float64), SMALLEST)
    term = total = z / a  # of P, over its slope by z
    slope = np.log(z) - digamma_of(a + 1)  # of the logarithm of the term, by a
    found = term * slope
    while (term > total * PRECISION).any():
        a = a + 1
        term = term * (z / a)
        slope = slope - 1 / a
        total, found = total + term, found + term * slope
    return (-found).astype(x.dtype)


@procedure
def _sensitivity_of_row(row, x, drawn, out):
    a, z = cast(x[row], float64), cast(drawn[row], float64)
    z = z if z > SMALLEST else SMALLEST
    term, total = z / a, z / a
    slope = loop.log(z) - loop.digamma(a + 1.0)
    found = term * slope
    while term > total * PRECISION:
        a += 1.0
        term *= z / a
        slope -= 1.0 / a
        total += term
        found += term * slope
    out[row] = cast(0.0 - found, out)


@primitive(slow_kernel=True, apart=0, infer=lambda x, drawn: x, kernel=_sensitivity)
def gamma_sensitivity(x: Tensor, drawn: Tensor) -> Tensor:
    """How gamma draws change with their shape parameter x: the implicit derivative.

    x, drawn: [*]. Returns [*]. Source: arXiv 1805.08498, eq. 5.
    """


@gamma_sensitivity.procedure
def _(p, x, drawn):
    operands = x.reshape(-1), drawn.reshape(-1), p.results[0].reshape(-1)
    p.launch(_sensitivity_of_row, x.size, *operands, work=100 * x.size)


@gamma_sensitivity.samples
def _(s):
    yield s(s.uniform(0.5, 5, 2, 3), s.uniform(0.1, 5, 2, 3), gradient=False, half=False)
    yield s(s.zeros(0, 2) + 1, s.zeros(0, 2), gradient=False, half=False)


@primitive(
    infer=_drawn_like,
    elements=lambda key, x: np.size(x),  # of None too, which is refused later
    grad=lambda g, x, out: (None, g * gamma_sensitivity(x, out)),
)
def gamma_random(key: Tensor, x: Tensor) -> Tensor:
    """Draws from the gamma distributions of shape x and rate 1. See `standard_gamma`."""


@gamma_random.kernel
def _(key, x):
    shape = _parameter("the shape", x)
    raised = np.where(shape < 1, shape + 1, shape)

    def attempt(left, first, second):
        normal = bell(ARRAYS, *wide_radius_and_turn(ARRAYS, first[0], first[1], False))
        return gamma_try(ARRAYS, raised[left], normal, wide_positive(ARRAYS, second[0]))

    drawn = tries(key, np.arange(shape.size), 2, attempt)
    small = np.flatnonzero(shape < 1)
    with np.errstate(all="ignore"):
        u = wide_positive(ARRAYS, wides(key, small)[0])
        drawn[small] *= power_of_unit(ARRAYS, u, 1.0 / shape[small])
    drawn[shape == 0] = 0
    return drawn.astype(x.dtype).reshape(x.shape)


@gamma_random.procedure
def _(p, key, x):
    p.launch(_gamma, x.size, key, x.reshape(-1), p.results[0].reshape(-1), work=50 * x.size)


@procedure
def _gamma(row, key, x, out):
    shape = cast(x[row], float64)
    if not (shape >= 0.0 and shape < math.inf):
        fail()
    keys = key[0], key[1]
    raised = shape + 1.0 if shape < 1.0 else shape
    drawn, block = cast(-1.0, float64), row + TRY
    while drawn < 0.0:
        operands = wide_radius_and_turn(loop, pair(keys, block, 0), pair(keys, block, 1), False)
        u = wide_positive(loop, pair(keys, block + TRY, 0))
        normal = loop.bell(operands[0], operands[1])
        drawn = loop.gamma_quick(raised, normal, u)
        if drawn < 0.0:
            drawn = loop.gamma_try(raised, normal, u)
        block += 2 * TRY
    if shape < 1.0:
        u = wide_positive(loop, pair(keys, row, 0))
        drawn *= loop.power_of_unit(u, 1.0 / shape)
    if shape == 0.0:
        drawn = 0.0
    out[row] = cast(drawn, out)


@gamma_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, s.uniform(0, 2, 40), gradient=False)
    yield s(key, s.uniform(0.5, 5, 2, 3), gradient=False)
    yield s(key, s.uniform(0.5, 5, dtype="float64"), gradient=False)
    yield s(key, s.zeros(0, 2), gradient=False)
    yield s.bad(ArgumentError, "must not be negative", key, -s.uniform(1, 2, 2), static_error=False)
    yield s.bad(DTypeError, "must be floating", key, s.ints(0, 3, 2))


@primitive(
    infer=_drawn_like,
    elements=lambda key, x: np.size(x),  # of None too, which is refused later
    grad=lambda g, specs: (None, zeros_of(specs[1])),
)
def poisson_random(key: Tensor, x: Tensor) -> Tensor:
    """Draws from the Poisson distributions of rate x. See `poisson`."""


@poisson_random.kernel
def _(key, x):
    rate = _parameter("the rate", x)
    drawn = np.zeros(rate.shape)
    few, many = np.flatnonzero(rate < SMALL), np.flatnonzero(rate >= SMALL)
    u = wide_unit(ARRAYS, wides(key, few)[0])
    drawn[few] = steps(u, decay(ARRAYS, rate[few]), lambda k: rate[few] / k, MOST)
    drawn[many] = tries(
        key, many, 1, lambda left, words: poisson_try(ARRAYS, rate[many][left], *units(words))
    )
    return drawn.astype(x.dtype).reshape(x.shape)


def units(words: tuple[Wide, Wide]) -> tuple[np.ndarray, np.ndarray]:
    """Both wide words of blocks as numbers in [0, 1)."""
    return wide_unit(ARRAYS, words[0]), wide_unit(ARRAYS, words[1])


@poisson_random.procedure
def _(p, key, x):
    p.launch(_poisson, x.size, key, x.reshape(-1), p.results[0].reshape(-1), work=50 * x.size)


@procedure
def _poisson(row, key, x, out):
    rate = cast(x[row], float64)
    if not (rate >= 0.0 and rate < math.inf):
        fail()
    keys = key[0], key[1]
    if rate < SMALL:
        u, chance, drawn = wide_unit(loop, pair(keys, row, 0)), loop.decay(rate), cast(0, rate)
        while u >= chance and drawn < MOST:
            drawn += 1.0
            u -= chance
            chance = loop.scaled(chance, rate / drawn, 0.0)
        out[row] = cast(drawn, out)
    else:
        found, block = cast(-1, rate), row + TRY
        while found < 0.0:
            u, v = wide_unit(loop, pair(keys, block, 0)), wide_unit(loop, pair(keys, block, 1))
            found = loop.poisson_quick(rate, u, v)
            if found < 0.0:
                found = loop.poisson_try(rate, u, v)
            block += TRY
        out[row] = cast(found, out)


@poisson_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, s.uniform(0, 30, 60), gradient=False)
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


@primitive(infer=_binomial_spec, elements=lambda key, count, prob: np.size(prob))
def binomial_random(key: Tensor, count: Tensor, prob: Tensor) -> Tensor:
    """Draws from the binomial distributions of `count` trials. See `binomial`."""


@binomial_random.kernel
def _(key, count, prob):
    if count.shape != prob.shape or prob.dtype.kind not in "fV":
        raise TypeError
    wide, number = prob.astype(np.float64).reshape(-1), count.astype(np.float64).reshape(-1)
    if not ((wide >= 0) & (wide <= 1)).all() or not (count >= 0).all():
        raise ArgumentError("counts must not be negative, and probabilities in [0, 1]")
    p = np.where(wide > 0.5, 1 - wide, wide)
    drawn = np.zeros(p.shape)
    is_small = number * p < SMALL
    few, many = np.flatnonzero(is_small), np.flatnonzero(~is_small)
    n, odds = number[few], p[few] / (1 - p[few])
    u = wide_unit(ARRAYS, wides(key, few)[0])
    chance = power_of_rest(ARRAYS, p[few], n)
    drawn[few] = steps(u, chance, lambda k: (n + 1.0 - k) / k * odds, np.minimum(n, MOST))
    drawn[many] = tries(
        key,
        many,
        1,
        lambda left, words: binomial_try(ARRAYS, number[many][left], p[many][left], *units(words)),
    )
    found = drawn.astype(np.int64).reshape(prob.shape)
    return np.where(prob.astype(np.float64) > 0.5, count.astype(np.int64) - found, found)


@binomial_random.procedure
def _(p, key, count, prob):
    lines = count.reshape(-1), prob.reshape(-1), p.results[0].reshape(-1)
    p.launch(_binomial, prob.size, key, *lines, work=50 * prob.size)


@procedure
def _binomial(row, key, count, prob, out):
    whole = cast(prob[row], float64)
    if not (whole >= 0.0 and whole <= 1.0 and count[row] >= 0):
        fail()
    n, p = cast(count[row], float64), 1.0 - whole if whole > 0.5 else whole
    keys = key[0], key[1]
    drawn, block = cast(-1, n), row + TRY
    if n * p < SMALL:
        odds, most = p / (1.0 - p), min(n, MOST)
        u, chance = wide_unit(loop, pair(keys, row, 0)), loop.power_of_rest(p, n)
        drawn = cast(0, n)
        while u >= chance and drawn < most:
            drawn += 1.0
            u -= chance
            chance = loop.scaled(chance, (n + 1.0 - drawn) / drawn * odds, 0.0)
    while drawn < 0.0:
        u, v = wide_unit(loop, pair(keys, block, 0)), wide_unit(loop, pair(keys, block, 1))
        drawn = loop.binomial_quick(n, p, u, v)
        if drawn < 0.0:
            drawn = loop.binomial_try(n, p, u, v)
        block += TRY
    found = cast(drawn, out)
    out[row] = count[row] - found if whole > 0.5 else found


@binomial_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, s.ints(0, 99, 60), s.uniform(0, 1, 60), gradient=False)
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

    >>> bool((twinoar.standard_gamma(twinoar.ones([5])) > 0).all())
    True
    """
    return gamma_random(generator.next_key(), x, name=name)


@told
def poisson(x: Tensor, name: str | None = None) -> Tensor:
    """Draws from the Poisson distributions of rate x; their gradient is zero.

    x: [*], floating. Returns [*] of the dtype of x. Raises ArgumentError where x is negative,
    DTypeError.

    >>> twinoar.poisson(twinoar.zeros([2])).tolist()
    [0.0, 0.0]
    """
    return poisson_random(generator.next_key(), x, name=name)


@function
def binomial(count: Tensor, prob: Tensor) -> Tensor:
    """Draws from the binomial distributions: how many of `count` trials of probability `prob`
    succeed.

    count: integers. prob: floating, in [0, 1]; the two broadcast. Returns their shape, int64.

    >>> twinoar.binomial(twinoar.to_tensor([3, 4]), twinoar.to_tensor([0.0, 1.0])).tolist()
    [0, 4]
    """
    with using(recording(False)):
        counts, probs = in_one_shape((astype(count, int64), prob))
        return binomial_random(generator.next_key(), counts, probs)
