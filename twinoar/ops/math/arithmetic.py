"""Arithmetic on elements, with NumPy broadcasting and Paddle's promotion.

Derivatives are written where they stand; each is the textbook one, and `sum_to` undoes
broadcasting.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from twinoar.core.dtype import DType, bfloat16, float16, float32, float64
from twinoar.core.keyword import widens
from twinoar.core.loop import bits
from twinoar.core.op.declare import (
    Desc,
    Spec,
    Tensor,
    Value,
    function,
    loop,
    method,
    op_named,
    primitive,
)
from twinoar.core.values import INPLACE
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.math._float_division import of_wide_floats, rest_of, whole_quotient
from twinoar.ops.math.affine import neg
from twinoar.ops.math.cast import (
    cast,
    elementwise,
    elementwise_numbers,
    promote_beside_scalars,
    promote_operands,
    promote_to_floating_beside_scalars,
    require_numbers,
    sum_to,
    sum_to_each,
)
from twinoar.ops.math.compare import equal, isfinite, less_than, not_equal
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import select

quiet = np.errstate(all="ignore")  # infinity and nan are results like any other


def wider_in_place(x: Tensor, y: Any) -> tuple[Tensor, Any]:
    """x and y where x is changed in place: a float in a tensor widens x then, as in Paddle."""
    is_wider = isinstance(y, Value) and x.dtype.is_differentiable
    return promote_operands((x, y)) if is_wider else (x, y)


def widening(operator: str) -> Any:
    """What the in-place variant of a binary operator computes."""

    @function
    def compute(
        x: Tensor, y: Any, name: str | None = None, *, alpha: Any = None, rounding_mode: Any = None
    ) -> Tensor:
        more = {"alpha": alpha, "rounding_mode": rounding_mode}
        given = {keyword: value for keyword, value in more.items() if value is not None}
        return op_named(operator)(*wider_in_place(x, y), name=name, **given)

    return compute


def binary_desc(kind: str, **rest: Any) -> Desc:
    """Paddle's form of a binary operator, with its old `axis` attribute at the neutral value."""
    return Desc(kind, {"X": "x", "Y": "y"}, fixed={"axis": -1}, **rest)


def binary_samples(s):
    """Calls that every binary arithmetic operator must serve."""
    yield s(s.randn(2, 3), s.uniform(0.5, 2, 2, 3))
    yield s(s.randn(2, 1, 3), s.uniform(0.5, 2, 4, 1))
    yield s(s.randn(3), 2.0)
    yield s(s.randn(), s.uniform(0.5, 2))
    yield s(s.zeros(0, 3), s.uniform(0.5, 2, 3))
    yield s(s.randn(3, dtype="float64"), s.uniform(0.5, 2, 3), tolerance=1e-9)
    yield s(s.randn(3), s.uniform(0.5, 2, dtype="float64"))
    yield s(s.randn(dtype="float64"), s.uniform(0.5, 2, 3))
    yield s(s.ints(1, 9, 4), s.ints(1, 5, 4), gradient=False)
    yield s(s.ints(1, 9, 4), 2.5, gradient=False)
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))


@primitive(
    one_function=True,
    method="__add__ add",
    inplace=widening("add"),
    infer=elementwise,
    kernel=np.add,
    grad=lambda g, specs: sum_to_each(g, specs),
    promote=promote_beside_scalars,
    scalar=lambda s, x, y: s.add(x, y),
    desc=binary_desc("elementwise_add"),
    samples=binary_samples,
    commutative=True,
)
def add(x: Tensor, y: Tensor) -> Tensor:
    """x + y.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape in the promoted
    dtype. Raises ShapeError where the shapes do not broadcast.

    >>> twinoar.add(twinoar.to_tensor([1, 2]), twinoar.to_tensor([3, 4])).tolist()
    [4, 6]
    """


@primitive(
    one_function=True,
    method="__sub__ subtract",
    inplace=widening("subtract"),
    infer=elementwise,
    kernel=np.subtract,
    grad=lambda g, specs, wanted: (
        sum_to(g, specs[0]),
        sum_to(neg(g), specs[1]) if wanted[1] else None,
    ),
    promote=promote_beside_scalars,
    scalar=lambda s, x, y: s.sub(x, y),
    desc=binary_desc("elementwise_sub"),
    samples=binary_samples,
)
def subtract(x: Tensor, y: Tensor) -> Tensor:
    """x - y.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape in the promoted
    dtype. Raises ShapeError where the shapes do not broadcast.

    >>> twinoar.subtract(twinoar.to_tensor([1, 2]), twinoar.to_tensor([3, 5])).tolist()
    [-2, -3]
    """


