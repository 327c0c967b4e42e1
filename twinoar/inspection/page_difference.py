"""The difference of two models as a part of the page: totals, then operators side by side.

Each row is an entry of its own; its operators link to the chapters of the two models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import Any

from twinoar.core.ir.program import Operator
from twinoar.core.ir.text import print_operator
from twinoar.inspection.by_line import Cost, costs_of
from twinoar.inspection.chapter import Chapter
from twinoar.inspection.difference import KINDS, Pair, differences
from twinoar.inspection.explain import line_of
from twinoar.inspection.figures import size_of, time_of


def difference_section(id_: str, left: tuple[str, Chapter], right: tuple[str, Chapter]) -> str:
    """A section about two chapters, given with the ids that they have on the page."""
    pairs = differences(left[1].written, right[1].written)
    counts = Counter(p.kind for p in pairs)
    told = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind]) or "no operators"
    sides = [_Side(*left), _Side(*right)]
    rows = "\n".join(_row(f"{id_}-r{n}", p, sides) for n, p in enumerate(pairs))
    return "\n".join(
        [
            f'<section class="chapter difference" id="{id_}">',
            '<div class="lists">',
            f'<ul class="summary"><li>Operators: {told}</li></ul>',
            *_totals(left[1], right[1]),
            '<details class="block" open><summary><h2>Operators side by side</h2> '
            f"<small>{len(pairs)} rows, names of values aside</small></summary>",
            rows,
            "</details>",
            "</div>",
            "</section>",
        ]
    )


class _Side:
    """One of the two Programs: numbers and costs of its operators."""

    def __init__(self, id_: str, chapter: Chapter):
        self.id = id_
        self.numbers = {o: n for n, o in enumerate(chapter.written)}
        self.costs = costs_of(chapter)

    def cell(self, o: Operator | None) -> str:
        """An operator with its line and cost; nothing where there is none."""
        if o is None:
            return "<div></div>"
        text = escape(print_operator(o, sources=False), quote=False)
        return (
            f'<div><a href="#{self.id}-o{self.numbers[o]}"><code>{text}</code></a>'
            f'<span class="source"><i>{escape(line_of(o))}</i> {_cost(self.costs[o])}</span></div>'
        )


def _cost(cost: Cost) -> str:
    return f"{time_of(cost.seconds)}, {size_of(cost.bytes)} moved" if cost.seconds else ""


def _row(id_: str, pair: Pair, sides: list[_Side]) -> str:
    changes = "".join(f"<li>{escape(c)}</li>" for c in pair.changes)
    listed = f'<ul class="changes">{changes}</ul>' if changes else ""
    cells = sides[0].cell(pair.left) + sides[1].cell(pair.right)
    return (
        f'<div class="entry pair {pair.kind}" id="{id_}" data-nodes="">'
        f'<span class="kind">{pair.kind}</span>{cells}{listed}</div>'
    )


def _totals(left: Chapter, right: Chapter) -> Iterator[str]:
    """A table of what the two need in all."""
    yield (
        f'<table class="totals"><tr><th></th><th>{escape(left.name)}</th>'
        f"<th>{escape(right.name)}</th><th>ratio</th></tr>"
    )
    for (what, x, shown), (_, y, _) in zip(_figures(left), _figures(right), strict=True):
        ratio = f"{y / x:.2f}" if x else ""
        yield f"<tr><th>{what}</th><td>{shown(x)}</td><td>{shown(y)}</td><td>{ratio}</td></tr>"
    yield "</table>"


def _figures(c: Chapter) -> list[tuple[str, float, Any]]:
    rows = c.explanation.rows
    return [
        ("operators as written", len(c.written), _count),
        ("kernels and calls", len(rows), _count),
        ("time", c.explanation.seconds, time_of),
        ("floor", c.explanation.floor, time_of),
        ("bytes moved", sum(r.bytes for r in rows), size_of),
        ("operations", sum(r.operations for r in rows), _count),
        ("needed at once", max(c.occupancy.in_use, default=0), size_of),
        ("arena", c.occupancy.bytes, size_of),
        ("inputs and results", c.occupancy.given, size_of),
        ("kept by states", c.occupancy.kept, size_of),
    ]


def _count(number: float) -> str:
    return f"{number:,.0f}"
