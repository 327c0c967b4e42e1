"""Trigonometric and hyperbolic functions, angles in radians."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, Value, function, primitive
from twinoar.errors import ShapeError
from twinoar.ops.math._unary import quiet, samples_within, unary, unary_desc
from twinoar.ops.math.arithmetic import multiply
from twinoar.ops.math.cast import (
    cast,
    elementwise,
    in_one_shape,
    promote_operands,
    sum_to,
)
from twinoar.ops.math.floating import as_floating
from twinoar.ops.math.root import rsqrt


@unary(
    one_function=True,
    kernel=quiet(np.sin),
    grad=lambda g, x: g * cos(x),
    scalar=lambda s, x: s.sin(x),
    desc=unary_desc("sin"),
    samples=samples_within(-2, 2),
)
def sin(x: Tensor) -> Tensor:
    """The sine.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.sin(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """


@unary(
    one_function=True,
    kernel=quiet(np.cos),
    grad=lambda g, x: -g * sin(x),
    scalar=lambda s, x: s.cos(x),
    desc=unary_desc("cos"),
    samples=samples_within(-2, 2),
)
def cos(x: Tensor) -> Tensor:
    """The cosine.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.cos(twinoar.to_tensor([0.0])).tolist()
    [1.0]
    """


@unary(
    one_function=True,
    kernel=quiet(np.tan),
    grad=lambda g, out: g * (1.0 + out * out),
    scalar=lambda s, x: s.tan(x),
    desc=unary_desc("tan"),
    samples=samples_within(-1, 1),
    amp="high",
)
def tan(x: Tensor) -> Tensor:
    """The tangent.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.tan(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """


@unary(
    kernel=quiet(np.arcsin),
    grad=lambda g, x: g * rsqrt(1.0 - x * x),
    scalar=lambda s, x: s.asin(x),
    desc=unary_desc("asin"),
    samples=samples_within(-0.9, 0.9),
    amp="high",
)
def asin(x: Tensor) -> Tensor:
    """The angle in [-pi/2, pi/2] whose sine is x; nan outside [-1, 1].

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.asin(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """


@unary(
    kernel=quiet(np.arccos),
    grad=lambda g, x: -g * rsqrt(1.0 - x * x),
    scalar=lambda s, x: s.acos(x),
    desc=unary_desc("acos"),
    samples=samples_within(-0.9, 0.9),
    amp="high",
)
def acos(x: Tensor) -> Tensor:
    """The angle in [0, pi] whose cosine is x; nan outside [-1, 1].

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.to_tensor([1.0]).acos().tolist()
    [0.0]
    """


@unary(
    kernel=np.arctan,
    grad=lambda g, x: g / (1.0 + x * x),
    scalar=lambda s, x: s.atan(x),
    desc=unary_desc("atan"),
    samples=samples_within(-2, 2),
)
def atan(x: Tensor) -> Tensor:
    """The angle in (-pi/2, pi/2) whose tangent is x.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.atan(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """


@unary(
    one_function=True,
    kernel=quiet(np.sinh),
    grad=lambda g, x: g * cosh(x),
    scalar=lambda s, x: s.sinh(x),
    desc=unary_desc("sinh"),
    samples=samples_within(-2, 2),
    amp="high",
)
def sinh(x: Tensor) -> Tensor:
    """The hyperbolic sine.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.to_tensor([0.0]).sinh().tolist()
    [0.0]
    """


@unary(
    one_function=True,
    kernel=quiet(np.cosh),
    grad=lambda g, x: g * sinh(x),
    scalar=lambda s, x: s.cosh(x),
    desc=unary_desc("cosh"),
    samples=samples_within(-2, 2),
    amp="high",
)
def cosh(x: Tensor) -> Tensor:
    """The hyperbolic cosine.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.to_tensor([0.0]).cosh().tolist()
    [1.0]
    """


@unary(
    kernel=np.tanh,
    grad=lambda g, out: g * (1.0 - out * out),
    scalar=lambda s, x: s.tanh(x),
    desc=unary_desc("tanh"),
    samples=samples_within(-2, 2),
)
def tanh(x: Tensor) -> Tensor:
    """The hyperbolic tangent.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.tanh(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """


@unary(
    one_function=True,
    kernel=np.arcsinh,
    grad=lambda g, x: g * rsqrt(x * x + 1.0),
    scalar=lambda s, x: s.asinh(x),
    desc=unary_desc("asinh"),
    samples=samples_within(-2, 2),
)
def asinh(x: Tensor) -> Tensor:
    """The inverse of the hyperbolic sine.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.to_tensor([0.0]).asinh().tolist()
    [0.0]
    """


@unary(
    one_function=True,
    kernel=quiet(np.arccosh),
    grad=lambda g, x: g * rsqrt(x * x - 1.0),
    scalar=lambda s, x: s.acosh(x),
    desc=unary_desc("acosh"),
    samples=samples_within(1.5, 4),
)
def acosh(x: Tensor) -> Tensor:
    """The inverse of the hyperbolic cosine; nan below 1.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.to_tensor([1.0]).acosh().tolist()
    [0.0]
    """


@unary(
    kernel=quiet(np.arctanh),
    grad=lambda g, x: g / (1.0 - x * x),
    scalar=lambda s, x: s.atanh(x),
    desc=unary_desc("atanh"),
    samples=samples_within(-0.9, 0.9),
    amp="high",
)
def atanh(x: Tensor) -> Tensor:
    """The inverse of the hyperbolic tangent; nan outside [-1, 1].

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.to_tensor([0.0]).atanh().tolist()
    [0.0]
    """


def _in_float64_if_whole(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """A `promote` rule: as Paddle does, angles between integers come as float64."""
    operands = promote_operands(operands)
    return tuple(
        cast(x, "float64") if isinstance(x, Value) and not x.dtype.is_differentiable else x
        for x in operands
    )


@primitive(
    one_function=True,
    method=True,
    infer=elementwise,
    kernel=np.arctan2,
    promote=_in_float64_if_whole,
    scalar=lambda s, x, y: s.atan2(x, y),
    desc=Desc("atan2", {"X1": "x", "X2": "y"}, prepare=in_one_shape),
)
def atan2(x: Tensor, y: Tensor) -> Tensor:
    """The angle in [-pi, pi] of the point with ordinate x and abscissa y.

    x, y: shapes that broadcast. Returns the broadcast shape; float64 where both are integers.
    Raises ShapeError where the shapes do not broadcast.

    >>> twinoar.atan2(twinoar.to_tensor([0.0]), twinoar.to_tensor([1.0])).tolist()
    [0.0]
    """


@atan2.grad
def _(g, x, y, specs):
    scaled = g / (x * x + y * y)
    return sum_to(scaled * y, specs[0]), sum_to(-scaled * x, specs[1])


@atan2.samples
def _(s):
    yield s(s.uniform(0.5, 2, 2, 3), s.uniform(-2, -0.5, 2, 3))
    yield s(s.uniform(0.5, 2, 2, 1, 3), s.uniform(0.5, 2, 4, 1))
    yield s(s.uniform(0.5, 2), s.uniform(0.5, 2, dtype="float64"))
    yield s(s.zeros(0, 3), s.randn(3))
    yield s(s.ints(1, 9, 4), s.ints(1, 9, 4), gradient=False)
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))


@function(method=True)
def deg2rad(x: Tensor) -> Tensor:
    """Degrees in radians; integers count as floats.

    >>> round(twinoar.deg2rad(twinoar.to_tensor([180.0])).item(), 4)
    3.1416
    """
    return multiply(as_floating(x), math.pi / 180)


@function(method=True)
def rad2deg(x: Tensor) -> Tensor:
    """Radians in degrees; integers count as floats.

    >>> twinoar.rad2deg(twinoar.to_tensor([0.0])).item()
    0.0
    """
    return multiply(as_floating(x), 180 / math.pi)
