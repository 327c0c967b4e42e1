"""The forms of elements that labels name, of diagonals that are placed, and of parts of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form

INT64 = schema.CODE_OF_DTYPE["int64"]


def _named(call: Call, label: str) -> tuple[str, str]:
    """Which labels are ignored, and the classes of all, 0 for those."""
    wide = call.node("Cast", [label], to=INT64)
    ignored = call.node("Equal", [wide, call.graph.constant(call.ignore_index)])
    return ignored, call.node("Where", [ignored, call.graph.constant(0), wide])


@form("pick_class")
def _(call: Call) -> None:
    x, label = call.x
    ignored, chosen = _named(call, label)
    found = call.node("GatherElements", [x, chosen], axis=call.axis % call.rank)
    call.gives("Where", [ignored, call.graph.constant(0, call.out.dtype), found])


@form("place_class")
def _(call: Call) -> None:
    x, label = call.x
    ignored, chosen = _named(call, label)
    form = [1] * call.rank
    form[call.axis] = call.classes
    classes = call.graph.constant(np.arange(call.classes).reshape(form))
    is_own = call.node("And", [call.node("Equal", [classes, chosen]), call.node("Not", [ignored])])
    call.gives("Where", [is_own, x, call.graph.constant(0, call.out.dtype)])


@form("place_diagonal")
def _(call: Call) -> None:
    """Each row of a square has one element of x, and keeps it on the diagonal alone."""
    rank = len(call.shape)
    a, b = call.axis1 % rank, call.axis2 % rank
    count: Any = call.specs[0].shape[-1]
    rows, columns = call.shape[a], call.shape[b]
    if not all(isinstance(d, int) for d in (rows, columns, count)):
        raise UnsupportedError(
            "a diagonal of a size that a run decides has no form in ONNX",
            cure="give it as a number",
        )
    zero = call.graph.constant(0, call.out.dtype)
    if not count:
        call.gives("Expand", [zero, call.graph.shape(call.shape)])
        return
    own = np.arange(rows) - max(-call.offset, 0)
    mask = (np.arange(columns) - np.arange(rows)[:, None] == call.offset) & (own >= 0)[:, None]
    mask &= (own < count)[:, None]
    places = call.graph.constant(np.clip(own, 0, count - 1))
    column = call.node("Gather", [call.x[0], places], axis=call.rank - 1)
    column = call.graph.with_axes("Unsqueeze", column, [call.rank], 13)
    square = call.node("Where", [call.graph.constant(mask, "bool"), column, zero])
    order = [n for n in range(rank) if n not in (a, b)] + [a, b]
    call.gives("Transpose", [square], perm=[order.index(n) for n in range(rank)])


@form("straight_through", "real", "conj")
def _(call: Call) -> None:
    """Of complex numbers these are written in parts, before forms are asked."""
    call.gives("Identity", call.x[:1])


@form("imag")
def _(call: Call) -> None:
    zero = call.graph.constant(0, call.out.dtype)
    call.gives("Expand", [zero, call.node("Shape", call.x)])


@form("angle")
def _(call: Call) -> None:
    x, dtype = call.x[0], call.out.dtype
    x = call.node("Cast", [x], to=schema.CODE_OF_DTYPE[dtype.name])
    zero, pi = (call.graph.constant(n, dtype) for n in (0.0, math.pi))
    is_number = call.node("Equal", [x, x])
    turned = call.node("Where", [call.node("Less", [x, zero]), pi, zero])
    call.gives("Where", [is_number, turned, x])
