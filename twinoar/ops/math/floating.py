"""Floats: their neighbors, signs, parts and exponents; hypot, logaddexp, nan_to_num."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import DType, bfloat16, default_dtype, float16, float32
from twinoar.core.loop import bits
from twinoar.core.op.declare import Desc, Spec, Tensor, Value, function, loop, op, primitive
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.math.arithmetic import (
    add,
    multiply,
    pow,
    quiet,
    subtract,
    widening,
    wider_in_place,
)
from twinoar.ops.math.cast import (
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
from twinoar.ops.math.compare import equal, isfinite, isnan
from twinoar.ops.math.exponential import exp, log1p
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.rounding import trunc
from twinoar.ops.math.select import maximum, select
from twinoar.ops.math.sign import abs as magnitude


def _next_samples(s):
    yield from _pair_samples(s)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 5e-324, -1.7976931348623157e308])
    yield s(special[:, None], special, gradient=False)
    with np.errstate(over="ignore"):
        narrow = special.astype(np.float32)
    yield s(narrow[:, None], narrow, gradient=False)


def _pair_samples(s):
    yield s(s.randn(2, 3), s.randn(2, 3), gradient=False)
    yield s(s.randn(2, 1, 3), s.randn(4, 1), gradient=False)
    yield s(s.randn(3, dtype="float64"), s.randn(), gradient=False)
    yield s(s.zeros(0, 3), s.randn(3), gradient=False)
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))


@primitive(
    method=True,
    infer=elementwise,
    kernel=quiet(lambda x, y: np.nextafter(x, y)),
    grad=lambda: (None, None),
    promote=promote_to_floating,
    lower=lambda i, x, y, spec: bits.nextafter(
        *loop.pair(loop.at(x, i), loop.at(y, i)), spec.dtype
    ),
    desc=Desc("nextafter", {"x": "x", "y": "y"}, outputs=("out",), prepare=in_one_shape),
    samples=_next_samples,
)
def nextafter(x: Tensor, y: Tensor) -> Tensor:
    """The number next to x in the direction of y; no gradient flows.

    x, y: shapes that broadcast, floating. Returns the broadcast shape.

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


def _with_sign(x: np.ndarray, y: Any) -> np.ndarray:
    if x.dtype.kind in "iu":  # of which float64 has not all
        return np.where(np.less(y, 0), -np.abs(x), np.abs(x))
    return np.copysign(x, y).astype(x.dtype, copy=False)


@primitive(
    method=True,
    inplace=widening("copysign"),
    infer=elementwise,
    kernel=_with_sign,
    grad=lambda g, x, y, specs: (
        sum_to(_turned(g, x, y), specs[0]),
        None if not isinstance(specs[1], Spec) else zeros_of(specs[1]),
    ),
    promote=_promote_sign,
    scalar=lambda s, x, y: bits.copysign(x, y),
)
def copysign(x: Tensor, y: Tensor) -> Tensor:
    """The size of x with the sign of y, which 0.0 and -0.0 have too.

    x, y: shapes that broadcast, or y a number. Returns the broadcast shape in the promoted dtype.

    >>> twinoar.copysign(twinoar.to_tensor([1.0, -2.0]), -1.0).tolist()
    [-1.0, -2.0]
    """


def _turned(g: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """g with the sign of x y; 0 where x is 0, nan where it is nan."""
    is_kept = equal(signbit(x), signbit(y) if isinstance(y, Value) else math.copysign(1, y) < 0)
    turned = select(equal(x, 0.0), 0.0, select(is_kept, g, -g))
    return select(isnan(x), x, turned) if x.dtype.is_floating else turned


@copysign.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3))
    yield s(s.randn(2, 1, 3), s.randn(4, 1))
    yield s(s.randn(3), -1.0)
    yield s(s.zeros(0, 3), s.randn(3))
    yield s(s.ints(-3, 3, 3), s.ints(-3, 3, 3))
    yield s(s.ints(-3, 3, 3, dtype="int32"), -2)
    yield s(np.array([2**60 + 1, -(2**60) - 1]), np.array([-1, 0]))
    special = np.array([0.0, -0.0, np.nan, np.inf])
    yield s(special, np.array([-0.0, 0.0, -1.0, -np.nan]), gradient=False)


