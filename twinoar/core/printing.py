"""How tensors print: as Paddle prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from typing import Any, Literal

import numpy as np

from twinoar.core.dtype import BY_NUMPY
from twinoar.core.settings import announce, count_setting
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.late import dataclass


@dataclass
class PrintOptions:
    """What `set_printoptions` sets."""

    precision: int = 8
    threshold: int = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


options = PrintOptions()
announce("the printing of tensors", lambda: astuple(options))
INDENT = 7  # of the bracket that the elements begin with


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sci_mode: bool | None = None,
    linewidth: int | None = None,
) -> None:
    """Set how tensors print.

    precision: digits. threshold: items from which on it abbreviates. edgeitems: items kept at the
    edges. sci_mode: scientific notation. linewidth: characters. Raises ArgumentError for negative
    numbers, TypeMismatchError for what is no int.
    """
    given = dict(
        precision=precision,
        threshold=threshold,
        edgeitems=edgeitems,
        sci_mode=sci_mode,
        linewidth=linewidth,
    )
    for name, value in given.items():
        if value is None:
            continue
        if not isinstance(value, int):
            raise TypeMismatchError(f"{name} must be an int, received {value!r}")
        if value < 0:
            raise ArgumentError(
                f"{name} must not be negative, received {value}", cure="give 0 or more"
            )
        setattr(options, name, value)
    count_setting()


def format_tensor(x: Any, kind: Literal["Tensor"]) -> str:
    """`Tensor(shape=[2], dtype=float32, place=.., stop_gradient=True, [..])` in Paddle's layout."""
    return f"{kind}{_tensor_text(np.asarray(x), x.place, x.stop_gradient)}"


def format_array(data: np.ndarray, stop_gradient: bool) -> str:
    """The text of a tensor on the CPU that has this data."""
    return f"Tensor{_tensor_text(data, 'Place(cpu)', stop_gradient)}"


def _tensor_text(data: np.ndarray, place: Any, stop_gradient: bool) -> str:
    head = (
        f"(shape={list(data.shape)}, dtype={BY_NUMPY[data.dtype].name}, place={place}, "
        f"stop_gradient={stop_gradient},"
    )
    if data.dtype.kind == "V" or BY_NUMPY[data.dtype].is_stored:
        data = data.astype(np.float32)
    with np.errstate(invalid="ignore"):  # nan is compared too
        return f"{head}\n{' ' * INDENT}{_elements(data)})"


def _elements(data: np.ndarray) -> str:
    edges = _edges(data)  # Paddle lays out all elements by those at the edges, printed or not
    width = max((len(_format_item(v)) for v in edges.reshape(-1)), default=0)
    signed = bool((edges < 0).any())
    summary = data.size > options.threshold
    items = (
        _padded(_format_item(v), width, signed and not v < 0)
        for v in (edges if summary else data).reshape(-1)
    )
    return _format_nested(data.shape, items, INDENT, width, summary) if data.ndim else next(items)


def _edges(data: np.ndarray) -> np.ndarray:
    """The first and last `options.edgeitems` along each dimension that has more."""
    edge = options.edgeitems
    for axis, size in enumerate(data.shape):
        if size > 2 * edge:
            data = data.take([*range(edge), *range(size - edge, size)], axis)
    return data


def _padded(text: str, width: int, spaced: bool) -> str:
    """`text` as wide as the widest; beside negative numbers it starts with a space, if it fits."""
    return (f" {text}" if spaced and len(text) < width else text).ljust(width)


def _format_item(x: Any) -> str:
    if isinstance(x, np.complexfloating):
        real, imaginary = (f"{part:.{options.precision}{_notation()}}" for part in (x.real, x.imag))
        return f"({real}{'+' if x.imag >= 0 else ''}{imaginary}j)"
    if not isinstance(x, np.floating):
        return str(x)
    if not options.sci_mode and np.ceil(x) == x:
        return f"{x:.0f}."
    return f"{x:.{options.precision}{_notation()}}"


def _notation() -> str:
    return "e" if options.sci_mode else "f"


def _format_nested(
    shape: tuple[int, ...], items: Iterator[str], indent: int, width: int, summary: bool
) -> str:
    n, edge = shape[0], options.edgeitems
    cut = summary and n > 2 * edge
    places = [*range(edge), None, *range(edge)] if cut else list(range(n))
    if len(shape) == 1:
        return f"[{_wrapped(['...' if i is None else next(items) for i in places], indent, width)}]"
    rows = [
        "..." if i is None else _format_nested(shape[1:], items, indent + 1, width, summary)
        for i in places
    ]
    between = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
    return f"[{between.join(rows)}]"


def _wrapped(items: list[str], indent: int, width: int) -> str:
    """Items in lines of `options.linewidth`, the first of them after a bracket at `indent`."""
    per_line = max(1, (options.linewidth - indent) // (width + 2))
    lines = [", ".join(items[i : i + per_line]) for i in range(0, len(items), per_line)]
    return (",\n" + " " * (indent + 1)).join(lines)
