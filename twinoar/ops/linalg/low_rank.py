"""Decompositions of low rank, by random projection: svd_lowrank, pca_lowrank."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError
from twinoar.ops.linalg._matrices import adjoint
from twinoar.ops.linalg.decomposition import least_size, svd_op
from twinoar.ops.reduce.reduction import mean_op
from twinoar.ops.shape.slice import slice_op


@function(method=True)
def svd_lowrank(
    x: Tensor, q: int | None = None, niter: int = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """The q largest singular values of x - M, and their vectors.

    x: [...,M,N]. q: 6 or the least size by default. niter: makes no difference, as all values are
    found and the largest kept. Returns U [...,M,q], S [...,q] and V [...,N,q]. Raises
    ArgumentError.

    >>> _, s, _ = twinoar.linalg.svd_lowrank(twinoar.to_tensor([[3.0, 0.0], [0.0, 4.0]]), 1)
    >>> s.tolist()
    [4.0]
    """
    m, n = x.spec.shape[-2:]
    least: Any = least_size(m, n)
    count = min(6, least) if q is None else q
    if not 0 <= count <= least or niter < 0:
        raise ArgumentError(
            f"q must lie between 0 and {least} and niter be 0 or more, received {q} and {niter}"
        )
    u, s, vh = svd_op(x if M is None else x - M)
    u, v = (slice_op(part, (-1,), (0,), (count,)) for part in (u, adjoint(vh)))
    return u, slice_op(s, (-1,), (0,), (count,)), v


@function(method=True)
def pca_lowrank(
    x: Tensor, q: int | None = None, center: bool = True, niter: int = 2
) -> tuple[Tensor, Tensor, Tensor]:
    """The q main components of the rows of x: `svd_lowrank`, of x less its mean row for `center`.

    >>> _, s, _ = twinoar.linalg.pca_lowrank(twinoar.to_tensor([[1.0, 0.0], [3.0, 0.0]]), 1)
    >>> round(s.item(), 4)
    1.4142
    """
    return svd_lowrank(x - mean_op(x, (-2,), True) if center else x, q, niter)