@quiet  # a nan of float32 may say that it is widened
def _bit_kernel(x: np.ndarray) -> np.ndarray:
    return np.asarray(x < 0) if x.dtype.kind in "biu" else np.signbit(x.astype(np.float64))


@primitive(
    method=True,
    infer=elementwise_bool,
    kernel=_bit_kernel,
    scalar=lambda s, x: bits.signbit(x),
)
def signbit(x: Tensor) -> Tensor:
    """Where the sign is negative; -0.0 has one.

    x: [*]. Returns [*], bool.

    >>> twinoar.signbit(twinoar.to_tensor([-0.0, 1.0])).tolist()
    [True, False]
    """


@signbit.samples
def _(s):
    yield s(s.randn(2, 3), gradient=False)
    yield s(s.ints(-3, 3, 4), gradient=False)
    yield s(np.array([0.0, -0.0, np.inf, -np.inf]), gradient=False)
    yield s(s.ints(0, 3, 4, dtype="uint8"), gradient=False)
    yield s(s.bools(4), gradient=False)


@primitive(
    name="frexp",
    infer=lambda x: (x, x),
    kernel=lambda x: tuple(np.asarray(part, x.dtype) for part in np.frexp(x)),
    lower=lambda i, x, nth: bits.frexp(x[i])[nth],
    grad=lambda gs, outs: gs[0] * pow(zeros_of(outs[1].spec) + 2.0, -outs[1]),
    promote=promote_to_floating,
)
def frexp_op(x: Tensor) -> tuple[Tensor, Tensor]:
    """Mantissa and exponent: the operator under `frexp`."""


@frexp_op.samples
def _(s):
    yield s(s.randn(2, 3), gradient=False, half=False)
    yield s(s.zeros(3, dtype="float64"), gradient=False)
    yield s(np.array([6.0, -1.0, 0.5, -0.0, np.inf, np.nan, 5e-324, 1e-310]), gradient=False)
    yield s(np.array([1e-40, -3e38, 1e-45], np.float32), gradient=False, half=False)


@function(method=True)
def frexp(x: Tensor) -> tuple[Tensor, Tensor]:
    """Mantissas of size in [0.5, 1) and exponents of two, whose product x is.

    The exponents have no gradient.

    x: [*]; integers count as floats. Returns two [*], both floating.

    >>> [part.tolist() for part in twinoar.frexp(twinoar.to_tensor([6.0]))]
    [[0.75], [3.0]]
    """
    return frexp_op(x)


def _wide(dtype: DType) -> DType:
    return float32 if dtype in (bfloat16, float16) else dtype


@function(method=True, inplace=True)
def ldexp(x: Tensor, y: Tensor) -> Tensor:
    """x 2**y.

    x, y: shapes that broadcast; integers and 16-bit floats count as float32. Returns the broadcast
    shape.

    >>> twinoar.ldexp(twinoar.to_tensor([3.0]), twinoar.to_tensor([2])).tolist()
    [12.0]
    """
    base, power = brought_to(_wide(promote_to_floating((x, y))[0].dtype), (x, y))
    return multiply(base, pow(zeros_of(power.spec) + 2.0, power))


@function(method=True)
def heaviside(x: Tensor, y: Tensor) -> Tensor:
    """0 where x is below 0, y where it is 0, 1 above.

    x, y: shapes that broadcast. Returns the broadcast shape.

    >>> twinoar.heaviside(twinoar.to_tensor([-1.0, 0.0, 2.0]), twinoar.to_tensor([0.5])).tolist()
    [0.0, 0.5, 1.0]
    """
    return heaviside_op(x, y)


@op(name="heaviside", promote=promote_operands)
def heaviside_op(x: Tensor, y: Tensor) -> Tensor:
    """The step with y at 0: the operator under `heaviside`."""
    step = select(isnan(x), x, astype(x > 0, x.dtype)) if x.dtype.is_floating else x > 0
    return select(equal(x, 0), y, astype(step, x.dtype))


@heaviside_op.samples
def _(s):
    x = np.array([-1.0, 0.0, 2.0, np.nan], np.float32)
    yield s(x, s.randn(4), gradient=False)
    yield s(s.ints(-1, 2, 2, 3), s.ints(0, 5, 3), gradient=False)
    yield s(s.zeros(0, 3), s.randn(3), gradient=False)
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))


