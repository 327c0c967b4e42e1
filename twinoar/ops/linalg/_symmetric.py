"""Eigenvalues and eigenvectors of symmetric matrices.

Householder's reflections make a matrix tridiagonal: each takes a pass over what is left, in which
the one before is applied and the next product formed. Then shifted QL or QR iterations, ordered as
in LAPACK's steqr, so that signs of vectors are LAPACK's where its own method is that one. (Golub
and Van Loan, "Matrix Computations", 4th ed., 8.3; Wilkinson and Reinsch, 1971.)
"""

from __future__ import annotations

from twinoar.core.dtype import float32, float64
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, local, procedure
from twinoar.ops.linalg._reflections import WIDTH, block_of, identity, reflect
from twinoar.ops.linalg._rotations import BLOCK, EPSILON, TINY, hypotenuse, rotation, sweep
from twinoar.ops.linalg._triangular import stacked

ROWS = 16  # of a matrix that a thread takes in a pass
ALONE = 128  # order of matrices whose passes are one row: others have threads to gain from
LANES = 16  # of a sum
CHUNK = 256  # elements of each eigenvector that are rotated together
SWEEPS = 30  # iterations that each eigenvalue may take


def eigh(p: Launcher, x: Array, *, upper: bool) -> None:
    """Launch eigenvalues, ascending, and eigenvectors into the results."""
    values, vectors = p.results
    x, vectors = stacked(x), stacked(vectors)
    batch, n, _ = x.shape
    a, q = p.scratch(x.shape, x.dtype), p.scratch(x.shape, x.dtype)
    scales = p.scratch((batch,), float64)
    p.launch(_symmetric, batch, x, a, scales, work=x.size, upper=upper)
    d, e, v, taus = _tridiagonal(p, a)
    p.launch(identity, batch * n, q, work=q.size)
    for start in reversed(range(0, n - 1, WIDTH)):
        reflect(p, block_of(p, v, taus, start, n - 1), q, start, backward=False)
    chunks = -(-n // CHUNK)
    z = p.scratch((batch, n, -(-n // BLOCK) * BLOCK), x.dtype)
    angles = p.scratch((batch * chunks, 2, n), float64)
    p.launch(_turned, batch * n, q, z, work=q.size, upper=upper)
    diagonals, beside = (p.scratch((batch * chunks, n), float64) for _ in range(2))
    p.launch(
        _iterated, batch * chunks, d, e, diagonals, beside, z, angles, chunks,
        work=batch * n * n * n // 2, upper=upper,
    )  # fmt: skip
    p.launch(_eigenvalues, batch, diagonals, scales, values.reshape(batch, n), chunks)
    p.launch(_columns, batch * n, z, vectors, work=q.size)


@procedure
def _symmetric(batch, x, a, scales, *, upper):
    """A matrix in a range where squares stay finite, from one triangle; upper ones from the end."""
    n = x.shape[1]
    most = cast(0, x)
    for i in range(n):
        for j in range(i + 1):
            y = abs(x[batch, j, i] if upper else x[batch, i, j])
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
    for i in range(n):
        for j in range(i + 1):
            y = x[batch, n - 1 - i, n - 1 - j] if upper else x[batch, i, j]
            y = cast(cast(y, float64) * scale, x)
            a[batch, i, j] = y
            a[batch, j, i] = y


# Tridiagonal matrices.


def _tridiagonal(p: Launcher, a: Array) -> tuple[Array, Array, Array, Array]:
    """Launch the diagonal, what is beside it, the reflections, a row each, and their factors."""
    batch, n, _ = a.shape
    d, e = p.scratch((batch, n), float64), p.scratch((batch, n), float64)
    padded = -(-n // LANES) * LANES
    v = p.scratch((batch, n, padded), a.dtype)  # rows of zeros but for the reflection
    w, y = p.scratch((batch, padded), a.dtype), p.scratch((batch, padded), a.dtype)
    taus = p.scratch((batch, n), a.dtype)
    p.launch(_at_first, batch, v, w, y, work=v.size)
    if n <= ALONE:
        p.launch(_alone, batch, a, v, w, y, taus, d, e, work=batch * n * n * n)
        return d, e, v, taus
    for i in range(n):
        p.launch(_next, batch, a, v, w, y, taus, d, e, i, work=batch * (n - i) * 4)
        blocks = -(-(n - i - 1) // ROWS)
        p.launch(_pass, batch * blocks, a, v, w, y, i, blocks, work=batch * (n - i) ** 2)
    return d, e, v, taus


@procedure
def _at_first(batch, v, w, y):
    for i in range(v.shape[1]):
        for j in range(v.shape[2]):
            v[batch, i, j] = cast(0, v)
    for j in range(v.shape[2]):
        w[batch, j] = cast(0, v)
        y[batch, j] = cast(0, v)


@procedure
def _alone(batch, a, v, w, y, taus, d, e):
    n = a.shape[1]
    for i in range(n):
        _reflection(batch, a, v, w, y, taus, d, e, i)
        for r in range(i + 1, n):
            _updated(batch, a, v, w, y, i, r)


@procedure
def _next(batch, a, v, w, y, taus, d, e, i):
    _reflection(batch, a, v, w, y, taus, d, e, i)


@procedure
def _pass(row, a, v, w, y, i, blocks):
    batch = row // blocks
    first = i + 1 + row % blocks * ROWS
    for r in range(first, min(first + ROWS, a.shape[1])):
        _updated(batch, a, v, w, y, i, r)


@procedure
def _reflection(batch, a, v, w, y, taus, d, e, i):
    """What the last product makes of w; then reflection i, from row i, which is updated first."""
    n = a.shape[1]
    if i > 0:
        tau = taus[batch, i - 1]
        met = cast(0, v)
        for j in range(i, n):
            met += y[batch, j] * v[batch, i - 1, j]
        shift = tau * tau * met * cast(0.5, v)
        for j in range(i, n):
            w[batch, j] = tau * y[batch, j] - shift * v[batch, i - 1, j]
        x, other = v[batch, i - 1, i], w[batch, i]
        for j in range(i, n):
            a[batch, i, j] = a[batch, i, j] - x * w[batch, j] - other * v[batch, i - 1, j]
    d[batch, i] = cast(a[batch, i, i], d)
    taus[batch, i] = cast(0, v)
    e[batch, i] = cast(0, e)
    if i + 1 < n:
        first = cast(a[batch, i, i + 1], d)
        most = cast(0, d)
        for j in range(i + 2, n):
            most = max(most, abs(cast(a[batch, i, j], d)))
        v[batch, i, i + 1] = cast(1, v)
        beta = first
        if most > 0:
            most = max(most, abs(first))  # squares of what is left may be too small for a number
            first = first / most
            squares = first * first
            for j in range(i + 2, n):
                rest = cast(a[batch, i, j], d) / most
                squares += rest * rest
            norm = loop.sqrt(squares)
            beta = -norm if first >= 0 else norm
            taus[batch, i] = cast((beta - first) / beta, v)
            for j in range(i + 2, n):
                v[batch, i, j] = cast(cast(a[batch, i, j], d) / most / (first - beta), v)
            beta = beta * most
        e[batch, i] = beta


@procedure
def _updated(batch, a, v, w, y, i, r):
    """Row r without reflection i - 1, and its product with reflection i."""
    n = a.shape[1]
    before = max(i - 1, 0)
    x, other = v[batch, before, r], w[batch, r]
    if i == 0:
        x, other = cast(0, v), cast(0, v)
    sums = local(LANES, v.dtype)
    for k in range(LANES):
        sums[k] = cast(0, v)
    start = (i + 1) // LANES * LANES
    end = start + (n - start) // LANES * LANES
    for j in range(start, end, LANES):
        for k in range(LANES):
            new = a[batch, r, j + k] - x * w[batch, j + k] - other * v[batch, before, j + k]
            a[batch, r, j + k] = new
            sums[k] = sums[k] + new * v[batch, i, j + k]
    total = cast(0, v)
    for j in range(end, n):
        new = a[batch, r, j] - x * w[batch, j] - other * v[batch, before, j]
        a[batch, r, j] = new
        total += new * v[batch, i, j]
    for k in range(LANES):
        total += sums[k]
    y[batch, r] = total


@procedure
def _turned(row, q, z, *, upper):
    """A row of the transpose; upper triangles were taken from the end."""
    n = q.shape[1]
    batch, i = row // n, row % n
    for j in range(n):
        if upper:
            z[batch, n - 1 - i, n - 1 - j] = q[batch, j, i]
        else:
            z[batch, i, j] = q[batch, j, i]
    for j in range(n, z.shape[2]):
        z[batch, i, j] = cast(0, z)


# Eigenvalues of tridiagonal matrices.


@procedure
def _iterated(row, given, given_beside, d, e, z, angles, chunks, *, upper):
    """The whole iteration, on some elements of each vector; then vectors in order of values."""
    n = d.shape[1]
    batch, first = row // chunks, row % chunks * CHUNK
    width = min(CHUNK, z.shape[2] - first)
    for i in range(n):
        at = n - 1 - i if upper else i
        d[row, at] = given[batch, i]
        if i + 1 < n:
            e[row, n - 2 - i if upper else i] = given_beside[batch, i]
    start = 0
    left = SWEEPS * n
    while start < n:
        if start > 0:
            e[row, start - 1] = cast(0, e)
        end = _split(row, d, e, start)
        here, last = start, end
        start = end + 1
        if abs(d[row, last]) < abs(d[row, here]):
            here, last = last, here
        if last > here:
            while here <= last and left > 0:
                here = _ql_step(row, d, e, z, angles, batch, first, width, here, last)
                left -= 1
        elif last < here:
            while here >= last and left > 0:
                here = _qr_step(row, d, e, z, angles, batch, first, width, here, last)
                left -= 1
        if left <= 0:
            fail()
            return
    for i in range(n - 1):
        least = i
        for k in range(i + 1, n):
            if d[row, k] < d[row, least]:
                least = k
        if least != i:
            d[row, i], d[row, least] = d[row, least], d[row, i]
            for j in range(first, first + width):
                z[batch, i, j], z[batch, least, j] = z[batch, least, j], z[batch, i, j]


@procedure
def _split(row, d, e, start):
    """The end of the block from `start` on that does not fall apart."""
    end = start
    while end < d.shape[1] - 1:
        size = abs(e[row, end])
        most = loop.sqrt(abs(d[row, end])) * loop.sqrt(abs(d[row, end + 1]))
        if size <= most * cast(EPSILON, d):
            e[row, end] = cast(0, e)
            break
        end += 1
    return end


@procedure
def _ql_step(row, d, e, z, angles, batch, first, width, here, last):
    """One eigenvalue at `here`, two, or one sweep towards it from behind; where to go on."""
    end = here
    while end < last:
        beside = abs(e[row, end])
        if beside * beside <= _negligible(d[row, end], d[row, end + 1]):
            break
        end += 1
    if end < last:
        e[row, end] = cast(0, e)
    following = here
    if end == here:
        following = here + 1
    elif end == here + 1:
        one, two, c, s = _two(d[row, here], e[row, here], d[row, here + 1])
        angles[row, 0, here] = c
        angles[row, 1, here] = s
        sweep(z, batch, first, width, angles, row, here, here, forward=False)
        d[row, here] = one
        d[row, here + 1] = two
        e[row, here] = cast(0, e)
        following = here + 2
    else:
        p = d[row, here]
        g = _shift(p, d[row, here + 1], e[row, here], d[row, end])
        c, s, p = cast(1, d), cast(1, d), cast(0, d)
        for i in range(end - 1, here - 1, -1):
            f, b = s * e[row, i], c * e[row, i]
            c, s, r = rotation(g, f)
            if i != end - 1:
                e[row, i + 1] = r
            g = d[row, i + 1] - p
            r = (d[row, i] - g) * s + cast(2, d) * c * b
            p = s * r
            d[row, i + 1] = g + p
            g = c * r - b
            angles[row, 0, i] = c
            angles[row, 1, i] = -s
        sweep(z, batch, first, width, angles, row, here, end - 1, forward=False)
        d[row, here] = d[row, here] - p
        e[row, here] = g
    return following


@procedure
def _qr_step(row, d, e, z, angles, batch, first, width, here, last):
    """As `_ql_step`, the other way around."""
    end = here
    while end > last:
        beside = abs(e[row, end - 1])
        if beside * beside <= _negligible(d[row, end], d[row, end - 1]):
            break
        end -= 1
    if end > last:
        e[row, end - 1] = cast(0, e)
    following = here
    if end == here:
        following = here - 1
    elif end == here - 1:
        one, two, c, s = _two(d[row, here - 1], e[row, here - 1], d[row, here])
        angles[row, 0, end] = c
        angles[row, 1, end] = s
        sweep(z, batch, first, width, angles, row, end, end, forward=True)
        d[row, here - 1] = one
        d[row, here] = two
        e[row, here - 1] = cast(0, e)
        following = here - 2
    else:
        p = d[row, here]
        g = _shift(p, d[row, here - 1], e[row, here - 1], d[row, end])
        c, s, p = cast(1, d), cast(1, d), cast(0, d)
        for i in range(end, here):
            f, b = s * e[row, i], c * e[row, i]
            c, s, r = rotation(g, f)
            if i != end:
                e[row, i - 1] = r
            g = d[row, i] - p
            r = (d[row, i + 1] - g) * s + cast(2, d) * c * b
            p = s * r
            d[row, i] = g + p
            g = c * r - b
            angles[row, 0, i] = c
            angles[row, 1, i] = s
        sweep(z, batch, first, width, angles, row, end, here - 1, forward=True)
        d[row, here] = d[row, here] - p
        e[row, here - 1] = g
    return following


@procedure
def _negligible(x, y):
    """The square of an element beside the diagonal that counts as 0 between x and y."""
    return cast(EPSILON * EPSILON, x) * abs(x) * abs(y) + cast(TINY, x)


@procedure
def _shift(p, following, beside, far):
    """Where a sweep begins: the far end less Wilkinson's shift."""
    g = (following - p) / (cast(2, p) * beside)
    r = hypotenuse(g, cast(1, p))
    return far - p + beside / (g + (r if g >= 0 else -r))


@procedure
def _two(a, b, c):
    """Both eigenvalues of [[a, b], [b, c]], the larger in size first, and its vector: cos, sin."""
    total, apart, twice = a + c, a - c, b + b
    size, most, least = abs(apart), c, a
    if abs(a) > abs(c):
        most, least = a, c
    root = hypotenuse(size, twice)
    one, two = cast(0.5, a) * root, cast(-0.5, a) * root
    sign = cast(1, a)
    if total < 0:
        one = cast(0.5, a) * (total - root)
        sign = cast(-1, a)
    elif total > 0:
        one = cast(0.5, a) * (total + root)
    if total != 0:
        two = (most / one) * least - (b / one) * b
    other = cast(1, a)
    both = apart + root
    if apart < 0:
        both = apart - root
        other = cast(-1, a)
    c1, s1 = cast(1, a), cast(0, a)
    if abs(both) > abs(twice):
        tangent = -twice / both
        s1 = cast(1, a) / loop.sqrt(cast(1, a) + tangent * tangent)
        c1 = tangent * s1
    elif twice != 0:
        tangent = -both / twice
        c1 = cast(1, a) / loop.sqrt(cast(1, a) + tangent * tangent)
        s1 = tangent * c1
    if sign == other:
        tangent = c1
        c1 = -s1
        s1 = tangent
    return one, two, c1, s1


@procedure
def _eigenvalues(batch, d, scales, values, chunks):
    for i in range(values.shape[1]):
        values[batch, i] = cast(d[batch * chunks, i] / scales[batch], values)


@procedure
def _columns(row, z, vectors):
    n = z.shape[1]
    batch, i = row // n, row % n
    for j in range(n):
        vectors[batch, i, j] = z[batch, j, i]
