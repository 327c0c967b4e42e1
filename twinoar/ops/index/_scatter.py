"""Slices combined with those at positions that data gives, of which some may be equal.

What falls on one element is combined in the order of the slices, whichever thread does it: threads
share what stands before the axis of the positions, or the elements of a slice. So results do not
depend on how many threads there are, and a slice is visited once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from twinoar.core.dtype import bool_, float32, float64, int32, int64
from twinoar.core.loop import language as loop
from twinoar.core.loop.language import NARROW
from twinoar.core.loop.procedure import Array, Launcher, Procedure, cast, fail, procedure

Reads = Literal["from either end", "from the start", "checked"]
GRAIN = 16  # elements of slices that a thread takes at least: a line of the cache


def place_slices(
    p: Launcher,
    out: Array,
    index: Array,
    values: Array,
    combine: Procedure,
    *,
    reads: Reads = "from either end",
    left_out: int | None = None,
) -> None:
    """Launch values combined with the elements of `out` that they fall on.

    out: [before, n, after]. index: [before, k, after], where sizes of 1 stand for all; values too.
    reads: what positions are. left_out: a position whose slices are.
    """
    before, n, after = out.shape
    if not out.size:  # there is nothing but positions to look at
        out, values, before, after = replace(out, shape=(1, n, 0)), values, 1, 0
        index = index.reshape(1, -1, 1)
    parts = max(1, min(p.threads // max(1, before), after // GRAIN))
    p.launch(
        _placed, before * parts, out, index, values, parts, -1 if left_out is None else left_out,
        work=before * index.shape[1] * (after + 1), combine=combine, reads=reads,
        leaves=left_out is not None, single=after == 1,
        own=tuple(m > 1 for m in index.shape), spread=tuple(m > 1 for m in values.shape),
    )  # fmt: skip


@procedure
def _position(given, n, *, reads):
    """The position as a number from 0 on; the row ends where it lies outside."""
    place = cast(given, int64)
    if reads == "from either end" and place < 0:
        place = place + n
    if reads != "checked" and (place < 0 or place >= n):
        fail()
    return place


@procedure
def _one(values, b, k, c, *, spread):
    """The value for an element, of values that may stand for several."""
    return values[b if spread[0] else 0, k if spread[1] else 0, c if spread[2] else 0]


@procedure
def _placed(
    row, out, index, values, parts, left_out, *, combine, reads, leaves, single, own, spread
):
    n, after = out.shape[1], out.shape[2]
    b, part = row // parts, row % parts
    first, stop = part * after // parts, (part + 1) * after // parts
    i = b if own[0] else 0
    for k in range(index.shape[1]):
        if own[2]:
            for c in range(first, stop):
                at = _position(index[i, k, c], n, reads=reads)
                out[b, at, c] = combine(out[b, at, c], _one(values, b, k, c, spread=spread))
        else:
            at = _position(index[i, k, 0], n, reads=reads)
            if leaves and at == left_out:
                continue
            if single:
                out[b, at, 0] = combine(out[b, at, 0], _one(values, b, k, 0, spread=spread))
            else:
                for c in range(first, stop):
                    out[b, at, c] = combine(out[b, at, c], _one(values, b, k, c, spread=spread))


# What is combined.


@procedure
def put(old, new):
    """The last one."""
    return new


@procedure
def plus(old, new):
    """The sum; of truth values, whether there is one."""
    return loop.max(old, new) if old.dtype is bool_ else old + new


@procedure
def times(old, new):
    """The product; of truth values, whether all are."""
    return loop.min(old, new) if old.dtype is bool_ else old * new


@procedure
def least(old, new):
    """The lesser one; nan if there is any."""
    return loop.min(old, new)


@procedure
def greatest(old, new):
    """The greater one; nan if there is any."""
    return loop.max(old, new)


# What stands there before, and after.

PIECE = 1 << 14  # elements that one call copies


def begin(p: Launcher, out: Array, start: Array | float) -> None:
    """Launch the elements of an array, or a number, into `out`."""
    flat = out.reshape(-1)
    pieces = -(-out.size // PIECE)
    if isinstance(start, Array):
        p.launch(_copied, pieces, flat, start.reshape(-1), work=out.size)
    else:
        p.launch(_filled, pieces, flat, start, work=out.size)


@procedure
def _copied(piece, out, x):
    for k in range(piece * PIECE, min(out.shape[0], (piece + 1) * PIECE)):
        out[k] = cast(x[k], out)


@procedure
def _filled(piece, out, number):
    for k in range(piece * PIECE, min(out.shape[0], (piece + 1) * PIECE)):
        out[k] = cast(number, out)


def number(p: Launcher, value: float, like: Array) -> Array:
    """An array of one element, which stands for all."""
    one = p.scratch((1, 1, 1), like.dtype)
    begin(p, one, value)
    return one


def sums(
    p: Launcher, start: Array | float, out: Array, index: Array, values: Array, **how: Any
) -> None:
    """Launch `start` and what is added to it into `out`, [before, n, after].

    16-bit floats are added up in float32.
    """
    wide = p.scratch(out.shape, float32) if out.dtype in NARROW else out
    if wide is not start:
        begin(p, wide, start)
    place_slices(p, wide, index, values, plus, **how)
    if wide is not out:
        begin(p, out, wide)


def divide_by_counts(
    p: Launcher, out: Array, index: Array, start: int = 0, *, floors: bool = False
) -> None:
    """Launch `out` divided by `start` and how many slices fell on each of its elements.

    Elements on which none fell stay. floors: integers are rounded down, otherwise towards zero.
    """
    own = tuple(i > 1 for i in index.shape)
    shape = tuple(m if d == 1 or own[d] else 1 for d, m in enumerate(out.shape))
    count = p.scratch(shape, int32 if index.size < SMALL else int64)
    begin(p, count, 0)
    place_slices(p, count, index, number(p, 1, count), plus)
    rows = out.shape[0] * out.shape[1]
    if shape == out.shape:
        rows = -(-out.size // PIECE)
        out, count = (a.reshape(1, 1, a.size) for a in (out, count))
        own = (False, False, True)
    p.launch(_divided, rows, out, count, start, work=out.size, floors=floors, own=own)


@procedure
def _divided(row, out, count, start, *, floors, own):
    if own == (False, False, True):
        for c in range(row * PIECE, min(out.shape[2], (row + 1) * PIECE)):
            out[0, 0, c] = _share(out[0, 0, c], count[0, 0, c], start, floors=floors)
    else:
        b, r = row // out.shape[1], row % out.shape[1]
        fell = count[b if own[0] else 0, r, 0]
        for c in range(out.shape[2]):
            out[b, r, c] = _share(out[b, r, c], fell, start, floors=floors)


@procedure
def _share(x, fell, start, *, floors):
    by = max(fell + (cast(start, fell) if fell > 0 else cast(0, fell)), 1)
    if x.dtype.is_floating:
        found = x / cast(by, x)
    elif floors:
        found = cast(cast(x, int64) // cast(by, int64), x)
    else:
        found = cast(cast(x, float64) / cast(by, float64), x)
    return found


# Positions among all elements, or among the first dimensions.

SMALL = 1 << 31  # elements of which int32 tells the places


def flat_positions(p: Launcher, x: Array, index: Array) -> Array:
    """Launch coordinates, [k, d], as positions among the first d dimensions of x: [1, k, 1]."""
    count, depth = index.shape
    if depth == 1:
        return index.reshape(1, count, 1)
    places, pieces = _places(p, x, count)
    p.launch(_flattened, pieces, index, x, places, depth=depth, work=(depth + 1) * count)
    return places.reshape(1, count, 1)


def flat_positions_of(p: Launcher, x: Array, indices: Sequence[Array]) -> Array:
    """The same of coordinates that are as many arrays, all of one shape."""
    count = indices[0].size
    if len(indices) == 1:
        return indices[0].reshape(1, count, 1)
    places, pieces = _places(p, x, count)
    for d, index in enumerate(indices):
        p.launch(_joined, pieces, index.reshape(count), x, places, axis=d, work=2 * count)
    return places.reshape(1, count, 1)


def _places(p: Launcher, x: Array, count: int) -> tuple[Array, int]:
    """Memory for positions among the elements of x, and how many calls write it."""
    return p.scratch((count,), int32 if x.size < SMALL else int64), -(-count // PIECE)


@procedure
def _inside(given, n):
    """A position counted from 0, and whether there is one; 0 if not."""
    at = cast(given, int64)
    at = at + n if at < 0 else at
    is_inside = (at >= 0) & (at < n)
    return (at if is_inside else 0), is_inside


@procedure
def _flattened(piece, index, x, places, *, depth):
    are_inside = cast(True, bool_)
    for k in range(piece * PIECE, min(places.shape[0], (piece + 1) * PIECE)):
        place = 0
        for d in tuple(range(depth)):
            at, is_inside = _inside(index[k, d], x.shape[d])
            are_inside = are_inside & is_inside
            place = place * x.shape[d] + at
        places[k] = cast(place, places)
    if not are_inside:
        fail()


@procedure
def _joined(piece, index, x, places, *, axis):
    """Positions among the first dimensions become those among one dimension more."""
    are_inside = cast(True, bool_)
    for k in range(piece * PIECE, min(places.shape[0], (piece + 1) * PIECE)):
        at, is_inside = _inside(index[k], x.shape[axis])
        are_inside = are_inside & is_inside
        before = cast(places[k], int64) * x.shape[axis] if axis else 0
        places[k] = cast(before + at, places)
    if not are_inside:
        fail()


def positions_along(p: Launcher, x: Array, index: Array, axis: int) -> Array:
    """Launch positions along an axis as those among all elements: [1, k, 1].

    Along other axes an element of `index` counts itself.
    """
    places, pieces = _places(p, x, index.size)
    flat, sizes = index.reshape(-1), {"axis": axis, "ndim": x.ndim}
    p.launch(_along, pieces, flat, index, x, places, **sizes, work=9 * index.size)
    return places.reshape(1, -1, 1)


@procedure
def _along(piece, flat, index, x, places, *, axis, ndim):
    are_inside = cast(True, bool_)
    for k in range(piece * PIECE, min(places.shape[0], (piece + 1) * PIECE)):
        place, step, rest = 0, 1, k
        for d in tuple(range(ndim - 1, -1, -1)):
            own = rest % index.shape[d]
            rest = rest // index.shape[d]
            if d == axis:
                own, is_inside = _inside(flat[k], x.shape[d])
                are_inside = are_inside & is_inside
            place += own * step
            step = step * x.shape[d]
        places[k] = cast(place, places)
    if not are_inside:
        fail()


def checked_positions(p: Launcher, index: Array, n: int) -> Array:
    """Launch positions of a line of n elements as numbers from 0 on."""
    along = replace(index, shape=(n,))
    places, pieces = _places(p, along, index.size)
    p.launch(_joined, pieces, index.reshape(index.size), along, places, axis=0, work=2 * index.size)
    return places


def expanded(p: Launcher, x: Array, shape: Sequence[int]) -> Array:
    """Launch x as it broadcasts to a shape."""
    if x.shape == tuple(shape):
        return x
    out = p.scratch(shape, x.dtype)
    sizes = (1,) * (len(shape) - x.ndim) + x.shape
    p.launch(
        _expanded, -(-out.size // PIECE), x.reshape(-1), out.reshape(-1), out,
        own=tuple(m > 1 for m in sizes), work=4 * out.size,
    )  # fmt: skip
    return out


@procedure
def _expanded(piece, x, flat, out, *, own):
    for k in range(piece * PIECE, min(flat.shape[0], (piece + 1) * PIECE)):
        place, step, rest = 0, 1, k
        for d in tuple(range(len(own) - 1, -1, -1)):
            at = rest % out.shape[d]
            rest = rest // out.shape[d]
            if own[d]:
                place += at * step
                step = step * out.shape[d]
        flat[k] = x[place]
