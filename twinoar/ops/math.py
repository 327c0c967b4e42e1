"""Functions of one element: powers, exponentials, logarithms, rounding, signs."""

from __future__ import annotations

import math

import numpy as np

from twinoar.core.desc import Desc
from twinoar.core.dtype import REAL_OF
from twinoar.core.explain import explained
from twinoar.core.op import op_named, primitive
from twinoar.core.spec import Spec
from twinoar.core.values import Value, inplace, method
from twinoar.ops.cast import elementwise, elementwise_numbers, promote_to_floating, require_numbers
from twinoar.ops.create import zeros_of
from twinoar.ops.error_function import erf_of, erfinv_of

Tensor = Value

quiet = np.errstate(all="ignore")  # infinity and nan are results like any other


def unary_desc(kind: str) -> Desc:
    """Paddle's form of a function of one tensor."""
    return Desc(kind, {"X": "x"})


def samples_within(low: float, high: float):
    """Samples of a function whose argument lies between `low` and `high`."""

    def samples(s):
        yield s(s.uniform(low, high, 2, 3))
        yield s(s.uniform(low, high, 4, dtype="float64"), tolerance=1e-12)
        yield s(s.uniform(low, high))
        yield s(s.zeros(0, 2))
        yield s(s.ints(int(low), int(high) + 1, 3), gradient=False)

    return samples


def _steps(s):
    """Samples of a step function, away from its steps."""
    yield s(s.uniform(0.1, 0.4, 2, 3) + s.ints(-3, 3, 2, 3, dtype="float32"))
    yield s(np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]), gradient=False)
    yield s(s.uniform(0.1, 0.4, dtype="float64"))
    yield s(s.zeros(0, 2))
    yield s(s.ints(-3, 3, 3), gradient=False)
    yield s(s.ints(-3, 3, 3, dtype="int32"), gradient=False)


def _flat(g: Tensor) -> Tensor:
    """The gradient of a step function: zero, whatever comes back."""
    return zeros_of(g.spec)


def _rounded(function):
    """`function` on floats; integers are whole already."""
    return lambda x: function(x) if x.dtype.kind not in "iub" else x


@inplace
@method("__abs__", "abs")
@primitive(
    infer=lambda x: Spec(x.shape, REAL_OF.get(x.dtype, x.dtype)),
    kernel=np.absolute,
    grad=lambda g, x: g * op_named("sgn").function(x) if x.dtype.is_complex else g * sign(x),
    scalar=lambda s, x: s.abs(x),
    desc=unary_desc("abs"),
)
def abs(x: Tensor) -> Tensor:
    """The absolute value.

    x: [*]. Returns [*], dtype of x, real for complex numbers. The gradient at 0 is 0.

    >>> import twinoar
    >>> twinoar.abs(twinoar.to_tensor([-1.5, 2.0])).tolist()
    [1.5, 2.0]
    """


@abs.samples
def _(s):
    yield s(s.distinct(2, 5) + np.float32(0.05))
    yield s(s.randn(3, dtype="float64"))
    yield s(s.randn())
    yield s(s.zeros(0, 2))
    yield s(s.ints(-3, 3, 3), gradient=False)


@method("sign")
@primitive(
    infer=elementwise,
    kernel=np.sign,
    grad=_flat,
    scalar=lambda s, x: s.select(s.isnan(x), x, s.cast(x > 0, x.dtype) - s.cast(x < 0, x.dtype)),
    desc=unary_desc("sign"),
    samples=_steps,
)
def sign(x: Tensor) -> Tensor:
    """-1, 0 or 1, by the sign of x; nan stays.

    x: [*]. Returns [*], dtype of x.

    >>> import twinoar
    >>> twinoar.sign(twinoar.to_tensor([-1.5, 0.0, 2.0])).tolist()
    [-1.0, 0.0, 1.0]
    """


@inplace
@method("floor")
@primitive(
    infer=elementwise,
    kernel=_rounded(np.floor),
    grad=_flat,
    scalar=lambda s, x: s.floor(x),
    desc=unary_desc("floor"),
    samples=_steps,
)
def floor(x: Tensor) -> Tensor:
    """The largest whole number not above x.

    x: [*]. Returns [*], dtype of x.

    >>> import twinoar
    >>> twinoar.floor(twinoar.to_tensor([-1.5, 2.5])).tolist()
    [-2.0, 2.0]
    """


@inplace
@method("ceil")
@primitive(
    infer=elementwise,
    kernel=_rounded(np.ceil),
    grad=_flat,
    scalar=lambda s, x: s.ceil(x),
    desc=unary_desc("ceil"),
    samples=_steps,
)
def ceil(x: Tensor) -> Tensor:
    """The smallest whole number not below x.

    x: [*]. Returns [*], dtype of x.

    >>> import twinoar
    >>> twinoar.ceil(twinoar.to_tensor([-1.5, 2.5])).tolist()
    [-1.0, 3.0]
    """


