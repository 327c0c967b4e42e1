"""Memory over time as a part of the page: bytes in use by batch, where each buffer lies, the peak.

An element of class `buffer` is a rectangle: from left to right the batches that need it, from
bottom to top where it lies in the arena.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from html import escape

from twinoar.core.ir.program import Operator
from twinoar.inspection.explain import line_of
from twinoar.inspection.figures import size_of
from twinoar.inspection.occupancy import Buffer, Occupancy

WIDTH, USE, PLACES, GAP = 800, 90, 220, 14  # of the picture, its two parts, and between them
DRAWN = 600  # buffers, the largest: more cannot be told apart
LISTED = 30  # buffers at the peak


def memory_block(
    id_: str, occupancy: Occupancy, origin: Mapping[Operator, Operator], chip: Callable[..., str]
) -> Iterator[str]:
    """The lines of the part. chip: a link to an operator as it was written."""
    if not occupancy.buffers:
        yield (
            '<p class="note">Nothing lies in the arena: what runs works in inputs, states and '
            f"results. States keep {size_of(occupancy.kept)}, inputs and results "
            f"{size_of(occupancy.given)}.</p>"
        )
        return
    peak = occupancy.peak
    yield (
        f'<p class="note">At most {size_of(occupancy.in_use[peak])} are needed at once, by '
        f'<a href="#{id_}-k{peak}">kernel {peak}</a>, in an arena of {size_of(occupancy.bytes)}; '
        f"states, and what follows from them, keep {size_of(occupancy.kept)} beside it, inputs and "
        f"results {size_of(occupancy.given)}. Above: "
        "bytes in use. Below: where each buffer lies, from the kernel that writes it to the last "
        "that reads it.</p>"
    )
    yield _picture(id_, occupancy, origin)
    living = occupancy.living_at(peak)
    yield f"<h4>In use at kernel {peak}, {len(living)} buffers</h4>"
    yield '<table class="buffers">'
    for b in living[:LISTED]:
        yield _listed(id_, b, living[0].bytes, origin, chip)
    yield "</table>"
    if len(living) > LISTED:
        rest = size_of(sum(b.bytes for b in living[LISTED:]))
        yield f'<p class="note">and {len(living) - LISTED} smaller ones, {rest}</p>'


def _listed(
    id_: str,
    b: Buffer,
    largest: int,
    origin: Mapping[Operator, Operator],
    chip: Callable[..., str],
) -> str:
    written = origin.get(b.maker) if b.maker is not None else None
    made = chip(written) if written is not None else ""
    width = 100 * b.bytes / largest if largest else 0
    return (
        f'<tr><td class="time">{size_of(b.bytes)}</td>'
        f'<td><span class="meter"><i style="width:{width:.1f}%"></i></span></td>'
        f"<td><code>{escape(_names(b))}</code></td><td>{made}</td>"
        f'<td class="chips">kernels <a class="chip" href="#{id_}-k{b.first}">{b.first}</a> to '
        f'<a class="chip" href="#{id_}-k{b.last}">{b.last}</a></td></tr>'
    )


def _picture(id_: str, occupancy: Occupancy, origin: Mapping[Operator, Operator]) -> str:
    count, top = len(occupancy.in_use), max(occupancy.in_use)
    step, height = WIDTH / count, USE + GAP + PLACES
    lines = [
        f'<svg class="memory" viewBox="0 0 {WIDTH} {height}" xmlns="http://www.w3.org/2000/svg" '
        'role="img" aria-label="memory over time">'
    ]
    points = [f"0,{USE}"]
    for n, used in enumerate(occupancy.in_use):
        y = USE - (USE - 4) * used / top if top else USE
        points += [f"{n * step:.1f},{y:.1f}", f"{(n + 1) * step:.1f},{y:.1f}"]
    points.append(f"{WIDTH},{USE}")
    lines.append(f'<polygon class="use" points="{" ".join(points)}"/>')
    at = (occupancy.peak + 0.5) * step
    lines.append(f'<line class="peak" x1="{at:.1f}" x2="{at:.1f}" y1="0" y2="{height}"/>')
    drawn = sorted(occupancy.buffers, key=lambda b: -b.bytes)[:DRAWN]
    lines += [_rectangle(id_, b, step, occupancy.bytes, origin) for b in drawn]
    return "\n".join([*lines, "</svg>"])


def _rectangle(
    id_: str, b: Buffer, step: float, total: int, origin: Mapping[Operator, Operator]
) -> str:
    scale = PLACES / max(total, 1)
    y = USE + GAP + PLACES - (b.offset + b.bytes) * scale
    written = origin.get(b.maker) if b.maker is not None else None
    role = "own" if written is None else written.role
    where = "" if written is None else f"\n{written.op.name} {line_of(written)}"
    told = f"{_names(b)}: {size_of(b.bytes)}, kernels {b.first} to {b.last}{where}"
    return (
        f'<a href="#{id_}-k{b.first}"><rect class="buffer {role}" x="{b.first * step:.2f}" '
        f'y="{y:.2f}" width="{(b.last - b.first + 1) * step:.2f}" '
        f'height="{max(b.bytes * scale, 0.5):.2f}"><title>{escape(told)}</title></rect></a>'
    )


def _names(b: Buffer) -> str:
    shown = ", ".join(f"%{name}" if b.maker is not None else name for name in b.names[:3])
    return shown + (f" and {len(b.names) - 3} more" if len(b.names) > 3 else "")
