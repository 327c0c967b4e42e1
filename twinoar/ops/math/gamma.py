"""The gamma function: its logarithm, and the derivatives of that."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from twinoar.core.dtype import float64
from twinoar.core.loop.gamma import (
    BERNOULLI,
    EXACT_ORDER,
    FAR,
    WHOLE,
    cotangent_polynomial,
    digamma_of,
    log_gamma_of,
    parts_of_factorial,
    polygamma_of,
)
from twinoar.core.op.declare import Tensor, function, op, primitive
from twinoar.core.op.definition import FEW
from twinoar.errors import ArgumentError
from twinoar.ops.math._unary import samples_within, unary, unary_desc
from twinoar.ops.math.cast import elementwise, promote_to_floating


def _polygamma_element(s: Any, x: Any, n: int) -> Any:
    """What `polygamma_of` computes, with as many terms of the sum for every element."""
    given = s.cast(x, float64)
    if n == 1:
        return s.cast(s.trigamma(given), x.dtype)
    is_left = s.lt(given, 0.0)
    y = s.select(is_left, 1.0 - given, given)
    unit, rest = parts_of_factorial(n)
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
        unit, rest = parts_of_factorial(n)
        powers = [s.power(r / (r - float(k)), n + 1) for k in range(-WHOLE, WHOLE + 1)]
        return (-1.0) ** n * rest * s.power(unit / r, n + 1) * functools.reduce(s.add, powers)
    *lower, leading = cotangent_polynomial(n)
    cotangent = 1.0 / s.tan(r * math.pi)
    total = s.const(leading, float64)
    for coefficient in reversed(lower):
        total = total * cotangent + coefficient
    return total


@primitive(
    slow_kernel=True,
    compiled_from=FEW,
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
    slow_kernel=True,
    compiled_from=FEW,
    kernel=digamma_of,
    grad=lambda g, x: g * derivative_of_digamma(x),
    scalar=lambda s, x: s.digamma(x),
    desc=unary_desc("digamma"),
    samples=samples_within(0.5, 5),
)
def digamma(x: Tensor) -> Tensor:
    """The derivative of lgamma: infinite at 0, nan at -1, -2, ...

    x: [*]; integers count as floats. Returns [*].

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

    >>> round(twinoar.polygamma(twinoar.to_tensor(1.0), 1).item(), 4)  # pi^2 / 6
    1.6449
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise ArgumentError(f"n must be an integer of at least 0, received {n!r}")
    if n == 0:
        return digamma(x)
    (floating,) = promote_to_floating((x,))
    return derivative_of_digamma(floating, n)
