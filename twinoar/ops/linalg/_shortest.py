"""Least squares by singular values: the shortest of the best solutions.

(Golub and Van Loan, "Matrix Computations", 4th ed., 5.5.)
"""

from __future__ import annotations

from twinoar.core.loop.procedure import Array, Launcher, cast, fail, procedure
from twinoar.ops.linalg._singular import CHUNK, decomposed
from twinoar.ops.linalg._tiles import Part, multiply
from twinoar.ops.linalg._triangular import stacked


def least_squares(p: Launcher, x: Array, y: Array, rcond: float) -> None:
    """Launch the solutions and the ranks into the results."""
    solution, ranks = p.results
    x, y, out = stacked(x), stacked(y), stacked(solution)
    batch, m, n = x.shape
    columns, k = y.shape[2], min(m, n)
    p.launch(_checked, batch, y)
    found = decomposed(p, x)
    seen, weighed = (p.scratch((batch, k, columns), x.dtype) for _ in range(2))
    size, chunks = (k, columns, k), -(-k // CHUNK)
    right_side = y
    if m > n:
        assert found.q is not None
        right_side = weighed
        multiply(
            p, Part(weighed), Part(found.q), Part(y), (k, columns, m), turned=True, subtract=False
        )
    multiply(p, Part(seen), Part(found.left), Part(right_side), size, subtract=False)
    p.launch(_divided, batch, seen, found.values, found.scales, ranks.reshape(batch), rcond, chunks)
    target = weighed if m < n else out
    multiply(p, Part(target), Part(found.right), Part(seen), size, turned=True, subtract=False)
    if m < n:
        assert found.q is not None
        multiply(p, Part(out), Part(found.q), Part(weighed), (n, columns, k), subtract=False)


@procedure
def _checked(batch, y):
    for i in range(y.shape[1]):
        for j in range(y.shape[2]):
            if y[batch, i, j] - y[batch, i, j] != 0:
                fail()
                return


@procedure
def _divided(batch, seen, d, scales, ranks, rcond, chunks):
    """The right side along each vector by its value; nothing for values that count as 0."""
    rank = 0
    for i in range(seen.shape[1]):
        value = d[batch * chunks, i]
        is_kept = value > rcond * d[batch * chunks, 0] and value > 0
        if is_kept:
            rank += 1
        for j in range(seen.shape[2]):
            part = cast(seen[batch, i, j], d) / (value / scales[batch])
            seen[batch, i, j] = cast(part, seen) if is_kept else cast(0, seen)
    ranks[batch] = cast(rank, ranks)
