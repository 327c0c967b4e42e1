"""What an argument of a certain name may be: one rule per kind of name."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.paddle.fuzz.draw import DTYPES, Draw

Given = dict[str, Any]
Rule = Callable[[Draw, Given], Any]


def first_array(given: Given) -> np.ndarray:
    """The operand that sizes and axes refer to."""
    for value in given.values():
        value = value[0] if isinstance(value, (list, tuple)) and value else value
        if isinstance(value, np.ndarray):
            return value
    return np.zeros((2, 3), "float32")


def rank_of(given: Given) -> int:
    return first_array(given).ndim


def axis(draw: Draw, given: Given) -> Any:
    rank = max(rank_of(given), 1)
    return draw.between(-rank, rank - 1 + int(draw.chance(0.03)))


def axes(draw: Draw, given: Given) -> Any:
    rank = max(rank_of(given), 1)
    chosen = draw.random.sample(range(rank), draw.between(1, rank))
    return [a - rank if draw.chance(0.3) else a for a in chosen]


def axis_or_axes(draw: Draw, given: Given) -> Any:
    kind = draw.random.random()
    if kind < 0.15:
        return None
    found = axis(draw, given) if kind < 0.6 else axes(draw, given)
    return tuple(found) if isinstance(found, list) and draw.chance(0.3) else found


def permutation(draw: Draw, given: Given) -> list[int]:
    rank = rank_of(given)
    return draw.random.sample(range(rank), rank)


def shape_for(draw: Draw, given: Given) -> list[int]:
    """A shape of as many elements, or one that it broadcasts to, or another."""
    array = first_array(given)
    kind = draw.random.random()
    if kind < 0.5 and array.size:
        sizes = [s for s in array.shape if draw.chance(0.8) or s != 1]
        draw.random.shuffle(sizes)
        if len(sizes) > 1 and draw.chance(0.5):
            sizes[:2] = [sizes[0] * sizes[1]]
        if sizes and draw.chance(0.4):
            sizes[draw.between(0, len(sizes) - 1)] = -1
        return sizes
    if kind < 0.9:
        more = [draw.size() for _ in range(draw.between(0, 1))]
        return more + [draw.size() if s == 1 else s for s in array.shape]
    return list(draw.shape())


def shifts(draw: Draw, given: Given) -> Any:
    count = len(given["axis"]) if isinstance(given.get("axis"), (list, tuple)) else 0
    return [draw.between(-3, 3) for _ in range(count)] if count else draw.between(-4, 4)


def sections(draw: Draw, given: Given) -> Any:
    if draw.chance(0.5):
        return draw.between(1, 4)
    return sorted(draw.between(0, 4) for _ in range(draw.between(1, 3)))


def window(low: int, high: int) -> Rule:
    def drawn(draw: Draw, given: Given) -> Any:
        count = max(rank_of(given) - 2, 1)
        if draw.chance(0.6):
            return draw.between(low, high)
        return [draw.between(low, high) for _ in range(count)]

    return drawn


def whole(low: int, high: int) -> Rule:
    return lambda draw, given: draw.between(low, high)


def among(*values: Any) -> Rule:
    return lambda draw, given: draw.one(values)


def fraction(draw: Draw, given: Given) -> float:
    return draw.number()


def scalar(draw: Draw, given: Given) -> Any:
    return draw.one((draw.between(-3, 3), draw.number(), draw.number()))


def dtype(draw: Draw, given: Given) -> str:
    return draw.one(DTYPES)


def bounds(draw: Draw, given: Given) -> list[int]:
    count = len(given["axes"]) if isinstance(given.get("axes"), (list, tuple)) else 1
    return [draw.between(-4, 6) for _ in range(count)]


def steps(draw: Draw, given: Given) -> list[int]:
    return [draw.one((1, 1, 2, 3, -1, -2)) for _ in bounds(draw, given)]


def repeats(draw: Draw, given: Given) -> Any:
    length = rank_of(given) + draw.between(-1, 1)
    return [draw.between(0, 3) for _ in range(max(length, 0))]


def quantiles(draw: Draw, given: Given) -> Any:
    drawn = [draw.one((0.0, 0.25, 0.5, 1.0, 0.9, 0.33)) for _ in range(draw.between(1, 3))]
    return drawn[0] if draw.chance(0.5) else drawn


def paddings(draw: Draw, given: Given) -> Any:
    count = draw.one((2, 4, 6, 2 * rank_of(given)))
    return [draw.between(0, 2) for _ in range(count)]


RULES: dict[str, Rule] = {
    **dict.fromkeys(("axis", "dim"), axis_or_axes),
    **dict.fromkeys(("axis1", "axis2", "dim1", "dim2", "axis0", "start_axis", "stop_axis"), axis),
    **dict.fromkeys(("source", "destination"), axis),
    **dict.fromkeys(("axes",), axes),
    **dict.fromkeys(("perm", "dims"), permutation),
    **dict.fromkeys(("shape", "shape_or_dtype", "out_shape"), shape_for),
    **dict.fromkeys(("shifts",), shifts),
    **dict.fromkeys(("num_or_sections", "num_or_indices"), sections),
    **dict.fromkeys(("kernel_size", "kernel_sizes"), window(1, 3)),
    **dict.fromkeys(("stride", "strides", "dilation", "dilations"), window(1, 3)),
    **dict.fromkeys(("padding",), window(0, 2)),
    **dict.fromkeys(("output_size",), window(1, 4)),
    **dict.fromkeys(("offset", "diagonal", "decimals"), whole(-3, 3)),
    **dict.fromkeys(
        ("k", "n", "num", "chunks", "groups", "size", "step", "length", "r"), whole(0, 4)
    ),
    **dict.fromkeys(("row", "col", "num_rows", "num_columns", "bins", "num_classes"), whole(0, 6)),
    **dict.fromkeys(("minlength", "upscale_factor", "downscale_factor", "p_"), whole(0, 6)),
    **dict.fromkeys(("start", "end", "stop", "low", "high"), scalar),
    **dict.fromkeys(("min", "max", "value", "fill_value", "other", "scale", "bias"), scalar),
    **dict.fromkeys(("p",), among(0, 1, 2, 3, 0.5, 1.5, float("inf"), -float("inf"), "fro", -1)),
    **dict.fromkeys(("ord",), among(1, 2, "fro", float("inf"))),
    **dict.fromkeys(("dtype",), dtype),
    **dict.fromkeys(("starts", "ends", "offsets"), bounds),
    **dict.fromkeys(("repeat_times",), repeats),
    **dict.fromkeys(("repeats",), whole(0, 3)),
    **dict.fromkeys(("q",), quantiles),
    **dict.fromkeys(("pad",), paddings),
    **dict.fromkeys(("reduction",), among("mean", "sum", "none", "mean", "sum", "none", "other")),
    **dict.fromkeys(("norm",), among("backward", "ortho", "forward")),
    **dict.fromkeys(("UPLO",), among("L", "U")),
    **dict.fromkeys(("reduce",), among("assign", "add", "multiply", "mean", "amin", "amax")),
    **dict.fromkeys(("reduce_op", "pool_type"), among("sum", "mean", "max", "min")),
    **dict.fromkeys(("interpolation",), among("linear", "lower", "higher", "midpoint", "nearest")),
    **dict.fromkeys(("padding_mode",), among("zeros", "border", "reflection")),
    **dict.fromkeys(("equation",), among("ij,jk->ik", "ij,ij->i", "i,j->ij", "ii->i", "...i->...")),
    **dict.fromkeys(("correction",), among(0, 1, 2, 0.5)),
    **dict.fromkeys(("ignore_index",), among(-100, 0, 1, -1)),
    **dict.fromkeys(("label_smoothing",), among(0.0, 0.1, 0.5)),
}
# Names whose arguments must stay as they are: random, or not data.
KEPT = {"name", "group", "out", "output", "place", "device", "seed", "training", "act", "backend"}
KEPT |= {"dropout_p", "dropout", "distance_function"}


def choices(parameter: inspect.Parameter) -> tuple[Any, ...]:
    """The values that an annotation lists."""
    note = parameter.annotation
    if isinstance(note, str) and "Literal" in note:
        try:
            note = eval(note, {"Literal": typing.Literal})
        except NameError:
            return ()
        kinds = [k for k in (note, *typing.get_args(note)) if typing.get_origin(k)]
        return tuple(v for k in kinds for v in typing.get_args(k) if isinstance(v, (str, bool)))
    return ()


def attribute(draw: Draw, parameter: inspect.Parameter, given: Given, seen: list[Any]) -> Any:
    """A value for that parameter; `seen` are those that examples have."""
    default, listed = parameter.default, choices(parameter)
    if seen and draw.chance(0.3):
        return draw.one(seen)
    if listed:
        return draw.one(listed)
    if isinstance(default, bool) or parameter.annotation == "bool":
        return draw.chance(0.5)
    if parameter.name in RULES:
        return RULES[parameter.name](draw, given)
    if isinstance(default, int):
        return draw.between(default - 1, default + 3)
    if isinstance(default, float) or parameter.annotation == "float":
        return draw.number()
    if seen:
        return draw.one(seen)
    return draw.between(0, 3)
