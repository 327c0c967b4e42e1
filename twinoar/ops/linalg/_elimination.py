"""Gaussian elimination with row exchanges, panel by panel, and what is solved with it.

A panel of columns is factored, its exchanges are made in the other columns, and its product is
taken from what is left. (Golub and Van Loan, "Matrix Computations", 4th ed., 3.4.)
"""

from __future__ import annotations

from twinoar.core.dtype import DType, float32, int32
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, local, procedure
from twinoar.ops.linalg._reflections import identity
from twinoar.ops.linalg._tiles import Part, multiply
from twinoar.ops.linalg._triangular import spread, stacked, substitute

WIDTH = 32  # columns of a panel
ACROSS = 64  # columns in which rows are exchanged together


def factor(p: Launcher, a: Array, *, refuses: bool = False) -> tuple[Array, Array]:
    """Launch L and U in place of `a`, [batch,M,N]; pivots, counted from 0, and zero pivots.

    refuses: a singular matrix is none that it takes.
    """
    batch, m, n = a.shape
    k = min(m, n)
    pivots, zeros = p.scratch((batch, k), int32), p.scratch((batch,), int32)
    p.launch(_at_first, batch, pivots, zeros)
    panel = p.scratch((batch, m, WIDTH), a.dtype)
    for start in range(0, k, WIDTH):
        size = min(WIDTH, k - start)
        rest = start + size
        work = batch * (m - start) * size * size // 8
        p.launch(_panel, batch, a, panel, pivots, zeros, start, size, work=work, refuses=refuses)
        blocks = -(-start // ACROSS) + -(-(n - rest) // ACROSS)
        p.launch(
            _exchange, batch * blocks, a, pivots, panel, start, size,
            work=batch * size * (n + (n - rest) * size // 8),
        )  # fmt: skip
        multiply(
            p, Part(a, rest, rest), Part(panel, rest), Part(a, start, rest),
            (m - rest, n - rest, size),
        )  # fmt: skip
    return pivots, zeros


@procedure
def _at_first(row, pivots, zeros):
    """No zeros, no exchanges: what follows a refusal finds rows that there are."""
    zeros[row] = cast(0, zeros)
    for i in range(pivots.shape[1]):
        pivots[row, i] = cast(i, pivots)


@procedure
def _panel(batch, a, panel, pivots, zeros, start, size, *, refuses):
    """The panel, in memory of its own, so that its rows lie side by side."""
    m = a.shape[1]
    own = local(WIDTH, a.dtype)
    for i in range(start, m):
        for j in range(size):
            panel[batch, i, j] = a[batch, i, start + j]
        for j in range(size, WIDTH):
            panel[batch, i, j] = cast(0, panel)
    at = _largest(batch, panel, start)
    for c in range(size):
        top = start + c
        pivots[batch, top] = cast(at, pivots)
        if at != top:
            for j in range(WIDTH):
                x = panel[batch, top, j]
                panel[batch, top, j] = panel[batch, at, j]
                panel[batch, at, j] = x
        pivot = panel[batch, top, c]
        if pivot == 0:
            if refuses:
                fail()
                return
            if zeros[batch] == 0:
                zeros[batch] = cast(top + 1, zeros)
        for j in range(WIDTH):
            own[j] = panel[batch, top, j] if j > c else cast(0, panel)
        at = _eliminated(batch, panel, own, top, c, pivot)
    for i in range(start, m):
        for j in range(size):
            a[batch, i, start + j] = panel[batch, i, j]


@procedure
def _largest(batch, panel, start):
    """The row of the largest element of the first column; of the first nan, if there is one."""
    best = cast(-1, panel)
    at = start
    for i in range(start, panel.shape[1]):
        x = abs(panel[batch, i, 0])
        if x > best or (x != x and best == best):
            best = x
            at = i
    return at


@procedure
def _eliminated(batch, panel, own, top, c, pivot):
    """Take multiples of the pivot's row from those below; the row of the next pivot."""
    best = cast(-1, panel)
    at = top + 1
    following = min(c + 1, WIDTH - 1)
    for i in range(top + 1, panel.shape[1]):
        factor = panel[batch, i, c]
        if pivot != 0:
            factor = factor / pivot
            if factor - factor == 0:
                for j in range(WIDTH):
                    panel[batch, i, j] -= factor * own[j]
            else:  # times zero it is nan
                for j in range(c + 1, WIDTH):
                    panel[batch, i, j] -= factor * own[j]
            panel[batch, i, c] = factor
        x = abs(panel[batch, i, following])
        if x > best or (x != x and best == best):
            best = x
            at = i
    return at


@procedure
def _exchange(row, a, pivots, panel, start, size):
    """Rows exchanged in columns outside the panel; right of it they become those of U."""
    n = a.shape[2]
    before = (start + ACROSS - 1) // ACROSS
    blocks = before + (n - start - size + ACROSS - 1) // ACROSS
    batch, number = row // blocks, row % blocks
    first = number * ACROSS
    end = start
    if number >= before:
        first = start + size + (number - before) * ACROSS
        end = n
    width = min(ACROSS, end - first)
    for i in range(start, start + size):
        at = cast(pivots[batch, i], i)
        if at != i:
            for j in range(width):
                x = a[batch, i, first + j]
                a[batch, i, first + j] = a[batch, at, first + j]
                a[batch, at, first + j] = x
    if number >= before:
        own = local(WIDTH * ACROSS, a.dtype)
        for i in range(size):
            for j in range(width):
                own[i * ACROSS + j] = a[batch, start + i, first + j]
            for s in range(i):
                factor = panel[batch, start + i, s]
                for j in range(width):
                    own[i * ACROSS + j] -= factor * own[s * ACROSS + j]
            for j in range(width):
                a[batch, start + i, first + j] = own[i * ACROSS + j]


def lu(p: Launcher, x: Array) -> None:
    """Launch L and U in one, row exchanges counted from 1, and zero pivots, into the results."""
    out, pivots, infos = p.results
    a = spread(p, x, x.shape[:-2], out)
    found, zeros = factor(p, a)
    p.launch(_counted_from_one, 1, found.reshape(-1), pivots.reshape(-1))
    p.launch(_copied, 1, zeros, infos.reshape(-1))


@procedure
def _counted_from_one(row, found, pivots):
    for k in range(found.shape[0]):
        pivots[k] = found[k] + 1


@procedure
def _copied(row, x, out):
    for k in range(x.shape[0]):
        out[k] = x[k]


def solve(p: Launcher, x: Array, y: Array) -> None:
    """Launch the solution of `x @ out = y` into the first result."""
    batch = p.results[0].shape[:-2]
    a = spread(p, x, batch)
    out = spread(p, y, batch, p.results[0])
    _solved(p, a, out)


def inverse(p: Launcher, x: Array) -> None:
    """Launch the inverses into the first result."""
    a, out = spread(p, x, x.shape[:-2]), stacked(p.results[0])
    p.launch(identity, out.shape[0] * out.shape[1], out, work=out.size)
    _solved(p, a, out)


def _solved(p: Launcher, a: Array, out: Array) -> None:
    pivots, _ = factor(p, a, refuses=True)
    batch, _, columns = out.shape
    blocks = -(-columns // ACROSS)
    p.launch(_permuted, batch * blocks, out, pivots, blocks, work=out.size)
    substitute(p, a, out, upper=False, unit=True)
    substitute(p, a, out, upper=True)


@procedure
def _permuted(row, out, pivots, blocks):
    batch, first = row // blocks, row % blocks * ACROSS
    width = min(ACROSS, out.shape[2] - first)
    for i in range(pivots.shape[1]):
        at = cast(pivots[batch, i], i)
        if at != i:
            for j in range(width):
                x = out[batch, i, first + j]
                out[batch, i, first + j] = out[batch, at, first + j]
                out[batch, at, first + j] = x


def determinant(p: Launcher, x: Array) -> None:
    """Launch the determinants into the first result."""
    a = spread(p, x, x.shape[:-2])
    pivots, zeros = factor(p, a)
    out = p.results[0].reshape(-1)
    most = 60.0 if x.dtype is float32 else 600.0
    p.launch(_determinant, out.size, a, pivots, zeros, out, most, work=a.size)


def sign_and_log_det(p: Launcher, x: Array) -> None:
    """Launch the signs and the logarithms of the sizes of the determinants into the results."""
    a = spread(p, x, x.shape[:-2])
    pivots, zeros = factor(p, a)
    signs, logs = (r.reshape(-1) for r in p.results)
    p.launch(_sign_and_log, signs.size, a, pivots, zeros, signs, logs, work=a.size)


@procedure
def _determinant(row, a, pivots, zeros, out, most):
    """The product of the pivots; by logarithms where it leaves the dtype's range on the way."""
    product, size = cast(1, a), cast(0, a)
    is_in_range = True
    for i in range(a.shape[1]):
        x = a[row, i, i]
        if cast(pivots[row, i], i) != i:
            product = -product
        product = product * x
        size += loop.call("log", abs(x))
        if abs(size) > cast(most, a):
            is_in_range = False
    if is_in_range or zeros[row] != 0:
        out[row] = product if zeros[row] == 0 else cast(0, out)
    else:
        out[row] = _sign(row, a, pivots) * loop.call("exp", size)


@procedure
def _sign_and_log(row, a, pivots, zeros, signs, logs):
    size = cast(0, a)
    for i in range(a.shape[1]):
        size += loop.call("log", abs(a[row, i, i]))
    if zeros[row] != 0:
        signs[row] = cast(0, a)
        logs[row] = -cast(1, a) / cast(0, a)
    else:
        signs[row] = _sign(row, a, pivots)
        logs[row] = size


@procedure
def _sign(row, a, pivots):
    """The sign of a determinant."""
    sign = cast(1, a)
    for i in range(a.shape[1]):
        if cast(pivots[row, i], i) != i:
            sign = -sign
        if a[row, i, i] < 0:
            sign = -sign
    return sign


def row_exchanges(p: Launcher, pivots: Array, size: int, dtype: DType) -> None:
    """Launch permutation matrices into the first result."""
    out = stacked(p.results[0])
    rows = p.scratch((out.shape[0], size), int32)
    found = pivots.reshape(out.shape[0], pivots.shape[-1])
    p.launch(_placed, out.shape[0], found, rows, out, work=out.size)


@procedure
def _placed(row, pivots, rows, out):
    n = out.shape[1]
    for i in range(n):
        rows[row, i] = cast(i, rows)
        for j in range(n):
            out[row, i, j] = cast(0, out)
    for i in range(pivots.shape[1]):
        at = cast(pivots[row, i], i) - 1
        if at < 0 or at >= n:
            fail()
            return
        x = rows[row, i]
        rows[row, i] = rows[row, at]
        rows[row, at] = x
    for i in range(n):
        out[row, cast(rows[row, i], i), i] = cast(1, out)
