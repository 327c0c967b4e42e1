"""Triangular systems and Cholesky factors, block by block.

A block of rows is solved, then taken from the rows that are left, as a product. (Golub and Van
Loan, "Matrix Computations", 4th ed., 3.1.4 and 4.2.9.)
"""

from __future__ import annotations

from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, local, procedure
from twinoar.ops.linalg._tiles import Part, multiply

WIDTH = 32  # rows of a block
ACROSS = 64  # columns that are solved together


def stacked(x: Array) -> Array:
    """Matrices as one batch, [batch,M,N]."""
    m, n = x.shape[-2:]
    count = 1
    for size in x.shape[:-2]:
        count *= size
    return x.reshape(count, m, n)


def spread(p: Launcher, x: Array, batch: tuple[int, ...], out: Array | None = None) -> Array:
    """A copy of matrices, broadcast to leading sizes: [batch,M,N]."""
    m, n = x.shape[-2:]
    lead = (1,) * (len(batch) - x.ndim + 2) + x.shape[:-2]
    if out is None:
        out = p.scratch((*batch, m, n), x.dtype)
    out = stacked(out)
    steps, step = [], 1
    for wanted, own in zip(reversed(batch), reversed(lead), strict=True):
        steps.append((wanted, step if own > 1 else 0))
        step *= own
    if lead == batch:
        steps = []
    p.launch(_spread, out.shape[0] * m, stacked(x), out, work=out.size, steps=tuple(steps))
    return out


@procedure
def _spread(row, x, out, *, steps):
    m = out.shape[1]
    batch, i = row // m, row % m
    rest, source = batch, batch if not steps else 0
    for size, step in steps:
        source += rest % size * step
        rest = rest // size
    for j in range(out.shape[2]):
        out[batch, i, j] = x[source, i, j]


def substitute(
    p: Launcher, t: Array, y: Array, *, upper: bool, turned: bool = False, unit: bool = False,
    refuses: bool = False,
) -> None:  # fmt: skip
    """Launch the solution of `t @ out = y`, of the transpose where `turned`, in place of y.

    refuses: a zero on the diagonal is none that it takes.
    """
    n, columns = y.shape[1:]
    is_forward = upper == turned
    starts = range(0, n, WIDTH)
    for start in starts if is_forward else reversed(starts):
        size = min(WIDTH, n - start)
        block(
            p, Part(t, start, start), Part(y, start), (size, columns), upper=upper, turned=turned,
            unit=unit, refuses=refuses,
        )  # fmt: skip
        rest, count = (start + size, n - start - size) if is_forward else (0, start)
        left = Part(t, start, rest) if turned else Part(t, rest, start)
        multiply(p, Part(y, rest), left, Part(y, start), (count, columns, size), turned=turned)


def block(p: Launcher, t: Part, y: Part, size: tuple[int, int], **kinds: bool) -> None:
    """Launch the solution with one block of a triangular matrix."""
    n, columns = size
    batch = y.array.shape[0]
    p.launch(
        _block, batch * -(-columns // ACROSS), t.array, y.array, t.row, t.column, y.row, y.column,
        n, columns, work=batch * columns * n * n // 4, **kinds,
    )  # fmt: skip


@procedure
def _block(row, t, y, i_t, j_t, i_y, j_y, n, columns, *, upper, turned, unit, refuses):
    across = (columns + ACROSS - 1) // ACROSS
    batch, first = row // across, row % across * ACROSS
    width = min(ACROSS, columns - first)
    own = local(WIDTH * ACROSS, y.dtype)
    for i in range(n):
        for j in range(width):
            own[i * ACROSS + j] = y[batch, i_y + i, j_y + first + j]
    for step in range(n):
        i = step if upper == turned else n - 1 - step
        for before in range(step):
            s = before if upper == turned else n - 1 - before
            x = t[batch, i_t + s, j_t + i] if turned else t[batch, i_t + i, j_t + s]
            for j in range(width):
                own[i * ACROSS + j] -= x * own[s * ACROSS + j]
        if not unit:
            pivot = t[batch, i_t + i, j_t + i]
            if refuses and pivot == 0:
                fail()
                return
            for j in range(width):
                own[i * ACROSS + j] = own[i * ACROSS + j] / pivot
    for i in range(n):
        for j in range(width):
            y[batch, i_y + i, j_y + first + j] = own[i * ACROSS + j]


def triangular_solve(
    p: Launcher, x: Array, y: Array, *, upper: bool, turned: bool, unit: bool
) -> None:
    """Launch the solution of triangular systems into the first result."""
    out = p.results[0]
    batch = out.shape[:-2]
    triangles = stacked(x) if x.shape[:-2] == batch else spread(p, x, batch)
    solved = spread(p, y, batch, out)
    substitute(p, triangles, solved, upper=upper, turned=turned, unit=unit, refuses=not unit)


def cholesky(p: Launcher, x: Array, *, upper: bool) -> None:
    """Launch the factors U of `U.T @ U = x`, or their transposes, into the first result."""
    x, out = stacked(x), stacked(p.results[0])
    batch, n, _ = x.shape
    a = out if upper else p.scratch(x.shape, x.dtype)
    p.launch(_upper_triangle, batch * n, x, a, work=x.size, turned=not upper)
    for start in range(0, n, WIDTH):
        size = min(WIDTH, n - start)
        rest, count = start + size, n - start - size
        p.launch(_root, batch, a, start, size, work=batch * size**3 // 3)
        block(
            p, Part(a, start, start), Part(a, start, rest), (size, count),
            upper=True, turned=True, unit=False, refuses=False,
        )  # fmt: skip
        right = Part(a, start, rest)
        multiply(
            p, Part(a, rest, rest), right, right, (count, count, size), turned=True, upper=True
        )
    if not upper:
        p.launch(_turned, batch * n, a, out, work=x.size)
    else:
        p.launch(_cleared, batch * n, out, work=x.size)


@procedure
def _upper_triangle(row, x, out, *, turned):
    n = x.shape[1]
    batch, i = row // n, row % n
    for j in range(i, n):
        if turned:
            out[batch, i, j] = x[batch, j, i]
        else:
            out[batch, i, j] = x[batch, i, j]


@procedure
def _turned(row, a, out):
    """A row of the transpose of an upper triangle."""
    n = a.shape[1]
    batch, i = row // n, row % n
    for j in range(i + 1):
        out[batch, i, j] = a[batch, j, i]
    for j in range(i + 1, n):
        out[batch, i, j] = cast(0, out)


@procedure
def _cleared(row, out):
    n = out.shape[1]
    for j in range(row % n):
        out[row // n, row % n, j] = cast(0, out)


@procedure
def _root(batch, a, start, n):
    """The factor of one block on the diagonal."""
    own = local(WIDTH * WIDTH, a.dtype)
    for i in range(n):
        for j in range(i, n):
            own[i * WIDTH + j] = a[batch, start + i, start + j]
    for i in range(n):
        square = own[i * WIDTH + i]
        if not square > 0:
            fail()
            return
        pivot = loop.sqrt(square)
        own[i * WIDTH + i] = pivot
        for j in range(i + 1, n):
            own[i * WIDTH + j] = own[i * WIDTH + j] / pivot
        for r in range(i + 1, n):
            x = own[i * WIDTH + r]
            for j in range(r, n):
                own[r * WIDTH + j] -= x * own[i * WIDTH + j]
    for i in range(n):
        for j in range(i, n):
            a[batch, start + i, start + j] = own[i * WIDTH + j]
