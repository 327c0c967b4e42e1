"""The page of operator_speed.py: each call beside the faster peer, and why where it is slow.

Reasons stand in operator_reasons.txt, one a line: a pattern of calls, sizes, ways (or *), the
reason. The first line that fits a figure is its reason.
"""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from operator_calls import ELEMENTS, LINES, read_calls

PAGE = Path(__file__).parents[1] / "docs" / "operator_speed.md"
REASONS = Path(__file__).with_name("operator_reasons.txt")
LIMIT = 1.5  # times the faster peer, above which a reason is wanted
OTHERS = "Samples, scaled"
WAYS = ("forward", "backward")
UNKNOWN = "not found out yet"

HEAD = """# Every operator

What `benchmarks/operator_speed.py` measures: all public functions of tensors, eagerly, at three
sizes, beside torch and the real Paddle. Each framework has a process of its own and one thread;
blocks of calls take turns, and the least processor time of them counts. Results are compared first,
and torch is left out where its function computes something else. Microseconds are twinoar's; in
brackets stands our time by that of the faster peer, so less than 1 is ahead of both. `backward` is
the call and the gradients of its floats together.

In the calls `x` makes normal numbers, `u` uniform ones, `z` complex ones, `s` sorted ones; `N` is
{elements}; `R` and `C` are 8, 256 and 1000, and the other sizes stand in
`operator_calls.py`. A call named *a sample* is the first sample of its operator that could be
scaled to so many elements; *int64* has integers in place of floats.

`--only "cumsum*" --sizes large` measures a part, `--json FILE` keeps records, of
which `--table FILE` writes this page. A cell is empty where a call has no gradient, no peer
computes the same, or the run was stopped before it.
"""


class Reason(NamedTuple):
    """Why figures that a pattern fits are above the limit."""

    pattern: str
    sizes: str
    ways: str
    text: str

    def fits(self, record: dict[str, Any]) -> bool:
        """True for records that it explains."""
        asked = ((self.sizes, record["size"]), (self.ways, record["way"]))
        named = all(of == "*" or is_ in of.split(",") for of, is_ in asked)
        return named and fnmatchcase(record["call"], self.pattern)


def ratio_of(record: dict[str, Any]) -> float | None:
    """Our time by that of the faster peer; None without one."""
    seconds = record["seconds"]
    peers = [s for name, s in seconds.items() if name != "twinoar"]
    return seconds["twinoar"] / min(peers) if peers and "twinoar" in seconds else None


def reasons() -> list[Reason]:
    """Those of operator_reasons.txt, in order."""
    lines = [line for line in REASONS.read_text().splitlines() if line and line[0] != "#"]
    return [Reason(*(part.strip() for part in line.split("|"))) for line in lines]


def write_page(records: list[dict[str, Any]]) -> None:
    """Write docs/operator_speed.md, beside it first."""
    text = "\n".join(page(records, reasons())) + "\n"
    kept = PAGE.with_name(PAGE.name + ".new")
    kept.write_text(text)
    kept.replace(PAGE)


def page(records: list[dict[str, Any]], known: list[Reason]) -> Iterator[str]:
    """The lines of the page."""
    yield HEAD.format(elements=", ".join(f"{n:,}" for n in ELEMENTS.values()))
    found = {(r["call"], r["size"], r["way"]): r for r in records if ratio_of(r) is not None}
    slow = [r for r in found.values() if (ratio_of(r) or 0) > LIMIT]
    used = Counter(reason_of(record, known) for record in slow)
    numbers = {text: number for number, (text, _) in enumerate(used.most_common(), 1)}
    yield from summary(list(found.values()))
    yield "## Reasons"
    yield f"\nFor what takes more than {LIMIT} times as long as the faster peer, by number.\n"
    yield "| number | figures | reason |\n|---:|---:|---|"
    for text, number in numbers.items():
        yield f"| {number} | {used[text]} | {text} |"
    calls = dict.fromkeys(call for call, _, _ in found)
    family = families()
    for section in dict.fromkeys([*family.values(), OTHERS]):
        rows = [call for call in calls if family.get(call, OTHERS) == section]
        if not rows:
            continue
        yield f"\n## {section}\n"
        columns = [f"{size} {way}" for size in ELEMENTS for way in WAYS]
        yield f"| microseconds (ratio) | {' | '.join(columns)} | reasons |"
        yield "|---|" + "---:|" * len(columns) + "---|"
        for call in rows:
            own = [found.get((call, size, way)) for size in ELEMENTS for way in WAYS]
            why = [reason_of(r, known) for r in own if r and (ratio_of(r) or 0) > LIMIT]
            told = ", ".join(str(n) for n in sorted({numbers[text] for text in why}))
            yield f"| `{call}` | {' | '.join(map(cell, own))} | {told} |"


def summary(records: list[dict[str, Any]]) -> Iterator[str]:
    """How many figures are ahead and behind, by size and way."""
    yield f"Measured with {platform.python_implementation()} {platform.python_version()}.\n"
    yield "| | figures | ahead | up to 1.5 | above | median |\n|---|---:|---:|---:|---:|---:|"
    for size in ELEMENTS:
        for way in WAYS:
            some = sorted(
                ratio_of(r) or 0 for r in records if r["size"] == size and r["way"] == way
            )
            if some:
                ahead, slow = sum(r < 1 for r in some), sum(r > LIMIT for r in some)
                counts = f"{len(some)} | {ahead} | {len(some) - ahead - slow} | {slow}"
                yield f"| {size}, {way} | {counts} | {some[len(some) // 2]:.2f} |"
    yield ""


def reason_of(record: dict[str, Any], known: list[Reason]) -> str:
    """Why a figure is above the limit."""
    return next((reason.text for reason in known if reason.fits(record)), UNKNOWN)


def cell(record: dict[str, Any] | None) -> str:
    """Our microseconds and the ratio."""
    if record is None:
        return ""
    ratio = ratio_of(record) or 0
    shown = f"{ratio:.2f}" if ratio <= LIMIT else f"**{ratio:.2f}**"
    return f"{record['seconds']['twinoar'] * 1e6:.3g} ({shown})"


def families() -> dict[str, str]:
    """The section of operator_calls.txt that each call stands in."""
    found, section = {}, ""
    for line in LINES.read_text().splitlines():
        if line.startswith("# "):
            section = line[2:]
        for call in read_calls(line):
            found[call.removeprefix("paddle.")] = section
    return found
