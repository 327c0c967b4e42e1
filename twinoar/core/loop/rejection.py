"""One try of draws that reject some numbers, for elements and for NumPy's arrays.

As in `twinoar.core.loop.draws`, `s` is the loop language or `ARRAYS`, and each step is rounded on
its own. All is float64. A try gives a number that is not negative, or -1 where it is rejected.
The probabilities are those of C. Loader, "Fast and accurate computation of binomial probabilities"
(2000), whose error does not grow with the numbers.
"""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.dtype import float64, int32, int64
from twinoar.core.loop.draws import log, series

NEAR = 0.1  # of (x - m) / (x + m), from where the logarithm loses no digits
LN2 = (
    6.93147180369123816490e-01,
    1.90821492927058770002e-10,
)  # of which n times the first is exact


def exp(s: Any, x: Any) -> Any:
    """e^x for x <= 0; 0 where that is less than the normal numbers."""
    safe = s.select(s.lt(x, -708.0), -708.0, x)
    n = s.round(safe * (1 / math.log(2)))
    r = (safe - n * LN2[0]) - n * LN2[1]
    power = s.shl(s.cast(s.cast(n, int32), int64) + 1023, 52)
    e = series(r, [1 / math.factorial(k) for k in range(14)])
    return s.select(s.lt(x, -708.0), 0.0, e * s.bitcast(power, float64))


def log_of_rest(s: Any, p: Any) -> Any:
    """log(1 - p) for p from 0 to 1/2: -2 atanh(p / (2 - p))."""
    t = p / (2.0 - p)
    return t * series(t * t, [-2.0 / (2 * k + 1) for k in range(18)])


def decay(s: Any, x: Any) -> Any:
    """e^-x for x >= 0."""
    return exp(s, 0.0 - x)


def waiting_time(s: Any, u: Any) -> Any:
    """-log(u) for u in (0, 1]: exponential where u is uniform."""
    return 0.0 - log(s, u, float64)


def power_of_rest(s: Any, p: Any, n: Any) -> Any:
    """(1 - p)^n for p from 0 to 1/2."""
    return exp(s, n * log_of_rest(s, p))


def power_of_unit(s: Any, u: Any, n: Any) -> Any:
    """u^n for u in (0, 1]."""
    return exp(s, n * log(s, u, float64))


# Each try has a quick part: most numbers are taken without a logarithm. It gives -1 where the whole
# try must decide, which takes what the quick part takes.


def gamma_quick(s: Any, shape: Any, normal: Any, u: Any) -> Any:
    """Of the gamma distribution, shape >= 1: G. Marsaglia, W. Tsang, "A simple method for
    generating gamma variables", ACM TOMS 26 (2000).
    """
    d = shape - 1 / 3
    cube = normal * (1.0 / s.sqrt(d * 9.0)) + 1.0
    v = cube * cube * cube
    square = normal * normal
    is_taken = s.and_(s.lt(0.0, v), s.lt(u, 1.0 - square * square * 0.0331))
    return s.select(is_taken, d * v, -1.0)


def gamma_try(s: Any, shape: Any, normal: Any, u: Any) -> Any:
    """The whole of it."""
    quick = gamma_quick(s, shape, normal, u)
    d = shape - 1 / 3
    cube = normal * (1.0 / s.sqrt(d * 9.0)) + 1.0
    v = cube * cube * cube
    is_inside = s.lt(0.0, v)
    safe = s.select(is_inside, v, 1.0)
    bound = normal * normal * 0.5 + d * ((1.0 - safe) + log(s, safe, float64))
    is_taken = s.and_(is_inside, s.lt(log(s, u, float64), bound))
    return s.select(is_taken, d * v, quick)


def _poisson_proposed(s: Any, mean: Any, u: Any, v: Any) -> tuple[Any, Any, Any, Any]:
    b = s.sqrt(mean) * 2.53 + 0.931
    k, is_near, ratio = _proposed(s, u, b * 0.02483 - 0.059, b, mean + 0.43)
    return k, s.and_(is_near, s.le(v, 0.9277 - 3.6224 / (b - 2.0))), ratio, b


def poisson_quick(s: Any, mean: Any, u: Any, v: Any) -> Any:
    """Of the Poisson distribution, mean >= 10: W. Hoermann, "The transformed rejection method for
    generating Poisson random variables", Insurance: Mathematics and Economics 12 (1993), PTRS.
    """
    k, is_quick, _, _ = _poisson_proposed(s, mean, u, v)
    return s.select(s.and_(is_quick, s.le(0.0, k)), k, -1.0)


