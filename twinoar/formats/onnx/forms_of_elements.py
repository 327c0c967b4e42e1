"""The forms of functions of single elements that ONNX has under another name, in parts or later."""

from __future__ import annotations

import math

from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form


def _floating(call: Call) -> str:
    """The first operand in the dtype of the result: integers count as floats."""
    x, dtype = call.x[0], call.out.dtype
    if call.specs[0].dtype.name == dtype.name:
        return x
    return call.node("Cast", [x], to=schema.CODE_OF_DTYPE[dtype.name])


def _constant(call: Call, value: float) -> str:
    return call.graph.constant(value, call.out.dtype)


@form("log1p")
def _(call: Call) -> None:
    """log(u) * x / (u - 1) with u = 1 + x: what u lost of x is lost in both. Source: HP-15C."""
    x, one = _floating(call), _constant(call, 1.0)
    u = call.node("Add", [x, one])
    log = call.node("Log", [u])
    ratio = call.node("Div", [x, call.node("Sub", [u, one])])
    near = call.node("Where", [call.node("Equal", [u, one]), x, call.node("Mul", [log, ratio])])
    call.gives("Where", [call.node("Less", [x, one]), near, log])


@form("expm1")
def _(call: Call) -> None:
    """2 t / (1 - t) with t = tanh(x / 2) where x is small, exp(x) - 1 elsewhere."""
    x, one = _floating(call), _constant(call, 1.0)
    half = call.node("Tanh", [call.node("Mul", [x, _constant(call, 0.5)])])
    near = call.node("Div", [call.node("Add", [half, half]), call.node("Sub", [one, half])])
    far = call.node("Sub", [call.node("Exp", [x]), one])
    is_near = call.node("Less", [call.node("Abs", [x]), one])
    call.gives("Where", [is_near, near, far])


@form("log2", "log10")
def _(call: Call) -> None:
    base = int(call.operator.op.name.removeprefix("log"))
    log = call.node("Log", [_floating(call)])
    call.gives("Div", [log, _constant(call, math.log(base))])


@form("softplus")
def _(call: Call) -> None:
    x, beta = call.x[0], float(call.beta)
    scaled = x if beta == 1.0 else call.node("Mul", [x, _constant(call, beta)])
    soft = call.node("Softplus", [scaled])
    soft = soft if beta == 1.0 else call.node("Div", [soft, _constant(call, beta)])
    is_far = call.node("Less", [_constant(call, float(call.threshold)), scaled])
    call.gives("Where", [is_far, x, soft])


@form("log_sigmoid")
def _(call: Call) -> None:
    call.gives("Neg", [call.node("Softplus", [call.node("Neg", [_floating(call)])])])


@form("mish")
def _(call: Call) -> None:
    soft = call.node("Softplus", call.x)
    call.gives("Mul", [call.x[0], call.node("Tanh", [soft])])


@form("gelu", since=20)
def _(call: Call) -> None:
    call.gives("Gelu", [_floating(call)], approximate="tanh" if call.approximate else None)


@form("hardswish", since=14)
def _(call: Call) -> None:
    call.gives("HardSwish", [_floating(call)])


@form("remainder")
def _(call: Call) -> None:
    call.gives("Identity", [_remainder(call)])


def _remainder(call: Call) -> str:
    """What is left, with the sign of the divisor, as Mod has it of integers alone."""
    x, y = call.x
    if call.out.dtype.is_whole:
        return call.node("Mod", [x, y])
    left, zero = call.node("Mod", [x, y], fmod=1), _constant(call, 0.0)
    other = call.node("Less", [call.node("Mul", [call.node("Sign", [left]), y]), zero])
    return call.node("Where", [other, call.node("Add", [left, y]), left])


@form("floor_divide")
def _(call: Call) -> None:
    whole = call.node("Div", [call.node("Sub", [call.x[0], _remainder(call)]), call.x[1]])
    if call.out.dtype.is_whole:  # it goes in evenly, so that nothing is cut off
        call.gives("Identity", [whole])
        return
    nearest = call.node("Floor", [call.node("Add", [whole, _constant(call, 0.5)])])
    is_zero = call.node("Equal", [call.x[1], _constant(call, 0.0)])
    call.gives("Where", [is_zero, call.node("Div", call.x), nearest])


@form("trunc")
def _(call: Call) -> None:
    if call.out.dtype.is_whole:
        call.gives("Identity", call.x)
        return
    size = call.node("Floor", [call.node("Abs", call.x)])
    call.gives("Mul", [call.node("Sign", call.x), size])


@form("isfinite")
def _(call: Call) -> None:
    if call.specs[0].dtype.is_floating:
        call.gives("Less", [call.node("Abs", call.x), call.number(math.inf)])
    else:
        call.gives("Equal", [call.x[0], call.x[0]])


@form("fmax", "fmin")
def _(call: Call) -> None:
    type = {"fmax": "Max", "fmin": "Min"}[call.operator.op.name]
    if call.out.dtype.is_whole and call.opset < 12:
        x, y = call.x if type == "Max" else call.x[::-1]
        call.gives("Where", [call.node("Less", call.x), y, x])
        return
    if call.out.dtype.is_whole:
        call.gives(type, call.x)
        return
    x, y = call.x
    both, x_is, y_is = call.node(type, [x, y]), *(call.node("Equal", [z, z]) for z in (x, y))
    call.gives("Where", [x_is, call.node("Where", [y_is, both, x]), y])


@form("add_n")
def _(call: Call) -> None:
    total = call.x[0]
    for x in call.x[1:]:
        total = call.node("Add", [total, x])
    call.gives("Identity", [total])
