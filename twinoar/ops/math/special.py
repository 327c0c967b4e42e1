"""Incomplete gamma and Bessel functions, logit and sinc, with their derivatives."""

from __future__ import annotations

import math

from twinoar.core.dtype import float32
from twinoar.core.loop.special import i0_of, i0e_of, i1_of, i1e_of
from twinoar.core.op.declare import Desc, Tensor, function, op, primitive
from twinoar.core.op.definition import FEW
from twinoar.errors import ArgumentError
from twinoar.ops.math._incomplete import gammainc_of, gammaincc_of
from twinoar.ops.math._incomplete_procedures import by_blocks, lower, upper
from twinoar.ops.math._unary import samples_within, unary
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.cast import (
    astype,
    elementwise,
    promote_in_one_shape,
    promote_to_floating,
    sum_to,
)
from twinoar.ops.math.compare import equal
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.gamma import lgamma
from twinoar.ops.math.select import clip, select
from twinoar.ops.math.sign import sign
from twinoar.ops.math.trigonometry import sin


@function(method=True, inplace=True)
def multigammaln(x: Tensor, p: int) -> Tensor:
    """The logarithm of the gamma function of p dimensions.

    x: [*], above (p - 1) / 2. Returns [*]. Raises ArgumentError for p < 1.

    >>> round(twinoar.multigammaln(twinoar.to_tensor([2.0]), 2).item(), 4)
    0.4516
    """
    if p < 1:
        raise ArgumentError(f"p must be 1 or more, received {p}")
    out = lgamma(x) + p * (p - 1) / 4 * math.log(math.pi)
    for k in range(1, p):
        out = out + lgamma(x - k / 2)
    return out


def _density(a: Tensor, x: Tensor) -> Tensor:
    """The derivative of the lower incomplete gamma function by x."""
    return exp((a - 1.0) * log(x) - x - lgamma(a))


def _incomplete_samples(s):
    positive = s.uniform(0.5, 4, 2, 3)
    yield s(positive, s.uniform(0.5, 4, 2, 3), gradient=False)
    yield s(s.uniform(0.5, 4, 3, dtype="float64"), s.uniform(0.5, 4, 3), gradient=False)
    yield s(s.uniform(1, 3, 2, 1), s.uniform(1, 9, 3), gradient=False)
    yield s(s.zeros(0, 2), s.zeros(0, 2), gradient=False)


@primitive(
    slow_kernel=True,
    compiled_from=FEW,
    apart=0,
    method=True,
    inplace=True,
    infer=elementwise,
    kernel=gammainc_of,
    procedure=by_blocks(lower),
    grad=lambda g, x, y, specs: (None, sum_to(g * _density(x, y), specs[1])),
    promote=promote_in_one_shape,
    samples=_incomplete_samples,
)
def gammainc(x: Tensor, y: Tensor) -> Tensor:
    """The regularized lower incomplete gamma function of parameter x at y.

    x, y: shapes that broadcast, floating, not negative. Returns the broadcast shape. The gradient
    is that of y alone.

    >>> x, y = twinoar.to_tensor([1.0]), twinoar.to_tensor([2.0])
    >>> round(twinoar.gammainc(x, y).item(), 4)
    0.8647
    """


@primitive(
    slow_kernel=True,
    compiled_from=FEW,
    apart=0,
    method=True,
    inplace=True,
    infer=elementwise,
    kernel=gammaincc_of,
    procedure=by_blocks(upper),
    grad=lambda g, x, y, specs: (None, sum_to(-g * _density(x, y), specs[1])),
    promote=promote_in_one_shape,
    samples=_incomplete_samples,
)
def gammaincc(x: Tensor, y: Tensor) -> Tensor:
    """The regularized upper incomplete gamma function of parameter x at y. See `gammainc`.

    >>> x, y = twinoar.to_tensor([1.0]), twinoar.to_tensor([2.0])
    >>> round(twinoar.gammaincc(x, y).item(), 4)
    0.1353
    """


def _quotient(x: Tensor, value: Tensor) -> Tensor:
    """I1(x) / x, which is 1/2 at 0."""
    is_zero = equal(x, 0.0)
    return select(is_zero, 0.5, value / select(is_zero, 1.0, x))


