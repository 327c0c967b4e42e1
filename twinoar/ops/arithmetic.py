"""Further arithmetic on elements: integers' divisors, exponents and signs, angles, rounding."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.desc import Desc
from twinoar.core.dtype import DType, bfloat16, default_dtype, float16, float32
from twinoar.core.explain import explained
from twinoar.core.op import primitive
from twinoar.core.spec import Spec
from twinoar.core.values import Value, inplace, method
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.affine import neg, pos
from twinoar.ops.cast import (
    astype,
    brought_to,
    elementwise,
    elementwise_bool,
    in_one_shape,
    promote_beside_scalars,
    promote_operands,
    promote_to_floating,
    promote_to_floating_beside_scalars,
    sum_to,
)
from twinoar.ops.compare import equal, isnan
from twinoar.ops.create import zeros_of
from twinoar.ops.elementwise import add, multiply, pow, subtract, widening, wider_in_place
from twinoar.ops.math import abs as magnitude
from twinoar.ops.math import exp, log1p, sqrt, trunc
from twinoar.ops.select import maximum, select

Tensor = Value


def _whole(*specs: Any) -> Spec:
    """An `infer` rule: elementwise, on integers."""
    for s in specs:
        if isinstance(s, Spec) and not s.dtype.is_integer:
            raise DTypeError(f"expected integers, received {s}", cure="convert with astype")
    return elementwise(*specs)


def _whole_samples(s):
    yield s(s.ints(-9, 9, 2, 3), s.ints(-9, 9, 2, 3))
    yield s(s.ints(0, 99, 2, 1, 3, dtype="int32"), s.ints(0, 9, 4, 1, dtype="int32"))
    yield s(s.ints(0, 9, 3), s.ints(0, 9))
    yield s(s.ints(0, 9, 0), s.ints(0, 9, 1))
    yield s.bad(ShapeError, "do not broadcast", s.ints(0, 9, 2, 3), s.ints(0, 9, 4))
    yield s.bad(DTypeError, "expected integers", s.randn(3), s.randn(3))


@inplace
@method("gcd")
@primitive(infer=_whole, kernel=np.gcd, promote=promote_operands, samples=_whole_samples)
def gcd(x: Tensor, y: Tensor) -> Tensor:
    """The greatest common divisors of integers; not negative.

    x, y: shapes that broadcast, integers. Returns the broadcast shape. Raises DTypeError.

    >>> import twinoar
    >>> twinoar.gcd(twinoar.to_tensor([12, -9]), twinoar.to_tensor([18])).tolist()
    [6, 9]
    """


@inplace
@method("lcm")
@primitive(infer=_whole, kernel=np.lcm, promote=promote_operands, samples=_whole_samples)
def lcm(x: Tensor, y: Tensor) -> Tensor:
    """The least common multiples of integers; not negative.

    x, y: shapes that broadcast, integers. Returns the broadcast shape. Raises DTypeError.

    >>> import twinoar
    >>> twinoar.lcm(twinoar.to_tensor([4, 6]), twinoar.to_tensor([6])).tolist()
    [12, 6]
    """


@primitive(
    name="shift_left",
    infer=_whole,
    kernel=np.left_shift,
    promote=promote_operands,
    samples=lambda s: _shift_samples(s),
)
def shift_left(x: Tensor, y: Tensor) -> Tensor:
    """x 2**y in the bits of its dtype: the operator under `bitwise_left_shift`."""


@primitive(
    name="shift_right", infer=lambda x, y, is_arithmetic: _whole(x, y), promote=promote_operands
)
def shift_right(x: Tensor, y: Tensor, is_arithmetic: bool = True) -> Tensor:
    """The bits of x moved down by y: the operator under `bitwise_right_shift`."""


@shift_right.kernel
def _(x, y, is_arithmetic):
    if is_arithmetic or np.result_type(x, y).kind == "u":
        return np.right_shift(x, y)
    x = np.asarray(x, y.dtype) if isinstance(x, int) else x
    bits = np.dtype(f"u{x.dtype.itemsize}")
    return np.right_shift(np.asarray(x).astype(bits), np.asarray(y).astype(bits)).astype(x.dtype)


def _shift_samples(s):
    yield s(s.ints(-99, 99, 2, 3), s.ints(0, 5, 2, 3))
    yield s(s.ints(0, 9, 3, dtype="int32"), s.ints(0, 5, dtype="int32"))
    yield s(9, s.ints(0, 5, 3))
    yield s.bad(DTypeError, "expected integers", s.randn(3), s.randn(3))


@shift_right.samples
def _(s):
    yield from _shift_samples(s)
    yield s(s.ints(-99, 99, 4, dtype="int8"), s.ints(0, 5, 4, dtype="int8"), False)


@inplace
@explained
@method("bitwise_left_shift", "__lshift__")
def bitwise_left_shift(
    x: Tensor,
    y: Any,
    is_arithmetic: bool = True,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The bits of integers moved up by y; what leaves the dtype is lost.

    x, y: shapes that broadcast, integers. is_arithmetic: makes no difference. Returns the broadcast
    shape. Raises DTypeError.

    >>> import twinoar
    >>> twinoar.bitwise_left_shift(twinoar.to_tensor([1, 3]), twinoar.to_tensor([2])).tolist()
    [4, 12]
    """
    found = shift_left(x, y, name=name)
    return found if out is None else out.copy_(found)


