"""The forms of operators that order, choose and count elements."""

from __future__ import annotations

from twinoar.core.dim import SymbolicDim
from twinoar.core.ir.program import Variable
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form
from twinoar.formats.onnx.forms_of_scans import counting

INT64 = schema.CODE_OF_DTYPE["int64"]


@form("select")
def _(call: Call) -> None:
    condition = call.node("Cast", call.x[:1], to=schema.CODE_OF_DTYPE["bool"])
    pairs = zip(call.x[1:], call.operator.operands[1:], strict=True)
    chosen = [
        x if isinstance(v, Variable) else call.graph.constant(v, call.out.dtype) for x, v in pairs
    ]
    call.gives("Where", [condition, *chosen])


@form("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not")
def _(call: Call) -> None:
    name = call.operator.op.name.removeprefix("bitwise_").title()
    if call.out.dtype.name == "bool":
        call.gives(name, call.x)
    else:
        call.since(18, f"Bitwise{name}")
        call.gives(f"Bitwise{name}", call.x)


@form("square")
def _(call: Call) -> None:
    call.gives("Mul", [call.x[0], call.x[0]])


@form("round")
def _(call: Call) -> None:
    call.gives("Identity" if call.specs[0].dtype.is_whole else "Round", call.x)


@form("isinf")
def _(call: Call) -> None:
    if call.specs[0].dtype.is_whole:
        call.gives("Not", [call.node("Equal", [call.x[0], call.x[0]])])
    else:
        call.gives("IsInf", call.x)


@form("topk")
def _(call: Call) -> None:
    if not call.rank:
        _of_one(call)
        return
    axis, count = _axis(call), call.ints([call.k])
    call.graph.node("TopK", [call.x[0], count], _named(call), axis=axis, largest=int(call.largest))


@form("sort")
def _(call: Call) -> None:
    if not call.rank:
        _of_one(call)
        return
    axis = _axis(call)
    count = call.graph.shape([call.specs[0].shape[axis]])
    call.graph.node(
        "TopK", [call.x[0], count], _named(call), axis=axis, largest=int(call.descending)
    )


def _axis(call: Call) -> int:
    return int(call.axis % call.rank)


def _of_one(call: Call) -> None:
    """One number in order, and its place."""
    for name, value in zip(call.results, (call.x[0], call.graph.constant(0)), strict=True):
        if name:
            call.graph.node("Identity", [value], [name])


def _named(call: Call) -> list[str]:
    """A name for each result, those that nothing reads too."""
    return [name or call.graph.name("unread") for name in call.results]


@form("cumsum")
def _(call: Call) -> None:
    x = call.node("Cast", call.x, to=schema.CODE_OF_DTYPE[call.out.dtype.name])
    if not call.rank:
        call.gives("Identity", [x])
        return
    axis = call.graph.constant(_axis(call))
    call.gives("CumSum", [x, axis], reverse=int(call.reverse))


@form("all", "any")
def _(call: Call) -> None:
    truth = call.node("Cast", call.x, to=schema.CODE_OF_DTYPE["bool"])
    whole = call.node("Cast", [truth], to=schema.CODE_OF_DTYPE["int32"])
    # Of nothing all are true and none is: the smallest is then the largest integer, the sum 0.
    type, since = ("ReduceMin", 18) if call.operator.op.name == "all" else ("ReduceSum", 13)
    axes = list(call.axis) or list(range(call.rank))
    if axes:
        whole = call.graph.with_axes(type, whole, axes, since, keepdims=int(call.keepdim))
    call.gives("Cast", [whole], to=schema.CODE_OF_DTYPE["bool"])


@form("logsumexp")
def _(call: Call) -> None:
    axes, keep = list(call.axis) or list(range(call.rank)), int(call.keepdim)
    if not axes:
        call.gives("Identity", call.x)
        return
    x = call.graph.with_axes("ReduceLogSumExp", call.x[0], axes, since=18, keepdims=keep)
    call.gives("Identity", [x])


@form("take_along_axis")
def _(call: Call) -> None:
    index = call.node("Cast", call.x[1:], to=INT64)
    call.gives("GatherElements", [call.x[0], index], axis=call.axis % call.rank)


@form("flip")
def _(call: Call) -> None:
    axes = [axis % call.rank for axis in call.axis]
    if not axes:
        call.gives("Identity", call.x)
        return
    starts, ends = call.ints([-1] * len(axes)), call.ints([-(2**31)] * len(axes))
    steps = call.ints([-1] * len(axes))
    call.gives("Slice", [call.x[0], starts, ends, call.ints(axes), steps])


@form("unbind")
def _(call: Call) -> None:
    axis = call.axis % call.rank
    for n, name in enumerate(call.results):
        if name:
            place = call.graph.constant(n)
            call.graph.node("Gather", [call.x[0], place], [name], axis=axis)


@form("pad_constant")
def _(call: Call) -> None:
    before, after = call.paddings[::2], call.paddings[1::2]
    if any(isinstance(d, SymbolicDim) for d in call.paddings):
        raise UnsupportedError("padding by sizes that a run decides has no form in ONNX")
    if not call.paddings:
        call.gives("Identity", call.x)
        return
    call.gives("Pad", [call.x[0], call.ints([*before, *after]), call.number(call.value)])


@form("unslice")
def _(call: Call) -> None:
    """Zeros with a part among them, which are put around it."""
    x, sizes, rank = call.x[0], list(call.specs[0].shape), len(call.out.shape)
    if call.squeezed:
        x = call.graph.with_axes("Unsqueeze", x, call.squeezed, since=13)
    for axis in sorted(call.squeezed):
        sizes.insert(axis, 1)
    before, after = [0] * rank, [0] * rank
    for axis, start, stride in zip(call.axes, call.starts, call.strides, strict=True):
        part, whole = sizes[axis], call.out.shape[axis]
        if stride != 1 or not all(isinstance(d, int) for d in (part, whole, start)):
            raise UnsupportedError(
                "zeros between elements, or as many as a run decides, have no form in ONNX",
                cure="give the sizes as numbers",
            )
        before[axis] = start + whole if start < 0 else min(start, whole)
        after[axis] = whole - part - before[axis]
    call.gives("Pad", [x, call.ints([*before, *after]), call.number(0)])


@form("nonzero")
def _(call: Call) -> None:
    if not call.rank:
        raise UnsupportedError("nonzero of one number has no form in ONNX")
    call.gives("Transpose", [call.node("NonZero", call.x)], perm=[1, 0])


@form("tril", "triu")
def _(call: Call) -> None:
    upper = int(call.operator.op.name == "triu")
    if call.opset < 14:
        rows, columns = (counting(call, call.graph.size(d)) for d in call.specs[0].shape[-2:])
        bound = call.node("Add", [rows, call.graph.constant(call.diagonal)])
        pair = [call.graph.with_axes("Unsqueeze", bound, [1], since=13), columns]
        is_off = call.node("Less", pair[::-1] if upper else pair)
        call.gives("Where", [is_off, call.number(0), call.x[0]])
        return
    call.gives("Trilu", [call.x[0], call.graph.constant(call.diagonal)], upper=upper)


@form("arange")
def _(call: Call) -> None:
    code = schema.CODE_OF_DTYPE[call.out.dtype.name]
    call.gives("Range", [call.node("Cast", [x], to=code) for x in call.x])
