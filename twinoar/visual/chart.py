"""Curves as SVG: a panel for what is counted, a line for each part of the training.

It is drawn here, as a notebook shows it anew after each epoch, and matplotlib would take longer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

from twinoar.visual.curves import Curves, counted

WIDTH, HEIGHT = 340, 210  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 26, 26  # margins around its lines
COLORS = ("#3d6fb8", "#b8632a", "#3f8658", "#8a4fae", "#c8372d")
TICKS = 4
POINTS = 400  # of a line, at the most


def chart(curves: Curves) -> str:
    """A picture of curves by tag, `train/loss` and `eval/loss` in one panel: an SVG element.

    Numbers that are not finite are left out. Without any number the picture is empty.

    >>> chart({"train/loss": [(0, 1.0), (1, 0.5)]}).count("<polyline")
    1
    """
    panels: dict[str, dict[str, Sequence[tuple[int, float]]]] = {}
    for tag, points in curves.items():
        finite = [(x, y) for x, y in points if math.isfinite(y)]
        if finite:
            panels.setdefault(counted(tag), {})[tag.partition("/")[0]] = _thinned(finite)
    drawn = [_panel(n * WIDTH, name, lines) for n, (name, lines) in enumerate(panels.items())]
    width = max(1, len(drawn)) * WIDTH
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" '
        f'height="{HEIGHT}" font-family="sans-serif" font-size="11" fill="currentColor">'
    )
    return "\n".join([head, *drawn, "</svg>"])


def _panel(left: int, name: str, lines: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    xs = [x for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    across = _scale(min(xs), max(xs), LEFT, WIDTH - RIGHT)
    up = _scale(min(ys), max(ys), HEIGHT - BOTTOM, TOP)
    found = [f'<g transform="translate({left} 0)">', _text(LEFT, 14, name, "font-weight='600'")]
    for y in _ticks(min(ys), max(ys)):
        at = up(y)
        found.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" '
            'stroke="currentColor" stroke-opacity="0.15"/>'
        )
        found.append(_text(LEFT - 6, at + 4, f"{y:.4g}", "text-anchor='end' opacity='0.7'"))
    for x in sorted({min(xs), max(xs)}):
        found.append(_text(across(x), HEIGHT - 8, f"{x}", "text-anchor='middle' opacity='0.7'"))
    for n, (mode, points) in enumerate(lines.items()):
        color = COLORS[n % len(COLORS)]
        places = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
        if len(points) == 1:
            x, y = points[0]
            found.append(f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3" fill="{color}"/>')
        found.append(
            f'<polyline points="{places}" fill="none" stroke="{color}" stroke-width="1.6"/>'
        )
        end = WIDTH - RIGHT - 62 * (len(lines) - 1 - n)
        told = f"text-anchor='end' fill='{color}'"
        found.append(_text(end, 14, mode, told))
    return "\n".join([*found, "</g>"])


def _scale(least: float, most: float, low: float, high: float) -> Callable[[float], float]:
    span = most - least

    def place(value: float) -> float:
        share = (value - least) / span if span else 0.5
        return low + share * (high - low)

    return place


def _ticks(least: float, most: float) -> list[float]:
    if least == most:
        return [least]
    return [least + (most - least) * k / TICKS for k in range(TICKS + 1)]


def _thinned(points: Sequence[tuple[int, float]]) -> Sequence[tuple[int, float]]:
    if len(points) <= POINTS:
        return points
    stride = -(-len(points) // POINTS)
    return [*points[: len(points) - 1 : stride], points[-1]]


def _text(x: float, y: float, text: str, told: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {told}>{escape(text)}</text>'
