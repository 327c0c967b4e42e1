"""The forms of rows that are added at positions, of places in sorted rows, and of whole answers."""

from __future__ import annotations

import numpy as np

from twinoar.core.spec import Shape
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form
from twinoar.formats.onnx.forms_of_functions import close_elements

BOOL, INT32, INT64 = (schema.CODE_OF_DTYPE[name] for name in ("bool", "int32", "int64"))


@form("added_at")
def _(call: Call) -> None:
    x, index, value = call.x
    _add(call, x, index, value, call.specs[1].shape, call.axis % call.rank)


@form("sum_at")
def _(call: Call) -> None:
    value, index = call.x
    zero = call.graph.constant(0, call.out.dtype)
    zeros = call.node("Expand", [zero, call.graph.shape(call.out.shape)])
    _add(call, zeros, index, value, call.specs[1].shape, call.axis)


def _add(call: Call, x: str, index: str, value: str, counts: Shape, axis: int) -> None:
    """x plus slices at positions of an axis, which goes to the front and back."""
    call.since(16, "ScatterND with sums")
    shape = call.out.shape
    first = [axis, *(n for n in range(len(shape)) if n != axis)]
    sizes = [*counts, *(d for n, d in enumerate(shape) if n != axis)]
    if counts:
        whole = [*shape[:axis], *counts, *shape[axis + 1 :]]
        value = call.node("Expand", [value, call.graph.shape(whole)])
        value = call.node("Transpose", [value], perm=first)
    else:
        value = call.node("Expand", [value, call.graph.shape(sizes)])
    moved = call.node("Transpose", [x], perm=first)
    places = call.node("Cast", [index], to=INT64)
    places = call.graph.with_axes("Unsqueeze", places, [len(counts)], since=13)
    found = call.node("ScatterND", [moved, places, value], reduction="add")
    back = sorted(range(len(first)), key=first.__getitem__)
    call.gives("Transpose", [found], perm=back)


@form("searchsorted")
def _(call: Call) -> None:
    """How many elements of a row stand before each value; nan stands after all numbers."""
    row, values = call.x
    if len(call.specs[0].shape) > 1:
        row = call.graph.with_axes("Unsqueeze", row, [-2], since=13)
    values = call.graph.with_axes("Unsqueeze", values, [-1], since=13)
    is_behind = call.node("Greater", [row, values])
    if not call.right:
        is_behind = call.node("Or", [is_behind, call.node("Equal", [row, values])])
    is_before = call.node("Not", [is_behind])
    if call.specs[0].dtype.is_floating:
        is_number = call.node("Not", [call.node("IsNaN", [row])])
        if call.right:
            is_number = call.node("Or", [is_number, call.node("IsNaN", [values])])
        is_before = call.node("And", [is_before, is_number])
    code = INT32 if call.out_int32 else INT64
    ones = call.node("Cast", [is_before], to=code)
    count = call.graph.with_axes("ReduceSum", ones, [-1], 13, keepdims=0)
    call.gives("Identity", [count])


@form("determinant")
def _(call: Call) -> None:
    call.gives("Det", call.x)


@form("allclose")
def _(call: Call) -> None:
    _all(call, close_elements(call))


@form("equal_all")
def _(call: Call) -> None:
    one, other = (spec.shape if spec is not None else () for spec in call.specs)
    if one == other:
        _all(call, call.node("Equal", call.x))
    elif len(one) != len(other) or all(isinstance(d, int) for d in (*one, *other)):
        call.gives("Identity", [call.graph.constant(False, "bool")])
    else:
        raise UnsupportedError(
            f"equal_all of {list(one)} and {list(other)} has no form in ONNX",
            cure="give the sizes as numbers",
        )


def _all(call: Call, truths: str) -> None:
    """Whether all hold: the smallest of nothing is the largest number, which is true."""
    whole = call.node("Cast", [truths], to=INT32)
    least = call.node("ReduceMin", [whole], keepdims=0)
    call.gives("Cast", [least], to=BOOL)


@form("diag")
def _(call: Call) -> None:
    sizes = [d for d in call.specs[0].shape if isinstance(d, int)]
    if len(sizes) < call.rank:
        raise UnsupportedError(
            "diag of a size that a run decides has no form in ONNX", cure="give it as a number"
        )
    offset = call.offset
    if call.rank == 2:
        places = np.diagonal(np.arange(sizes[0] * sizes[1]).reshape(sizes), offset)
        flat = call.node("Reshape", [call.x[0], call.ints([-1])])
        call.gives("Gather", [flat, call.ints(places.tolist())], axis=0)
        return
    side = sizes[0] + abs(offset)
    rows = np.clip(np.arange(side) - max(-offset, 0), 0, max(sizes[0] - 1, 0))
    if not sizes[0]:
        call.gives("Expand", [call.number(call.padding_value), call.ints([side, side])])
        return
    column = call.node("Gather", [call.x[0], call.graph.constant(rows[:, None])], axis=0)
    mask = call.graph.constant(np.eye(side, k=offset), "bool")
    call.gives("Where", [mask, column, call.number(call.padding_value)])
