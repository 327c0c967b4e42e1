"""ATen's special functions of one or two numbers."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.dtype import float64
from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.formats.torch.aten.elementwise import promoted, xlogy
from twinoar.formats.torch.aten.table import floating, target, tensor
from twinoar.ops.index.mask import where
from twinoar.ops.math.complex_number import isreal
from twinoar.ops.math.floating import ldexp, logaddexp, nextafter
from twinoar.ops.math.gamma import polygamma
from twinoar.ops.math.special import gammainc, gammaincc, multigammaln

promoted("nextafter", nextafter)
promoted("igamma special_gammainc", gammainc)
promoted("igammac special_gammaincc", gammaincc)


@target("aten.ldexp")
def scaled_by_power(self: Value, other: Value) -> Any:
    """self times 2 to the power of other."""
    return ldexp(self, other)


@target("aten.logaddexp2")
def binary_logarithm_of_sum(self: Value, other: Value) -> Any:
    """log2(2^self + 2^other)."""
    factor = math.log(2.0)
    return logaddexp(self * factor, other * factor) * (1.0 / factor)


@target("aten.float_power")
def wide_power(self: Any, exponent: Any) -> Any:
    """self to the power of exponent, as float64."""
    return op_named("pow")(tensor(self, float64), tensor(exponent, float64))


@target("aten.polygamma", "aten.special_polygamma")
def derivatives_of_digamma(self: Value | int, n: Any) -> Any:
    """The n-th derivative of digamma; the order comes first."""
    order, x = (n, self) if isinstance(self, Value) else (self, n)
    return polygamma(floating(x), order)


@target("aten.mvlgamma", "aten.special_multigammaln")
def of_several_dimensions(self: Value, p: int) -> Any:
    """The logarithm of the gamma function of p dimensions."""
    return multigammaln(floating(self), p)


@target("aten.special_ndtr")
def normal_distribution(self: Value) -> Any:
    """The part of normal numbers that is smaller."""
    return (op_named("erf")(floating(self) * math.sqrt(0.5)) + 1.0) * 0.5


@target("aten.special_ndtri")
def normal_quantile(self: Value) -> Any:
    """The number below which this part of normal numbers lies."""
    return op_named("erfinv")(floating(self) * 2.0 - 1.0) * math.sqrt(2.0)


@target("aten.special_entr", "aten.entr")
def entropy(self: Value) -> Any:
    """-x log(x); 0 at 0, and minus infinity below."""
    x = floating(self)
    least = op_named("fill_like")(x, float("-inf"))
    return where(x < 0, least, -xlogy(x, x))


@target("aten.special_xlog1py")
def times_log1p(self: Any, other: Any) -> Any:
    """self log(1 + other), and 0 where self is 0."""
    x, y = tensor(self), floating(tensor(other))
    product = x * op_named("log1p")(y)
    return where((x == 0) & ~op_named("isnan")(y), op_named("fill_like")(product, 0.0), product)


@target("aten.isreal")
def has_no_imaginary_part(self: Value) -> Any:
    """Whether a number has no imaginary part."""
    return isreal(self)