def poisson_try(s: Any, mean: Any, u: Any, v: Any) -> Any:
    """The whole of it."""
    k, is_quick, ratio, b = _poisson_proposed(s, mean, u, v)
    kept = s.select(s.lt(k, 0.0), 0.0, k)
    bound = _log(s, v * (1.1239 + 1.1328 / (b - 3.4)) * ratio)
    is_taken = s.and_(s.le(0.0, k), s.or_(is_quick, s.le(bound, _log_poisson(s, kept, mean))))
    return s.select(is_taken, k, -1.0)


def _binomial_proposed(s: Any, n: Any, p: Any, u: Any, v: Any) -> tuple[Any, Any, Any, Any, Any]:
    spread = s.sqrt(n * p * (1.0 - p))
    b = spread * 2.53 + 1.15
    k, is_near, ratio = _proposed(s, u, b * 0.0248 - 0.0873 + p * 0.01, b, n * p + 0.5)
    is_inside = s.and_(s.le(0.0, k), s.le(k, n))
    is_quick = s.and_(is_inside, s.and_(is_near, s.le(v, 0.92 - 4.2 / b)))
    return k, is_inside, is_quick, ratio, (2.83 + 5.1 / b) * spread


def binomial_quick(s: Any, n: Any, p: Any, u: Any, v: Any) -> Any:
    """Of the binomial distribution, p <= 1/2, n p >= 10: W. Hoermann, "The generation of binomial
    random variates", Journal of Statistical Computation and Simulation 46 (1993), BTRS.
    """
    k, _, is_quick, _, _ = _binomial_proposed(s, n, p, u, v)
    return s.select(is_quick, k, -1.0)


def binomial_try(s: Any, n: Any, p: Any, u: Any, v: Any) -> Any:
    """The whole of it."""
    k, is_inside, is_quick, ratio, scale = _binomial_proposed(s, n, p, u, v)
    kept = s.select(is_inside, k, 0.0)
    mode = s.floor((n + 1.0) * p)
    odds = _log_binomial(s, kept, n, p) - _log_binomial(s, mode, n, p)
    is_likely = s.le(_log(s, v * scale * ratio), odds)
    return s.select(s.and_(is_inside, s.or_(is_quick, is_likely)), k, -1.0)


def _proposed(s: Any, u: Any, a: Any, b: Any, middle: Any) -> tuple[Any, Any, Any]:
    """The whole number that transformed rejection tries, whether it may be taken at once, and what
    its probability is compared by.
    """
    centered = u - 0.5
    left = 0.5 - s.abs(centered)
    k = s.floor((a * 2.0 / left + b) * centered + middle)
    return k, s.le(0.07, left), 1.0 / (a / (left * left) + b)


def _log(s: Any, x: Any) -> Any:
    """The logarithm; very small where x is 0."""
    return log(s, s.select(s.lt(x, 1e-300), 1e-300, x), float64)


def deviance(s: Any, x: Any, mean: Any) -> Any:
    """x log(x / mean) + mean - x, without the digits that the difference loses."""
    gap, total = x - mean, x + mean
    t = gap / total
    near = gap * t + x * 2.0 * t * (t * t) * series(t * t, [1 / (2 * k + 3) for k in range(8)])
    far = x * _log(s, x / mean) + (mean - x)
    return s.select(s.lt(s.abs(t), NEAR), near, far)


def _stirling(x: Any) -> Any:
    """log(x!) - log(sqrt(2 pi x) (x / e)^x) for x >= 1, to 5e-4, and to 1e-9 from 5 on."""
    r = 1.0 / x
    return r * series(r * r, [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188])


def _log_poisson(s: Any, k: Any, mean: Any) -> Any:
    some = s.select(s.lt(k, 1.0), 1.0, k)
    found = _log(s, some * (2 * math.pi)) * -0.5 - _stirling(some) - deviance(s, some, mean)
    return s.select(s.lt(k, 1.0), 0.0 - mean, found)


def _log_binomial(s: Any, k: Any, n: Any, p: Any) -> Any:
    rest = n - k
    some = s.select(s.lt(k, 1.0), 1.0, k)
    others = s.select(s.lt(rest, 1.0), 1.0, rest)
    size = _log(s, n / (some * (2 * math.pi)) / others) * 0.5
    error = _stirling(n) - _stirling(some) - _stirling(others)
    found = size + error - deviance(s, some, n * p) - deviance(s, others, n * (1.0 - p))
    none = s.select(s.lt(k, 1.0), n * log_of_rest(s, p), n * _log(s, p))
    return s.select(s.or_(s.lt(k, 1.0), s.lt(rest, 1.0)), none, found)
