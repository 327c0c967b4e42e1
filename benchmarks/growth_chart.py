"""A chart of ratios by size as SVG: a panel for each thing that grows, and a line for the aim."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

WIDTH, HEIGHT = 260, 200  # of a panel, in pixels
LEFT, RIGHT, TOP, BOTTOM = 34, 24, 56, 30
INK, LINE, GRID, AIMED = "#333", "#1764ab", "#ddd", "#b5523b"
FONT = 'font-family="sans-serif" font-size="11"'


def drawn(series: Mapping[str, Mapping[int, float]], aim: float, title: str) -> str:
    """The chart. series: by the name of a panel, ratios by size."""
    panels = {name: points for name, points in series.items() if points}
    highest = max([aim, 1.0, *(y for points in panels.values() for y in points.values())])
    top = math.ceil(highest * 2 + 0.2) / 2  # room for the text above a point
    body = [f'<text x="8" y="16" {FONT} fill="{INK}">{escape(title)}</text>']
    for number, (name, points) in enumerate(panels.items()):
        body += _panel(name, points, aim, top, number * WIDTH)
    width = WIDTH * max(1, len(panels))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}"'
    return "\n".join([f'{head} viewBox="0 0 {width} {HEIGHT}">', *body, "</svg>", ""])


def _panel(name: str, points: Mapping[int, float], aim: float, top: float, left: int) -> list[str]:
    sizes = sorted(points)
    low, high = math.log(sizes[0]), math.log(max(sizes[-1], sizes[0] + 1))

    def x(size: float) -> float:
        return left + LEFT + (math.log(size) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(ratio: float) -> float:
        return HEIGHT - BOTTOM - ratio / top * (HEIGHT - TOP - BOTTOM)

    end = left + WIDTH - RIGHT
    found = [f'<text x="{left + LEFT}" y="34" {FONT} fill="{INK}">{escape(name)}</text>']
    for ratio in (0.0, 1.0, top):
        found += [
            _line(left + LEFT, y(ratio), end, y(ratio), GRID),
            _text(left + LEFT - 6, y(ratio) + 4, f"{ratio:g}", "end"),
        ]
    found.append(_line(left + LEFT, y(aim), end, y(aim), AIMED, dashed=True))
    for size in sizes:
        found.append(_text(x(size), HEIGHT - BOTTOM + 15, f"{size:,}", "middle"))
    path = " ".join(f"{x(size):.1f},{y(points[size]):.1f}" for size in sizes)
    found.append(f'<polyline points="{path}" fill="none" stroke="{LINE}" stroke-width="2"/>')
    for size in sizes:
        place = f'cx="{x(size):.1f}" cy="{y(points[size]):.1f}"'
        found.append(f'<circle {place} r="3" fill="{LINE}"/>')
        found.append(_text(x(size), y(points[size]) - 7, f"{points[size]:.2f}", "middle"))
    return found


def _line(x: float, y: float, to_x: float, to_y: float, color: str, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{color}"{dashes}/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} {FONT} fill="{INK}">{escape(text)}</text>'
