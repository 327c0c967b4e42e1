"""Square matrices made bidiagonal by reflections from both sides.

Each takes a pass over the rows of what is left, and one over those of its transpose, which is kept
beside it: the reflections before are applied, and the next product formed. (Golub and Van Loan,
"Matrix Computations", 4th ed., 5.4.8; LAPACK's labrd.)
"""

from __future__ import annotations

from twinoar.core.dtype import float64
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import Array, Launcher, cast, local, procedure
from twinoar.late import dataclass

ROWS = 16  # of a matrix that a thread takes in a pass
ALONE = 96  # order of matrices whose passes are one row: others have threads to gain from
LANES = 16  # of a sum


@dataclass(frozen=True)
class Bidiagonal:
    """The diagonal and what is above it; reflections, a row each, and their factors."""

    d: Array
    e: Array
    left: Array
    left_taus: Array
    right: Array
    right_taus: Array


def bidiagonal(p: Launcher, a: Array) -> Bidiagonal:
    """Launch the reflections that make `a`, [batch,N,N], bidiagonal; its elements are lost."""
    batch, n, _ = a.shape
    padded = -(-n // LANES) * LANES
    turned = p.scratch(a.shape, a.dtype)
    d, e = (p.scratch((batch, n), float64) for _ in range(2))
    v, u = (p.scratch((batch, n, padded), a.dtype) for _ in range(2))
    w, y = (p.scratch((batch, 2, padded), a.dtype) for _ in range(2))
    met = p.scratch((batch, padded), a.dtype)
    v_taus, u_taus = (p.scratch((batch, n), a.dtype) for _ in range(2))
    p.launch(_at_first, batch, a, turned, v, u, w, y, met, work=3 * a.size)
    shared = v, u, w, y, met
    if n <= ALONE:
        work = 2 * batch * n * n * n
        p.launch(_alone, batch, a, turned, *shared, v_taus, u_taus, d, e, work=work)
        return Bidiagonal(d, e, v, v_taus, u, u_taus)
    for i in range(n):
        blocks, work = -(-(n - i - 1) // ROWS), batch * (n - i) ** 2
        few = batch * (n - i) * 4
        p.launch(_left, batch, turned, *shared, v_taus, u_taus, d, i, work=few)
        p.launch(_left_pass, batch * blocks, turned, *shared, i, blocks, work=work)
        p.launch(_right, batch, a, *shared, v_taus, u_taus, e, i, work=few)
        p.launch(_right_pass, batch * blocks, a, *shared, i, blocks, work=work)
    return Bidiagonal(d, e, v, v_taus, u, u_taus)


@procedure
def _at_first(batch, a, turned, v, u, w, y, met):
    n = a.shape[1]
    for i in range(n):
        for j in range(n):
            turned[batch, i, j] = a[batch, j, i]
        for j in range(v.shape[2]):
            v[batch, i, j] = cast(0, v)
            u[batch, i, j] = cast(0, v)
    for j in range(v.shape[2]):
        met[batch, j] = cast(0, v)
        for k in range(2):
            w[batch, k, j] = cast(0, v)
            y[batch, k, j] = cast(0, v)


@procedure
def _alone(batch, a, turned, v, u, w, y, met, v_taus, u_taus, d, e):
    n = a.shape[1]
    for i in range(n):
        _from_left(batch, turned, v, u, w, y, met, v_taus, u_taus, d, i)
        for r in range(i + 1, n):
            _updated(batch, turned, w, v, u, y, v, met, i, r, turned=True)
        _from_right(batch, a, v, u, w, y, met, v_taus, u_taus, e, i)
        for r in range(i + 1, n):
            _updated(batch, a, w, v, u, y, u, met, i, r, turned=False)


@procedure
def _left(batch, turned, v, u, w, y, met, v_taus, u_taus, d, i):
    _from_left(batch, turned, v, u, w, y, met, v_taus, u_taus, d, i)


@procedure
def _right(batch, a, v, u, w, y, met, v_taus, u_taus, e, i):
    _from_right(batch, a, v, u, w, y, met, v_taus, u_taus, e, i)


@procedure
def _left_pass(row, turned, v, u, w, y, met, i, blocks):
    batch = row // blocks
    first = i + 1 + row % blocks * ROWS
    for r in range(first, min(first + ROWS, turned.shape[1])):
        _updated(batch, turned, w, v, u, y, v, met, i, r, turned=True)


@procedure
def _right_pass(row, a, v, u, w, y, met, i, blocks):
    batch = row // blocks
    first = i + 1 + row % blocks * ROWS
    for r in range(first, min(first + ROWS, a.shape[1])):
        _updated(batch, a, w, v, u, y, u, met, i, r, turned=False)


@procedure
def _from_left(batch, turned, v, u, w, y, met, v_taus, u_taus, d, i):
    """What the last product makes of y; then the reflection that clears column i."""
    n = turned.shape[1]
    if i > 0:
        last, old = i - 1, (i - 1) % 2
        shift = cast(0, v)
        for j in range(i, n):
            shift += w[batch, old, j] * u[batch, last, j]
        for j in range(i, n):
            y[batch, old, j] = u_taus[batch, last] * (met[batch, j] - v[batch, last, j] * shift)
        x, other = w[batch, old, i], u[batch, last, i]
        for j in range(i, n):
            turned[batch, i, j] -= x * v[batch, last, j] + other * y[batch, old, j]
    d[batch, i] = _reflection(batch, turned, v, v_taus, i, i)


@procedure
def _from_right(batch, a, v, u, w, y, met, v_taus, u_taus, e, i):
    """What the last product makes of w; then the reflection that clears row i after its second."""
    n = a.shape[1]
    new = i % 2
    for j in range(i + 1, n):
        w[batch, new, j] = v_taus[batch, i] * met[batch, j]
    for j in range(i + 1, n):
        a[batch, i, j] -= w[batch, new, j]
    if i > 0:
        last, old = i - 1, (i - 1) % 2
        x, other = v[batch, last, i], y[batch, old, i]
        for j in range(i + 1, n):
            a[batch, i, j] -= x * w[batch, old, j] + other * u[batch, last, j]
    e[batch, i] = cast(0, e)
    u_taus[batch, i] = cast(0, u)
    if i + 1 < n:
        e[batch, i] = _reflection(batch, a, u, u_taus, i, i + 1)


@procedure
def _reflection(batch, a, v, taus, i, begin):
    """The reflection that clears row i after `begin`; what it leaves there, in float64."""
    n = a.shape[1]
    first = cast(a[batch, i, begin], float64)
    most = cast(0, float64)
    for j in range(begin + 1, n):
        most = max(most, abs(cast(a[batch, i, j], float64)))
    v[batch, i, begin] = cast(1, v)
    taus[batch, i] = cast(0, v)
    beta = first
    if most > 0:
        most = max(most, abs(first))
        first = first / most
        squares = first * first
        for j in range(begin + 1, n):
            rest = cast(a[batch, i, j], float64) / most
            squares += rest * rest
        norm = loop.sqrt(squares)
        beta = -norm if first >= 0 else norm
        taus[batch, i] = cast((beta - first) / beta, v)
        for j in range(begin + 1, n):
            v[batch, i, j] = cast(cast(a[batch, i, j], float64) / most / (first - beta), v)
        beta = beta * most
    return beta


@procedure
def _updated(batch, a, w, v, u, y, new, met, i, r, *, turned):
    """Row r without both reflections before i, and its product with a reflection i."""
    n = a.shape[1]
    last = max(i - 1, 0)
    old = last % 2
    if turned:
        x, other = w[batch, old, r], u[batch, last, r]
    else:
        x, other = v[batch, last, r], y[batch, old, r]
    if i == 0:
        x, other = cast(0, v), cast(0, v)
    sums = local(LANES, v.dtype)
    for k in range(LANES):
        sums[k] = cast(0, v)
    start = i // LANES * LANES
    end = start + (n - start) // LANES * LANES
    for j in range(start, end, LANES):
        for k in range(LANES):
            if turned:
                taken = x * v[batch, last, j + k] + other * y[batch, old, j + k]
            else:
                taken = x * w[batch, old, j + k] + other * u[batch, last, j + k]
            left = a[batch, r, j + k] - taken
            a[batch, r, j + k] = left
            sums[k] = sums[k] + left * new[batch, i, j + k]
    total = cast(0, v)
    for j in range(end, n):
        if turned:
            taken = x * v[batch, last, j] + other * y[batch, old, j]
        else:
            taken = x * w[batch, old, j] + other * u[batch, last, j]
        left = a[batch, r, j] - taken
        a[batch, r, j] = left
        total += left * new[batch, i, j]
    for k in range(LANES):
        total += sums[k]
    met[batch, r] = total
