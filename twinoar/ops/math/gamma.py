"""The gamma function: its logarithm, and the derivatives of that.

All work in float64 and round once to the dtype of x. digamma and polygamma go up to arguments of at
least `FAR` by their recurrences, and end in the asymptotic series there (Abramowitz and Stegun,
"Handbook of Mathematical Functions", 6.3.18 and 6.4.11).
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from twinoar.core.dtype import float64
from twinoar.core.op.declare import Tensor, function, op, primitive
from twinoar.errors import ArgumentError
from twinoar.ops.math._unary import quiet, samples_within, unary, unary_desc
from twinoar.ops.math.cast import elementwise, promote_to_floating

Array = np.ndarray[Any, Any]
FAR = 12.0
EXACT_ORDER = 20  # factorials of more are not exact in float64
WHOLE = 4  # beyond, (x - k)^-22 does not matter beside that of the nearest k
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)  # B2, B4, ...


def _log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):  # at 0, -1, ..., and where the result is too large
        return math.inf


_each_log_gamma = np.frompyfunc(_log_gamma, 1, 1)


def log_gamma_of(x: Array) -> Array:
    """The logarithm of the size of the gamma function."""
    return np.asarray(_each_log_gamma(x.astype(np.float64))).astype(x.dtype)


@quiet
def digamma_of(x: Array) -> Array:
    """The derivative of `log_gamma_of`; at 0 the infinity on its side, nan at -1, -2, ..."""
    given = x.astype(np.float64)
    y = np.where(given < 0, 1.0 - given, given)
    out = np.zeros_like(y)
    while (near := y < FAR).any():  # psi(y) = psi(y + 1) - 1 / y
        out = np.where(near, out - 1.0 / y, out)
        y = np.where(near, y + 1.0, y)
    out += np.log(y) - 0.5 / y
    for n, b in enumerate(BERNOULLI, 1):
        out -= b / (2 * n) * y ** (-2 * n)
    out = np.where(given < 0, out - _cotangent(given, 0), out)
    return np.where(_pole(given) & (given != 0), np.nan, out).astype(x.dtype)


@quiet
def polygamma_of(x: Array, n: int) -> Array:
    """The derivative of order `n` > 0 of `digamma_of`; at 0, -1, -2, ... infinite, as right of 0.

    It is (-1)^(n+1) n! zeta(n + 1, x), where Hurwitz' zeta is a sum up to a point far enough, and
    Euler and Maclaurin's formula from there.
    """
    given = x.astype(np.float64)
    y = np.where(given < 0, 1.0 - given, np.where(given == 0, 1.0, given))
    unit, rest = _parts_of_factorial(n)
    s, zeta = n + 1, np.zeros_like(y)
    while (near := y < FAR + n).any():  # zeta(s, y) = zeta(s, y + 1) + y^-s
        zeta = np.where(near, zeta + (unit / y) ** s, zeta)
        y = np.where(near, y + 1.0, y)
    tail = 1 / (s - 1) + 0.5 / y
    factor = s / y**2
    for k, b in enumerate(BERNOULLI, 1):
        tail = tail + b / math.factorial(2 * k) * factor
        factor = factor * (s + 2 * k - 1) * (s + 2 * k) / y**2
    sign = (-1.0) ** (n + 1)
    out = sign * rest * (zeta + unit * (unit / y) ** n * tail)
    cotangent = _cotangent(given, n)
    reflected = -np.where(np.isinf(cotangent), cotangent, sign * out + cotangent)
    out = np.where(given < 0, reflected, out)
    return np.where(_pole(given), sign * np.inf, out).astype(x.dtype)


def _parts_of_factorial(n: int) -> tuple[float, float]:
    """u and r with u^(n + 1) r = n!; terms of high order would overflow or vanish without u."""
    if n <= EXACT_ORDER:
        return 1.0, float(math.factorial(n))
    return math.exp(math.lgamma(n + 1) / (n + 1)), 1.0


def _pole(x: Array) -> Array:
    return (x <= 0) & (x == np.floor(x))


def _cotangent(x: Array, n: int) -> Array:
    """The derivative of order n of pi cot(pi x).

    The reflection of the gamma function gives: psi_n(x) = (-1)^n psi_n(1 - x) minus this. It is a
    polynomial of the cotangent, and (-1)^n n! times the sum of (x - k)^-(n + 1) over all whole k,
    of which a few near x are enough for high orders.
    """
    r = x - np.round(x)
    if n > EXACT_ORDER:
        unit, rest = _parts_of_factorial(n)
        others = sum((r / (r - k)) ** (n + 1) for k in range(-WHOLE, WHOLE + 1))
        return np.asarray((-1.0) ** n * rest * (unit / r) ** (n + 1) * others)
    *lower, leading = _cotangent_polynomial(n)
    cotangent = 1.0 / np.tan(np.pi * r)
    total: Any = np.full_like(cotangent, leading)
    for coefficient in reversed(lower):  # Horner's way, which keeps infinities
        total = total * cotangent + coefficient
    return np.asarray(total)


def _cotangent_polynomial(n: int) -> list[float]:
    """Its coefficients, from that of the power 0 on."""
    polynomial = np.polynomial.Polynomial([0.0, np.pi])
    for _ in range(n):
        polynomial = polynomial.deriv() * np.polynomial.Polynomial([-np.pi, 0.0, -np.pi])
    found: list[float] = polynomial.coef.tolist()
    return found


def _polygamma_element(s: Any, x: Any, n: int) -> Any:
    """What `polygamma_of` computes, with as many terms of the sum for every element."""
    given = s.cast(x, float64)
    if n == 1:
        return s.cast(s.trigamma(given), x.dtype)
    is_left = s.lt(given, 0.0)
    y = s.select(is_left, 1.0 - given, given)
    unit, rest = _parts_of_factorial(n)
    count = int(FAR) + n
    far = y + float(count)
    terms = s.sum((count,), lambda k: s.power(unit / (y + s.cast(k, float64)), n + 1))
    square = s.div(1.0, far * far)
    tail = s.const(0.0, float64)
    for k, b in reversed(list(enumerate(BERNOULLI, 1))):
        # B / (2 k)! (n + 1) (n + 2) ... (n + 2 k - 1)
        rising = math.perm(n + 2 * k - 1, 2 * k - 1) / math.factorial(2 * k)
        tail = tail * square + b * rising
    tail = tail * square + 0.5 / far + 1 / n
    value = rest * (terms + unit * s.power(unit / far, n) * tail)
    sign = (-1.0) ** (n + 1)
    cotangent = _cotangent_element(s, given, n)
    reflected = -s.select(s.isinf(cotangent), cotangent, value + cotangent)
    found = s.select(is_left, reflected, value * sign)
    is_pole = s.and_(s.le(given, 0.0), s.eq(s.floor(given), given))
    return s.cast(s.select(is_pole, sign * math.inf, found), x.dtype)


def _cotangent_element(s: Any, x: Any, n: int) -> Any:
    """What `_cotangent` computes."""
    r = x - s.round(x)
    if n > EXACT_ORDER:
        unit, rest = _parts_of_factorial(n)
        powers = [s.power(r / (r - float(k)), n + 1) for k in range(-WHOLE, WHOLE + 1)]
        return (-1.0) ** n * rest * s.power(unit / r, n + 1) * functools.reduce(s.add, powers)
    *lower, leading = _cotangent_polynomial(n)
    cotangent = 1.0 / s.tan(r * math.pi)
    total = s.const(leading, float64)
    for coefficient in reversed(lower):
        total = total * cotangent + coefficient
    return total


@primitive(
    infer=elementwise,
    kernel=polygamma_of,
    grad=lambda g, x, n: g * derivative_of_digamma(x, n + 1),
    scalar=_polygamma_element,
)
def derivative_of_digamma(x: Tensor, n: int = 1) -> Tensor:
    """The derivative of order n > 0 of digamma: the operator under `polygamma`.

    x: [*], floating. Returns [*].
    """


@derivative_of_digamma.samples
def _(s):
    yield s(s.uniform(0.5, 5, 2, 3))
    yield s(s.uniform(0.5, 30, 4, dtype="float64"), 2, tolerance=1e-10)
    yield s(np.array([-0.5, -2.5]), half=False)
    yield s(np.array([-1e-310, 5e-324, -1e-40]), gradient=False, half=False)
    yield s(s.zeros(0, 2), 3)


@unary(
    kernel=digamma_of,
    grad=lambda g, x: g * derivative_of_digamma(x),
    scalar=lambda s, x: s.digamma(x),
    desc=unary_desc("digamma"),
    samples=samples_within(0.5, 5),
)
def digamma(x: Tensor) -> Tensor:
    """The derivative of lgamma: infinite at 0, nan at -1, -2, ...

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> [round(y, 4) for y in twinoar.digamma(x).tolist()]
    [-0.5772, 0.4228]
    """


@unary(
    kernel=log_gamma_of,
    grad=lambda g, x: g * digamma(x),
    scalar=lambda s, x: s.lgamma(x),
    desc=unary_desc("lgamma"),
    samples=samples_within(0.5, 5),
)
def lgamma(x: Tensor) -> Tensor:
    """The logarithm of the size of the gamma function: infinite at 0, -1, -2, ...

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> twinoar.lgamma(twinoar.to_tensor([1.0, 2.0, 0.0])).tolist()
    [0.0, 0.0, inf]
    """


@op(
    method=True,
    inplace=True,
    name="gammaln",
    promote=promote_to_floating,
    samples=samples_within(0.5, 5),
)
def gammaln(x: Tensor) -> Tensor:
    """The logarithm of the size of the gamma function, `lgamma`.

    x: [*]; integers count as floats. Returns [*].
    """
    return lgamma(x)


@function(method=True, inplace=True)
def polygamma(x: Tensor, n: int) -> Tensor:
    """The derivative of order n of digamma, which is that of order 0.

    x: [*]; integers count as floats. Returns [*]. Raises ArgumentError for a negative n.

    >>> import twinoar
    >>> round(twinoar.polygamma(twinoar.to_tensor(1.0), 1).item(), 4)  # pi^2 / 6
    1.6449
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise ArgumentError(f"n must be an integer of at least 0, received {n!r}")
    if n == 0:
        return digamma(x)
    (floating,) = promote_to_floating((x,))
    return derivative_of_digamma(floating, n)
