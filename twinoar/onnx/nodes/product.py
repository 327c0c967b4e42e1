"""Products of matrices."""

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar.onnx.table import each, node

each({"MatMul": paddle.matmul, "Det": paddle.linalg.det})


@node("Gemm")
def gemm(
    a: Any,
    b: Any,
    c: Any = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
    broadcast: int = 0,
) -> Any:
    found = paddle.matmul(a, b, bool(transA), bool(transB))
    if alpha != 1.0:
        found = (found * alpha).astype(a.dtype)
    if c is None:
        return found
    return found + (c if beta == 1.0 else (c * beta).astype(c.dtype))


@node("Einsum")
def einsum(*x: Any, equation: str) -> Any:
    return paddle.einsum(equation.replace(" ", ""), *x)
