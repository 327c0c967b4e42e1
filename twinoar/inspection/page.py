"""Chapters as one HTML page that needs nothing from elsewhere: the picture, lists, links, code.

An element's id is made of its chapter and what it is: c0-o5 an operator as it was written, c0-n5
its node in the picture, c0-l7 an operator of the lowered Program, c0-k3 a kernel or call; d0 is the
difference of two chapters.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from pathlib import Path

from twinoar.core.ir.program import Operator
from twinoar.core.ir.text import print_operator
from twinoar.inspection.by_line import costs_of, files_of
from twinoar.inspection.chapter import Chapter, PassChange
from twinoar.inspection.explain import Row, line_of
from twinoar.inspection.figures import rate_of, size_of, time_of
from twinoar.inspection.page_difference import difference_section
from twinoar.inspection.page_memory import memory_block
from twinoar.inspection.page_precision import precision_block
from twinoar.inspection.page_source import source_block
from twinoar.inspection.picture import picture
from twinoar.version import __version__

FOLDER = Path(__file__).parent
NAME = re.compile(r"%([\w.@/\-]*\w)")
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="twinoar {version}">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<header>
<h1>{title}</h1>
<nav>{tabs}</nav>
<input id="search" type="search" placeholder="Search operators, kernels, lines" aria-label="Search">
<output id="found"></output>
</header>
<main>
{chapters}
</main>
{texts}
<script>
{script}
</script>
</body>
</html>
"""


def page(title: str, chapters: Sequence[Chapter], compared: Sequence[tuple[int, int]] = ()) -> str:
    """The page about these chapters. compared: those whose difference comes first, by number."""
    tabs = [
        *(f'<a href="#d{n}">difference{f" {n + 1}" * (n > 0)}</a>' for n in range(len(compared))),
        *(f'<a href="#c{n}">{escape(c.name + _bound(c))}</a>' for n, c in enumerate(chapters)),
    ]
    sections = [
        difference_section(f"d{n}", (f"c{a}", chapters[a]), (f"c{b}", chapters[b]))
        for n, (a, b) in enumerate(compared)
    ]
    sections += [_Chapter(n, c).section() for n, c in enumerate(chapters)]
    return PAGE.format(
        title=escape(title),
        style=(FOLDER / "page.css").read_text(),
        tabs="\n".join(tabs) if len(tabs) > 1 else "",
        chapters="\n".join(sections),
        texts="\n".join(t for n, c in enumerate(chapters) for t in _texts(n, c)),
        version=__version__,
        script=(FOLDER / "page.js").read_text(),
    )


def _bound(chapter: Chapter) -> str:
    return "".join(f" {name}={size}" for name, size in chapter.sizes.items())


def _texts(number: int, chapter: Chapter) -> Iterable[str]:
    """The long texts, which the script puts in place when they are asked for."""
    for n, code in chapter.codes.items():
        for kind, text in (("ir", code.ir), ("assembly", code.assembly)):
            inert = text.replace("</", "<\\/")
            yield f'<script type="text/plain" id="c{number}-{kind}{n}">\n{inert}</script>'


