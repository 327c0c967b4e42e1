"""The results of training.py that are kept, as JSON, and a chart of them: `record.py FILE.json`.

Works are measured one by one or together, on whatever machine; each keeps where it was. The chart
stands beside the file, as SVG. Its bars are ratios within one run: how many times as fast the
fastest way of twinoar is as the fastest of the others, and how many times its eager mode is as the
fastest eager mode of the others.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

OURS = "twinoar "
ROW, BAR, LEFT, UNIT = 30, 10, 130, 150  # pixels: of a work, of a bar, of names, of a ratio of 1
MOST = 4.0  # longer bars are cut off
COLORS = {"compiled": "#2563eb", "eager": "#93c5fd"}

Times = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Record:
    """By work: the median and the least seconds of each peer, and the machine."""

    works: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, file: Path) -> Record:
        """What `file` holds, or nothing where there is none."""
        return cls(json.loads(file.read_text())) if file.exists() else cls()

    def add(self, work: str, times: Times, conditions: str) -> Record:
        """This record with what a run gave for `work`, in place of what an earlier one gave.

        conditions: how many threads, and what clock.
        """
        entry = {"processor": processor(), "conditions": conditions, "peers": dict(times)}
        return Record({**self.works, work: entry})

    def write(self, file: Path) -> None:
        """Keep it, and draw it beside: the old ones are there until the new ones are whole."""
        for target, text in (
            (file, json.dumps(self.works, indent=1, sort_keys=True) + "\n"),
            (file.with_suffix(".svg"), chart(self.works)),
        ):
            unfinished = target.with_name(f".{target.name}.new")
            unfinished.write_text(text)
            unfinished.replace(target)


def summary(times: Mapping[str, Sequence[float]]) -> dict[str, dict[str, float]]:
    """The median and the least of each peer's blocks, with five digits."""
    return {
        peer: {
            "median": float(f"{statistics.median(blocks):.5g}"),
            "least": float(f"{min(blocks):.5g}"),
        }
        for peer, blocks in times.items()
    }


def ratios(peers: Times) -> dict[str, float]:
    """How many times as fast twinoar is as the fastest of the others, at best and eagerly."""
    kinds = {"compiled": lambda name: True, "eager": lambda name: name.endswith("eager")}
    found = {}
    for kind, fits in kinds.items():
        least = {name: times["least"] for name, times in peers.items() if fits(name)}
        ours = [time for name, time in least.items() if name.startswith(OURS)]
        others = [time for name, time in least.items() if not name.startswith(OURS)]
        if ours and others:
            found[kind] = min(others) / min(ours)
    return found


def chart(works: Mapping[str, Mapping[str, Any]]) -> str:
    """An SVG with two bars for each work, the best work on top."""
    rows = {work: ratios(entry["peers"]) for work, entry in works.items()}
    rows = {work: found for work, found in rows.items() if "compiled" in found}
    order = sorted(rows, key=lambda work: -rows[work]["compiled"])
    width, height = LEFT + MOST * UNIT + 50, ROW * (len(order) + 2)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        'font-family="sans-serif" font-size="12" fill="#64748b">',
        "<title>How many times as fast as the fastest other framework</title>",
    ]
    for number, work in enumerate(order):
        lines += _row(work, rows[work], ROW * number + 6)
    one, bottom = LEFT + UNIT, ROW * len(order)
    lines += [
        f'<path d="M{one} 0V{bottom}" stroke="#64748b" stroke-dasharray="4 3"/>',
        f'<text x="{one}" y="{bottom + 14}" text-anchor="middle">1 = fastest other</text>',
        *_legend(bottom + 34),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _row(work: str, found: Mapping[str, float], top: int) -> list[str]:
    lines = [f'<text x="{LEFT - 8}" y="{top + 14}" text-anchor="end">{escape(work)}</text>']
    for number, (kind, ratio) in enumerate(found.items()):
        y, length = top + number * BAR, min(ratio, MOST) * UNIT
        lines += [
            f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR - 1}" '
            f'fill="{COLORS[kind]}"/>',
            f'<text x="{LEFT + length + 4:.1f}" y="{y + 9}" font-size="9">{ratio:.2f}</text>',
        ]
    return lines


def _legend(y: int) -> list[str]:
    names = {"compiled": "the fastest way of each", "eager": "eager mode of each"}
    lines = []
    for number, (kind, color) in enumerate(COLORS.items()):
        x = LEFT + number * 190
        lines += [
            f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{color}"/>',
            f'<text x="{x + 15}" y="{y}">{names[kind]}</text>',
        ]
    return lines


def processor() -> str:
    """What the system calls the processor."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else platform.machine()


def table(works: Mapping[str, Mapping[str, Any]]) -> str:
    """Both ratios of each work as Markdown, with the peers that they are to."""
    lines = [
        "| work | ms | fastest other | times as fast | eager | measured with |",
        "|---|---:|---|---:|---:|---|",
    ]
    for work, entry in works.items():
        found, least = ratios(entry["peers"]), {n: t["least"] for n, t in entry["peers"].items()}
        if "compiled" not in found:
            continue
        ours = min(time for name, time in least.items() if name.startswith(OURS))
        other = min((time, name) for name, time in least.items() if not name.startswith(OURS))
        eager = f"{found['eager']:.2f}" if "eager" in found else ""
        lines.append(
            f"| `{work}` | {ours * 1e3:.3g} | {other[1]}, {other[0] * 1e3:.3g} "
            f"| {found['compiled']:.2f} | {eager} | {entry['conditions']} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, metavar="FILE.json")
    file = parser.parse_args().file
    if not file.exists():
        parser.error(f"there is no {file}: training.py --record {file} makes one")
    record = Record.of(file)
    record.write(file)
    print(table(record.works))


if __name__ == "__main__":
    main()
