"""Discrete Fourier transforms as loops: of lines side by side, for any length.

A block of lines is copied into memory of a task's own, as real and imaginary parts; there it is
transformed factor by factor, each pass from one place to another, which leaves results in their
order (Stockham's, in Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1992).
A length with a large prime factor is a convolution with a chirp, through a power of two (Rabiner,
Schafer, Rader, "The chirp z-transform algorithm", 1969). The transform of the other direction has
real and imaginary parts exchanged, before and after.
A long line is a matrix, whose columns are transformed, multiplied by roots, and then its rows
(Bailey, "FFTs in external or hierarchical memory", 1990), so that caches hold what is worked on.
Which lines make a block depends on shapes alone, so results do not depend on how many threads there
are.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from twinoar.core.dtype import COMPLEX_OF, REAL_OF, complex128, float64
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import Array, Launcher, cast, procedure
from twinoar.ops.linalg._passes import SPECIAL, factors, transformed

LANE_BYTES = 64  # of the real parts of a block's lines, side by side
TASKS = 16  # that share blocks; each has memory of its own
LARGEST = 50  # factor that is transformed by its definition
LONG = 1 << 13  # elements of a line from which it is a matrix: beyond a core's cache
FINE = 1 << 10  # roots of a grid, between two of the others
# factors of powers of a square, the highest first: from the fourth power on, and from the third
COSINE = tuple((-1) ** k / math.factorial(2 * k) for k in range(9, 1, -1))
SINE = tuple((-1) ** k / math.factorial(2 * k + 1) for k in range(8, 0, -1))
TILE = 32  # elements of each line that are copied in turn, so that a core's first cache holds them
BLOCK = 256  # roots of unity that a row computes


def transform(
    p: Launcher,
    x: Array,
    out: Array,
    axis: int,
    n: int,
    scale: float,
    *,
    forward: bool,
    read: str = "complex",
    write: str = "complex",
) -> None:
    """Launch transforms of length `n` of lines of `x` along an axis into those of `out`, scaled.

    read: "complex"; "real"; "half" of what is symmetric. write: "complex", as many elements as
    `out` has; "real", their real parts.
    """
    if read == "real" and n % 2 == 0:
        _of_pairs(p, x.along(axis), out.along(axis), n, scale, forward=forward)
        return
    x, out = x.along(axis), out.along(axis)
    dtype = COMPLEX_OF.get(x.dtype, x.dtype)
    ends: dict[str, Any] = {"turn": not forward, "read": read}
    if max(factors(n), default=1) <= LARGEST:
        columns = _columns(n) if n > LONG and out.shape[1] == n and read != "half" else 1
        if columns > 1:
            _as_matrix(p, x, out, columns, scale, forward=forward, read=read)
            return
        roots = _roots(p, n, dtype)
        _lines(p, x, out, roots, n, scale, **ends, turn_back=not forward, write=write)
        return
    longer = 1 << (2 * n - 2).bit_length()
    roots = _roots(p, longer, dtype)
    chirp = p.scratch((1, n, 1), dtype)
    p.launch(_chirp, -(-n // BLOCK), chirp, work=8 * n)
    response = p.scratch((1, longer, 1), dtype)
    _lines(p, chirp, response, roots, longer, 1 / longer, read="chirp")
    middle = p.scratch((x.shape[0], longer, x.shape[2]), dtype)
    _lines(p, x, middle, roots, n, 1.0, **ends, before=chirp, after=response)
    _lines(
        p, middle, out, roots, longer, scale, turn=True, turn_back=True, after=chirp, write=write,
        turn_last=not forward,
    )  # fmt: skip


def _of_pairs(p: Launcher, x: Array, out: Array, n: int, scale: float, *, forward: bool) -> None:
    """Transforms of real lines of an even length: of pairs as complex numbers, which are half."""
    before, _, after = x.shape
    shape = before, n // 2, after
    if after == 1 and x.offset % 2 == 0:
        pairs = replace(x, dtype=out.dtype, shape=shape, offset=x.offset // 2)
    else:
        pairs = p.scratch(shape, out.dtype)
        p.launch(_paired, before * (n // 2), x, pairs)
    if max(factors(n // 2), default=1) <= LARGEST and n // 2 <= LONG:
        wide = _roots(p, n, out.dtype).reshape(1, n, 1)
        _lines(
            p, pairs, out, _roots(p, n // 2, out.dtype), n // 2, scale, after=wide,
            turn=not forward, turn_back=not forward, write="unpaired",
        )  # fmt: skip
        return
    middle = p.scratch(shape, out.dtype)
    transform(p, pairs, middle, 1, n // 2, scale, forward=forward)
    roots, direction = _roots(p, n, out.dtype), 1.0 if forward else -1.0
    if after == 1:
        chunks = -(-n // 2 // BLOCK)
        p.launch(
            _unpaired_part, before * chunks, middle, roots, out, direction, chunks,
            is_whole=out.shape[1] == n,
        )  # fmt: skip
    else:
        p.launch(_unpaired, before * out.shape[1], middle, roots, out, direction)


def _columns(n: int) -> int:
    """The factor of a long length next to its root."""
    found = 1
    for r in sorted(factors(n), reverse=True):
        if (found * r) ** 2 <= n:
            found *= r
    return found


def _as_matrix(
    p: Launcher,
    x: Array,
    out: Array,
    columns: int,
    scale: float,
    *,
    forward: bool,
    read: str,
) -> None:
    """Transforms of long lines as matrices: of columns, and, times roots of unity, of rows."""
    before, n, after = out.shape
    rows = n // columns
    grid = p.scratch((1, FINE - (-n // FINE), 1), complex128)
    p.launch(_grid_roots, -(-grid.size // BLOCK), grid, n, work=8 * grid.size)
    middle = p.scratch((before, rows, columns * after), out.dtype)
    _lines(
        p, x.reshape(before, rows, columns * after), middle, _roots(p, rows, out.dtype), rows,
        1.0, read=read, turn=not forward, after=grid, grid=after,
    )  # fmt: skip
    _lines(
        p, middle.reshape(before * rows, columns, after),
        out.reshape(before, columns, rows * after), _roots(p, columns, out.dtype), columns,
        scale, turn_back=not forward,
    )  # fmt: skip


def _roots(p: Launcher, n: int, dtype: Any) -> Array:
    roots = p.scratch((n,), dtype)
    p.launch(_root_block, -(-n // BLOCK), roots, work=8 * n)
    return roots


def _lines(
    p: Launcher,
    x: Array,
    out: Array,
    roots: Array,
    size: int,
    scale: float,
    *,
    before: Array | None = None,
    after: Array | None = None,
    turn: bool = False,
    turn_back: bool = False,
    turn_last: bool = False,
    grid: int = 0,
    read: str = "complex",
    write: str = "complex",
) -> None:
    """Transforms of as many elements as there are roots; of each line `size` are read, then zeros.

    before, after: what elements are multiplied by, before and after. grid: above 0, element k of
    line i is multiplied by the root k * (i // grid), which is a product of two of `after`.
    """
    n, real = roots.size, REAL_OF[roots.dtype]
    count = x.shape[0] * x.shape[2]
    lanes = min(LANE_BYTES // real.itemsize, max(1, count))
    tasks = min(TASKS, -(-count // lanes))
    memory = [p.scratch((tasks, n * lanes), real) for _ in range(4)]
    turning = p.scratch((tasks, max(n, out.shape[1]) * lanes), roots.dtype)
    taken = factors(n)
    radices = tuple(r for r in SPECIAL if r in taken)
    p.launch(
        _block_lines, tasks, x, out, roots, before or roots.reshape(1, n, 1),
        after or roots.reshape(1, n, 1), *memory, turning, tasks, lanes, size, scale,
        int(turn), int(turn_back), int(turn_last), max(1, grid),
        work=count * n * max(1, len(taken)),
        is_odd=len(taken) % 2 == 1, has_others=not set(SPECIAL).issuperset(taken),
        radices=radices, read=read, write=write, times_before=before is not None,
        times_after=after is not None and write != "unpaired", is_grid=grid > 0,
    )  # fmt: skip


@procedure
def _cosine_and_sine(x):
    """Of an angle in the first octant, within a unit in the last place: by Taylor's series."""
    square = x * x
    c = square * COSINE[0] + COSINE[1]
    for factor in COSINE[2:]:
        c = c * square + factor
    s = square * SINE[0] + SINE[1]
    for factor in SINE[2:]:
        s = s * square + factor
    return c * square * square + (1.0 - square * 0.5), x + x * square * s


@procedure
def _root(k, n, like):
    """exp(-2 pi i k / n) of 0 <= k < n: sine and cosine of an angle in the first octant."""
    octant = 8 * k // n
    rest = 8 * k - octant * n
    near = n - rest if octant & 1 == 1 else rest
    angle = cast(near, float64) * (math.pi / 4) / cast(n, float64)
    c, s = _cosine_and_sine(angle)
    is_other = (octant + 1) & 2 == 2
    x, y = loop.select(is_other, s, c), loop.select(is_other, c, s)
    re = loop.select((octant + 2) & 4 == 4, -x, x)
    im = loop.select(octant >= 4, y, -y)
    return loop.of_parts(cast(re, loop.real(like).dtype), cast(im, loop.real(like).dtype))


@procedure
def _root_block(row, roots):
    n = roots.shape[0]
    for k in range(row * BLOCK, min(n, (row + 1) * BLOCK)):
        roots[k] = _root(k, n, cast(0, roots))


@procedure
def _grid_roots(row, roots, n):
    """The first roots of n, then every one that is a multiple of as many."""
    for k in range(row * BLOCK, min(roots.shape[1], (row + 1) * BLOCK)):
        turns = k if k < FINE else (k - FINE) * FINE
        roots[0, k, 0] = _root(turns, n, cast(0, roots))


@procedure
def _chirp(row, chirp):
    """exp(-pi i k**2 / n)."""
    n = chirp.shape[1]
    for k in range(row * BLOCK, min(n, (row + 1) * BLOCK)):
        chirp[0, k, 0] = _root(k * k % (2 * n), 2 * n, cast(0, chirp))


@procedure
def _block_lines(
    task, x, out, roots, before, after, a_re, a_im, b_re, b_im, turning, tasks, lanes, size, scale,
    turn, turn_back, turn_last, grid,
    *, is_odd, radices, has_others, read, write, times_before, times_after, is_grid,
):  # fmt: skip
    """Transform the blocks of lines that are a task's share."""
    n = roots.shape[0]
    count = x.shape[0] * x.shape[2]
    blocks = (count + lanes - 1) // lanes
    for block in range(task * blocks // tasks, (task + 1) * blocks // tasks):
        first = block * lanes
        width = min(lanes, count - first)
        _gather(
            task, x, before, a_re, a_im, turning, first, width, size, n, turn,
            read=read, times=times_before,
        )  # fmt: skip
        transformed(
            task, a_re, a_im, b_re, b_im, roots, width,
            radices=radices, has_others=has_others,
        )  # fmt: skip
        if is_odd:
            _scatter(
                task, out, after, b_re, b_im, turning, first, width, scale, turn_back, turn_last,
                grid, write=write, times=times_after, is_grid=is_grid,
            )  # fmt: skip
        else:
            _scatter(
                task, out, after, a_re, a_im, turning, first, width, scale, turn_back, turn_last,
                grid, write=write, times=times_after, is_grid=is_grid,
            )  # fmt: skip


@procedure
def _gather(task, x, before, a_re, a_im, turning, first, width, size, n, turn, *, read, times):
    """Copy lines into the first memory, beside each other.

    What lies apart is copied as whole numbers first: their parts, each for itself, take twice as
    many stores, and nothing makes vectors of them.
    """
    inner = x.shape[2]
    if first % inner + width <= inner:
        b, i = first // inner, first % inner
        for k in range(size):
            for lane in range(width):
                re, im = _element(x, b, k, i + lane, size, before, turn, read=read, times=times)
                a_re[task, k * width + lane] = re
                a_im[task, k * width + lane] = im
    elif read == "complex":
        for start in range(0, size, TILE):
            for lane in range(width):
                b, i = (first + lane) // inner, (first + lane) % inner
                for k in range(start, min(size, start + TILE)):
                    turning[task, k * width + lane] = x[b, k, i]
        for k in range(size):
            for lane in range(width):
                z = turning[task, k * width + lane]
                re, im = _exchanged(loop.real(z), loop.imag(z), turn)
                if times:
                    re, im = _product(re, im, before[0, k, 0])
                a_re[task, k * width + lane] = re
                a_im[task, k * width + lane] = im
    else:
        for lane in range(width):
            b, i = (first + lane) // inner, (first + lane) % inner
            for k in range(size):
                re, im = _element(x, b, k, i, size, before, turn, read=read, times=times)
                a_re[task, k * width + lane] = re
                a_im[task, k * width + lane] = im
    for k in range(size * width, n * width):
        a_re[task, k] = 0.0
        a_im[task, k] = 0.0


@procedure
def _element(x, b, k, i, n, before, turn, *, read, times):
    """An element of a line: its parts."""
    if read == "real":
        re, im = x[b, k, i], cast(0, x)
    elif read == "complex":
        re, im = loop.real(x[b, k, i]), loop.imag(x[b, k, i])
    else:
        re, im = _mirrored(x, b, k, i, n, read=read)
    re, im = _exchanged(re, im, turn)
    if times:
        re, im = _product(re, im, before[0, k, 0])
    return re, im


@procedure
def _mirrored(x, b, k, i, n, *, read):
    """An element of a line of which the first are given, and the last are their conjugates.

    A chirp is mirrored as it is, and conjugated itself.
    """
    at = min(k, n - k)
    re, im = loop.real(cast(0, x)), loop.real(cast(0, x))
    if at < x.shape[1]:
        re = loop.real(x[b, at, i])
        im = loop.imag(x[b, at, i])
        if read == "chirp":
            im = -im
        elif k == 0 or 2 * k == n:
            im = im * 0.0
        elif 2 * k > n:
            im = -im
    return re, im


@procedure
def _exchanged(x, y, turn):
    """Two values, the other one first if `turn` is 1."""
    return loop.select(turn == 1, y, x), loop.select(turn == 1, x, y)


@procedure
def _paired(row, x, pairs):
    """Neighbors of a line as the parts of a number."""
    half = pairs.shape[1]
    b, k = row // half, row % half
    for i in range(x.shape[2]):
        pairs[b, k, i] = loop.of_parts(x[b, 2 * k, i], x[b, 2 * k + 1, i])


@procedure
def _unpaired(row, z, roots, out, direction):
    """An element of lines side by side, by those of the pairs."""
    half = z.shape[1]
    b, k = row // out.shape[1], row % out.shape[1]
    for i in range(out.shape[2]):
        near, far = z[b, k % half, i], z[b, (half - k % half) % half, i]
        out[b, k, i] = _whole(near, far, roots[k], direction)


@procedure
def _unpaired_part(row, z, roots, out, direction, chunks, *, is_whole):
    """Some elements of a line, by those of the pairs."""
    half = z.shape[1]
    b, chunk = row // chunks, row % chunks
    start, stop = max(1, chunk * BLOCK), min(half, (chunk + 1) * BLOCK)
    if chunk == 0:
        for k in (0, half):
            out[b, k, 0] = _whole(z[b, 0, 0], z[b, 0, 0], roots[k], direction)
    for k in range(start, stop):
        out[b, k, 0] = _whole(z[b, k, 0], z[b, half - k, 0], roots[k], direction)
    if is_whole:
        for k in range(start, stop):
            out[b, half + k, 0] = _whole(z[b, k, 0], z[b, half - k, 0], roots[half + k], direction)


@procedure
def _whole(near, far, w, direction):
    """An element of the whole: even and odd elements are sums of opposite pairs."""
    x, y = loop.real(near), loop.imag(near)
    u, v = loop.real(far), -loop.imag(far)
    c, forth = loop.real(w), loop.imag(w)
    s = forth * cast(direction, forth)
    re, im = (y - v) * 0.5, (u - x) * 0.5
    return loop.of_parts((x + u) * 0.5 + re * c - im * s, (y + v) * 0.5 + re * s + im * c)


@procedure
def _product(re, im, w):
    c, s = loop.real(w), loop.imag(w)
    return re * c - im * s, re * s + im * c


@procedure
def _scatter(
    task, out, after, a_re, a_im, turning, first, width, scale, turn, turn_last, grid,
    *, write, times, is_grid,
):  # fmt: skip
    """Copy lines from memory to where they belong."""
    inner = out.shape[2]
    if write == "unpaired":
        _unpair(task, after, a_re, a_im, turning, width, scale, turn, out.shape[1])
        _copy_out(task, out, turning, first, width)
    elif first % inner + width <= inner:
        b, i = first // inner, first % inner
        for k in range(out.shape[1]):
            for lane in range(width):
                re, im = a_re[task, k * width + lane], a_im[task, k * width + lane]
                _put(
                    out, b, k, i + lane, re, im, after, scale, turn, turn_last, grid,
                    write=write, times=times, is_grid=is_grid,
                )  # fmt: skip
    elif write == "complex" and not is_grid:
        for k in range(out.shape[1]):
            for lane in range(width):
                re, im = a_re[task, k * width + lane], a_im[task, k * width + lane]
                re, im = _finished(
                    re, im, k, 0, after, scale, turn, turn_last, grid,
                    times=times, is_grid=is_grid,
                )  # fmt: skip
                turning[task, k * width + lane] = loop.of_parts(re, im)
        _copy_out(task, out, turning, first, width)
    else:
        for lane in range(width):
            b, i = (first + lane) // inner, (first + lane) % inner
            for k in range(out.shape[1]):
                re, im = a_re[task, k * width + lane], a_im[task, k * width + lane]
                _put(
                    out, b, k, i, re, im, after, scale, turn, turn_last, grid,
                    write=write, times=times, is_grid=is_grid,
                )  # fmt: skip


@procedure
def _copy_out(task, out, turning, first, width):
    """Copy finished lines to where they belong."""
    inner = out.shape[2]
    if first % inner + width <= inner:
        b, i = first // inner, first % inner
        for k in range(out.shape[1]):
            for lane in range(width):
                out[b, k, i + lane] = turning[task, k * width + lane]
    else:
        for start in range(0, out.shape[1], TILE):
            for lane in range(width):
                b, i = (first + lane) // inner, (first + lane) % inner
                for k in range(start, min(out.shape[1], start + TILE)):
                    out[b, k, i] = turning[task, k * width + lane]


@procedure
def _unpair(task, roots, a_re, a_im, turning, width, scale, turn, count):
    """Elements of real lines, by those of their pairs."""
    half = roots.shape[1] // 2
    direction = 1.0 - 2.0 * cast(turn, float64)
    for k in range(count):
        near_at, far_at = k % half * width, (half - k % half) % half * width
        w = roots[0, k, 0]
        for lane in range(width):
            x, y = _exchanged(a_re[task, near_at + lane], a_im[task, near_at + lane], turn)
            u, v = _exchanged(a_re[task, far_at + lane], a_im[task, far_at + lane], turn)
            factor = cast(scale, x)
            near = loop.of_parts(x * factor, y * factor)
            far = loop.of_parts(u * factor, v * factor)
            turning[task, k * width + lane] = _whole(near, far, w, direction)


@procedure
def _put(out, b, k, i, re, im, after, scale, turn, turn_last, grid, *, write, times, is_grid):
    re, im = _finished(
        re, im, k, i, after, scale, turn, turn_last, grid, times=times, is_grid=is_grid
    )
    if write == "real":
        out[b, k, i] = re
    else:
        out[b, k, i] = loop.of_parts(re, im)


@procedure
def _finished(re, im, k, i, after, scale, turn, turn_last, grid, *, times, is_grid):
    """Element k of line i as results have it."""
    re, im = _exchanged(re, im, turn)
    if is_grid:
        turns = k * (i // grid)
        wide_re, wide_im = cast(re, float64), cast(im, float64)
        near, far = after[0, turns % FINE, 0], after[0, FINE + turns // FINE, 0]
        c, s = _product(loop.real(near), loop.imag(near), far)
        wide_re, wide_im = _product(wide_re, wide_im, loop.of_parts(c, s))
        re, im = cast(wide_re, re.dtype), cast(wide_im, im.dtype)
    elif times:
        re, im = _product(re, im, after[0, k, 0])
        re, im = _exchanged(re, im, turn_last)
    factor = cast(scale, re)
    return re * factor, im * factor


@procedure
def zeros(row, out):
    """Set a line to 0."""
    for k in range(out.shape[1]):
        out[row, k] = cast(0, out)