class _Chapter:
    """A chapter as HTML."""

    def __init__(self, number: int, chapter: Chapter):
        self.chapter, self.id = chapter, f"c{number}"
        self.written = {o: n for n, o in enumerate(chapter.written)}
        self.lowered = {o: n for n, o in enumerate(chapter.lowered.main.ops)}
        self.slowest = max((r.seconds for r in chapter.explanation.rows), default=0.0)
        self.costs = costs_of(chapter)
        self.comes_of: dict[int, list[Operator]] = {}  # operators as written, by batch
        for o in chapter.written:
            for n in chapter.batches[o]:
                self.comes_of.setdefault(n, []).append(o)

    def section(self) -> str:
        """All of it."""
        c, rows = self.chapter, self.chapter.explanation.rows
        lowered = c.lowered.main.ops
        return "\n".join(
            [
                f'<section class="chapter" id="{self.id}">',
                '<div class="picture">',
                picture(self.id, c.written, self._share),
                "</div>",
                '<div class="lists">',
                self._summary(),
                _block(
                    "Kernels and calls",
                    f"{len(rows)}, in the order in which they run",
                    [_sorting(), *map(self._row, rows)],
                ),
                _block(
                    "Program and source",
                    "time and bytes by line; a kernel of several operators counts in equal parts",
                    source_block(files_of(c, self.costs), self._short_chip),
                    is_open=False,
                ),
                _block(
                    "Memory over time",
                    f"arena {size_of(c.occupancy.bytes)}",
                    memory_block(self.id, c.occupancy, c.origin, self._chip),
                    is_open=False,
                ),
                *self._precision(),
                _block(
                    "Operators as written",
                    str(len(c.written)),
                    map(partial(self._operator, "o", self.written), c.written),
                ),
                _block(
                    "Passes",
                    "what each changes on the way to kernels",
                    map(_pass, c.passes),
                    is_open=False,
                ),
                _block(
                    "Operators after the passes",
                    str(len(lowered)),
                    map(partial(self._operator, "l", self.lowered), lowered),
                    is_open=False,
                ),
                "</div>",
                "</section>",
            ]
        )

    def _summary(self) -> str:
        totals = self.chapter.explanation.totals()
        lines = "\n".join(f"<li>{escape(line.strip())}</li>" for line in totals)
        return f'<ul class="summary">\n{lines}\n</ul>'

    def _precision(self) -> Iterable[str]:
        """Where bits are lost, if that was measured."""
        losses = self.chapter.losses
        if losses:
            lines = precision_block(losses, self.written, self._chip)
            yield _block("Where bits are lost", "in lower precision, beside float32", lines)

    def _share(self, o: Operator) -> float:
        """The share that the kernels of an operator have in the time of the slowest kernel."""
        rows = self.chapter.explanation.rows
        spent = [rows[n].seconds / len(self.comes_of[n]) for n in self.chapter.batches[o]]
        return min(1.0, sum(spent) / self.slowest) if self.slowest else 0.0

    # Kernels and calls.

    def _row(self, r: Row) -> str:
        sources = self.comes_of.get(r.number, [])
        total = self.chapter.explanation.seconds
        width = 100 * r.seconds / self.slowest if self.slowest else 0
        nodes = " ".join(str(self.written[o]) for o in sources)
        return (
            f'<details class="entry kernel" id="{self.id}-k{r.number}" data-nodes="{nodes}" '
            f'data-order="{r.number}" data-seconds="{r.seconds:.9f}">\n<summary>'
            f'<span class="number">{r.number}</span>'
            f'<span class="time">{time_of(r.seconds)}</span>'
            f'<span class="meter"><i style="width:{width:.1f}%"></i></span>'
            f'<span class="way {r.kind.lower()}">{escape(r.runs_as)}</span>'
            f'<span class="computes">{escape(r.computes)}</span></summary>\n'
            f"{_facts(r, total)}{self._sources(sources)}{self._computed(r)}{self._code(r)}"
            "</details>"
        )

    def _sources(self, operators: Sequence[Operator]) -> str:
        links = " ".join(map(self._chip, operators))
        return f'<p class="chips">{links}</p>\n' if links else ""

    def _chip(self, o: Operator) -> str:
        """A link to an operator as it was written."""
        return (
            f'<a class="chip {o.role}" href="#{self.id}-o{self.written[o]}">{escape(o.op.name)}'
            f"<small>{escape(line_of(o))}</small></a>"
        )

    def _short_chip(self, o: Operator) -> str:
        """A link to an operator, with what it makes instead of its line."""
        specs = [str(v.spec) for v in o.results if v is not None]
        made = specs[0] if specs else ""
        made += f" and {len(specs) - 1} more" if len(specs) > 1 else ""
        return (
            f'<a class="chip {o.role}" href="#{self.id}-o{self.written[o]}">{escape(o.op.name)}'
            f"<small>{escape(made)}</small></a>"
        )

    def _computed(self, r: Row) -> str:
        lines = "\n".join(self._line("l", self.lowered, o) for o in r.operators)
        return f'<pre class="operators">{lines}</pre>\n' if lines else ""

    def _code(self, r: Row) -> str:
        code = self.chapter.codes.get(r.number)
        if code is None:
            return f'<p class="note">{escape(r.reason)}</p>\n' if r.reason else ""
        return "\n".join(
            [
                f"<h4>Loop nest</h4><pre>{escape(code.loops)}</pre>",
                _code_block("LLVM IR", f"{self.id}-ir{r.number}", code.ir),
                _code_block("Assembly", f"{self.id}-assembly{r.number}", code.assembly),
                "",
            ]
        )

    # Operators.

    def _operator(self, letter: str, numbers: dict[Operator, int], o: Operator) -> str:
        written = o if letter == "o" else self.chapter.origin.get(o)
        nodes = "" if written is None else str(self.written[written])
        kernels = " ".join(
            f'<a class="chip" href="#{self.id}-k{n}">{n}</a>' for n in self.chapter.batches[o]
        )
        label = "kernel" if len(self.chapter.batches[o]) == 1 else "kernels"
        where = f"{label} {kernels}" if kernels else "no kernel: known before a run, or not needed"
        if letter == "o" and kernels:
            cost = self.costs[o]
            where += f", {time_of(cost.seconds)}, {size_of(cost.bytes)} moved"
        origin = ""
        if letter == "l" and written is not None:
            origin = self._chip(written)
        return (
            f'<div class="entry operator {o.role}" id="{self.id}-{letter}{numbers[o]}" '
            f'data-nodes="{nodes}"><code>{self._line(letter, numbers, o)}</code>'
            f"{_source(o) if letter == 'o' else ''}{origin}"
            f'<span class="chips">{where}</span></div>'
        )

    def _line(self, letter: str, numbers: dict[Operator, int], o: Operator) -> str:
        """An operator's text; names of values are links to what computes them."""
        known = {x.name: x.producer for x in o.operands if hasattr(x, "producer")}
        known |= {v.name: o for v in o.results if v is not None}

        def linked(found: re.Match[str]) -> str:
            producer = known.get(found[1])
            if producer not in numbers:
                return f"<b>{found[0]}</b>"
            return f'<a href="#{self.id}-{letter}{numbers[producer]}">{found[0]}</a>'

        return NAME.sub(linked, escape(print_operator(o, sources=False), quote=False))


