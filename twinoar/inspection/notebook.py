"""What notebooks show of tensors, layers and Programs: HTML without scripts, in either theme."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from twinoar.core.ir.program import Program
from twinoar.inspection.picture import STYLE, picture

CELLS = 10  # of a row or column; of a longer one both ends are shown
OPERATORS = 200  # of a Program whose picture is drawn: a larger one would fill pages
POSITIVE, NEGATIVE = "61,111,184", "200,55,45"
DARKEST = 0.45  # of a cell: what is written in it stays readable in light and dark
FRAME = '<div style="font:12px/1.5 ui-monospace,monospace">{}</div>'


def tensor_html(x: Any) -> str:
    """A tensor: what it is, the range of its numbers, and a table where it has up to two axes.

    Cells are the darker the larger their number is beside the largest; blue, and red below zero.

    >>> "min 1, mean 2, max 3" in tensor_html(twinoar.to_tensor([1.0, 2.0, 3.0]))
    True
    """
    if not hasattr(x, "_data"):  # a symbol, while a function is traced
        return FRAME.format(escape(repr(x)))
    array = x.numpy()
    head = f"{type(x).__name__} {x.dtype.name} [{','.join(map(str, array.shape))}]"
    told = [head, str(x.place), *([] if x.stop_gradient else ["with a gradient"])]
    told += _range(array)
    shown = f"<div>{escape(' · '.join(told))}</div>"
    if array.size and array.ndim in (1, 2):
        return FRAME.format(shown + _table(np.atleast_2d(array)))
    return FRAME.format(f'{shown}<pre style="margin:4px 0">{escape(repr(x))}</pre>')


def layer_html(layer: Any) -> str:
    """A layer: its sublayers as a tree that opens, with the count of their parameters.

    >>> "110 parameters" in layer_html(twinoar.nn.Linear(10, 10))
    True
    """
    return FRAME.format(_branch("", layer))


def program_html(program: Program) -> str:
    """A Program: its text, and below it the picture of its operators."""
    operators = program.main.ops
    text = f'<pre style="margin:4px 0;overflow:auto">{escape(program.to_text())}</pre>'
    if not 0 < len(operators) <= OPERATORS:
        return FRAME.format(text)
    drawn = picture("g", operators, lambda o: 0.0, STYLE)
    box = "max-height:520px;overflow:auto;background:#fff"
    summary = f"<summary>{len(operators)} operators</summary>"
    return FRAME.format(f'{text}<details open>{summary}<div style="{box}">{drawn}</div></details>')


def _range(array: np.ndarray) -> list[str]:
    """The least, the mean and the largest number, and how many are none."""
    if not array.size or array.dtype.kind not in "biufV" or array.dtype.kind == "b":
        return []
    numbers = array.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    told = []
    if finite.size:
        least, mean, most = finite.min(), finite.mean(), finite.max()
        told.append(f"min {least:.4g}, mean {mean:.4g}, max {most:.4g}")
    if finite.size < numbers.size:
        told.append(f"{numbers.size - finite.size} not finite")
    return told


def _table(array: np.ndarray) -> str:
    rows, columns = (_both_ends(size) for size in array.shape)
    numbers = array.astype(np.float64) if array.dtype.kind in "iufV" else np.zeros(array.shape)
    largest = np.abs(np.where(np.isfinite(numbers), numbers, 0)).max() or 1.0
    lines = []
    for i in rows:
        cells = [
            "<td>…</td>" if None in (i, j) else _cell(array[i, j], float(numbers[i, j] / largest))
            for j in columns
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f'<table style="margin:4px 0;font:inherit;text-align:right">{"".join(lines)}</table>'


def _both_ends(size: int) -> list[int | None]:
    if size <= CELLS:
        return list(range(size))
    half = CELLS // 2
    return [*range(half), None, *range(size - half, size)]


def _cell(value: Any, share: float) -> str:
    color = POSITIVE if share > 0 else NEGATIVE
    alpha = DARKEST * min(abs(share), 1.0) if np.isfinite(share) else DARKEST
    is_float = isinstance(value, (float, np.floating)) or value.dtype.kind == "V"
    text = f"{float(value):.4g}" if is_float else str(value)
    return f'<td style="background:rgba({color},{alpha:.2f})">{escape(text)}</td>'


def _branch(name: str, layer: Any) -> str:
    parameters = list(layer.parameters())
    count = sum(int(np.prod(p.shape)) for p in parameters)
    trained = sum(int(np.prod(p.shape)) for p in parameters if not p.stop_gradient)
    told = f"{count:,} parameters" + ("" if trained == count else f", {trained:,} trained")
    extra = layer.extra_repr()
    title = f"{f'{name}: ' if name else ''}<b>{type(layer).__name__}</b>({escape(extra)})"
    line = f'{title} <span style="opacity:0.6">{told}</span>'
    below = "".join(_branch(n, child) for n, child in layer.named_children())
    if not below:
        return f'<div style="margin-left:14px">{line}</div>'
    opened = "" if name else " open"
    return f'<details style="margin-left:14px"{opened}><summary>{line}</summary>{below}</details>'
