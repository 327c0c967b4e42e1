"""Matrices turned and vectors as matrices: what decompositions share."""

from __future__ import annotations

from twinoar.core.op.declare import Tensor
from twinoar.ops.linalg.linear_system import transposed
from twinoar.ops.math.complex_number import conj
from twinoar.ops.shape.reshape import unsqueeze_op


def adjoint(x: Tensor) -> Tensor:
    return conj(transposed(x)) if x.dtype.is_complex else transposed(x)


def as_columns(x: Tensor) -> Tensor:
    return unsqueeze_op(x, (-1,))
