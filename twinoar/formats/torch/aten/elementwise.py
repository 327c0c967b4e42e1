"""ATen's elementwise operators: arithmetic, comparison, logic, conversion."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import DType, bool_, dtype_of, float32, int64
from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.table import floating, result_dtype, same, target, tensor, together
from twinoar.ops.index.mask import where
from twinoar.ops.math.cast import astype
from twinoar.ops.math.floating import heaviside, hypot, logaddexp, nan_to_num
from twinoar.ops.math.rounding import round as rounded
from twinoar.ops.math.select import clip

same("abs neg sign floor ceil trunc fix=trunc square bitwise_not logical_not absolute=abs")
same("negative=neg sgn real imag angle view_as_real=as_real view_as_complex=as_complex")
same("positive=identity conj_physical=conj _conj=conj resolve_conj=identity resolve_neg=identity")
same("isnan isinf isfinite signbit negative_values=signbit")
same(
    "exp expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh "
    "tanh asinh acosh atanh arcsin=asin arccos=acos arctan=atan arcsinh=asinh arccosh=acosh "
    "arctanh=atanh erf special_erf=erf erfinv special_erfinv=erfinv sigmoid special_expit=sigmoid "
    "special_log1p=log1p special_expm1=expm1 digamma special_digamma=digamma lgamma "
    "special_gammaln=lgamma i0 special_i0=i0 special_i0e=i0e special_i1=i1 special_i1e=i1e",
    floating,
)


def promoted(names: str, function: Callable[..., Any]) -> None:
    """Enter operators of two operands, which are brought to one dtype."""

    def call(self: Any, other: Any) -> Any:
        return function(*together(self, other))

    target(*(f"aten.{name}" for name in names.split()))(call)


for theirs, ours in {
    "mul multiply": "multiply",
    "maximum max.other": "maximum",
    "minimum min.other": "minimum",
    "fmax": "fmax",
    "fmin": "fmin",
    "eq": "equal",
    "ne not_equal": "not_equal",
    "lt less": "less_than",
    "le less_equal": "less_equal",
    "gt greater": "greater_than",
    "ge greater_equal": "greater_equal",
    "bitwise_and __and__": "bitwise_and",
    "bitwise_or __or__": "bitwise_or",
    "bitwise_xor __xor__": "bitwise_xor",
    "bitwise_left_shift __lshift__": "shift_left",
    "bitwise_right_shift __rshift__": "shift_right",
    "gcd": "gcd",
    "lcm": "lcm",
}.items():
    promoted(theirs, op_named(ours))
promoted("logaddexp", logaddexp)
promoted("hypot", hypot)


def _scaled(x: Any, factor: Any) -> Any:
    """x times `factor`; itself where that is one."""
    if isinstance(factor, (int, float)) and factor == 1:
        return x
    return op_named("multiply")(*together(x, factor))


@target("aten.add")
def add(self: Any, other: Any, alpha: Any = 1) -> Any:
    """self + alpha * other; of booleans the logical or."""
    x, y = together(self, _scaled(other, alpha))
    return op_named("logical_or" if x.dtype == bool_ else "add")(x, y)


@target("aten.sub", "aten.subtract")
def subtract(self: Any, other: Any, alpha: Any = 1) -> Any:
    """self - alpha * other."""
    return op_named("subtract")(*together(self, _scaled(other, alpha)))


@target("aten.rsub")
def reversed_subtract(self: Any, other: Any, alpha: Any = 1) -> Any:
    """other - alpha * self."""
    return subtract(other, self, alpha)


@target("aten.div", "aten.divide", "aten.true_divide")
def divide(self: Any, other: Any, rounding_mode: str | None = None) -> Any:
    """self / other, of integers as floats; rounding_mode: "trunc" or "floor"."""
    if rounding_mode == "floor":
        return floor_divide(self, other)
    x, y = together(self, other)
    if rounding_mode == "trunc":
        if x.dtype.is_integer:
            return (x - fmod(x, y)).floor_divide(y)
        return op_named("trunc")(x / y)
    return op_named("divide")(floating(x), floating(y))


@target("aten.floor_divide")
def floor_divide(self: Any, other: Any) -> Any:
    """The quotient, rounded down."""
    return op_named("floor_divide")(*together(self, other))


@target("aten.remainder")
def remainder(self: Any, other: Any) -> Any:
    """What is left of a quotient that is rounded down: it has the sign of other."""
    return op_named("remainder")(*together(self, other))


@target("aten.fmod")
def fmod(self: Any, other: Any) -> Any:
    """What is left of a quotient that is cut: it has the sign of self."""
    x, y = together(self, other)
    rest = op_named("remainder")(op_named("abs")(x), op_named("abs")(y))
    return where(x < 0, -rest, rest)


@target("aten.pow")
def power(self: Any, exponent: Any) -> Any:
    """self to the power of exponent."""
    return op_named("pow")(*together(self, exponent))


@target("aten.atan2", "aten.arctan2")
def atan2(self: Any, other: Any) -> Any:
    """The angle of a point; of integers as floats."""
    return op_named("atan2")(*map(floating, together(self, other)))


@target("aten.copysign")
def copysign(self: Any, other: Any) -> Any:
    """The size of self with the sign of other."""
    return op_named("copysign")(*map(floating, together(self, other)))


@target("aten.xlogy", "aten.special_xlogy")
def xlogy(self: Any, other: Any) -> Any:
    """self * log(other), and 0 where self is 0."""
    x, y = map(floating, together(self, other))
    product = x * op_named("log")(y)
    return where((x == 0) & ~op_named("isnan")(y), op_named("fill_like")(product, 0.0), product)


@target("aten.heaviside")
def step(self: Value, values: Value) -> Any:
    """0 below zero, 1 above, `values` at zero."""
    return heaviside(*together(self, values))


@target("aten.erfc", "aten.special_erfc")
def erfc(self: Value) -> Any:
    """1 - erf(self)."""
    return 1.0 - op_named("erf")(floating(self))


@target("aten.exp2", "aten.special_exp2")
def exp2(self: Value) -> Any:
    """2 to the power of self."""
    return op_named("exp")(floating(self) * math.log(2.0))


@target("aten.sinc", "aten.special_sinc")
def sinc(self: Value) -> Any:
    """sin(pi x) / (pi x), and 1 where x is 0."""
    angle = floating(self) * math.pi
    is_zero = angle == 0
    safe = where(is_zero, op_named("fill_like")(angle, 1.0), angle)
    return where(is_zero, op_named("fill_like")(angle, 1.0), op_named("sin")(safe) / safe)


@target("aten.frac")
def frac(self: Value) -> Any:
    """What stands behind the point."""
    return self - op_named("trunc")(self)


@target("aten.deg2rad")
def deg2rad(self: Value) -> Any:
    """Degrees as radians."""
    return floating(self) * (math.pi / 180.0)


@target("aten.rad2deg")
def rad2deg(self: Value) -> Any:
    """Radians as degrees."""
    return floating(self) * (180.0 / math.pi)


@target("aten.isposinf")
def isposinf(self: Value) -> Any:
    """Whether it is infinite and positive."""
    return op_named("isinf")(self) & (self > 0)


@target("aten.isneginf")
def isneginf(self: Value) -> Any:
    """Whether it is infinite and negative."""
    return op_named("isinf")(self) & (self < 0)


@target("aten.round")
def round_(self: Value, decimals: int = 0) -> Any:
    """The nearest number of so many decimals; halves go to the even one."""
    return self if self.dtype.is_integer else rounded(self, decimals)


@target("aten.logit", "aten.special_logit")
def logit(self: Value, eps: float | None = None) -> Any:
    """log(x / (1 - x)); eps: x is brought into [eps, 1 - eps]."""
    x = floating(self)
    if eps is not None:
        x = clip(x, eps, 1.0 - eps)
    return op_named("log")(x / (1.0 - x))


@target("aten.nan_to_num")
def without_nan(
    self: Value, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Any:
    """self with numbers in place of nan and the infinities."""
    return nan_to_num(self, nan or 0.0, posinf, neginf) if self.dtype.is_floating else self


@target("aten.clamp", "aten.clip")
def clamp(self: Value, min: Any = None, max: Any = None) -> Any:
    """self between two numbers or tensors."""
    dtype = result_dtype(self, *(bound for bound in (min, max) if bound is not None))
    x = tensor(self, dtype)
    if min is not None:
        x = op_named("maximum")(x, tensor(min, dtype))
    return x if max is None else op_named("minimum")(x, tensor(max, dtype))


@target("aten.clamp_min")
def clamp_min(self: Value, min: Any) -> Any:
    """self, but not below `min`."""
    return clamp(self, min)


@target("aten.clamp_max")
def clamp_max(self: Value, max: Any) -> Any:
    """self, but not above `max`."""
    return clamp(self, None, max)


@target("aten.where")
def choose(condition: Value, self: Any = None, other: Any = None) -> Any:
    """self where the condition holds, else other."""
    if self is None:
        raise UnsupportedError("aten.where of one operand, whose sizes the data decides")
    return where(astype(condition, bool_), *together(self, other))


@target("aten.masked_fill")
def masked_fill(self: Value, mask: Value, value: Any) -> Any:
    """self with `value` where the mask holds."""
    return where(astype(mask, bool_), tensor(value, self.dtype), self)


@target("aten.lerp")
def lerp(self: Value, end: Value, weight: Any) -> Any:
    """What lies between self and end."""
    return self + tensor(weight, self.dtype) * (end - self)


@target("aten.addcmul")
def addcmul(self: Value, tensor1: Value, tensor2: Value, value: Any = 1) -> Any:
    """self + value * tensor1 * tensor2."""
    x, y, z = together(self, tensor1, tensor2)
    return x + _scaled(y * z, value)


@target("aten.addcdiv")
def addcdiv(self: Value, tensor1: Value, tensor2: Value, value: Any = 1) -> Any:
    """self + value * tensor1 / tensor2."""
    x, y, z = map(floating, together(self, tensor1, tensor2))
    return x + _scaled(y, value) / z


def _logical(name: str) -> None:
    operator = op_named(name)

    def call(self: Value, other: Value) -> Any:
        return operator(astype(self, bool_), astype(other, bool_))

    target(f"aten.{name}")(call)


for name in ("logical_and", "logical_or", "logical_xor"):
    _logical(name)


@target("aten.isclose")
def isclose(
    self: Value, other: Value, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    """Whether the two are nearly equal."""
    return op_named("isclose")(*together(self, other), rtol, atol, equal_nan)


@target("aten.isin")
def isin(
    elements: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False
) -> Any:
    """Whether an element is among others."""
    x, y = together(elements, test_elements)
    found = op_named("any")(x.unsqueeze(-1) == y.flatten(), axis=(-1,))
    return ~found if invert else found


@target(
    "aten._to_copy",
    "aten.to.dtype",
    "aten.to.dtype_layout",
    "aten._to_dtype",
    "prims.convert_element_type",
)
def to(self: Value, dtype: DType | None = None, copy: bool = False) -> Any:
    """self in another dtype."""
    return self if dtype is None else astype(self, dtype)


@target("aten.to.device", "aten.to.other", "aten.type_as")
def to_other(self: Value, other: Value | None = None, dtype: Any = None, copy: bool = False) -> Any:
    """self in the dtype of another tensor."""
    wanted = dtype_of(dtype) if dtype is not None else other.dtype if other is not None else None
    return self if wanted is None else astype(self, wanted)


for name, dtype in {"float": float32, "long": int64, "bool": bool_}.items():
    target(f"aten.{name}")(lambda self, dtype=dtype: astype(self, dtype))
