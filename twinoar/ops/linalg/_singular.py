"""Singular values and vectors.

What is not square is reduced to a triangle by reflections; that is made bidiagonal, whose singular
values QR iterations find, with a shift or, where that would cost the small ones their digits, with
none. (Golub and Van Loan, "Matrix Computations", 4th ed., 8.6; Demmel and Kahan, "Accurate singular
values of bidiagonal matrices", 1990; steps ordered as in LAPACK's bdsqr.)
"""

from __future__ import annotations

from twinoar.core.dtype import float32, float64
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, procedure
from twinoar.late import dataclass
from twinoar.ops.linalg import _reflections
from twinoar.ops.linalg._bidiagonal import bidiagonal
from twinoar.ops.linalg._reflections import WIDTH, block_of, identity, reflect
from twinoar.ops.linalg._rotations import BLOCK, EPSILON, TINY, rotation, sweep
from twinoar.ops.linalg._tiles import Part, multiply
from twinoar.ops.linalg._triangular import stacked
from twinoar.ops.linalg._two_by_two import signed, singular_values, smaller_singular_value

CHUNK = 256  # elements of each vector that are rotated together
TOLERANCE = 98.7 * EPSILON  # how exact each singular value is made, relative to itself
SWEEPS = 6  # iterations, times the square of the order, that may be needed


@dataclass(frozen=True)
class Decomposition:
    """values: [batch,K], float64, descending, times `scales`. left, right: vectors, a row each.

    q: [batch,max(M,N),...], orthonormal columns that the longer vectors are in terms of; or None.
    """

    values: Array
    scales: Array
    left: Array
    right: Array
    q: Array | None