@primitive(
    one_function=True,
    method="__mul__ multiply",
    inplace=widening("multiply"),
    infer=elementwise,
    kernel=np.multiply,
    grad=lambda g, x, y, specs, wanted: (
        sum_to(g * y, specs[0]) if wanted[0] else None,
        sum_to(g * x, specs[1]) if wanted[1] else None,
    ),
    promote=promote_beside_scalars,
    scalar=lambda s, x, y: s.mul(x, y),
    desc=binary_desc("elementwise_mul"),
    samples=binary_samples,
    commutative=True,
)
def multiply(x: Tensor, y: Tensor) -> Tensor:
    """x * y, element by element.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape in the promoted
    dtype. Raises ShapeError where the shapes do not broadcast.

    >>> twinoar.multiply(twinoar.to_tensor([1, 2]), twinoar.to_tensor([3, 4])).tolist()
    [3, 8]
    """


@primitive(
    one_function=True,
    method="__truediv__ __div__ divide",
    inplace=widening("divide"),
    infer=elementwise,
    kernel=quiet(np.true_divide),
    grad=lambda g, y, out, specs, wanted: (
        sum_to(g / y, specs[0]) if wanted[0] else None,
        sum_to(-g * out / y, specs[1]) if wanted[1] else None,
    ),
    promote=promote_to_floating_beside_scalars,
    scalar=lambda s, x, y: s.div(x, y),
    desc=binary_desc("elementwise_div"),
    samples=binary_samples,
)
def divide(x: Tensor, y: Tensor) -> Tensor:
    """x / y, element by element; integers are divided as the default floating dtype.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape. Raises ShapeError
    where the shapes do not broadcast.

    >>> twinoar.divide(twinoar.to_tensor([1.0, 3.0]), 2.0).tolist()
    [0.5, 1.5]
    """


@widens(divide)
@function(method=True, inplace=widening("divide"))
def div(
    x: Tensor,
    y: Any,
    name: str | None = None,
    *,
    rounding_mode: Literal["floor", "trunc"] | None = None,
) -> Tensor:
    """x / y; rounded towards negative infinity with "floor", towards zero with "trunc".

    x, y: any shapes that broadcast, or y a number. Returns the broadcast shape; floating without
    `rounding_mode`, the promoted dtype with it, and no gradient flows. Raises ArgumentError for
    another `rounding_mode`, and where it is given and an integer is divided by zero.

    >>> x = twinoar.to_tensor([-7.0])
    >>> [twinoar.div(x, 2.0, rounding_mode=m).item() for m in (None, "floor", "trunc")]
    [-3.5, -4.0, -3.0]
    """
    if rounding_mode is None:
        return divide(x, y, name=name)
    if rounding_mode == "floor":
        return floor_divide(x, y, name=name)
    if rounding_mode != "trunc":
        raise ArgumentError(
            f"rounding_mode must be None, 'floor' or 'trunc', received {rounding_mode!r}"
        )
    dividend, divisor = promote_beside_scalars((x, y))
    if dividend.dtype.is_floating:
        return op_named("trunc")(divide(dividend, divisor).detach(), name=name)
    down = floor_divide(dividend, divisor)  # exact, where floats are not
    is_short = logical_and(less_than(down, 0), not_equal(multiply(down, divisor), dividend))
    return add(down, cast(is_short, down.dtype), name=name)


@widens(subtract)
@function(method=True, inplace=widening("subtract"))
def sub(x: Tensor, y: Any, name: str | None = None, *, alpha: Any = 1) -> Tensor:
    """x - alpha y. See `subtract`.

    >>> twinoar.sub(twinoar.to_tensor([5]), twinoar.to_tensor([1]), alpha=2).tolist()
    [3]
    """
    return subtract(x, _times(y, alpha), name=name)


@widens(add)
@function
def _add(x: Tensor, y: Any, name: str | None = None, *, alpha: Any = 1) -> Tensor:
    """x + alpha y."""
    return add(x, _times(y, alpha), name=name)


def _times(y: Any, alpha: Any) -> Any:
    return y if isinstance(alpha, (int, float)) and alpha == 1 else y * alpha


