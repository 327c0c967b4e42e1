"""Numbers of Python's in Programs: what `int(t)`, `float(t)` and sizes in arithmetic stand for.

Among themselves they compute as Python does; beside a tensor they promote as literals do. No
gradient flows through them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.delayed import mark
from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import DType, bool_, complex128, float64, int64
from twinoar.core.interpreter import current, recording
from twinoar.core.ir.program import Variable
from twinoar.core.op.declare import Value, op_named
from twinoar.core.op.definition import Op
from twinoar.errors import ConversionError
from twinoar.ops.control.assertion import check
from twinoar.ops.control.host import host_call, register_function
from twinoar.ops.control.number_range import (
    GREATEST,
    LEAST,
    OVERFLOW,
    bounds_of,
    check_fits,
    check_float,
    check_not_least,
    compared,
    exact,
    range_of,
    require_whole,
)
from twinoar.ops.math.affine import neg
from twinoar.ops.math.arithmetic import (
    add,
    divide,
    floor_divide,
    multiply,
    pow,
    remainder,
    subtract,
)
from twinoar.ops.math.cast import cast, common_dtype
from twinoar.ops.math.compare import (
    equal,
    greater_equal,
    greater_than,
    isinf,
    less_equal,
    less_than,
    not_equal,
)
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import (
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    logical_and,
    logical_not,
    logical_or,
)

PYTHON_TYPES: dict[DType, type] = {bool_: bool, int64: int, float64: float, complex128: complex}


def _arithmetic(op: Op, least: DType = int64, divides: bool = False) -> tuple[Any, Any]:
    """The methods `x op y` and `y op x`; the result is at least of the type `least`."""

    def apply(x: Any, y: Any) -> Any:
        if not (_is_number(x) and _is_number(y)):
            return op.function(x, y)
        wanted = max((common_dtype((x, y)), least), key=lambda d: d.category)
        if op.name.startswith("bitwise") and wanted.category > int64.category:
            raise TypeError(f"unsupported operand types for {op.name}: floats have no bits")
        if divides:
            _check_divisor(y, wanted)
        if op is divide and wanted is float64 and not (_is_float(x) or _is_float(y)):
            check_float(x)
            check_float(y)
        a, b = _in_type(x, wanted), _in_type(y, wanted)
        found = as_number(op.function(a, b))
        return (
            exact(op, _with_bounds(a, x), _with_bounds(b, y), found) if wanted is int64 else found
        )

    def forward(x: Any, y: Any) -> Any:
        return apply(x, y) if _is_operand(y) else NotImplemented

    def reflected(x: Any, y: Any) -> Any:
        return apply(y, x) if _is_operand(y) else NotImplemented

    return forward, reflected


def _comparison(op: Op) -> Any:
    def compare(x: Any, y: Any) -> Any:
        if not _is_operand(y):
            return NotImplemented
        if not _is_number(y):
            return op.function(x, y)
        if isinstance(y, complex) or x.dtype is complex128 or _is_complex(y):
            if op not in (equal, not_equal):
                raise TypeError(f"complex numbers have no order ({op.name})")
            return as_number(op.function(x, y))
        found = compared(op, _of_size(x), _of_size(y))
        return as_number(found) if isinstance(found, Variable) else found

    return compare


def _power(x: Any, y: Any) -> Any:
    """x ** y of numbers: a float where a whole number has a negative exponent."""
    if not (_is_number(x) and _is_number(y)):
        return pow.function(x, y)
    wanted = max((common_dtype((x, y)), int64), key=lambda d: d.category)
    if wanted is int64:
        if isinstance(y, int) and y < 0:
            check_float(x)
            wanted = float64
        elif isinstance(y, Value):
            check(
                greater_equal(y, 0),
                "ValueError",
                "a whole number has a negative exponent that only the run knows, so that the type "
                "of the power is not known before; convert one of them with float()",
            )
    if wanted is float64:
        _check_float_power(x, y)
    a, b = _in_type(x, wanted), _in_type(y, wanted)
    found = as_number(pow.function(a, b))
    if wanted is float64:
        _check_finite(found, "(34, 'Numerical result out of range')", a, b)
    return exact(pow, a, b, found) if wanted is int64 else found


def _check_float_power(x: Any, y: Any) -> None:
    """Python raises for powers of 0 that are infinite, and has complex ones of negative numbers."""
    wide = [_in_type(v, float64) for v in (x, y)]
    base, exponent = wide
    if not (isinstance(exponent, float) and exponent.is_integer()):
        check(
            logical_not(less_than.function(base, 0.0)) if isinstance(base, Value) else base >= 0,
            "ValueError",
            "a negative number has a power that need not be whole: the result would be complex",
        )
    if isinstance(exponent, float) and exponent >= 0:
        return
    if isinstance(base, float) and base != 0:
        return
    is_zero = equal.function(base, 0.0) if isinstance(base, Value) else True
    falls = less_than.function(exponent, 0.0) if isinstance(exponent, Value) else True
    both = falls if is_zero is True else is_zero if falls is True else logical_and(is_zero, falls)
    check(logical_not(both), "ZeroDivisionError", "0.0 cannot be raised to a negative power")


def _check_finite(found: Any, text: str, *given: Any) -> None:
    """Stop where finite numbers have an infinite result."""
    is_infinite = isinf(found)
    for x in given:
        if isinstance(x, Value):
            is_infinite = logical_and(is_infinite, logical_not(isinf(x)))
        elif math.isinf(x):
            return
    check(logical_not(is_infinite), "OverflowError", text)


class Number(Variable):
    """A Python number that only a run knows; its shape is [], its type bool, int64, float64 or
    complex128.
    """

    weak = True
    bounds: tuple[int, int] | None = None  # between what an integer lies, where that is known
    __slots__ = ()

    __add__, __radd__ = _arithmetic(add)
    __sub__, __rsub__ = _arithmetic(subtract)
    __mul__, __rmul__ = _arithmetic(multiply)
    __truediv__, __rtruediv__ = _arithmetic(divide, float64, divides=True)
    __floordiv__, __rfloordiv__ = _arithmetic(floor_divide, divides=True)
    __mod__, __rmod__ = _arithmetic(remainder, divides=True)
    __and__, __rand__ = _arithmetic(bitwise_and, bool_)
    __or__, __ror__ = _arithmetic(bitwise_or, bool_)
    __xor__, __rxor__ = _arithmetic(bitwise_xor, bool_)
    __lt__, __le__ = _comparison(less_than), _comparison(less_equal)
    __gt__, __ge__ = _comparison(greater_than), _comparison(greater_equal)
    __eq__, __ne__ = _comparison(equal), _comparison(not_equal)
    __hash__ = Variable.__hash__

    @property
    def python_type(self) -> type:
        """bool, int, float or complex."""
        return PYTHON_TYPES[self.dtype]

    stands_for = python_type

    @property
    def text_form(self) -> str:
        """How it is written in a text that is made when the Program runs."""
        return ":"

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if not _is_operand(other):
            return NotImplemented
        if modulo is None:
            return _power(self, other)
        if any(_is_float(x) for x in (self, other, modulo)):
            raise TypeError("pow() 3rd argument not allowed unless all arguments are integers")
        if isinstance(other, int) and other < 0:
            raise ConversionError(
                "an inverse is asked for of a number that only a run knows",
                cure="compute it outside of the converted function",
            )
        return _power(self, other) % modulo

    def __lshift__(self, other: Any) -> Any:
        places = _places(self, other)
        if places < 63:
            return self * (1 << places)
        check(equal.function(_whole(self), 0), "OverflowError", OVERFLOW)
        return self * 0

    def __rshift__(self, other: Any) -> Any:
        places = _places(self, other)
        return self // (1 << min(places, 62)) // (1 << min(max(places - 62, 0), 62))

    def __rlshift__(self, other: Any) -> Any:
        return _shifted_by_a_number()

    __rrshift__ = __rlshift__

    def __index__(self) -> int:
        raise ConversionError(
            f"Python wants a number now that only a run knows (%{self.name}, {self.spec}): "
            "as an index, a length or how often",
            cure="keep the items in a tensor and index that: paddle.stack(items)[i]; or pass the "
            "number as a plain argument",
        )

    def __rpow__(self, other: Any) -> Any:
        return _power(other, self) if _is_operand(other) else NotImplemented

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    def __neg__(self) -> Any:
        x = _whole(self)
        if x.dtype is int64:
            return 0 - x
        return as_number(neg(x))

    def __pos__(self) -> Any:
        return _whole(self)

    def __abs__(self) -> Any:
        x = _whole(self)
        if x.dtype is int64:
            check_not_least(x)
        return as_number(op_named("abs")(x))

    def __invert__(self) -> Any:
        if self.dtype is float64:
            raise TypeError("bad operand type for unary ~: 'float'")
        return -1 - _whole(self)

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return self._rounded("round")
        if not isinstance(digits, int):
            raise ConversionError(
                "round() wants its digits when the Program is built", cure="give a plain int"
            )
        x = _whole(self)
        _require_real(x)
        return as_number(host_call([x], register_function(_rounding(digits)), (x.spec,)))

    def __trunc__(self) -> Any:
        return self._rounded("trunc")

    def __floor__(self) -> Any:
        return self._rounded("floor")

    def __ceil__(self) -> Any:
        return self._rounded("ceil")

    def _rounded(self, name: str) -> Any:
        _require_real(self)
        if self.dtype is not float64:
            return _whole(self)
        check_fits(self)
        return number(op_named(name)(self), int64)

    @property
    def real(self) -> Any:
        """The real part."""
        return as_number(op_named("real")(self)) if self.dtype is complex128 else _whole(self)

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return as_number(op_named("imag")(self)) if self.dtype is complex128 else _whole(self) * 0

    def conjugate(self) -> Any:
        """The number with the opposite imaginary part."""
        return as_number(op_named("conj")(self)) if self.dtype is complex128 else _whole(self)

    def is_integer(self) -> Any:
        """True if there is no fraction."""
        _require_real(self)
        if self.dtype is not float64:
            return True
        return as_number(
            logical_and(equal(self, op_named("floor")(self)), logical_not(isinf(self)))
        )

    def __format__(self, how: str) -> str:
        return mark(self, f":{how}") or super().__format__(how)


def as_number(v: Value) -> Number:
    """The result of an operator, known from here on as a Python number."""
    v.__class__ = Number
    return v  # type: ignore[return-value]


def number(x: Value, dtype: DType) -> Number:
    """The only element of x as a Python number, of one of the types that these have."""
    builder = recording(False)
    x = builder.lift(x)
    if x.spec.shape != ():
        x = builder.apply(op_named("reshape"), (x,), {"shape": ()})
    name = "cast" if x.dtype is not dtype else "identity"
    attrs = {"dtype": dtype} if name == "cast" else {}
    found = as_number(builder.apply(op_named(name), (x,), attrs))
    if dtype is int64 and not x.dtype.is_differentiable:
        found.bounds = getattr(x, "bounds", None) or range_of(x.dtype)
    return found


def of_size(dim: SymbolicDim) -> Number:
    """A size as a number."""
    return as_number(fill.function((), dim, int64))


def _is_complex(x: Any) -> bool:
    return isinstance(x, Value) and x.dtype.is_complex


def _require_real(x: Any) -> None:
    """Raise TypeError for a complex number, which Python neither rounds nor gives to `math`."""
    if _is_complex(x):
        raise TypeError("must be real number, not complex")


def _places(x: Any, places: Any) -> int:
    """By how much an integer is shifted."""
    if _is_float(x) or _is_float(places):
        raise TypeError("unsupported operand type(s) for a shift: 'float'")
    if not isinstance(places, int):
        _shifted_by_a_number()
    if places < 0:
        raise ValueError("negative shift count")
    return int(places)


def _shifted_by_a_number() -> Any:
    raise ConversionError(
        "a number is shifted by one that only a run knows", cure="multiply it by 2**n, or divide it"
    )


def _is_float(x: Any) -> bool:
    return x.dtype is float64 if isinstance(x, Value) else isinstance(x, float)


def _of_size(x: Any) -> Any:
    """An operand of a comparison: a size, or a truth value beside a number, as a number."""
    if isinstance(x, SymbolicDim):
        return of_size(x)
    return _whole(x) if isinstance(x, Number) else x


def _with_bounds(x: Any, of: Any) -> Any:
    """An operand that was brought to int64, with what is known of what it was made of."""
    if isinstance(x, Variable) and x.__dict__.get("bounds") is None:
        x.bounds = bounds_of(of)  # type: ignore[attr-defined]
    return x


def _whole(x: Number) -> Number:
    """x, where it is a truth value as 0 or 1."""
    if x.dtype is not bool_:
        return x
    found = as_number(cast(x, int64))
    found.bounds = bounds_of(x)
    return found


def _is_number(x: Any) -> bool:
    return isinstance(x, (Number, SymbolicDim, bool, int, float, complex))


def _is_operand(x: Any) -> bool:
    return _is_number(x) or isinstance(x, Value)


def _in_type(x: Any, wanted: DType) -> Any:
    """A number in the type that an operation is done in."""
    if isinstance(x, SymbolicDim):
        return fill.function((), x, wanted)
    if isinstance(x, Value):
        return x if x.dtype is wanted else cast(x, wanted)
    if wanted is int64:
        require_whole(x)
    return PYTHON_TYPES[wanted](x)


def _check_divisor(y: Any, wanted: DType) -> None:
    """Python raises where IEEE 754 has infinity."""
    what = "float division by zero" if wanted is float64 else "division by zero"
    if isinstance(y, (bool, int, float, complex)):
        if y == 0:
            raise ZeroDivisionError(what)
    else:
        check(not_equal(_in_type(y, wanted), 0), "ZeroDivisionError", what)


def python_function(
    name: str, domain: Callable[[Any], Any] | None = None, overflows: bool = False
) -> Callable[..., Any]:
    """A function of Python's `math`, also of numbers that only a run knows and of tensors.

    domain: says of a number whether the function is defined there; elsewhere, but for nan,
    ValueError. overflows: finite numbers may have an infinite value, for which Python raises
    OverflowError. A second argument is the base of a logarithm.
    """
    plain = getattr(math, name)
    op = op_named({"fabs": "abs"}.get(name, name))

    def function(x: Any, *base: Any) -> Any:
        if not current().runs:
            for operand in (x, *base):
                _require_real(operand)
        if not any(isinstance(a, (Value, SymbolicDim)) for a in (x, *base)) or current().runs:
            return plain(x, *base)
        operand = as_float(x)
        if isinstance(operand, float):
            found = plain(operand)
        else:
            if domain is not None:
                is_nan = not_equal.function(operand, operand)
                inside = logical_or(domain(operand), is_nan)
                check(inside, "ValueError", "math domain error")
            found = as_number(op.function(operand))
            if overflows:
                _check_finite(found, "math range error", operand)
        return found / function(base[0]) if base else found

    return function


def as_float(x: Any) -> Any:
    """x as a float: a Number where only a run knows it."""
    if isinstance(x, SymbolicDim):
        return as_number(fill.function((), x, float64))
    if isinstance(x, Value):
        return number(x, float64)
    return float(x)


@functools.cache
def _rounding(digits: int) -> Callable[[np.ndarray], Any]:
    """Python's rounding, which is of the decimal form and no arithmetic."""

    def rounded(x: np.ndarray) -> Any:
        found = round(x.item(), digits)
        if isinstance(found, int) and not LEAST <= found <= GREATEST:
            raise OverflowError(OVERFLOW)
        return found

    return rounded
