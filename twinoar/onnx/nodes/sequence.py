"""Sequences, which are lists while nodes are read, and values that may be missing."""

from __future__ import annotations

from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.errors import UnsupportedError
from twinoar.onnx import values
from twinoar.onnx.nodes.elementwise import held
from twinoar.onnx.table import Known, ints, node


@node("SequenceConstruct")
def sequence_construct(*x: Any) -> Any:
    return list(x)


@node("SequenceEmpty")
def sequence_empty(*, dtype: int = 1) -> Any:
    held(dtype)
    return []


@node("SequenceLength")
def sequence_length(x: Any) -> Any:
    return np.asarray(len(x), "int64")


@node("SequenceAt")
def sequence_at(x: Any, place: Known) -> Any:
    return x[int(place)]


@node("SequenceInsert")
def sequence_insert(x: Any, value: Any, place: Known | None = None) -> Any:
    n = len(x) if place is None else int(place)
    return [*x[:n], value, *x[n:]]


@node("SequenceErase")
def sequence_erase(x: Any, place: Known | None = None) -> Any:
    n = (len(x) - 1 if place is None else int(place)) % len(x)
    return [*x[:n], *x[n + 1 :]]


@node("ConcatFromSequence")
def concat_from_sequence(x: Any, *, axis: int, new_axis: int = 0) -> Any:
    return paddle.stack(list(x), axis) if new_axis else paddle.concat(list(x), axis)


@node("SplitToSequence")
def split_to_sequence(
    x: Any, split: Known | None = None, *, axis: int = 0, keepdims: int = 1
) -> Any:
    size = x.shape[axis]
    if split is None:
        parts = [paddle.slice(x, [axis], [n], [n + 1]) for n in range(size)]
        return parts if keepdims else [p.squeeze(axis) for p in parts]
    part = ints(split)
    if not split.shape:
        part = [min(part[0], size - n) for n in range(0, size, part[0])]
    ends = np.cumsum(part).tolist()
    return [paddle.slice(x, [axis], [e - d], [e]) for d, e in zip(part, ends, strict=True)]


@node("Optional")
def optional(x: Any = None, *, type: Any = None) -> Any:
    return x


@node("OptionalHasElement")
def optional_has_element(x: Any = None) -> Any:
    return np.asarray(x is not None)


@node("OptionalGetElement")
def optional_get_element(x: Any) -> Any:
    if x is None:
        raise UnsupportedError("the optional value is missing")
    return values.tensor(x)
