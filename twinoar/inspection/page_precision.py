"""Where bits are lost as a part of the page: results in lower precision beside those in float32."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

from twinoar.core.ir.program import Operator
from twinoar.inspection.precision import ALL_BITS, COLUMNS, Loss, summary


def precision_block(
    losses: Sequence[Loss], written: Mapping[Operator, int], chip: Callable[[Operator], str]
) -> Iterator[str]:
    """The lines of the part. written: the operators of the page, found by their results' names."""
    by_result = {v.name: o for o in written for v in o.results if v is not None}
    first = next((n for n, x in enumerate(losses) if x.is_bad), -1)
    yield f'<p class="note">{escape(summary(losses))}</p>'
    head = "".join(f"<th>{name}</th>" for name in COLUMNS[1:])
    yield f'<table class="bits"><tr>{head}<th></th></tr>'
    for n, x in enumerate(losses):
        known = by_result.get(x.result)
        name, *cells = x.cells
        shown = [escape(name) if known is None else chip(known), *map(escape, cells)]
        mark = "first" if n == first else "bad" if x.is_bad else ""
        row = "".join(f"<td>{cell}</td>" for cell in shown)
        width = 100 * x.bits / ALL_BITS
        bar = f'<td><span class="meter"><i style="width:{width:.1f}%"></i></span></td>'
        yield f'<tr class="{mark}">{row}{bar}</tr>'
    yield "</table>"