def _hypot_in_place(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    return hypot(*wider_in_place(x, y), name=name)


@function(method=True, inplace=_hypot_in_place)
def hypot(x: Tensor, y: Tensor) -> Tensor:
    """sqrt(x^2 + y^2).

    x, y: shapes that broadcast; integers count as floats. Returns the broadcast shape.

    >>> twinoar.hypot(twinoar.to_tensor([3.0]), twinoar.to_tensor([4.0])).tolist()
    [5.0]
    """
    x, y = promote_to_floating_beside_scalars((x, y))
    return sqrt(x * x + y * y)


@function(method=True)
def logaddexp(x: Tensor, y: Tensor) -> Tensor:
    """log(exp(x) + exp(y)), without overflow.

    x, y: shapes that broadcast; integers count as floats. Returns the broadcast shape.

    >>> round(twinoar.logaddexp(twinoar.to_tensor([0.0]), twinoar.to_tensor([0.0])).item(), 4)
    0.6931
    """
    x, y = promote_to_floating((x, y))
    distance = select(equal(x, y), 0.0, magnitude(x - y))  # of equal infinities too
    return add(maximum(x, y), log1p(exp(-distance)))


def as_floating(x: Tensor) -> Tensor:
    return x if x.dtype.is_differentiable else astype(x, default_dtype())


@function(method=True, inplace=True)
def frac(x: Tensor) -> Tensor:
    """x less its whole part, with the sign of x.

    >>> twinoar.frac(twinoar.to_tensor([1.5, -1.25])).tolist()
    [0.5, -0.25]
    """
    return frac_op(x)


@op(name="frac", infer=elementwise, grad=lambda g: g)
def frac_op(x: Tensor) -> Tensor:
    """x less its whole part: the operator under `frac`."""
    return subtract(x, trunc(x))


@frac_op.samples
def _(s):
    yield s(s.uniform(0.1, 0.9, 2, 3) + s.ints(-3, 3, 2, 3).astype("float32"))
    yield s(s.uniform(0.1, 0.9, 4, dtype="float64"))
    yield s(s.zeros(0, 2))


@function(method=True, inplace=True)
def nan_to_num(
    x: Tensor, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """x with numbers in the places of nan and infinities.

    x: [*], floating. posinf, neginf: by default the largest and the smallest number of the dtype.
    Returns [*]. Raises DTypeError.

    >>> twinoar.nan_to_num(twinoar.to_tensor([1.0, float("nan")]), nan=5.0).tolist()
    [1.0, 5.0]
    """
    if not x.dtype.is_floating:
        raise DTypeError(f"x must be floating, received {x.spec}", cure="integers have no nan")
    return nan_to_num_op(x, nan, posinf, neginf)


@op(name="nan_to_num", infer=elementwise, grad=lambda g, x: select(isfinite(x), g, 0.0))
def nan_to_num_op(
    x: Tensor, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """x with numbers for what is none: the operator under `nan_to_num`."""
    largest = LARGEST[x.dtype.name]
    out = select(isnan(x), nan, x)
    out = select(equal(out, math.inf), largest if posinf is None else posinf, out)
    return select(equal(out, -math.inf), -largest if neginf is None else neginf, out)


@nan_to_num_op.samples
def _(s):
    special = np.array([np.nan, np.inf, -np.inf, 1.5, -2.0], np.float32)
    yield s(special, half=False, gradient=False)
    yield s(special.astype(np.float64), 1.0, 2.0, -3.0, gradient=False)
    yield s(s.randn(2, 3))
    yield s(s.zeros(0, 2))


# the largest numbers of the floating dtypes
LARGEST = {
    "float16": 65504.0,
    "bfloat16": 3.3895313892515355e38,
    "float32": float(np.finfo(np.float32).max),
    "float64": float(np.finfo(np.float64).max),
}


@function(method=True)
def isposinf(x: Tensor) -> Tensor:
    """Where x is infinity.

    >>> twinoar.isposinf(twinoar.to_tensor([1.0, float("inf")])).tolist()
    [False, True]
    """
    return equal(as_floating(x), math.inf)


@function(method=True)
def isneginf(x: Tensor) -> Tensor:
    """Where x is negative infinity.

    >>> twinoar.isneginf(twinoar.to_tensor([1.0, -float("inf")])).tolist()
    [False, True]
    """
    return equal(as_floating(x), -math.inf)