@inplace
@method("trunc")
@primitive(
    infer=elementwise,
    kernel=_rounded(np.trunc),
    grad=_flat,
    scalar=lambda s, x: s.trunc(x),
    desc=unary_desc("trunc"),
    samples=_steps,
)
def trunc(x: Tensor) -> Tensor:
    """x without its fraction: rounded towards 0.

    x: [*]. Returns [*], dtype of x.

    >>> import twinoar
    >>> twinoar.to_tensor([-1.5, 2.5]).trunc().tolist()
    [-1.0, 2.0]
    """


@primitive(
    name="round",
    infer=elementwise,
    kernel=_rounded(np.rint),
    grad=_flat,
    scalar=lambda s, x: s.round(x),
    desc=unary_desc("round"),
    samples=_steps,
)
def round_op(x: Tensor) -> Tensor:
    """The whole number nearest to x, the even one of two: the operator under `round`.

    x: [*]. Returns [*], dtype of x.
    """


def _whole_rounded(x: Tensor, unit: int) -> Tensor:
    """Integers rounded to multiples of a unit, halves to even multiples."""
    if unit > 2 * np.iinfo(x.dtype.numpy).max:
        return x * 0
    below = x // unit
    rest = x - below * unit
    is_half_of_odd = (rest == unit // 2) & (below % 2 == 1)
    return (below + (rest > unit // 2).astype(x.dtype) + is_half_of_odd.astype(x.dtype)) * unit


@inplace
@explained
@method("round")
def round(x: Tensor, decimals: int = 0, name: str | None = None) -> Tensor:
    """x rounded to `decimals` places, halves to even; negative `decimals` round to tens, hundreds.

    x: [*]; integers are rounded exactly. Returns [*], dtype of x.

    >>> import twinoar
    >>> twinoar.round(twinoar.to_tensor([0.5, 1.5, 2.4])).tolist()
    [0.0, 2.0, 2.0]
    >>> twinoar.round(twinoar.to_tensor([15.0, 127.0]), -1).tolist()
    [20.0, 130.0]
    """
    if decimals == 0:
        return round_op(x, name=name)
    if x.dtype.is_integer:
        out = x + 0 if decimals > 0 else _whole_rounded(x, 10**-decimals)
    else:
        unit = 10.0 ** max(decimals, -decimals)
        out = round_op(x * unit) / unit if decimals > 0 else round_op(x / unit) * unit
    if name is not None:
        out.rename(name)
    return out


@inplace
@method("exp")
@primitive(
    infer=elementwise,
    kernel=quiet(np.exp),
    grad=lambda g, out: g * out,
    promote=promote_to_floating,
    scalar=lambda s, x: s.exp(x),
    desc=unary_desc("exp"),
    samples=samples_within(-2, 2),
)
def exp(x: Tensor) -> Tensor:
    """e to the power of x.

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> twinoar.exp(twinoar.to_tensor([0.0])).tolist()
    [1.0]
    """


@inplace
@method("expm1")
@primitive(
    infer=elementwise,
    kernel=quiet(np.expm1),
    grad=lambda g, out: g * (out + 1.0),
    promote=promote_to_floating,
    scalar=lambda s, x: s.expm1(x),
    desc=unary_desc("expm1"),
    samples=samples_within(-2, 2),
)
def expm1(x: Tensor) -> Tensor:
    """exp(x) - 1, accurate near 0.

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> twinoar.expm1(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """


@inplace
@method("log")
@primitive(
    infer=elementwise,
    kernel=quiet(np.log),
    grad=lambda g, x: g / x,
    promote=promote_to_floating,
    scalar=lambda s, x: s.log(x),
    desc=unary_desc("log"),
    samples=samples_within(1, 4),
)
def log(x: Tensor) -> Tensor:
    """The natural logarithm: -inf at 0, nan below.

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> twinoar.log(twinoar.to_tensor([1.0])).tolist()
    [0.0]
    """


@inplace
@method("log2")
@primitive(
    infer=elementwise,
    kernel=quiet(np.log2),
    grad=lambda g, x: g / (x * math.log(2)),
    promote=promote_to_floating,
    scalar=lambda s, x: s.log2(x),
    desc=unary_desc("log2"),
    samples=samples_within(1, 4),
)
def log2(x: Tensor) -> Tensor:
    """The logarithm to base 2: -inf at 0, nan below.

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> twinoar.log2(twinoar.to_tensor([8.0])).tolist()
    [3.0]
    """


@inplace
@method("log10")
@primitive(
    infer=elementwise,
    kernel=quiet(np.log10),
    grad=lambda g, x: g / (x * math.log(10)),
    promote=promote_to_floating,
    scalar=lambda s, x: s.log10(x),
    desc=unary_desc("log10"),
    samples=samples_within(1, 4),
)
def log10(x: Tensor) -> Tensor:
    """The logarithm to base 10: -inf at 0, nan below.

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> round(twinoar.log10(twinoar.to_tensor([100.0])).item(), 5)
    2.0
    """


@inplace
@method("log1p")
@primitive(
    infer=elementwise,
    kernel=quiet(np.log1p),
    grad=lambda g, x: g / (x + 1.0),
    promote=promote_to_floating,
    scalar=lambda s, x: s.log1p(x),
    desc=unary_desc("log1p"),
    samples=samples_within(0, 4),
)
def log1p(x: Tensor) -> Tensor:
    """log(1 + x), accurate near 0.

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> twinoar.log1p(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """


@inplace
@method("sqrt")
@primitive(
    infer=elementwise,
    kernel=quiet(np.sqrt),
    grad=lambda g, out: g * 0.5 / out,
    promote=promote_to_floating,
    scalar=lambda s, x: s.sqrt(x),
    desc=unary_desc("sqrt"),
    samples=samples_within(1, 4),
)
def sqrt(x: Tensor) -> Tensor:
    """The square root; nan below 0.

    x: [*]; integers count as floats. Returns [*]. The gradient at 0 is infinite.

    >>> import twinoar
    >>> twinoar.sqrt(twinoar.to_tensor([4.0, 9.0])).tolist()
    [2.0, 3.0]
    """


@inplace
@method("rsqrt")
@primitive(
    infer=elementwise,
    kernel=quiet(lambda x: 1 / np.sqrt(x)),
    grad=lambda g, out: g * (out * out * out) * -0.5,
    promote=promote_to_floating,
    scalar=lambda s, x: s.rsqrt(x),
    desc=unary_desc("rsqrt"),
    samples=samples_within(1, 4),
)
def rsqrt(x: Tensor) -> Tensor:
    """1 / sqrt(x): inf at 0, nan below.

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> twinoar.rsqrt(twinoar.to_tensor([4.0, 16.0])).tolist()
    [0.5, 0.25]
    """


def _squared(x: np.ndarray) -> np.ndarray:
    require_numbers(x)
    found: np.ndarray = np.square(x)
    return found


@inplace
@method("square")
@primitive(
    infer=elementwise_numbers,
    kernel=_squared,
    grad=lambda g, x: g * (x * 2.0),
    scalar=lambda s, x: s.mul(x, x),
    desc=unary_desc("square"),
    samples=samples_within(-2, 2),
)
def square(x: Tensor) -> Tensor:
    """x * x.

    x: [*]. Returns [*], dtype of x.

    >>> import twinoar
    >>> twinoar.square(twinoar.to_tensor([-3.0, 2.0])).tolist()
    [9.0, 4.0]
    """


@inplace
@method("reciprocal")
@primitive(
    infer=elementwise,
    kernel=quiet(lambda x: 1 / x),
    grad=lambda g, out: -g * (out * out),
    promote=promote_to_floating,
    scalar=lambda s, x: s.div(1.0, x),
    desc=unary_desc("reciprocal"),
    samples=samples_within(1, 4),
)
def reciprocal(x: Tensor) -> Tensor:
    """1 / x.

    x: [*]; integers count as floats. Returns [*].

    >>> import twinoar
    >>> twinoar.to_tensor([4.0, -2.0]).reciprocal().tolist()
    [0.25, -0.5]
    """


@inplace
@method("erf")
@primitive(
    infer=elementwise,
    kernel=erf_of,
    grad=lambda g, x: g * (exp(-x * x) * (2 / math.sqrt(math.pi))),
    promote=promote_to_floating,
    scalar=lambda s, x: s.erf(x),
    desc=unary_desc("erf"),
    samples=samples_within(-2, 2),
)
def erf(x: Tensor) -> Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.

    x: [*]; integers count as floats. Returns [*].
    Source: W. J. Cody 1969; see twinoar.ops.error_function.

    >>> import twinoar
    >>> twinoar.erf(twinoar.to_tensor([0.0, 10.0])).tolist()
    [0.0, 1.0]
    """


@inplace
@method("erfinv")
@primitive(
    infer=elementwise,
    kernel=erfinv_of,
    grad=lambda g, out: g * (exp(out * out) * (math.sqrt(math.pi) / 2)),
    promote=promote_to_floating,
    scalar=lambda s, x: s.erfinv(x),
    desc=unary_desc("erfinv"),
    samples=samples_within(-0.9, 0.9),
)
def erfinv(x: Tensor) -> Tensor:
    """The inverse of erf: infinite at -1 and 1, nan beyond.

    x: [*]; integers count as floats. Returns [*].
    Source: M. Giles 2011 and W. J. Cody 1969; see twinoar.ops.error_function.

    >>> import twinoar
    >>> twinoar.to_tensor([0.0, 1.0]).erfinv().tolist()
    [0.0, inf]
    """