def _whole_samples(s):
    """Calls of floor_divide and remainder: quotients away from whole numbers."""
    yield s(np.array([7.0, -7.0, 7.0, -7.0]), np.array([3.0, 3.0, -3.0, -3.0]))
    yield s(s.uniform(3.2, 3.8, 2, 1, 3), s.uniform(1.0, 1.05, 4, 1))
    yield s(s.uniform(3.2, 3.8, 3), 2.0)
    yield s(s.uniform(3.2, 3.8), s.uniform(2, 2.1))
    yield s(s.zeros(0, 3), s.uniform(0.5, 2, 3))
    yield s(s.ints(-9, 9, 6), np.array([3, -3, 2, -2, 5, -5]), gradient=False)
    yield s(s.ints(-9, 9, 4, dtype="int32"), 2.5, gradient=False)
    yield s(s.ints(-9, 9, 9), 4, gradient=False)
    yield s(s.ints(-9, 9, 9, dtype="int32"), -3, gradient=False)
    yield s(s.randn(3), 0, gradient=False)
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))
    yield s.bad(
        ArgumentError, "divided by zero", s.ints(1, 9, 2), s.ints(0, 1, 2), static_error=False
    )


BY_ZERO = "an integer is divided by zero"


def _check_divisor(x: Any, y: Any) -> None:
    """Raise ArgumentError for a whole number divided by zero."""
    if np.result_type(x, y).kind in "iu" and not np.all(y):
        raise ArgumentError(BY_ZERO, cure="cast to a floating dtype first")


def _division(of_integers: Any, of_floats: Any, leaves_rest: bool = False) -> Any:
    """A `lower` rule."""

    def whole(x: Any, y: Any) -> Any:
        quotient = of_integers(x, y)
        return quotient if y.value else loop.refused(loop.eq(y, 0), quotient, BY_ZERO)

    def rule(x: Any, y: Any, spec: Spec) -> Any:
        if spec.dtype.is_complex and leaves_rest:
            return lambda i: _complex_rest(*loop.pair(loop.at(x, i), loop.at(y, i)))
        if spec.dtype.is_integer:
            return lambda i: whole(*loop.pair(loop.at(x, i), loop.at(y, i)))
        if not spec.dtype.is_floating:
            return None
        if spec.dtype is float64:  # the data decides how many steps it takes: a procedure
            return None
        steps = STEPS.get(spec.dtype, 1)
        x, y = (_rounded(v, spec.dtype) for v in (x, y))
        return lambda i: of_floats(*loop.pair(loop.at(x, i), loop.at(y, i)), steps)

    return rule


# What brings the largest number below the least one, 52 bits of the quotient a step.
STEPS = {float32: 6, bfloat16: 6, float16: 1}


def _rounded(x: Any, dtype: DType) -> Any:
    """A number as the element of `dtype` that it is in eager mode; a remainder has no tolerance."""
    return float(dtype.numpy.type(x)) if isinstance(x, (int, float)) else x


def _floor_and_rest(x: Any, y: Any, steps: int) -> tuple[Any, Any]:
    """floor(x / y) and x - y * floor(x / y) of floats of up to 32 bits, in float64, where each step
    is exact: what it leaves is a multiple of the last bits of both factors.

    A finite number over an infinite one is 0 and leaves itself; where their signs differ it is -1
    and leaves the infinite one.
    """
    x, y = loop.cast(x, float64), loop.cast(y, float64)
    is_far, is_opposed = loop.isinf(y) & loop.isfinite(x), _are_opposed(x, y)
    quotient, rest, zero = loop.floor(x / y), x, loop.const(0.0, float64)
    for _ in range(steps):
        rest = loop.fma(-loop.trunc(rest / y), y, rest)
    is_rounded_up = _are_opposed(rest, y)
    rest = loop.select(is_rounded_up, rest + y, rest)
    rest = loop.select(loop.eq(rest, 0.0), loop.select(y < 0.0, -zero, zero), rest)
    exact = loop.fma(-quotient, y, x)
    quotient = loop.select(_are_opposed(exact, y), quotient - 1.0, quotient)
    quotient = loop.select(is_far & is_opposed, -1.0, quotient)
    quotient = loop.select(loop.isinf(x) & loop.ne(y, 0.0), math.nan, quotient)
    return quotient, loop.select(is_far, loop.select(is_opposed, y, x), rest)


def _complex_rest(x: Any, y: Any) -> Any:
    """What is left of complex numbers, as the kernel of `remainder` has it."""
    quotient = x / y
    parts = (loop.real(quotient), loop.imag(quotient))
    return x - y * loop.of_parts(*(bits.copysign(loop.floor(loop.abs(q) + 0.5), q) for q in parts))


def _are_opposed(x: Any, y: Any) -> Any:
    return ((x < 0.0) & (y > 0.0)) | ((x > 0.0) & (y < 0.0))


