"""Products of parts of matrices, tile by tile: what blocked decompositions spend their time on.

A tile has rows in groups of four, whose sums stay in memory of the row's own while four columns of
the one factor meet four rows of the other. Each sum runs in one order, whatever the number of
threads. (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008.)
"""

from __future__ import annotations

from twinoar.core.loop.procedure import Array, Launcher, cast, local, procedure
from twinoar.late import dataclass

ROWS, COLUMNS = 32, 128  # of a tile: what it reads of the right factor stays in the first cache


@dataclass(frozen=True)
class Part:
    """The rows and columns of matrices, [batch,M,N], from a corner on."""

    array: Array
    row: int = 0
    column: int = 0


def tiles(m: int, n: int) -> int:
    """The number of tiles of an [m,n] matrix."""
    return -(-m // ROWS) * -(-n // COLUMNS)


def multiply(
    p: Launcher,
    out: Part,
    left: Part,
    right: Part,
    size: tuple[int, int, int],
    *,
    turned: bool = False,
    upper: bool = False,
    subtract: bool = True,
) -> None:
    """Launch `out -= left @ right`, or `out = left @ right` where `subtract` is False.

    size: M, N and K of [M,K] @ [K,N]. turned: the left factor lies as [K,M]. upper: only tiles
    that touch the upper triangle of `out` are computed.
    """
    m, n, k = size
    batch = out.array.shape[0]
    p.launch(
        _tile, batch * tiles(m, n), out.array, left.array, right.array, out.row, out.column,
        left.row, left.column, right.row, right.column, m, n, k,
        work=batch * m * n * max(1, k // 8), turned=turned, upper=upper, subtract=subtract,
    )  # fmt: skip


@procedure
def _tile(
    row, out, a, b, i_out, j_out, i_a, j_a, i_b, j_b, m, n, k, *, turned, upper, subtract
):  # fmt: skip
    batch, top, first = tile_at(row, m, n)
    if not upper or first + COLUMNS > top:
        tile(
            batch, top, first, out, a, b, i_out, j_out, i_a, j_a, i_b, j_b, m, n, k,
            turned=turned, subtract=subtract,
        )  # fmt: skip


@procedure
def tile_at(row, m, n):
    """The matrix, the row and the column where a tile begins."""
    across, down = (n + COLUMNS - 1) // COLUMNS, (m + ROWS - 1) // ROWS
    within = row % (across * down)
    return row // (across * down), within // across * ROWS, within % across * COLUMNS


@procedure
def tile(
    batch, top, first, out, a, b, i_out, j_out, i_a, j_a, i_b, j_b, m, n, k, *, turned, subtract
):  # fmt: skip
    """One tile of a product, see `multiply`."""
    width = min(COLUMNS, n - first)
    sums = local(4 * COLUMNS, out.dtype)
    for i in range(top, min(top + ROWS, m), 4):
        for r in (0, 1, 2, 3):
            for j in range(width):
                if subtract:
                    sums[r * COLUMNS + j] = out[batch, i_out + min(i + r, m - 1), j_out + first + j]
                else:
                    sums[r * COLUMNS + j] = cast(0, out)
        for s in range(0, k - 3, 4):
            rows = (
                _four(a, batch, i_a, j_a, i, s, m, turned=turned, subtract=subtract),
                _four(a, batch, i_a, j_a, i + 1, s, m, turned=turned, subtract=subtract),
                _four(a, batch, i_a, j_a, i + 2, s, m, turned=turned, subtract=subtract),
                _four(a, batch, i_a, j_a, i + 3, s, m, turned=turned, subtract=subtract),
            )
            for j in range(width):
                column = j_b + first + j
                factors = (
                    b[batch, i_b + s, column],
                    b[batch, i_b + s + 1, column],
                    b[batch, i_b + s + 2, column],
                    b[batch, i_b + s + 3, column],
                )
                for r in (0, 1, 2, 3):
                    sums[r * COLUMNS + j] = _grown(sums[r * COLUMNS + j], rows[r], factors)
        for s in range(k // 4 * 4, k):
            for r in (0, 1, 2, 3):
                x = _one(a, batch, i_a, j_a, i + r, s, m, turned=turned, subtract=subtract)
                for j in range(width):
                    sums[r * COLUMNS + j] += x * b[batch, i_b + s, j_b + first + j]
        for r in (0, 1, 2, 3):
            if i + r < m:
                for j in range(width):
                    out[batch, i_out + i + r, j_out + first + j] = sums[r * COLUMNS + j]


@procedure
def _four(a, batch, i_a, j_a, i, s, m, *, turned, subtract):
    return (
        _one(a, batch, i_a, j_a, i, s, m, turned=turned, subtract=subtract),
        _one(a, batch, i_a, j_a, i, s + 1, m, turned=turned, subtract=subtract),
        _one(a, batch, i_a, j_a, i, s + 2, m, turned=turned, subtract=subtract),
        _one(a, batch, i_a, j_a, i, s + 3, m, turned=turned, subtract=subtract),
    )


@procedure
def _one(a, batch, i_a, j_a, i, s, m, *, turned, subtract):
    """An element of the left factor, negative where the product is subtracted."""
    at = min(i, m - 1)
    x = a[batch, i_a + s, j_a + at] if turned else a[batch, i_a + at, j_a + s]
    return -x if subtract else x


@procedure
def _grown(total, x, y):
    return total + x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3]
