"""The forms of operators that write at places, move elements around, and tell of sizes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from twinoar.core.dim import Dim, SymbolicDim
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form

INT64 = schema.CODE_OF_DTYPE["int64"]
REDUCTIONS = {"add": ("add", 16), "multiply": ("mul", 16), "mul": ("mul", 16),
              "amax": ("max", 18), "amin": ("min", 18)}  # fmt: skip


def _reduction(call: Call, name: str) -> str | None:
    """How what is written meets what is there; None where it takes its place."""
    if name == "assign":
        return None
    if name not in REDUCTIONS:
        raise UnsupportedError(f"{call.operator.op.name} with reduce={name!r} has no form in ONNX")
    found, since = REDUCTIONS[name]
    call.since(since, f"a reduction {found!r} at places")
    return found


@form("put_along_axis")
def _(call: Call) -> None:
    x, index, values = call.x
    means = call.reduce == "mean"
    reduction = _reduction(call, "add" if means else call.reduce)
    index = call.node("Cast", [index], to=INT64)
    sizes = call.graph.shape(call.specs[1].shape)
    if call.specs[2] is None or call.specs[2].shape != call.specs[1].shape:
        values = call.node("Expand", [values, sizes])
    axis = call.axis % call.rank

    def put(x: str, values: str, reduction: str | None = None) -> str:
        operands = [x, index, values]
        return call.node("ScatterElements", operands, axis=axis, reduction=reduction)

    if not call.include_self and call.reduce != "assign":
        neutral = {"add": 0, "mean": 0, "multiply": 1}.get(call.reduce)
        first = values if neutral is None else call.node("Expand", [call.number(neutral), sizes])
        x = put(x, first)  # a place that is written to begins there, with one of the values if not
    found = put(x, values, reduction)
    call.gives("Identity", [_mean(call, found, put, sizes) if means else found])


def _mean(call: Call, total: str, put: Callable[..., str], sizes: str) -> str:
    """A sum by how many there are in it; a quotient of integers is rounded down."""
    ones = call.node("Expand", [call.number(1), sizes])
    shape = call.node("Shape", [total])
    zeros, one = call.node("Expand", [call.number(0), shape]), call.number(1)
    begin = put(zeros, ones) if call.include_self else zeros
    count = put(begin, ones, "add")
    is_none = call.node("Equal", [count, call.number(0)])
    pair = [total, call.node("Where", [is_none, one, count])]
    if call.out.dtype.is_floating:
        return call.node("Div", pair)
    return call.node("Div", [call.node("Sub", [total, call.node("Mod", pair)]), pair[1]])


@form("index_put")
def _(call: Call) -> None:
    x, value, *indices = call.x
    specs = call.specs[2:]
    if any(spec.dtype.name == "bool" for spec in specs):
        raise UnsupportedError("index_put by truth values has no form in ONNX")
    sizes = _broadcast([spec.shape for spec in specs])
    columns = [
        call.node("Expand", [call.node("Cast", [i], to=INT64), call.graph.shape((*sizes, 1))])
        if spec.shape == () else _column(call, i, sizes)
        for i, spec in zip(indices, specs, strict=True)
    ]  # fmt: skip
    index = call.node("Concat", columns, axis=len(sizes))
    rest = call.specs[0].shape[len(indices) :]
    value = call.node("Expand", [value, call.graph.shape((*sizes, *rest))])
    reduction = _reduction(call, "add" if call.accumulate else "assign")
    call.gives("ScatterND", [x, index, value], reduction=reduction)


def _column(call: Call, index: str, sizes: Sequence[Dim]) -> str:
    """Positions along one axis, broadcast, with a last dimension of 1."""
    wide = call.node("Cast", [index], to=INT64)
    wide = call.node("Expand", [wide, call.graph.shape(sizes)])
    return call.graph.with_axes("Unsqueeze", wide, [len(sizes)], since=13)


def _broadcast(shapes: Sequence[Sequence[Dim]]) -> tuple[Dim, ...]:
    """The shape that all broadcast to; sizes that a run decides count as equal."""
    rank = max(len(shape) for shape in shapes)
    found: list[Dim] = [1] * rank
    for shape in shapes:
        for axis, d in enumerate(shape, start=rank - len(shape)):
            found[axis] = d if isinstance(found[axis], int) and found[axis] == 1 else found[axis]
    return tuple(found)


@form("scatter")
def _(call: Call) -> None:
    x, index, updates = call.x
    index = call.node("Cast", [index], to=INT64)
    index = call.node("Reshape", [index, call.ints([-1, 1])])
    if call.overwrite:
        call.gives("ScatterND", [x, index, updates])
        return
    call.since(16, "a reduction 'add' at places")
    nothing = call.node("Mul", [updates, call.number(0)])
    emptied = call.node("ScatterND", [x, index, nothing])
    call.gives("ScatterND", [emptied, index, updates], reduction="add")


@form("scatter_nd_add")
def _(call: Call) -> None:
    x, index, updates = call.x
    call.since(16, "a reduction 'add' at places")
    index = call.node("Cast", [index], to=INT64)
    call.gives("ScatterND", [x, index, updates], reduction="add")


@form("set_slice")
def _(call: Call) -> None:
    """The axes that are cut come first, so that the others may have any size."""
    axes = [axis % call.rank for axis in call.axes]
    shape = call.specs[0].shape
    numbers = [shape[axis] for axis in axes] + [*call.starts, *call.ends]
    if any(isinstance(d, SymbolicDim) for d in numbers):
        raise UnsupportedError("a slice of a size that a run decides is not set in ONNX")
    cuts = zip(axes, call.starts, call.ends, call.strides, strict=True)
    places = [_cut(int(shape[axis]), start, end, step) for axis, start, end, step in cuts]
    perm = axes + [axis for axis in range(call.rank) if axis not in axes]
    index = np.stack(np.meshgrid(*places, indexing="ij"), -1)
    value = _spread(call, dict(zip(axes, map(len, places), strict=True)))
    value = call.node("Transpose", [value], perm=perm)
    turned = call.node("Transpose", [call.x[0]], perm=perm)
    written = call.node("ScatterND", [turned, call.graph.constant(index), value])
    call.gives("Transpose", [written], perm=[int(n) for n in np.argsort(perm)])


def _cut(size: int, start: int, end: int, step: int) -> list[int]:
    """The positions in a slice."""
    return list(range(size))[slice(start, end if step > 0 or end >= 0 else None, step)]


def _spread(call: Call, cut: dict[int, int]) -> str:
    """The value, of the shape of the slice before it was squeezed."""
    shape = [cut.get(axis, d) for axis, d in enumerate(call.specs[0].shape)]
    squeezed = sorted(axis % call.rank for axis in call.squeezed)
    value, given = call.x[1], call.specs[1]
    if squeezed and given is not None:
        kept = [d for axis, d in enumerate(shape) if axis not in squeezed]
        value = call.node("Expand", [value, call.graph.shape(kept)])
        return call.node("Reshape", [value, call.graph.shape(shape)])
    return call.node("Expand", [value, call.graph.shape(shape)])


@form("roll")
def _(call: Call) -> None:
    """What was cut off at one end is put to the other."""
    x, shape, axes = call.x[0], list(call.specs[0].shape), list(call.axis)
    if not axes:
        x, shape = call.node("Reshape", [x, call.ints([-1])]), [math.prod(shape)]
        axes = [0] * len(call.shifts)
    for axis, shift in zip(axes, call.shifts, strict=True):
        x = _rolled(call, x, axis % len(shape), shift, shape[axis % len(shape)])
    if call.axis:
        call.gives("Identity", [x])
    else:
        call.gives("Reshape", [x, call.graph.shape(call.out.shape)])


def _rolled(call: Call, x: str, axis: int, shift: int, size: Dim) -> str:
    if isinstance(size, int):
        place = call.ints([-shift % size if size else 0])
    else:
        place = call.node("Mod", [call.ints([-shift]), call.graph.size(size)])
    ends = call.ints([2**31 - 1])
    end = call.node("Slice", [x, place, ends, call.ints([axis])])
    start = call.node("Slice", [x, call.ints([0]), place, call.ints([axis])])
    return call.node("Concat", [end, start], axis=axis)


@form("constant")
def _(call: Call) -> None:
    call.gives("Identity", [call.graph.constant(call.value, call.out.dtype)])


@form("eye")
def _(call: Call) -> None:
    if isinstance(call.num_rows, SymbolicDim) or isinstance(call.num_columns, SymbolicDim):
        raise UnsupportedError("eye of a size that a run decides has no form in ONNX")
    ones = np.eye(call.num_rows, call.num_columns)
    call.gives("Identity", [call.graph.constant(ones, call.out.dtype)])


@form("fill_like", "overwritten")
def _(call: Call) -> None:
    value = call.graph.constant(call.value, call.out.dtype)
    call.gives("Expand", [value, call.node("Shape", call.x)])


@form("numel")
def _(call: Call) -> None:
    call.gives("Size", call.x)


@form("is_empty")
def _(call: Call) -> None:
    call.gives("Equal", [call.node("Size", call.x), call.graph.constant(0)])


@form("shape_32")
def _(call: Call) -> None:
    code = schema.CODE_OF_DTYPE[call.out.dtype.name]
    call.gives("Cast", [call.node("Shape", call.x)], to=code)


@form("diagonal")
def _(call: Call) -> None:
    rank = call.rank
    first, second = call.axis1 % rank, call.axis2 % rank
    rows, columns = call.specs[0].shape[first], call.specs[0].shape[second]
    if isinstance(rows, SymbolicDim) or isinstance(columns, SymbolicDim):
        raise UnsupportedError("a diagonal of a size that a run decides has no form in ONNX")
    others = [axis for axis in range(rank) if axis not in (first, second)]
    flat = [*(call.specs[0].shape[axis] for axis in others), rows * columns]
    turned = call.node("Transpose", [call.x[0]], perm=[*others, first, second])
    flattened = call.node("Reshape", [turned, call.graph.shape(flat)])
    places = np.arange(rows * columns).reshape(rows, columns).diagonal(call.offset)
    call.gives("Gather", [flattened, call.graph.constant(places)], axis=len(flat) - 1)
