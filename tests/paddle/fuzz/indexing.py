"""Calls of Python's operators on tensors: arithmetic with numbers, indices, changes in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.paddle.fuzz.draw import Draw
from tests.paddle.fuzz.execute import Call

BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "le", "gt")
BINARY += ("ge", "and_", "or_", "xor", "lshift", "rshift", "matmul")
UNARY = ("neg", "abs", "invert", "pos")


def call(draw: Draw) -> Call:
    """One operator of Python's."""
    kind = draw.random.random()
    if kind < 0.4:
        name, args = arithmetic(draw)
    else:
        shape = draw.shape()
        x = draw.array(shape, draw.dtype())
        name, args = "operator.getitem", [x, index(draw, shape)]
        if kind > 0.7:
            name, args = "setitem", [*args, put(draw, x, args[1])]
    return {"name": name, "form": "function", "args": args, "kwargs": {}}


def arithmetic(draw: Draw) -> tuple[str, list[Any]]:
    shape = draw.shape()
    x = draw.array(shape, draw.dtype())
    if draw.chance(0.1):
        return "operator." + draw.one(UNARY), [x]
    if draw.chance(0.5):
        y: Any = number(draw)
    else:
        dtype = str(x.dtype) if draw.chance(0.6) else draw.dtype()
        y = draw.array(draw.broadcast(shape), dtype)
    args = [x, y] if draw.chance(0.7) else [y, x]
    return "operator." + draw.one(BINARY), args


def number(draw: Draw) -> Any:
    return draw.one((draw.between(-4, 5), draw.between(-4, 5), draw.number(), draw.number(), True))


def put(draw: Draw, x: np.ndarray, chosen: Any) -> Any:
    """A value for the place that the index chooses."""
    if draw.chance(0.4):
        return number(draw)
    try:
        shape = x[chosen].shape
    except (IndexError, ValueError, TypeError):
        shape = x.shape
    dtype = str(x.dtype) if draw.chance(0.7) else draw.dtype()
    return draw.array(draw.broadcast(shape), dtype)


def index(draw: Draw, shape: tuple[int, ...]) -> Any:
    """An index of one part or of several."""
    if draw.chance(0.12):
        return draw.array(shape[: draw.between(0, len(shape))], "bool")
    parts: list[Any] = []
    axis = 0
    for _ in range(draw.between(1, len(shape) + 1)):
        size = shape[axis] if axis < len(shape) else 1
        parts.append(part(draw, size, Ellipsis in [p for p in parts if p is Ellipsis]))
        axis += parts[-1] is not None and parts[-1] is not Ellipsis
    return parts[0] if len(parts) == 1 and draw.chance(0.7) else tuple(parts)


def part(draw: Draw, size: int, has_ellipsis: bool) -> Any:
    kind = draw.random.random()
    if kind < 0.3:
        return draw.between(-max(size, 1), max(size, 1) - 1 + int(draw.chance(0.05)))
    if kind < 0.65:
        ends = [draw.one((None, draw.between(-size - 1, size + 1))) for _ in range(2)]
        return slice(*ends, draw.one((None, None, None, 1, 2, 3, -1, -2)))
    if kind < 0.72:
        return None
    if kind < 0.79 and not has_ellipsis:
        return Ellipsis
    if kind < 0.9:
        places = draw.numbers.integers(-size, max(size, 1), draw.one(((), (2,), (3,), (2, 2))))
        return np.asarray(places).astype(draw.one(("int64", "int64", "int32")))
    if kind < 0.95:
        return [draw.between(0, max(size - 1, 0)) for _ in range(draw.between(1, 3))]
    return draw.array((size,), "bool")
