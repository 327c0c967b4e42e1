"""QR decompositions by Householder reflections, panel by panel.

The reflections of a panel together are I - V T V^T, which meets what is left as two products.
(Schreiber and Van Loan, "A storage-efficient WY representation for products of Householder
transformations", 1989.) Signs are LAPACK's: R's diagonal has the sign opposite to what was there.
"""

from __future__ import annotations

from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import Array, Launcher, cast, local, procedure
from twinoar.late import dataclass
from twinoar.ops.linalg._tiles import Part, multiply
from twinoar.ops.linalg._triangular import spread, stacked

WIDTH = 32  # columns of a panel
ACROSS = 64  # columns that T meets together


@dataclass(frozen=True)
class Reflections:
    """Those of one panel. v: [batch,M-start,WIDTH], zero beyond `size` columns. t: upper."""

    start: int
    size: int
    v: Array
    t: Array


def factor(p: Launcher, a: Array) -> list[Reflections]:
    """Launch R into the upper triangle of `a`, [batch,M,N]; the reflections that lead to it."""
    batch, m, n = a.shape
    k = min(m, n)
    panel = p.scratch((batch, m, WIDTH), a.dtype)
    found = []
    for start in range(0, k, WIDTH):
        size = min(WIDTH, k - start)
        v = p.scratch((batch, m - start, WIDTH), a.dtype)
        made = Reflections(start, size, v, p.scratch((batch, WIDTH, WIDTH), a.dtype))
        work = batch * (m - start) * size * size // 2
        p.launch(_panel, batch, a, panel, v, made.t, start, size, work=work)
        reflect(p, made, a, start + size, backward=True)
        found.append(made)
    return found