def _block(title: str, note: str, content: Iterable[str], *, is_open: bool = True) -> str:
    opened = " open" if is_open else ""
    body = "\n".join(content)
    return (
        f'<details class="block"{opened}><summary><h2>{title}</h2> <small>{note}</small>'
        f"</summary>\n{body}\n</details>"
    )


def _sorting() -> str:
    return (
        '<p class="sorting"><button data-sort="order" class="on">in order</button>'
        '<button data-sort="seconds">slowest first</button></p>'
    )


def _facts(r: Row, total: float) -> str:
    facts = {
        "share": f"{100 * r.seconds / total:.1f} %" if total else "",
        "moved": size_of(r.bytes),
        "rate": rate_of(r.bytes, r.seconds, "GB/s"),
        "operations": f"{r.operations:,}",
        "speed": rate_of(r.operations, r.seconds, "GFLOP/s"),
        "floor": time_of(r.floor),
        "of floor": f"{100 * r.floor / r.seconds:.0f} %" if r.seconds else "",
    }
    pairs = "".join(f"<div><dt>{k}</dt><dd>{v}</dd></div>" for k, v in facts.items())
    return f"<dl>{pairs}</dl>\n"


def _pass(change: PassChange) -> str:
    r = change.record
    kinds: dict[str, Callable[[str], str]] = {
        "+": lambda line: f"<ins>{line}</ins>",
        "-": lambda line: f"<del>{line}</del>",
        "@": lambda line: "<i>⋯</i>",
    }
    lines = [kinds.get(line[:1], str)(escape(line, quote=False)) for line in change.difference]
    body = "\n".join(lines) or "no change"
    note = f"{r.operators_before} to {r.operators_after} operators, {r.seconds * 1e3:.1f} ms"
    return (
        f'<details class="entry pass"><summary><code>{escape(r.name)}</code> <small>{note}</small>'
        f'</summary>\n<pre class="difference">{body}</pre></details>'
    )


def _code_block(title: str, text_id: str, text: str) -> str:
    count = text.count("\n")
    return (
        f'<details class="code" data-text="{text_id}"><summary>{title} <small>{count} lines'
        "</small></summary></details>"
    )


def _source(o: Operator) -> str:
    """Where an operator comes from, and the line."""
    if o.source is None:
        return ""
    line = linecache.getline(o.source.file, o.source.line).strip()
    return (
        f'<span class="source" title="{escape(o.source.file)}"><i>{escape(line_of(o))}</i> '
        f"{escape(line)}</span>"
    )