@primitive(
    method="__floordiv__ floor_divide",
    inplace=True,
    infer=elementwise_numbers,
    lower=_division(loop.floordiv, lambda x, y, n: _floor_and_rest(x, y, n)[0]),
    procedure=of_wide_floats(whole_quotient),
    grad=lambda: (None, None),
    promote=promote_operands,
    desc=binary_desc("elementwise_floordiv"),
)
def floor_divide(x: Tensor, y: Tensor) -> Tensor:
    """x / y rounded towards negative infinity.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape in the promoted
    dtype; no gradient flows. Raises ShapeError where the shapes do not broadcast, ArgumentError
    where an integer is divided by zero.

    >>> twinoar.floor_divide(twinoar.to_tensor([7, -7]), twinoar.to_tensor([2, 2])).tolist()
    [3, -4]
    """


@floor_divide.samples
def _(s):
    for sample in _whole_samples(s):
        yield replace(sample, gradient=False)


@floor_divide.kernel
def _(x, y):
    require_numbers(x, y)
    _check_divisor(x, y)
    with np.errstate(all="ignore"):
        return np.floor_divide(x, y)


@primitive(
    method="__mod__ remainder mod floor_mod",
    inplace=widening("remainder"),
    infer=elementwise_numbers,
    grad=lambda g, x, y, specs, wanted: (
        sum_to(g, specs[0]),
        sum_to(-g * floor_divide(x, y), specs[1]) if wanted[1] else None,
    ),
    promote=promote_beside_scalars,
    lower=_division(loop.mod, lambda x, y, n: _floor_and_rest(x, y, n)[1], leaves_rest=True),
    procedure=of_wide_floats(rest_of),
    desc=binary_desc("elementwise_mod"),
    samples=_whole_samples,
)
def remainder(x: Tensor, y: Tensor) -> Tensor:
    """x - y * floor(x / y): what is left of x, with the sign of y.

    Of complex numbers the quotient is rounded to the nearest instead, in both of its parts, and y
    has no gradient.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape in the promoted
    dtype. Raises ShapeError where the shapes do not broadcast, ArgumentError where an integer is
    divided by zero.

    >>> twinoar.remainder(twinoar.to_tensor([7, -7]), twinoar.to_tensor([3, 3])).tolist()
    [1, 2]
    """


@remainder.kernel
def _(x, y):
    require_numbers(x, y)
    _check_divisor(x, y)
    with np.errstate(all="ignore"):
        if np.result_type(x, y).kind == "c":
            return _complex_remainder(x, y)
        return np.remainder(x, y)


def _complex_remainder(x: Any, y: Any) -> Any:
    """x less y times the nearest whole numbers of x / y, halves away from 0."""
    quotient = np.asarray(np.true_divide(x, y))
    parts = (np.copysign(np.floor(np.abs(q) + 0.5), q) for q in (quotient.real, quotient.imag))
    whole = quotient.dtype.type(1j)
    real, imag = parts
    return x - y * (real + whole * imag)


mod = floor_mod = remainder
INPLACE["mod_"] = INPLACE["floor_mod_"] = method("mod_", "floor_mod_")(INPLACE["remainder_"])