@unary(
    slow_kernel=True,
    compiled_from=FEW,
    kernel=i0_of,
    grad=lambda g, x: g * i1(x),
    scalar=lambda s, x: s.i0(x),
    desc=Desc("i0", {"x": "x"}, outputs=("out",)),
    samples=samples_within(-2, 4),
)
def i0(x: Tensor) -> Tensor:
    """The modified Bessel function of the first kind of order 0.

    x: [*]; integers count as floats. Returns [*].

    >>> round(twinoar.i0(twinoar.to_tensor([1.0])).item(), 4)
    1.2661
    """


@primitive(
    slow_kernel=True,
    compiled_from=FEW,
    method=True,
    infer=elementwise,
    kernel=i0e_of,
    grad=lambda g, x, out: g * (i1e(x) - sign(x) * out),
    promote=promote_to_floating,
    scalar=lambda s, x: s.i0e(x),
    desc=Desc("i0e", {"x": "x"}, outputs=("out",)),
    samples=samples_within(1, 4),
)
def i0e(x: Tensor) -> Tensor:
    """exp(-|x|) `i0(x)`.

    x: [*]; integers count as floats. Returns [*].

    >>> round(twinoar.i0e(twinoar.to_tensor([1.0])).item(), 4)
    0.4658
    """


@primitive(
    slow_kernel=True,
    compiled_from=FEW,
    method=True,
    infer=elementwise,
    kernel=i1_of,
    grad=lambda g, x, out: g * (i0(x) - _quotient(x, out)),
    promote=promote_to_floating,
    scalar=lambda s, x: s.i1(x),
    desc=Desc("i1", {"x": "x"}, outputs=("out",)),
    samples=samples_within(1, 4),
)
def i1(x: Tensor) -> Tensor:
    """The modified Bessel function of the first kind of order 1.

    x: [*]; integers count as floats. Returns [*].

    >>> round(twinoar.i1(twinoar.to_tensor([1.0])).item(), 4)
    0.5652
    """


@primitive(
    slow_kernel=True,
    compiled_from=FEW,
    method=True,
    infer=elementwise,
    kernel=i1e_of,
    grad=lambda g, x, out: g * (i0e(x) - _quotient(x, out) - sign(x) * out),
    promote=promote_to_floating,
    scalar=lambda s, x: s.i1e(x),
    desc=Desc("i1e", {"x": "x"}, outputs=("out",)),
    samples=samples_within(1, 4),
)
def i1e(x: Tensor) -> Tensor:
    """exp(-|x|) `i1(x)`.

    x: [*]; integers count as floats. Returns [*].

    >>> round(twinoar.i1e(twinoar.to_tensor([1.0])).item(), 4)
    0.2079
    """


@function(method=True, inplace=True)
def logit(x: Tensor, eps: float | None = None) -> Tensor:
    """log(x / (1 - x)), the inverse of the logistic function; nan outside of [0, 1].

    x: [*], floating. eps: x is taken to lie in [eps, 1 - eps]. Returns [*].

    >>> twinoar.logit(twinoar.to_tensor([0.5])).item()
    0.0
    """
    return logit_op(x, float(eps or 0.0))


@op(
    name="logit",
    infer=elementwise,
    promote=promote_to_floating,
    samples=samples_within(0.1, 0.9),
)
def logit_op(x: Tensor, eps: float = 0.0) -> Tensor:
    """log(x / (1 - x)): the operator under `logit`."""
    inside = clip(x, eps, 1.0 - eps) if eps else x
    return log(divide(inside, 1.0 - inside))


@logit_op.grad
def _(g, x, eps):
    outside = 0.0 if eps else float("nan")
    within = select(x > 1.0 - eps, outside, divide(g, x * (1.0 - x)))
    return select(x < eps, outside, within)


@function(method=True, inplace=True)
def sinc(x: Tensor) -> Tensor:
    """sin(pi x) / (pi x), and 1 where x is 0.

    x: [*], floating. Returns [*].

    >>> round(twinoar.sinc(twinoar.to_tensor([0.5])).item(), 4)
    0.6366
    """
    # Next to a whole number sin is what pi was rounded by: in 16 bits all of its digits.
    half = x.dtype.is_floating and x.dtype.itemsize < 4
    wide = astype(x, float32) if half else x
    is_zero = equal(wide, 0)
    angle = select(is_zero, 1.0, wide) * math.pi
    out = select(is_zero, 1.0, sin(angle) / angle)
    return astype(out, x.dtype) if half else out