@inplace
@explained
@method("bitwise_right_shift", "__rshift__")
def bitwise_right_shift(
    x: Tensor,
    y: Any,
    is_arithmetic: bool = True,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The bits of integers moved down by y; the sign is kept where `is_arithmetic`.

    x, y: shapes that broadcast, integers. Returns the broadcast shape. Raises DTypeError.

    >>> import twinoar
    >>> twinoar.bitwise_right_shift(twinoar.to_tensor([-8, 9]), twinoar.to_tensor([1])).tolist()
    [-4, 4]
    """
    found = shift_right(x, y, is_arithmetic, name=name)
    return found if out is None else out.copy_(found)


@method("__rlshift__")
def _rlshift(x: Tensor, y: Any) -> Tensor:
    return shift_left.function(y, x)


@method("__rrshift__")
def _rrshift(x: Tensor, y: Any) -> Tensor:
    return shift_right.function(y, x)


def _pair_samples(s):
    yield s(s.randn(2, 3), s.randn(2, 3), gradient=False)
    yield s(s.randn(2, 1, 3), s.randn(4, 1), gradient=False)
    yield s(s.randn(3, dtype="float64"), s.randn(), gradient=False)
    yield s(s.zeros(0, 3), s.randn(3), gradient=False)
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))


@method("nextafter")
@primitive(
    infer=elementwise,
    kernel=lambda x, y: np.nextafter(x, y),
    grad=lambda: (None, None),
    promote=promote_to_floating,
    desc=Desc("nextafter", {"x": "x", "y": "y"}, outputs=("out",), prepare=in_one_shape),
    samples=_pair_samples,
)
def nextafter(x: Tensor, y: Tensor) -> Tensor:
    """The number next to x in the direction of y; no gradient flows.

    x, y: shapes that broadcast, floating. Returns the broadcast shape.

    >>> import twinoar
    >>> x = twinoar.to_tensor([1.0])
    >>> (twinoar.nextafter(x, x + 1.0) - x).item()
    1.1920928955078125e-07
    """


def _promote_sign(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """A `promote` rule: of a number only the sign counts beside integers."""
    x, y = operands
    if isinstance(y, float) and isinstance(x, Value) and not x.dtype.is_differentiable:
        y = int(math.copysign(1, y))
    return promote_beside_scalars((x, y))


@inplace(by=widening("copysign"))
@method("copysign")
@primitive(
    infer=elementwise,
    kernel=lambda x, y: np.copysign(x, y).astype(x.dtype, copy=False),
    grad=lambda g, x, y, specs: (
        sum_to(_turned(g, x, y), specs[0]),
        None if not isinstance(specs[1], Spec) else zeros_of(specs[1]),
    ),
    promote=_promote_sign,
)
def copysign(x: Tensor, y: Tensor) -> Tensor:
    """The size of x with the sign of y, which 0.0 and -0.0 have too.

    x, y: shapes that broadcast, or y a number. Returns the broadcast shape in the promoted dtype.

    >>> import twinoar
    >>> twinoar.copysign(twinoar.to_tensor([1.0, -2.0]), -1.0).tolist()
    [-1.0, -2.0]
    """


def _turned(g: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """g with the sign of x y; 0 where x is 0."""
    is_kept = equal(signbit(x), signbit(y) if isinstance(y, Value) else math.copysign(1, y) < 0)
    return select(equal(x, 0.0), 0.0, select(is_kept, g, -g))


@copysign.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3))
    yield s(s.randn(2, 1, 3), s.randn(4, 1))
    yield s(s.randn(3), -1.0)
    yield s(s.zeros(0, 3), s.randn(3))
    yield s(s.ints(-3, 3, 3), s.ints(-3, 3, 3))
    yield s(s.ints(-3, 3, 3, dtype="int32"), -2)


def _bit_kernel(x: np.ndarray) -> np.ndarray:
    return np.signbit(x) if x.dtype.kind in "f" else np.asarray(x.astype(np.float64) < 0)


@method("signbit")
@primitive(infer=elementwise_bool, kernel=_bit_kernel)
def signbit(x: Tensor) -> Tensor:
    """Where the sign is negative; -0.0 has one.

    x: [*]. Returns [*], bool.

    >>> import twinoar
    >>> twinoar.signbit(twinoar.to_tensor([-0.0, 1.0])).tolist()
    [True, False]
    """


@signbit.samples
def _(s):
    yield s(s.randn(2, 3), gradient=False)
    yield s(s.ints(-3, 3, 4), gradient=False)
    yield s(np.array([0.0, -0.0]), gradient=False)


@primitive(
    name="frexp",
    infer=lambda x: (x, x),
    kernel=lambda x: tuple(np.asarray(part, x.dtype) for part in np.frexp(x)),
    grad=lambda gs, outs: gs[0] * pow(zeros_of(outs[1].spec) + 2.0, -outs[1]),
    promote=promote_to_floating,
)
def frexp_op(x: Tensor) -> tuple[Tensor, Tensor]:
    """Mantissa and exponent: the operator under `frexp`."""


@frexp_op.samples
def _(s):
    yield s(s.randn(2, 3), gradient=False, half=False)
    yield s(s.zeros(3, dtype="float64"), gradient=False)


@explained
@method("frexp")
def frexp(x: Tensor, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Mantissas of size in [0.5, 1) and exponents of two, whose product x is.

    The exponents have no gradient.

    x: [*]; integers count as floats. Returns two [*], both floating.

    >>> import twinoar
    >>> [part.tolist() for part in twinoar.frexp(twinoar.to_tensor([6.0]))]
    [[0.75], [3.0]]
    """
    return frexp_op(x)


def _wide(dtype: DType) -> DType:
    return float32 if dtype in (bfloat16, float16) else dtype


@inplace
@explained
@method("ldexp")
def ldexp(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """x 2**y.

    x, y: shapes that broadcast; integers and 16-bit floats count as float32. Returns the broadcast
    shape.

    >>> import twinoar
    >>> twinoar.ldexp(twinoar.to_tensor([3.0]), twinoar.to_tensor([2])).tolist()
    [12.0]
    """
    base, power = brought_to(_wide(promote_to_floating((x, y))[0].dtype), (x, y))
    return multiply(base, pow(zeros_of(power.spec) + 2.0, power), name=name)


@explained
@method("heaviside")
def heaviside(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """0 where x is below 0, y where it is 0, 1 above.

    x, y: shapes that broadcast. Returns the broadcast shape.

    >>> import twinoar
    >>> twinoar.heaviside(twinoar.to_tensor([-1.0, 0.0, 2.0]), twinoar.to_tensor([0.5])).tolist()
    [0.0, 0.5, 1.0]
    """
    x, y = promote_operands((x, y))
    step = select(isnan(x), x, astype(x > 0, x.dtype)) if x.dtype.is_floating else x > 0
    return select(equal(x, 0), y, astype(step, x.dtype), name=name)


def _hypot_in_place(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    return hypot(*wider_in_place(x, y), name)


@inplace(by=_hypot_in_place)
@explained
@method("hypot")
def hypot(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """sqrt(x^2 + y^2).

    x, y: shapes that broadcast; integers count as floats. Returns the broadcast shape.

    >>> import twinoar
    >>> twinoar.hypot(twinoar.to_tensor([3.0]), twinoar.to_tensor([4.0])).tolist()
    [5.0]
    """
    x, y = promote_to_floating_beside_scalars((x, y))
    return sqrt(x * x + y * y, name=name)


@explained
@method("logaddexp")
def logaddexp(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """log(exp(x) + exp(y)), without overflow.

    x, y: shapes that broadcast; integers count as floats. Returns the broadcast shape.

    >>> import twinoar
    >>> round(twinoar.logaddexp(twinoar.to_tensor([0.0]), twinoar.to_tensor([0.0])).item(), 4)
    0.6931
    """
    x, y = promote_to_floating((x, y))
    distance = select(equal(x, y), 0.0, magnitude(x - y))  # of equal infinities too
    return add(maximum(x, y), log1p(exp(-distance)), name=name)


def _floating(x: Tensor) -> Tensor:
    return x if x.dtype.is_differentiable else astype(x, default_dtype())


@explained
@method("deg2rad")
def deg2rad(x: Tensor, name: str | None = None) -> Tensor:
    """Degrees in radians; integers count as floats.

    >>> import twinoar
    >>> round(twinoar.deg2rad(twinoar.to_tensor([180.0])).item(), 4)
    3.1416
    """
    return multiply(_floating(x), math.pi / 180, name=name)


@explained
@method("rad2deg")
def rad2deg(x: Tensor, name: str | None = None) -> Tensor:
    """Radians in degrees; integers count as floats.

    >>> import twinoar
    >>> twinoar.rad2deg(twinoar.to_tensor([0.0])).item()
    0.0
    """
    return multiply(_floating(x), 180 / math.pi, name=name)


@inplace
@explained
@method("frac")
def frac(x: Tensor, name: str | None = None) -> Tensor:
    """x less its whole part, with the sign of x.

    >>> import twinoar
    >>> twinoar.frac(twinoar.to_tensor([1.5, -1.25])).tolist()
    [0.5, -0.25]
    """
    return subtract(x, trunc(x), name=name)


@inplace
@explained
@method("nan_to_num")
def nan_to_num(
    x: Tensor,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    name: str | None = None,
) -> Tensor:
    """x with numbers in the places of nan and infinities.

    x: [*], floating. posinf, neginf: by default the largest and the smallest number of the dtype.
    Returns [*]. Raises DTypeError.

    >>> import twinoar
    >>> twinoar.nan_to_num(twinoar.to_tensor([1.0, float("nan")]), nan=5.0).tolist()
    [1.0, 5.0]
    """
    if not x.dtype.is_floating:
        raise DTypeError(f"x must be floating, received {x.spec}", cure="integers have no nan")
    largest = LARGEST[x.dtype.name]
    out = select(isnan(x), nan, x)
    out = select(equal(out, math.inf), largest if posinf is None else posinf, out)
    return select(equal(out, -math.inf), -largest if neginf is None else neginf, out, name=name)


# the largest numbers of the floating dtypes
LARGEST = {
    "float16": 65504.0,
    "bfloat16": 3.3895313892515355e38,
    "float32": float(np.finfo(np.float32).max),
    "float64": float(np.finfo(np.float64).max),
}


@explained
@method("isposinf")
def isposinf(x: Tensor, name: str | None = None) -> Tensor:
    """Where x is infinity.

    >>> import twinoar
    >>> twinoar.isposinf(twinoar.to_tensor([1.0, float("inf")])).tolist()
    [False, True]
    """
    return equal(_floating(x), math.inf, name=name)


@explained
@method("isneginf")
def isneginf(x: Tensor, name: str | None = None) -> Tensor:
    """Where x is negative infinity.

    >>> import twinoar
    >>> twinoar.isneginf(twinoar.to_tensor([1.0, -float("inf")])).tolist()
    [False, True]
    """
    return equal(_floating(x), -math.inf, name=name)


@explained
@method("negative")
def negative(x: Tensor, name: str | None = None) -> Tensor:
    """-x.

    >>> import twinoar
    >>> twinoar.negative(twinoar.to_tensor([1.0])).tolist()
    [-1.0]
    """
    return neg(x, name=name)


@explained
@method("positive")
def positive(x: Tensor, name: str | None = None) -> Tensor:
    """+x, which is x itself. Raises DTypeError for truth values.

    >>> import twinoar
    >>> twinoar.positive(twinoar.to_tensor([1.0])).tolist()
    [1.0]
    """
    return pos(x)


__all__ = [
    "bitwise_left_shift", "bitwise_right_shift", "copysign", "deg2rad", "frac", "frexp", "gcd",
    "heaviside", "hypot", "isneginf", "isposinf", "lcm", "ldexp", "logaddexp", "nan_to_num",
    "negative", "nextafter", "positive", "rad2deg", "signbit",
]  # fmt: skip
