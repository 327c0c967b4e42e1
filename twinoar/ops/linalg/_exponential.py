"""Exponentials of matrices by scaling and squaring of a Taylor sum.

The sum has degree 12, in powers of the cube, which takes five products (Paterson and Stockmeyer,
"On the number of nonscalar multiplications necessary to evaluate polynomials", 1973). How often a
matrix is squared its own size says, so launches that square find which are done.
"""

from __future__ import annotations

import math

from twinoar.core.dtype import float64, int32
from twinoar.core.loop.procedure import Array, Launcher, cast, procedure
from twinoar.ops.linalg._tiles import Part, multiply, tile, tile_at, tiles
from twinoar.ops.linalg._triangular import stacked

DEGREE = 12
FACTORS = tuple(1 / math.factorial(k) for k in range(DEGREE + 1))
SIDE_BY_SIDE = 16  # squarings whose rows threads share: sizes up to 2 ** 14; others run in one row
LEAST = 0.25  # size of a matrix whose sum of this degree is exact to the last bit, nearly


def exponential(p: Launcher, x: Array) -> None:
    """Launch the exponentials into the first result, by way of float64."""
    x, out = stacked(x), stacked(p.results[0])
    batch, n, _ = x.shape
    base, square, cube, other, total = (p.scratch(x.shape, float64) for _ in range(5))
    times = p.scratch((batch,), int32)
    p.launch(_scaled, batch, x, base, times)
    size = n, n, n
    multiply(p, Part(square), Part(base), Part(base), size, subtract=False)
    multiply(p, Part(cube), Part(square), Part(base), size, subtract=False)
    p.launch(_first_terms, batch * n, base, square, cube, total)
    for k in range(DEGREE - 6, -1, -3):
        multiply(p, Part(other), Part(total), Part(cube), size, subtract=False)
        other, total = total, other
        p.launch(_next_terms, batch * n, base, square, total, terms=FACTORS[k : k + 3])
    for step in range(SIDE_BY_SIDE):
        source, target = (total, other) if step % 2 == 0 else (other, total)
        p.launch(
            _squared, batch * tiles(n, n), source, target, times, step,
            work=batch * n * n * max(1, n // 8),
        )  # fmt: skip
    p.launch(_last_squares, batch, total, other, times, work=x.size)
    p.launch(_rounded, batch * n, total, other, times, out)


@procedure
def _scaled(batch, x, base, times):
    """A matrix, halved until it is small: its greatest sum of a column is."""
    n = x.shape[1]
    most = cast(0, base)
    for j in range(n):
        total = cast(0, base)
        for i in range(n):
            total += abs(cast(x[batch, i, j], base))
        if total > most or total != total:
            most = total
    count = 0
    factor = cast(1, base)
    if most - most == 0:
        while most > cast(LEAST, base):
            most = most * cast(0.5, base)
            factor = factor * cast(0.5, base)
            count += 1
    times[batch] = cast(count, times)
    for i in range(n):
        for j in range(n):
            base[batch, i, j] = cast(x[batch, i, j], base) * factor


@procedure
def _first_terms(row, base, square, cube, total):
    n = base.shape[1]
    batch, i = row // n, row % n
    for j in range(n):
        x = cast(FACTORS[DEGREE], total) * cube[batch, i, j]
        x += cast(FACTORS[DEGREE - 1], total) * square[batch, i, j]
        x += cast(FACTORS[DEGREE - 2], total) * base[batch, i, j]
        total[batch, i, j] = x
    total[batch, i, i] += cast(FACTORS[DEGREE - 3], total)


@procedure
def _next_terms(row, base, square, total, *, terms):
    n = base.shape[1]
    batch, i = row // n, row % n
    for j in range(n):
        x = cast(terms[2], total) * square[batch, i, j] + cast(terms[1], total) * base[batch, i, j]
        total[batch, i, j] += x
    total[batch, i, i] += cast(terms[0], total)


@procedure
def _squared(row, x, out, times, step):
    """A tile of x @ x, if this matrix is squared so often."""
    n = x.shape[1]
    batch, top, first = tile_at(row, n, n)
    if cast(times[batch], step) > step:
        tile(batch, top, first, out, x, x, 0, 0, 0, 0, 0, 0, n, n, n, turned=False, subtract=False)


@procedure
def _last_squares(batch, x, other, times):
    """What is left to square, in one row; the result lies as if each squaring changed places."""
    for step in range(SIDE_BY_SIDE, cast(times[batch], batch)):
        if step % 2 == 0:
            _square(batch, x, other)
        else:
            _square(batch, other, x)


@procedure
def _square(batch, x, out):
    n = x.shape[1]
    for i in range(n):
        for j in range(n):
            out[batch, i, j] = cast(0, out)
        for s in range(n):
            factor = x[batch, i, s]
            for j in range(n):
                out[batch, i, j] += factor * x[batch, s, j]


@procedure
def _rounded(row, even, odd, times, out):
    n = out.shape[1]
    batch, i = row // n, row % n
    is_odd = times[batch] % 2 != 0
    for j in range(n):
        out[batch, i, j] = cast(odd[batch, i, j] if is_odd else even[batch, i, j], out)
