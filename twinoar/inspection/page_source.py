"""Program and source side by side as a part of the page: lines, their costs, their operators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from twinoar.core.ir.program import Operator
from twinoar.inspection.by_line import File, Line
from twinoar.inspection.figures import size_of, time_of


def source_block(files: Sequence[File], chip: Callable[[Operator], str]) -> Iterator[str]:
    """The lines of the part. chip: a link to an operator as it was written."""
    slowest = max((x.cost.seconds for f in files for p in f.pieces for x in p), default=0.0)
    for file in files:
        yield f"<h4>{escape(file.name)}</h4>"
        yield '<table class="lines">'
        for n, piece in enumerate(file.pieces):
            if n:
                yield '<tr><td class="number">⋯</td><td colspan="4"></td></tr>'
            for line in piece:
                yield _line(line, slowest, chip)
        yield "</table>"
    if not files:
        yield '<p class="note">No operator knows the line that it comes from.</p>'


def _line(line: Line, slowest: float, chip: Callable[[Operator], str]) -> str:
    if not line.operators:
        return (
            f'<tr><td class="number">{line.number}</td>'
            f'<td class="code"><code>{escape(line.text)}</code></td>'
            '<td colspan="3"></td></tr>'
        )
    width = 100 * line.cost.seconds / slowest if slowest else 0
    made = " ".join(map(chip, line.operators))
    return (
        f'<tr class="made"><td class="number">{line.number}</td>'
        f'<td class="code"><code>{escape(line.text)}</code></td>'
        f'<td class="time">{time_of(line.cost.seconds)}<span class="meter">'
        f'<i style="width:{width:.1f}%"></i></span></td>'
        f'<td class="time">{size_of(line.cost.bytes)}</td><td class="chips">{made}</td></tr>'
    )