def _read_power(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    exponent = (slots.get("Y") or slots.get("FactorTensor") or [attrs.get("factor", 1.0)])[0]
    return pow(slots["X"][0], exponent)


@primitive(
    method="__pow__ pow",
    inplace=True,
    infer=elementwise_numbers,
    promote=promote_beside_scalars,
    desc=binary_desc("elementwise_pow", read=_read_power, reads=("pow",)),
    amp="high",
)
def pow(x: Tensor, y: Tensor) -> Tensor:
    """x to the power of y.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape in the promoted
    dtype; of integers to powers in a tensor that are negative the whole part, which is 0 but for 1
    and -1. Raises ShapeError where the shapes do not broadcast, ArgumentError for an integer to a
    number that is a negative integer.

    >>> twinoar.pow(twinoar.to_tensor([1.0, 2.0, 3.0]), 2).tolist()
    [1.0, 4.0, 9.0]
    """


@pow.kernel
@quiet
def _(x, y):
    require_numbers(x, y)
    if isinstance(y, np.ndarray) and np.result_type(x, y).kind == "i" and (y < 0).any():
        return _whole_power(x, y)
    number = y.flat[0] if isinstance(y, np.ndarray) and y.size == 1 else y
    if number.__class__ is not np.ndarray and number == 0.5 and x.dtype.kind == "f":
        # NumPy takes the root, which is -0.0 of -0.0 and nan of -inf.
        return np.where(x == -math.inf, -x, np.sqrt(x) + 0 * y)
    return x**y


def _whole_power(x: Any, y: np.ndarray) -> Any:
    """x^y of integers without its fraction; 0 where x is 0 and y negative, as PyTorch has it."""
    of_one = np.where(y % 2 == 0, x * x, x)
    inverse = np.where(np.abs(x) == 1, of_one, 0)
    return np.where(y < 0, inverse, x ** np.maximum(y, 0)).astype(np.result_type(x, y))


@pow.lower
def _(x, y, spec):
    if spec.dtype.is_differentiable:
        return lambda i: loop.call("pow", loop.at(x, i), loop.at(y, i))
    if not isinstance(y, int):
        return lambda i: bits.whole_power(*loop.pair(loop.at(x, i), loop.at(y, i)))
    return (lambda i: loop.power(x[i], y)) if y >= 0 else None  # a negative one is an error


@pow.grad
def _(g, x, y, out, specs, wanted):
    return (
        sum_to(g * _slope_in_base(x, y), specs[0]) if wanted[0] else None,
        sum_to(g * _slope_in_exponent(x, y, out), specs[1]) if wanted[1] else None,
    )


def _slope_in_base(x: Any, y: Any) -> Any:
    """d x^y / dx = y x^(y - 1), and 0 for y = 0 whatever x is."""
    if isinstance(y, Value):
        return y * pow(x, select(equal(y, 0.0), 0.0, y - 1.0))
    if y == 0:
        return op_named("fill")(x.spec.shape, 0, x.spec.dtype)
    return x * y if y == 2 else pow(x, y - 1) * y


def _slope_in_exponent(x: Any, y: Any, out: Any) -> Any:
    """d x^y / dy = x^y log(x), and 0 for x = 0 where x^y is finite, for log(x) has no limit."""
    log = op_named("log")
    if isinstance(x, Value):
        vanish = equal(x, 0.0)
        if out.dtype.is_floating:
            vanish = logical_and(vanish, isfinite(out))
        return out * log(select(vanish, 1.0, x))
    if x == 0:
        infinite = neg(op_named("abs")(out))
        return out * (select(isfinite(out), 0.0, infinite) if out.dtype.is_floating else 0.0)
    if out.dtype.is_complex:
        return out * cmath.log(x)
    return out * (math.log(x) if x > 0 else math.nan)


@pow.samples
def _(s):
    yield s(s.uniform(0.5, 2, 2, 3), s.randn(2, 3))
    yield s(s.uniform(0.5, 2, 2, 1, 3), s.randn(4, 1))
    yield s(s.randn(4), 2)
    yield s(s.randn(4), 3.0)
    yield s(s.randn(4), 1)
    yield s(s.randn(4), 0)
    yield s(s.uniform(0.5, 2, 4), -0.5)
    yield s(2.0, s.randn(3))
    yield s(1j, s.randn(3), gradient=False)
    yield s(s.uniform(0.5, 2, 3, dtype="float64"), s.randn(3))
    yield s(s.uniform(0.5, 2), s.randn())
    yield s(s.zeros(0, 3), s.randn(3))
    yield s(s.ints(-3, 4, 5), 2, gradient=False)
    yield s(s.ints(1, 4, 5), 0.5, gradient=False)
    yield s(s.ints(1, 4, 5), s.ints(0, 4, 5), gradient=False)
    yield s(np.array([2, 0, 1, -1, -1, -3]), np.array([-1, -2, -3, -1, -2, 3]), gradient=False)
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))
    yield s.bad(ArgumentError, "negative integer powers", s.ints(1, 4, 2), -1, static_error=False)


@method("__radd__")
def _radd(x: Tensor, y: Tensor) -> Tensor:
    return add.function(x, y)


@method("__rsub__")
def _rsub(x: Tensor, y: Tensor) -> Tensor:
    return subtract.function(y, x)


@method("__rmul__")
def _rmul(x: Tensor, y: Tensor) -> Tensor:
    return multiply.function(x, y)


@method("__rtruediv__", "__rdiv__")
def _rtruediv(x: Tensor, y: Tensor) -> Tensor:
    return divide.function(y, x)


@method("__rfloordiv__")
def _rfloordiv(x: Tensor, y: Any) -> Tensor:
    return floor_divide.function(y, x)


@method("__rmod__")
def _rmod(x: Tensor, y: Any) -> Tensor:
    return remainder.function(y, x)


@method("__rpow__")
def _rpow(x: Tensor, y: Any) -> Tensor:
    return pow.function(y, x)
