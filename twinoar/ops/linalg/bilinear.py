"""Bilinear forms: x W y for several matrices W."""

from __future__ import annotations

from typing import Any

from twinoar.core.dim import differ
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ShapeError
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape, unsqueeze


@function
def bilinear(x1: Tensor, x2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1 W_i x2 + b_i for each of O matrices W_i.

    x1: [N,M]. x2: [N,K]. weight: [O,M,K]. bias: [1,O]. Returns [N,O]. Raises ShapeError.

    >>> x, y = twinoar.to_tensor([[1.0, 2.0]]), twinoar.to_tensor([[3.0]])
    >>> twinoar.nn.functional.bilinear(x, y, twinoar.ones([2, 2, 1])).tolist()
    [[9.0, 9.0]]
    """
    return bilinear_op(x1, x2, weight, bias)


@op(
    name="bilinear",
    desc=Desc("bilinear_tensor_product", {"X": "x", "Y": "y", "Weight": "weight", "Bias": "bias"}),
)
def bilinear_op(x: Tensor, y: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x W_i y + b_i: the operator under `bilinear`."""
    _check(x, y, weight)
    o, m, k = weight.spec.shape
    rows = x.spec.shape[0]
    by_matrix = matmul(x, reshape(weight.transpose([1, 0, 2]), (m, o * k)))  # [N,O*K]
    out = total(reshape(by_matrix, (rows, o, k)) * unsqueeze(y, 1), axis=2)
    return out if bias is None else out + bias


@bilinear_op.samples
def _(s):
    yield s(s.randn(4, 3), s.randn(4, 2), s.randn(5, 3, 2), s.randn(1, 5))
    yield s(s.randn(1, 3), s.randn(1, 1), s.randn(2, 3, 1))
    yield s(s.randn(0, 3), s.randn(0, 2), s.randn(5, 3, 2))
    yield s.bad(ShapeError, "weight must be", s.randn(4, 3), s.randn(4, 2), s.randn(5, 3, 3))
    yield s.bad(ShapeError, "2 dimensions", s.randn(4, 3, 1), s.randn(4, 2), s.randn(5, 3, 2))


def _check(x: Any, y: Any, weight: Any) -> None:
    if x.ndim != 2 or y.ndim != 2:
        raise ShapeError(f"x and y must have 2 dimensions, received {x.spec} and {y.spec}")
    found = weight.spec.shape
    wanted = (x.spec.shape[1], y.spec.shape[1])
    if len(found) != 3 or any(differ(a, b) for a, b in zip(found[1:], wanted, strict=True)):
        raise ShapeError(f"weight must be [O, {wanted[0]}, {wanted[1]}], received {weight.spec}")
