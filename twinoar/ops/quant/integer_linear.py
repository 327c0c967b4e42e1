"""Products of matrices of integers of 8 bits, and what is done to their sums."""

from __future__ import annotations

import math

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import DType, float32, int8, int32, uint8
from twinoar.core.op.declare import Tensor, loop, primitive
from twinoar.core.op.library import Matmul, Scaled
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.quant._sums import ARRAYS, check_call, check_finish, check_integers, finished


@primitive(amp="full")
def integer_linear(
    x: Tensor,
    weight: Tensor,
    scale: Tensor,
    bias: Tensor | None = None,
    residual: Tensor | None = None,
    factor: Tensor | None = None,
    activation: str = "",
    dtype: DType = float32,
    nonnegative: bool = False,
) -> Tensor:
    """activation(s * scale + bias + residual) * factor, s being x times weight in integers, exact.

    x: [...,M,K], int8 or uint8. weight: [K,N], int8. scale: [N] or [1], float32. bias: [N],
    float32. residual, factor, activation, dtype, nonnegative: as of `integer_conv2d`. Returns
    [...,M,N]. Raises ShapeError, DTypeError, ArgumentError. Source: arXiv 1712.05877, eq. 5.

    >>> from twinoar.ops.quant.integer_linear import integer_linear
    >>> x, weight = twinoar.full([1, 3], 100, "int8"), twinoar.full([3, 1], -100, "int8")
    >>> integer_linear(x, weight, twinoar.to_tensor([0.5])).tolist()
    [[-15000.0]]
    """


@integer_linear.library
def _(activation, nonnegative):
    return Scaled(Matmul(False, False), activation, nonnegative)


@integer_linear.infer
def _(x, weight, scale, bias, residual, factor, activation, dtype, nonnegative):
    if x.ndim < 2 or weight.ndim != 2:
        raise ShapeError(
            f"expected x of two dimensions or more and weight of two, received {x} and {weight}"
        )
    inner, columns = weight.shape
    if is_known(inner, x.shape[-1]) and inner != x.shape[-1]:
        raise ShapeError(f"x has {x.shape[-1]} columns, weight {inner} rows")
    check_integers(x, weight)
    given = scale, bias, residual, factor, activation, dtype
    return check_finish((*x.shape[:-1], columns), columns, *given)


@integer_linear.kernel
def _(x, weight, scale, bias, residual, factor, activation, dtype, nonnegative):
    given = scale, bias, residual, factor
    check_call(integer_linear, (x, weight, *given), activation, dtype, nonnegative)
    # Sums of products of 8 bits are exact in float64.
    total = (x.astype(np.float64) @ weight.astype(np.float64)).astype(np.int32)
    return finished(ARRAYS, total, *given, activation=activation, dtype=dtype)


@integer_linear.lower
def _(i, x, weight, scale, bias, residual, factor, activation, dtype):
    *row, column = i

    def term(k):
        return loop.cast(x[(*row, k)], int32) * loop.cast(weight[k, column], int32)

    return finished(
        loop,
        loop.sum((x.shape[-1],), term),
        scale[0] if scale.shape == (1,) else scale[column],
        None if bias is None else bias[column],
        None if residual is None else residual[i],
        None if factor is None else factor[0],
        activation=activation,
        dtype=dtype,
    )


@integer_linear.flops
def _(x, weight, *others, **rest):
    return 2 * math.prod(x.shape[:-1]) * weight.size


@integer_linear.samples
def _(s):
    # Scales are powers of 2, so that all arithmetic on floats is exact, and all ways agree.
    def some(*shape, low=-128, dtype="int8"):
        return s.ints(low, 128, *shape, dtype=dtype)

    one = np.array([2**-6], "float32")
    each = 2.0 ** s.ints(-9, -5, 5).astype("float32")
    bias = s.ints(-64, 64, 5).astype("float32") / 4
    x, weight = some(4, 6), some(6, 5)
    yield s(x, weight, one, gradient=False)
    yield s(x, weight, each, bias, gradient=False)
    yield s(some(2, 3, 6), weight, each, bias, activation="relu", dtype=int8, gradient=False)
    yield s(x, weight, each, bias, some(4, 5), one * 32, "relu", uint8, gradient=False)
    yield s(x, weight, each, None, s.ints(-9, 9, 4, 5).astype("float32"), gradient=False)
    yield s(some(4, 6, low=0), weight, each, bias, nonnegative=True, dtype=int8, gradient=False)
    yield s(some(4, 6, low=0, dtype="uint8"), weight, one, gradient=False)
    yield s(s.zeros(0, 6, dtype="int8"), weight, one, gradient=False)
    yield s.bad(DTypeError, "int8 or uint8", s.randn(4, 6), weight, one)
    yield s.bad(ShapeError, "x has 3 columns", some(4, 3), weight, one)
    yield s.bad(ShapeError, "two dimensions or more", some(6), weight, one)
    yield s.bad(ShapeError, "bias of shape [5]", x, weight, one, s.randn(3))
    yield s.bad(ArgumentError, "activation must be one of", x, weight, one, activation="tan")
