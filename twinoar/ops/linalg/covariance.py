"""Covariance and correlation."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ShapeError
from twinoar.ops.create.fill import ones
from twinoar.ops.index.diagonal import diagonal
from twinoar.ops.linalg._matrices import adjoint
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import astype
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.select import clip, maximum
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.reshape import reshape_op, swapaxes, unsqueeze_op


@function(method=True)
def cov(
    x: Tensor,
    rowvar: bool = True,
    ddof: bool = True,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """The covariances of variables, each a row of x, or a column for `rowvar=False`.

    x: [N,M] or [M]. ddof: the sum is divided by one less than the weights. fweights: how often
    each observation occurs, [M]; aweights: how much it counts. Returns [N,N]; [] of one variable.
    Raises ShapeError.

    >>> twinoar.linalg.cov(twinoar.to_tensor([[1.0, 3.0], [2.0, 6.0]])).tolist()
    [[2.0, 4.0], [4.0, 8.0]]
    """
    if x.ndim not in (1, 2):
        raise ShapeError(f"x must be a vector or a matrix, received {x.spec}")
    rows = reshape_op(x, (1, -1)) if x.ndim == 1 else x if rowvar else swapaxes(x, 0, 1)
    weights = ones([rows.shape[1]], x.dtype)
    for given in (fweights, aweights):
        weights = weights if given is None else weights * astype(given, x.dtype)
    total = sum_op(weights)
    lost: Any = 0.0
    if ddof:
        lost = sum_op(weights * astype(aweights, x.dtype)) / total if aweights is not None else 1.0
    centered = rows - sum_op(rows * weights, (1,), True) / total
    product = matmul(centered * weights, adjoint(centered))
    out = product / maximum(total - lost, 0.0)
    return reshape_op(out, ()) if rows.spec.shape[0] == 1 else out


@function(method=True)
def corrcoef(x: Tensor, rowvar: bool = True) -> Tensor:
    """The correlations of variables, each a row of x, or a column for `rowvar=False`. See `cov`.

    >>> twinoar.linalg.corrcoef(twinoar.to_tensor([[1.0, 3.0], [2.0, 6.0]])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    c = cov(x, rowvar)
    if c.ndim == 0:
        return c / c
    deviation = sqrt(diagonal(c))
    return clip(c / unsqueeze_op(deviation, (1,)) / unsqueeze_op(deviation, (0,)), -1.0, 1.0)
