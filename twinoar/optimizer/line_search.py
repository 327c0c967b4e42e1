"""A line search: how far to go along a direction that leads down.

A point is where the search has been: how far that is, the value there, the slope along the
direction, and the gradient, which only the caller looks at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.late import dataclass

DECREASE = 1e-4  # c1 and c2 of Nocedal and Wright, Numerical Optimization, 2006, eq. 3.7
CURVATURE = 0.9
MOST_POINTS = 25
GROWTH = (0.01, 10.0)  # the next step beyond the last one: this much of the way to it, or of it
MARGIN = 0.1  # of a bracket: a step nearer to its ends gains too little


@dataclass(frozen=True, slots=True)
class Point:
    """Where a search has been; value and slope are in the precision of the parameters."""

    step: Any
    value: Any
    slope: Any
    gradient: Any


def strong_wolfe(
    at: Callable[[float], Point],
    start: Point,
    step: float,
    tolerance: float,
    most_points: int = MOST_POINTS,
) -> tuple[Point, int]:
    """A point that meets the strong Wolfe conditions, and how many points were looked at.

    at: gives the point at a step. start: the point at 0, whose slope is negative. step: the first
    to try. tolerance: the width of a bracket that is not worth dividing. The best point known,
    where most_points were not enough. Source: Nocedal and Wright 2006, algorithms 3.5 and 3.6.
    """
    previous, point, seen = start, at(step), 1
    while seen <= most_points:
        if _is_too_high(point, start) or (seen > 2 and point.value >= previous.value):
            return _zoom(at, start, (previous, point), (seen, most_points), tolerance)
        if _is_flat(point, start):
            return point, seen
        if point.slope >= 0:
            return _zoom(at, start, (previous, point), (seen, most_points), tolerance)
        least = point.step + GROWTH[0] * (point.step - previous.step)
        step = cubic_minimum(previous, point, least, GROWTH[1] * point.step)
        previous, point, seen = point, at(step), seen + 1
    return min(start, point, key=lambda p: p.value), seen


def _zoom(
    at: Callable[[float], Point],
    start: Point,
    bracket: tuple[Point, Point],
    counts: tuple[int, int],
    tolerance: float,
) -> tuple[Point, int]:
    seen, most_points = counts
    low, high = sorted(bracket, key=lambda p: p.value)
    was_near_an_end = False
    while seen <= most_points and abs(high.step - low.step) >= tolerance:
        least, most = sorted((low.step, high.step))
        step = cubic_minimum(low, high, least, most)
        margin = MARGIN * (most - least)
        is_near_an_end = min(most - step, step - least) < margin
        if is_near_an_end and (was_near_an_end or step in (least, most)):
            step = most - margin if most - step < step - least else least + margin
            is_near_an_end = False
        was_near_an_end = is_near_an_end
        point, seen = at(step), seen + 1
        if _is_too_high(point, start) or point.value >= low.value:
            low, high = sorted((low, point), key=lambda p: p.value)
            continue
        if _is_flat(point, start):
            return point, seen
        if point.slope * (high.step - low.step) >= 0:
            high = low
        low = point
    return low, seen


def cubic_minimum(one: Point, other: Point, least: float, most: float) -> float:
    """Where the cubic through two points is lowest in [least,most]; their middle without a minimum.

    Source: Nocedal and Wright 2006, eq. 3.59.
    """
    one, other = sorted((one, other), key=lambda p: p.step)
    width = other.step - one.step
    if width == 0:
        return (least + most) / 2
    d1 = one.slope + other.slope - 3 * (one.value - other.value) / (one.step - other.step)
    square = d1 * d1 - one.slope * other.slope
    if not square >= 0:
        return (least + most) / 2
    d2 = np.sqrt(square)
    bottom = other.slope - one.slope + 2 * d2
    if bottom == 0:
        return (least + most) / 2
    step = other.step - width * (other.slope + d2 - d1) / bottom
    return (least + most) / 2 if np.isnan(step) else min(max(step, least), most)


def _is_too_high(point: Point, start: Point) -> bool:
    return not point.value <= start.value + DECREASE * point.step * start.slope


def _is_flat(point: Point, start: Point) -> bool:
    return abs(point.slope) <= -CURVATURE * start.slope
