"""The forms of functions that ONNX has no node for, of others that it has."""

from __future__ import annotations

import math
from collections.abc import Sequence

from twinoar.core.spec import Spec
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form


class Numbers:
    """Nodes that compute with elements of one dtype; values are known by their names."""

    def __init__(self, call: Call, dtype: str):
        self.call, self.dtype = call, dtype

    def of(self, x: str) -> str:
        """A value in that dtype."""
        return self.call.node("Cast", [x], to=schema.CODE_OF_DTYPE[self.dtype])

    def node(self, type: str, *operands: str | float) -> str:
        """A node of values and numbers."""
        graph = self.call.graph
        named = [x if isinstance(x, str) else graph.constant(x, self.dtype) for x in operands]
        return self.call.node(type, named)

    def add(self, a: str | float, b: str | float) -> str:
        """a + b."""
        return self.node("Add", a, b)

    def sub(self, a: str | float, b: str | float) -> str:
        """a - b."""
        return self.node("Sub", a, b)

    def mul(self, a: str | float, b: str | float) -> str:
        """a * b."""
        return self.node("Mul", a, b)

    def div(self, a: str | float, b: str | float) -> str:
        """a / b."""
        return self.node("Div", a, b)

    def where(self, condition: str, a: str | float, b: str | float) -> str:
        """a where the condition holds, else b."""
        graph = self.call.graph
        named = [x if isinstance(x, str) else graph.constant(x, self.dtype) for x in (a, b)]
        return self.call.node("Where", [condition, *named])

    def has_sign(self, x: str) -> str:
        """Whether the sign is negative, that of -0.0 too, whose reciprocal is less than 0."""
        below = [self.node("Less", v, 0.0) for v in (x, self.node("Reciprocal", x))]
        return self.node("Or", *below)

    def polynomial(self, x: str, coefficients: Sequence[float]) -> str:
        """The sum of coefficients times powers of x, the highest power first."""
        total: str | float = coefficients[0]
        for coefficient in coefficients[1:]:
            total = self.add(self.mul(total, x), coefficient)
        return str(total)

    def gives(self, x: str) -> None:
        """Make a value the result."""
        self.call.gives("Cast", [x], to=schema.CODE_OF_DTYPE[self.call.out.dtype.name])


def _wide(call: Call) -> Numbers:
    """In float64 only where that is the result's: runtimes lack it here and there."""
    return Numbers(call, "float64" if call.out.dtype.name == "float64" else "float32")


@form("atan2")
def _(call: Call) -> None:
    n = _wide(call)
    y, x = (n.of(operand) for operand in call.x)
    n.gives(angle_of(n, y, x))


def angle_of(n: Numbers, y: str, x: str) -> str:
    """The angle of the point with ordinate y and abscissa x."""
    height, width = n.node("Abs", y), n.node("Abs", x)
    are_equal = n.node("Equal", height, width)
    is_zero = n.node("Equal", height, 0.0)
    ratio = n.where(are_equal, n.where(is_zero, 0.0, 1.0), n.div(height, width))
    angle = n.node("Atan", ratio)  # of the first quadrant; infinities are of one size, as 1 and 1
    angle = n.where(n.has_sign(x), n.sub(math.pi, angle), angle)
    return n.where(n.has_sign(y), n.node("Neg", angle), angle)


@form("copysign")
def _(call: Call) -> None:
    n = _wide(call)
    x, y = (n.of(operand) for operand in call.x)
    size = n.node("Abs", x)
    n.gives(n.where(n.has_sign(y), n.node("Neg", size), size))


@form("signbit")
def _(call: Call) -> None:
    n = Numbers(call, "float64" if call.specs[0].dtype.name == "float64" else "float32")
    n.gives(n.has_sign(n.of(call.x[0])))


@form("isclose")
def _(call: Call) -> None:
    call.gives("Identity", [close_elements(call)])


def close_elements(call: Call) -> str:
    """Which elements of two operands are close to each other."""
    wide = any(spec is not None and spec.dtype.name == "float64" for spec in call.specs)
    n = Numbers(call, "float64" if wide else "float32")
    x, y = (n.of(operand) for operand in call.x[:2])
    bound = n.add(n.mul(n.node("Abs", y), call.rtol), call.atol)
    distance = n.node("Abs", n.sub(x, y))
    is_near = n.node("Not", n.node("Greater", distance, bound))  # true for nan
    is_number = n.node("Less", n.node("Abs", y), math.inf)  # neither infinite nor nan
    is_real = n.node("Not", n.node("IsNaN", x))
    found = n.node("And", n.node("And", is_near, is_number), is_real)
    found = n.node("Or", found, n.node("Equal", x, y))
    if call.equal_nan:
        found = n.node("Or", found, n.node("And", n.node("IsNaN", x), n.node("IsNaN", y)))
    return found