def reflect(p: Launcher, by: Reflections, a: Array, column: int, *, backward: bool) -> None:
    """Launch the reflections of a panel on the columns of `a` from `column` on, in place.

    backward: the last one last, as R comes about; otherwise first, as Q does.
    """
    batch, m, n = a.shape
    count = n - column
    if count <= 0:
        return
    w = p.scratch((batch, WIDTH, count), a.dtype)
    v, rows, lower = Part(by.v), m - by.start, Part(a, by.start, column)
    multiply(p, Part(w), v, lower, (by.size, count, rows), turned=True, subtract=False)
    blocks = -(-count // ACROSS)
    work = batch * count * by.size**2 // 8
    p.launch(_weighed, batch * blocks, w, by.t, blocks, by.size, work=work, turned=backward)
    multiply(p, lower, v, Part(w), (rows, count, by.size))


def orthonormal(p: Launcher, found: list[Reflections], q: Array) -> None:
    """Launch the product of reflections into `q`, [batch,M,K], its first columns."""
    batch, m, _ = q.shape
    p.launch(identity, batch * m, q)
    for by in reversed(found):
        reflect(p, by, q, by.start, backward=False)


def qr(p: Launcher, x: Array) -> None:
    """Launch Q and R into the results."""
    q, r = map(stacked, p.results)
    a = spread(p, x, x.shape[:-2])
    found = factor(p, a)
    p.launch(upper_triangle, r.shape[0] * r.shape[1], a, r, work=r.size)
    orthonormal(p, found, q)


@procedure
def identity(row, out):
    """A row of matrices with ones on the diagonal."""
    m = out.shape[1]
    for j in range(out.shape[2]):
        out[row // m, row % m, j] = cast(1 if j == row % m else 0, out)


@procedure
def upper_triangle(row, a, out):
    """A row of an upper triangle, zeros before it."""
    m = out.shape[1]
    batch, i = row // m, row % m
    for j in range(out.shape[2]):
        out[batch, i, j] = a[batch, i, j] if j >= i else cast(0, out)


@procedure
def _panel(batch, a, panel, v, t, start, size):
    """The panel, in memory of its own, so that its rows lie side by side."""
    m = v.shape[1]
    for i in range(m):
        for j in range(WIDTH):
            v[batch, i, j] = cast(0, v)
            panel[batch, i, j] = cast(0, v)
        for j in range(size):
            panel[batch, i, j] = a[batch, start + i, start + j]
    for i in range(WIDTH):
        for j in range(WIDTH):
            t[batch, i, j] = cast(0, t)
    own = local(WIDTH, a.dtype)
    met = local(WIDTH, a.dtype)
    for c in range(size):
        if c < m:
            _reflected(batch, panel, v, t, own, met, c)
    for i in range(min(size, m)):
        for j in range(i, size):
            a[batch, start + i, start + j] = panel[batch, i, j]


@procedure
def _reflected(batch, panel, v, t, own, met, c):
    """The reflection that clears a column below row c, on the columns after it."""
    m = v.shape[1]
    first = panel[batch, c, c]
    scale = cast(0, v)
    for i in range(c + 1, m):
        x = abs(panel[batch, i, c])
        if x > scale or x != x:
            scale = x
    tau, beta = cast(0, v), first
    v[batch, c, c] = cast(1, v)
    if scale != 0:
        scale = max(scale, abs(first))
        first = first / scale
        squares = first * first
        for i in range(c + 1, m):
            x = panel[batch, i, c] / scale
            squares += x * x
        norm = loop.sqrt(squares)
        beta = -norm if first >= 0 else norm
        tau = (beta - first) / beta
        for i in range(c + 1, m):
            v[batch, i, c] = panel[batch, i, c] / scale / (first - beta)
        beta = beta * scale
    for j in range(WIDTH):
        own[j] = cast(0, v)
        met[j] = cast(0, v)
    for i in range(c, m):
        x = v[batch, i, c]
        for j in range(WIDTH):
            own[j] += x * panel[batch, i, j]
            met[j] += x * v[batch, i, j]
    for j in range(WIDTH):
        own[j] = own[j] * tau if j > c else cast(0, v)
    for i in range(c, m):
        x = v[batch, i, c]
        for j in range(WIDTH):
            panel[batch, i, j] -= x * own[j]
    panel[batch, c, c] = beta
    for i in range(c):
        x = cast(0, t)
        for s in range(i, c):
            x += t[batch, i, s] * met[s]
        t[batch, i, c] = -tau * x
    t[batch, c, c] = tau


@procedure
def _weighed(row, w, t, blocks, size, *, turned):
    """T, or its transpose, times some columns, in place."""
    batch, first = row // blocks, row % blocks * ACROSS
    width = min(ACROSS, w.shape[2] - first)
    own = local(ACROSS, w.dtype)
    for step in range(size):
        i = size - 1 - step if turned else step
        for j in range(width):
            own[j] = t[batch, i, i] * w[batch, i, first + j]
        for other in range(size - 1 - step):
            s = other if turned else size - 1 - other
            x = t[batch, s, i] if turned else t[batch, i, s]
            for j in range(width):
                own[j] += x * w[batch, s, first + j]
        for j in range(width):
            w[batch, i, first + j] = own[j]


def block_of(p: Launcher, v: Array, taus: Array, start: int, count: int) -> Reflections:
    """Launch the block from `start` on of `count` reflections, which are rows of v."""
    batch, n = v.shape[:2]
    size = min(WIDTH, count - start)
    panel = p.scratch((batch, n - start, WIDTH), v.dtype)
    met, t = (p.scratch((batch, WIDTH, WIDTH), v.dtype) for _ in range(2))
    p.launch(_gathered, batch * (n - start), v, panel, start, size, work=panel.size)
    sizes = WIDTH, WIDTH, n - start
    multiply(p, Part(met), Part(panel), Part(panel), sizes, turned=True, subtract=False)
    p.launch(_factor_of_block, batch, met, taus, t, start, size)
    return Reflections(start, size, panel, t)


@procedure
def _gathered(row, v, panel, start, size):
    rows = panel.shape[1]
    batch, i = row // rows, row % rows
    for c in range(WIDTH):
        panel[batch, i, c] = v[batch, start + c, start + i] if c < size else cast(0, v)


@procedure
def _factor_of_block(batch, met, taus, t, start, size):
    """T of I - V T V^T, from V^T V."""
    for c in range(WIDTH):
        for i in range(WIDTH):
            t[batch, i, c] = cast(0, t)
    for c in range(size):
        tau = taus[batch, start + c]
        for i in range(c):
            x = cast(0, t)
            for s in range(i, c):
                x += t[batch, i, s] * met[batch, s, c]
            t[batch, i, c] = -tau * x
        t[batch, c, c] = tau
