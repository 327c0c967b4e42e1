"""The forms of values of few bits, which quantized networks round to."""

from __future__ import annotations

from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form

OF_ALL = -1  # a quant_axis: one scale for all elements
BITS = 8
FLOAT = schema.CODE_OF_DTYPE["float32"]


@form("quantize_linear")
def _(call: Call) -> None:
    if call.only_observer:
        call.gives("Identity", call.x[:1])
        return
    limit, scale = _limit(call), _scale(call)
    if call.round_type:
        raise UnsupportedError("quantize_linear with ties away from zero has no form in ONNX")
    if limit != 2 ** (BITS - 1) - 1 or call.out.dtype.name != "float32" or call.rank == 0:
        wide = call.node("Div", [call.node("Mul", [call.x[0], call.number(limit)]), scale])
        rounded = call.node("Round", [wide])
        call.gives("Clip", [rounded, call.number(-limit - 1), call.number(limit)])
        return
    step, axis = _step(call, limit)
    zero = call.node("Cast", [call.node("Sub", [step, step])], to=schema.CODE_OF_DTYPE["int8"])
    whole = call.node("QuantizeLinear", [call.x[0], step, zero], axis=axis)
    call.graph.integers[call.results[0]] = whole
    call.gives("Cast", [whole], to=FLOAT)


@form("dequantize_linear")
def _(call: Call) -> None:
    if call.only_observer:
        call.gives("Identity", call.x[:1])
        return
    limit = _limit(call)
    whole = call.graph.integers.get(call.x[0])
    if call.specs[0].dtype.name == "int8":
        whole = call.x[0]
    if whole is None or call.out.dtype.name != "float32":
        x = call.node("Cast", call.x[:1], to=schema.CODE_OF_DTYPE[call.out.dtype.name])
        call.gives("Div", [call.node("Mul", [x, _scale(call)]), _number(call, limit)])
        return
    step, axis = _step(call, limit)
    call.gives("DequantizeLinear", [whole, step], axis=axis)


def _limit(call: Call) -> int:
    """The integer that stands for the scale."""
    if call.qmin or call.qmax < 0:
        raise UnsupportedError("8-bit floats have no form in ONNX here", cure="use integers")
    return int(call.qmax) or 2 ** (call.bit_length - 1) - 1


def _scale(call: Call) -> str:
    """The scale as it lies beside the operand."""
    if call.quant_axis == OF_ALL:
        return call.node("Reshape", [call.x[1], call.ints([])])
    shape = [1] * call.rank
    shape[call.quant_axis % call.rank] = -1
    return call.node("Reshape", [call.x[1], call.ints(shape)])


def _step(call: Call, limit: int) -> tuple[str, int | None]:
    """What one integer stands for, and the axis along which that changes."""
    if call.quant_axis == OF_ALL:
        return call.node("Div", [_scale(call), _number(call, limit)]), None
    call.since(13, "scales along an axis")
    step = call.node("Div", [call.x[1], _number(call, limit)])
    return step, call.quant_axis % call.rank


def _number(call: Call, value: float) -> str:
    return call.graph.constant(value, call.specs[1].dtype)