# The gamma function: arguments are shifted to where few terms of an asymptotic series do, and those
# below zero reflected. Source: Abramowitz and Stegun, 6.1.17, 6.1.41, 6.3.7, 6.3.18.

SHIFT = 8
STIRLING = (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
OF_DIGAMMA = (-1 / 132, 1 / 240, -1 / 252, 1 / 120, -1 / 12)


@form("lgamma")
def _(call: Call) -> None:
    n = Numbers(call, "float64")  # near 1 and 2 large terms cancel
    x = n.of(call.x[0])
    is_low = n.node("Less", x, 0.5)
    z = n.where(is_low, n.sub(1.0, x), x)
    product = z
    for k in range(1, SHIFT):
        product = n.mul(product, n.add(z, float(k)))
    far = n.add(z, float(SHIFT))
    inverse = n.node("Reciprocal", far)
    found = n.mul(n.sub(far, 0.5), n.sub(n.node("Log", far), 1.0))
    found = n.add(found, 0.5 * math.log(2 * math.pi) - 0.5)
    series = n.mul(n.polynomial(n.mul(inverse, inverse), STIRLING), inverse)
    found = n.sub(n.add(found, series), n.node("Log", product))
    found = n.where(n.node("Equal", z, math.inf), math.inf, found)
    sine = n.node("Abs", n.node("Sin", n.mul(_fraction(n, x), math.pi)))
    reflected = n.sub(n.node("Log", n.div(math.pi, sine)), found)
    n.gives(n.where(is_low, reflected, found))


@form("digamma")
def _(call: Call) -> None:
    n = Numbers(call, "float64")
    x = n.of(call.x[0])
    is_low = n.node("Less", x, 0.5)
    z = n.where(is_low, n.sub(1.0, x), x)
    shifted = n.node("Reciprocal", z)
    for k in range(1, SHIFT):
        shifted = n.add(shifted, n.node("Reciprocal", n.add(z, float(k))))
    far = n.add(z, float(SHIFT))
    inverse = n.node("Reciprocal", far)
    square = n.mul(inverse, inverse)
    found = n.add(n.node("Log", far), n.mul(inverse, -0.5))
    found = n.add(found, n.mul(n.polynomial(square, OF_DIGAMMA), square))
    found = n.sub(found, shifted)
    turn = n.mul(_fraction(n, x), math.pi)
    reflected = n.sub(found, n.div(n.mul(n.node("Cos", turn), math.pi), n.node("Sin", turn)))
    is_whole = n.node("And", n.node("Equal", n.node("Floor", x), x), n.node("Less", x, 0.0))
    n.gives(n.where(is_whole, math.nan, n.where(is_low, reflected, found)))


def _fraction(n: Numbers, x: str) -> str:
    return n.sub(x, n.node("Floor", x))


@form("cumprod")
def _(call: Call) -> None:
    axis, dtype = call.dim % max(call.rank, 1), call.out.dtype
    x = call.node("Cast", call.x, to=schema.CODE_OF_DTYPE[dtype.name])
    if not call.rank or 0 in call.specs[0].shape:  # a scan has one step or more
        call.gives("Identity", [x])
        return
    if call.opset >= 26:
        call.gives("CumProd", [x, call.graph.constant(axis)])
        return
    sizes = [d for n, d in enumerate(call.specs[0].shape) if n != axis]
    one = call.graph.constant(1, dtype)
    first = call.node("Expand", [one, call.graph.shape(sizes)]) if sizes else one
    part = Spec(tuple(sizes), dtype)
    with call.writer.nested("step") as inner:
        before, now = (call.writer.argument(name, part) for name in ("before", "now"))
        product = inner.node("Mul", [before, now])
        call.writer.result(product, part)
        call.writer.result(product, part)
    last = call.graph.name("unread")
    call.graph.node(
        "Scan",
        [first, x],
        [last, *call.results],
        body=inner.graph,
        num_scan_inputs=1,
        scan_input_axes=[axis],
        scan_output_axes=[axis],
    )