def decomposed(p: Launcher, x: Array, *, full: bool = False) -> Decomposition:
    """Launch the decomposition of `x`, [batch,M,N]."""
    batch, m, n = x.shape
    k, most = min(m, n), max(m, n)
    core, scales = p.scratch((batch, k, k), x.dtype), p.scratch((batch,), float64)
    q = None
    if m == n:
        p.launch(_scaled, batch, x, core, scales, work=x.size, turned=False)
    else:
        tall = p.scratch((batch, most, k), x.dtype)
        p.launch(_scaled, batch, x, tall, scales, work=x.size, turned=m < n)
        found = _reflections.factor(p, tall)
        q = p.scratch((batch, most, most if full else k), x.dtype)
        _reflections.orthonormal(p, found, q)
        p.launch(_triangle, batch * k, tall, core, work=core.size, turned=m < n)
    made = bidiagonal(p, core)
    padded = -(-k // BLOCK) * BLOCK
    sides = []
    for v, taus, count in ((made.left, made.left_taus, k), (made.right, made.right_taus, k - 1)):
        product = p.scratch((batch, k, k), x.dtype)
        p.launch(identity, batch * k, product, work=product.size)
        for start in reversed(range(0, count, WIDTH)):
            reflect(p, block_of(p, v, taus, start, count), product, start, backward=False)
        side = p.scratch((batch, k, padded), x.dtype)
        p.launch(_turned, batch * k, product, side, work=product.size)
        sides.append(side)
    chunks = -(-k // CHUNK)
    rows = batch * chunks
    d, e = (p.scratch((rows, k), float64) for _ in range(2))
    angles, others = (p.scratch((rows, 2, k), float64) for _ in range(2))
    p.launch(
        _iterated, rows, made.d, made.e, d, e, *sides, angles, others, chunks,
        work=2 * batch * k * k * k,
    )  # fmt: skip
    left, right = sides
    return Decomposition(d, scales, left, right, q)


def svd(p: Launcher, x: Array, *, full: bool) -> None:
    """Launch U, S and VH into the results."""
    u, values, vh = p.results
    u, vh, x = stacked(u), stacked(vh), stacked(x)
    batch, m, n = x.shape
    k = min(m, n)
    found = decomposed(p, x, full=full)
    chunks = -(-k // CHUNK)
    p.launch(_values, batch, found.values, found.scales, values.reshape(batch, k), chunks)
    if m <= n:
        p.launch(_columns, batch * k, found.left, u, work=u.size)
    else:
        _long(p, found, found.left, u)
    if m >= n:
        p.launch(_rows, batch * k, found.right, vh, work=vh.size)
    else:
        v = p.scratch((batch, n, vh.shape[1]), x.dtype)
        _long(p, found, found.right, v)
        p.launch(_columns, batch * vh.shape[1], v, vh, work=vh.size)


def _long(p: Launcher, found: Decomposition, side: Array, out: Array) -> None:
    """Launch the longer vectors into the columns of `out`, [batch,L,...]."""
    assert found.q is not None
    batch, size, _ = out.shape
    k = side.shape[1]
    columns = p.scratch((batch, k, k), out.dtype)
    p.launch(_columns, batch * k, side, columns, work=columns.size)
    p.launch(_rows, batch * size, found.q, out, work=out.size)
    sizes = size, k, k
    multiply(p, Part(out), Part(found.q), Part(columns), sizes, subtract=False)


@procedure
def _scaled(batch, x, out, scales, *, turned):
    """A matrix, or its transpose, in a range where squares stay finite."""
    most = cast(0, x)
    for i in range(x.shape[1]):
        for j in range(x.shape[2]):
            y = abs(x[batch, i, j])
            if y > most or y != y:
                most = y
    if most - most != 0:
        fail()
        return
    scale = cast(1, float64)
    size = cast(most, float64)
    small, large = (3e-16, 3e15) if x.dtype is float32 else (1e-146, 1e146)
    if size > 0 and size < small:
        scale = cast(small, float64) / size
    if size > large:
        scale = cast(large, float64) / size
    scales[batch] = scale
    for i in range(x.shape[1]):
        for j in range(x.shape[2]):
            y = cast(cast(x[batch, i, j], float64) * scale, x)
            if turned:
                out[batch, j, i] = y
            else:
                out[batch, i, j] = y


@procedure
def _triangle(row, a, out, *, turned):
    """A row of the upper triangle, or of its transpose."""
    n = out.shape[1]
    batch, i = row // n, row % n
    for j in range(n):
        if turned:
            out[batch, i, j] = a[batch, j, i] if j <= i else cast(0, out)
        else:
            out[batch, i, j] = a[batch, i, j] if j >= i else cast(0, out)


@procedure
def _turned(row, a, out):
    n = a.shape[1]
    batch, i = row // n, row % n
    for j in range(out.shape[2]):
        out[batch, i, j] = a[batch, j, i] if j < n else cast(0, out)


@procedure
def _columns(row, a, out):
    """A row of the transpose of the first rows and columns."""
    n = out.shape[1]
    batch, i = row // n, row % n
    for j in range(out.shape[2]):
        out[batch, i, j] = a[batch, j, i]


@procedure
def _rows(row, a, out):
    n = out.shape[1]
    batch, i = row // n, row % n
    for j in range(out.shape[2]):
        out[batch, i, j] = a[batch, i, j]


@procedure
def _values(batch, d, scales, values, chunks):
    for i in range(values.shape[1]):
        values[batch, i] = cast(d[batch * chunks, i] / scales[batch], values)


# Singular values of bidiagonal matrices.


@procedure
def _iterated(row, given, given_above, d, e, left, right, angles, others, chunks):
    """The whole iteration, on some elements of each vector; then vectors in order of values."""
    n = d.shape[1]
    batch, first = row // chunks, row % chunks * CHUNK
    width = min(CHUNK, left.shape[2] - first)
    for i in range(n):
        d[row, i] = given[batch, i]
        e[row, i] = given_above[batch, i]
    negligible = _negligible(row, d, e)
    end = n - 1
    steps = SWEEPS * n * n
    old_begin, old_end = -1, -1
    goes_down = True
    while end > 0 and steps > 0:
        steps -= 1
        begin = end
        while begin > 0:
            if abs(e[row, begin - 1]) <= negligible:
                e[row, begin - 1] = cast(0, e)
                break
            begin -= 1
        if begin == end:
            end -= 1
        elif begin == end - 1:
            most, least, cl, sl, cr, sr = singular_values(d[row, begin], e[row, begin], d[row, end])
            d[row, begin] = most
            e[row, begin] = cast(0, e)
            d[row, end] = least
            _kept(row, angles, begin, cr, sr)
            _kept(row, others, begin, cl, sl)
            sweep(right, batch, first, width, angles, row, begin, begin, forward=True)
            sweep(left, batch, first, width, others, row, begin, begin, forward=True)
            end -= 2
        else:
            if begin > old_end or end < old_begin:
                goes_down = abs(d[row, begin]) >= abs(d[row, end])
            is_split, least = _is_split(row, d, e, begin, end, goes_down)
            if not is_split:
                old_begin = begin
                old_end = end
                shift = _shift(row, d, e, begin, end, goes_down, least)
                if goes_down:
                    _down(row, d, e, angles, others, begin, end, shift)
                    sweep(right, batch, first, width, angles, row, begin, end - 1, forward=True)
                    sweep(left, batch, first, width, others, row, begin, end - 1, forward=True)
                    if abs(e[row, end - 1]) <= negligible:
                        e[row, end - 1] = cast(0, e)
                else:
                    _up(row, d, e, angles, others, begin, end, shift)
                    sweep(right, batch, first, width, angles, row, begin, end - 1, forward=False)
                    sweep(left, batch, first, width, others, row, begin, end - 1, forward=False)
                    if abs(e[row, begin]) <= negligible:
                        e[row, begin] = cast(0, e)
    if steps <= 0:
        fail()
        return
    _ordered(row, d, left, right, batch, first, width)


@procedure
def _kept(row, angles, i, c, s):
    angles[row, 0, i] = c
    angles[row, 1, i] = s


@procedure
def _negligible(row, d, e):
    """What counts as 0 above the diagonal: nothing that the smallest singular value would feel."""
    n = d.shape[1]
    least = abs(d[row, 0])
    mu = least
    for i in range(1, n):
        if least != 0:
            mu = abs(d[row, i]) * (mu / (mu + abs(e[row, i - 1])))
            least = min(least, mu)
    size = cast(n, d)
    return max(cast(TOLERANCE, d) * (least / loop.sqrt(size)), cast(SWEEPS * TINY, d) * size * size)


@procedure
def _is_split(row, d, e, begin, end, goes_down):
    """If an element became 0; a lower bound of the smallest singular value of the block."""
    tolerance = cast(TOLERANCE, d)
    found = False
    last = end - 1 if goes_down else begin
    if abs(e[row, last]) <= tolerance * abs(d[row, end if goes_down else begin]):
        e[row, last] = cast(0, e)
        found = True
    mu = abs(d[row, begin if goes_down else end])
    least = mu
    step = 0
    while step < end - begin and not found:
        i = begin + step if goes_down else end - 1 - step
        above = abs(e[row, i])
        if above <= tolerance * mu:
            e[row, i] = cast(0, e)
            found = True
        else:
            mu = abs(d[row, i + 1 if goes_down else i]) * (mu / (mu + above))
            least = min(least, mu)
        step += 1
    return found, least


@procedure
def _shift(row, d, e, begin, end, goes_down, least):
    """The shift of a sweep; 0 where one would cost small singular values their digits."""
    most = abs(d[row, end])
    for i in range(begin, end):
        most = max(most, max(abs(d[row, i]), abs(e[row, i])))
    shift = cast(0, d)
    share = cast(d.shape[1], d) * cast(TOLERANCE, d) * (least / most)
    if share > cast(max(EPSILON, 0.01 * TOLERANCE), d):
        at = end - 1 if goes_down else begin
        shift = smaller_singular_value(d[row, at], e[row, at], d[row, at + 1])
        size = abs(d[row, begin if goes_down else end])
        if size > 0:
            ratio = shift / size
            if ratio * ratio < cast(EPSILON, d):
                shift = cast(0, d)
    return shift


@procedure
def _down(row, d, e, angles, others, begin, end, shift):
    """A sweep from the first row to the last."""
    if shift == 0:
        c, old_c, old_s = cast(1, d), cast(1, d), cast(0, d)
        for i in range(begin, end):
            c, s, r = rotation(d[row, i] * c, e[row, i])
            if i > begin:
                e[row, i - 1] = old_s * r
            old_c, old_s, new = rotation(old_c * r, d[row, i + 1] * s)
            d[row, i] = new
            _kept(row, angles, i, c, s)
            _kept(row, others, i, old_c, old_s)
        last = d[row, end] * c
        d[row, end] = last * old_c
        e[row, end - 1] = last * old_s
    else:
        x = d[row, begin]
        f = (abs(x) - shift) * (signed(cast(1, d), x) + shift / x)
        g = e[row, begin]
        for i in range(begin, end):
            cr, sr, r = rotation(f, g)
            if i > begin:
                e[row, i - 1] = r
            f = cr * d[row, i] + sr * e[row, i]
            above = cr * e[row, i] - sr * d[row, i]
            g = sr * d[row, i + 1]
            following = cr * d[row, i + 1]
            cl, sl, r = rotation(f, g)
            d[row, i] = r
            f = cl * above + sl * following
            d[row, i + 1] = cl * following - sl * above
            if i < end - 1:
                g = sl * e[row, i + 1]
                e[row, i + 1] = cl * e[row, i + 1]
            _kept(row, angles, i, cr, sr)
            _kept(row, others, i, cl, sl)
        e[row, end - 1] = f


@procedure
def _up(row, d, e, angles, others, begin, end, shift):
    """A sweep from the last row to the first."""
    if shift == 0:
        c, old_c, old_s = cast(1, d), cast(1, d), cast(0, d)
        for i in range(end, begin, -1):
            c, s, r = rotation(d[row, i] * c, e[row, i - 1])
            if i < end:
                e[row, i] = old_s * r
            old_c, old_s, new = rotation(old_c * r, d[row, i - 1] * s)
            d[row, i] = new
            _kept(row, angles, i - 1, old_c, -old_s)
            _kept(row, others, i - 1, c, -s)
        last = d[row, begin] * c
        d[row, begin] = last * old_c
        e[row, begin] = last * old_s
    else:
        x = d[row, end]
        f = (abs(x) - shift) * (signed(cast(1, d), x) + shift / x)
        g = e[row, end - 1]
        for i in range(end, begin, -1):
            cr, sr, r = rotation(f, g)
            if i < end:
                e[row, i] = r
            f = cr * d[row, i] + sr * e[row, i - 1]
            above = cr * e[row, i - 1] - sr * d[row, i]
            g = sr * d[row, i - 1]
            following = cr * d[row, i - 1]
            cl, sl, r = rotation(f, g)
            d[row, i] = r
            f = cl * above + sl * following
            d[row, i - 1] = cl * following - sl * above
            if i > begin + 1:
                g = sl * e[row, i - 2]
                e[row, i - 2] = cl * e[row, i - 2]
            _kept(row, angles, i - 1, cl, -sl)
            _kept(row, others, i - 1, cr, -sr)
        e[row, begin] = f


@procedure
def _ordered(row, d, left, right, batch, first, width):
    """Values that are not negative, descending, and their vectors."""
    n = d.shape[1]
    for i in range(n):
        if d[row, i] < 0:
            d[row, i] = -d[row, i]
            for j in range(first, first + width):
                right[batch, i, j] = -right[batch, i, j]
    for i in range(n - 1, 0, -1):
        least = 0
        for k in range(1, i + 1):
            if d[row, k] <= d[row, least]:
                least = k
        if least != i:
            d[row, i], d[row, least] = d[row, least], d[row, i]
            for j in range(first, first + width):
                left[batch, i, j], left[batch, least, j] = left[batch, least, j], left[batch, i, j]
                x, y = right[batch, i, j], right[batch, least, j]
                right[batch, i, j] = y
                right[batch, least, j] = x
