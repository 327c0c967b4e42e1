"""Loops of few iterations that are written out as statements, so that others fill vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from twinoar.core.loop.expression import Axis, Expr, walk
from twinoar.core.loop.language import unflatten
from twinoar.core.loop.replacing import substitute
from twinoar.core.varying import typical

PLACES = 16  # iterations, at most, of loops that are written out,
LANES = 16  # where those of the innermost that is left are so many at least,
NODES = 1024  # and the statements so many operations at most
Places = list[dict[Axis, Expr]]


def written_out(axes: list[Axis], expressions: Sequence[Expr], is_shared: bool) -> Places:
    """The counters of the loops that are written out, by statement; they are taken from `axes`.

    is_shared: this is the outermost, as its iterations `share_operations`. Else it is the innermost
    where they are narrow: filters of 3 by 3 are nine statements, and the channels around them the
    lanes of vectors.
    """
    if is_shared and axes[0].size <= PLACES:
        return _places([axes.pop(0)])
    count = len(axes)
    while count > 1 and typical(_size(axes[count - 1 :])) <= PLACES:
        count -= 1
    if count < len(axes) and typical(axes[count - 1].size) >= LANES:
        places = _places(axes[count:])
        if _operations(places, expressions) <= NODES:
            del axes[count:]
            return places
    return []


def share_operations(axes: Sequence[Axis], expressions: Sequence[Expr]) -> bool:
    """True where the iterations of the outermost loop are few, and compute largely the same.

    So do the numbers of a tile of pixels, which are sums of the same pixels in other ways.
    """
    if len(axes) < 2 or typical(axes[0].size) > PLACES or typical(axes[-1].size) < LANES:
        return False
    if not any(e.kind == "select" and _asks(e.args[0], axes[0]) for e in walk(*expressions)):
        return False
    together = _operations(_places(axes[:1]), expressions)
    return together <= NODES and 2 * together <= axes[0].size * _operations([{}], expressions)


def _asks(condition: Expr, axis: Axis) -> bool:
    """True for a condition on the counter of a loop, and on no element."""
    return axis in condition.free and not any(e.kind == "load" for e in walk(condition))


def _places(axes: Sequence[Axis]) -> Places:
    """The values of the counters of loops in each iteration."""
    sizes = [a.size for a in axes]
    return [dict(zip(axes, unflatten(k, sizes), strict=True)) for k in range(_size(axes))]


def _size(axes: Sequence[Axis]) -> int:
    return math.prod(a.size for a in axes)


def _operations(places: Places, expressions: Sequence[Expr]) -> int:
    """How many operations the statements have, each counted once; counters and numbers are none."""
    statements = [substitute(e, place) for place in places for e in expressions]
    return sum(1 for e in walk(*statements) if e.kind not in ("axis", "const"))
