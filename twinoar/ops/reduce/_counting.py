"""Counts by place: blocks count side by side, each for itself, and then what they found is added.

How many blocks there are depends on the sizes alone, so results do not depend on how many threads
there are.
"""

from __future__ import annotations

from twinoar.core.dtype import float64, int32, int64
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, procedure

BLOCK = 1 << 15  # elements of a block at least
BLOCKS = 64  # at most


def blocks_of(n: int, places: int = 1) -> int:
    """Into how many blocks n elements are cut, of which each counts at so many places."""
    return max(1, min(BLOCKS, n // max(BLOCK, places)))


def counts_of(
    p: Launcher, at: Array, places: int, weight: Array | None = None, out: Array | None = None
) -> Array:
    """Launch how often each place occurs in `at`, or the sum of its weights; outside is none.

    at: [n], integers. weight: [n]. Returns [places], int64, or float64 with weights; or `out`.
    """
    blocks = blocks_of(at.size, places)
    dtype = int64 if weight is None else float64
    is_direct = blocks == 1 and out is not None and out.dtype is dtype
    own = out.reshape(1, places) if out and is_direct else p.scratch((blocks, places), dtype)
    given = at if weight is None else weight
    p.launch(_counted, blocks, at, given, own, is_weighed=weight is not None, work=2 * at.size)
    if is_direct or (blocks == 1 and out is None):
        return own.reshape(places)
    counts = out or p.scratch((places,), dtype)
    chunks = -(-places // BLOCK)
    p.launch(_summed, chunks, own, counts, chunks)
    return counts


@procedure
def _counted(block, at, weight, own, *, is_weighed):
    n, blocks = at.shape[0], own.shape[0]
    for place in range(own.shape[1]):
        own[block, place] = cast(0, own)
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        place = cast(at[k], int64)
        if (place >= 0) & (place < own.shape[1]):
            own[block, place] += cast(weight[k], own) if is_weighed else cast(1, own)


@procedure
def _summed(chunk, own, counts, chunks):
    """Add what blocks have counted, in their order."""
    n = counts.shape[0]
    for block in range(1, own.shape[0]):
        for place in range(chunk * n // chunks, (chunk + 1) * n // chunks):
            own[0, place] += own[block, place]
    for place in range(chunk * n // chunks, (chunk + 1) * n // chunks):
        counts[place] = cast(own[0, place], counts)


# Equal intervals.


def launch_edges(
    p: Launcher, x: Array, edges: Array, low: float, high: float, *, margin: float, of_data: bool
) -> None:
    """Launch the bounds of equal intervals, [bins + 1], from low to high, or those of the data.

    margin: what they are apart from the middle where both are the same.
    """
    blocks = blocks_of(x.size)
    found = p.scratch((blocks, 2), float64)
    of_data = of_data and x.size > 0
    if of_data:
        p.launch(_extremes, blocks, x.reshape(-1), found)
    p.launch(_spaced, 1, found, edges, float(low), float(high), margin, of_data=of_data)


@procedure
def _extremes(block, x, found):
    """The least and the greatest element of a block; nan if there is one."""
    n, blocks = x.shape[0], found.shape[0]
    start = block * n // blocks
    low = x[start]
    high = x[start]
    for k in range(start, (block + 1) * n // blocks):
        low = min(low, x[k])
        high = max(high, x[k])
    found[block, 0] = cast(low, found)
    found[block, 1] = cast(high, found)


@procedure
def _spaced(row, found, edges, low, high, margin, *, of_data):
    if of_data:
        low, high = found[0, 0], found[0, 1]
        for block in range(found.shape[0]):
            low = min(low, found[block, 0])
            high = max(high, found[block, 1])
    if low - low != 0 or high - high != 0:  # nan or infinity
        fail()
        return
    if low == high:
        low, high = low - margin, high + margin
    bins = edges.shape[0] - 1
    width = high - low
    step = width / cast(bins, float64)
    for k in range(bins):
        far = cast(k, float64) * step
        if step == 0:  # less than the least number
            far = cast(k, float64) / cast(bins, float64) * width
        rounded = max(far, cast(0, far))  # which it is, or product and sum would be rounded at once
        edges[k] = cast(rounded + low, edges)
    edges[bins] = cast(high, edges)


def places_among(p: Launcher, x: Array, edges: Array) -> Array:
    """Launch in which of equal intervals each element is: the last whose lower bound it reaches.

    The last one has its upper bound, too. Returns [n], int32; -1 outside.
    """
    at = p.scratch((x.size,), int32)
    blocks = blocks_of(x.size)
    p.launch(_placed, blocks, x.reshape(-1), edges, at, blocks, work=4 * x.size)
    return at


@procedure
def _placed(block, x, edges, at, blocks):
    n, bins = x.shape[0], edges.shape[0] - 1
    low, high = edges[0], edges[bins]
    scale = cast(bins, edges) / (high - low) if high > low else cast(0, edges)
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        own = cast(x[k], edges)
        place = cast(-1, int64)
        if low <= own and own <= high:
            place = min(max(cast((own - low) * scale, int64), 0), bins - 1)  # or a neighbor
            while place > 0 and own < edges[place]:
                place -= 1
            while place < bins - 1 and own >= edges[place + 1]:
                place += 1
        at[k] = cast(place, int32)


def places_between(p: Launcher, x: Array, column: int, edges: Array, at: Array) -> None:
    """Launch in which intervals of a grid points are, along one more axis; -1 is outside.

    x: [n,d]. edges: of the axis of a column. at: [n], int32, the places along the axes before.
    """
    p.launch(_rising, 1, edges)
    blocks = blocks_of(x.shape[0])
    # Whole points lie between edges that are not: both are compared as NumPy promotes them.
    wide = x.dtype if x.dtype is edges.dtype else float64
    p.launch(_within, blocks, x, edges, at, column, blocks, work=16 * at.size, wide=wide)


@procedure
def _rising(row, edges):
    for k in range(1, edges.shape[0]):
        if edges[k - 1] > edges[k]:
            fail()
            return


@procedure
def _within(block, x, edges, at, column, blocks, *, wide):
    n, bins = x.shape[0], edges.shape[0] - 1
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        own = cast(x[k, column], wide)
        low = cast(0, int64)
        high = bins + 1
        while low < high:  # how many edges are at or below it
            middle = (low + high) // 2
            is_below = cast(edges[middle], wide) <= own
            low = middle + 1 if is_below else low
            high = high if is_below else middle
        if own == cast(edges[bins], wide):
            low -= 1
        before = cast(at[k], int64)
        is_inside = (before >= 0) & (low > 0) & (low <= bins)
        at[k] = cast(before * bins + low - 1, int32) if is_inside else cast(-1, int32)


@procedure
def zeros(row, at):
    """Zeros everywhere."""
    for k in range(at.shape[0]):
        at[k] = cast(0, at)
