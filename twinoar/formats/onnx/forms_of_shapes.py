"""The forms of operators that move elements, make them, or choose some."""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.core.dim import Dim, SymbolicDim
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form


def _reshaped(call: Call, x: str, sizes: Sequence[Dim]) -> None:
    """The result, with these sizes; one that only a run knows is told as -1."""
    unknown = sum(isinstance(d, SymbolicDim) for d in sizes)
    if unknown == 1 and 0 not in sizes:
        shape = call.ints([-1 if isinstance(d, SymbolicDim) else d for d in sizes])
    else:
        shape = call.graph.shape(sizes)
    if 0 in sizes and call.opset < 14:  # which take a 0 as the size that was there
        call.gives("Expand", [call.graph.constant(0, call.out.dtype), shape])
        return
    call.gives("Reshape", [x, shape], allowzero=1 if 0 in sizes else None)


@form("reshape", "flatten")
def _(call: Call) -> None:
    _reshaped(call, call.x[0], call.out.shape)


@form("squeeze", "unsqueeze")
def _(call: Call) -> None:
    type = call.operator.op.name.title()
    if not call.axis:
        call.gives("Identity", call.x)
    elif call.opset < 13:
        call.gives(type, call.x, axes=list(call.axis))
    else:
        call.gives(type, [call.x[0], call.ints(call.axis)])


@form("transpose")
def _(call: Call) -> None:
    call.gives("Transpose", call.x, perm=[axis % call.rank for axis in call.perm])


@form("concat")
def _(call: Call) -> None:
    call.gives("Concat", call.x, axis=call.axis)


@form("stack")
def _(call: Call) -> None:
    axis = call.axis % len(call.out.shape)
    parts = [call.graph.with_axes("Unsqueeze", x, [axis], since=13) for x in call.x]
    call.gives("Concat", parts, axis=axis)


@form("split")
def _(call: Call) -> None:
    sizes = [v.spec.shape[call.axis] for v in call.operator.results if v is not None]
    if call.opset < 13:
        call.gives("Split", call.x, axis=call.axis, split=sizes)
    else:
        call.gives("Split", [call.x[0], call.graph.shape(sizes)], axis=call.axis)


@form("slice", "strided_slice")
def _(call: Call) -> None:
    operands = [call.x[0], call.graph.shape(call.starts), call.graph.shape(call.ends)]
    operands.append(call.ints(call.axes))
    if call.operator.op.name == "strided_slice":
        operands.append(call.ints(call.strides))
    if not call.squeezed:
        call.gives("Slice", operands)
        return
    part = call.node("Slice", operands)
    axes = call.squeezed
    if call.opset < 13:
        call.gives("Squeeze", [part], axes=list(axes))
    else:
        call.gives("Squeeze", [part, call.ints(axes)])


@form("gather")
def _(call: Call) -> None:
    call.gives("Gather", call.x, axis=call.axis)


@form("gather_nd")
def _(call: Call) -> None:
    index = call.node("Cast", call.x[1:], to=schema.CODE_OF_DTYPE["int64"])
    call.gives("GatherND", [call.x[0], index])


@form("broadcast_to")
def _(call: Call) -> None:
    call.gives("Expand", [call.x[0], call.graph.shape(call.out.shape)])


@form("tile")
def _(call: Call) -> None:
    times = [1] * (len(call.out.shape) - len(call.repeat_times)) + list(call.repeat_times)
    x = call.x[0]
    if len(call.out.shape) > call.rank:
        added = range(len(call.out.shape) - call.rank)
        x = call.graph.with_axes("Unsqueeze", x, list(added), since=13)
    call.gives("Tile", [x, call.graph.shape(times)])


@form("fill")
def _(call: Call) -> None:
    if isinstance(call.value, SymbolicDim):
        size = call.node("Reshape", [call.graph.size(call.value), call.ints([])])
        value = call.node("Cast", [size], to=schema.CODE_OF_DTYPE[call.out.dtype.name])
    else:
        value = call.graph.constant(call.value, call.out.dtype)
    call.gives("Expand", [value, call.graph.shape(call.out.shape)])


@form("one_hot")
def _(call: Call) -> None:
    values = call.graph.constant([0.0, 1.0], call.out.dtype)
    index = call.node("Cast", call.x, to=schema.CODE_OF_DTYPE["int64"])
    if not call.rank:
        index = call.node("Reshape", [index, call.ints([1])])
    hot = call.node("OneHot", [index, call.ints([call.num_classes]), values], axis=-1)
    _reshaped(call, hot, call.out.shape)
