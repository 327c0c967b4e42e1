"""The bits of a tensor read as elements of another dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import BY_NUMPY, REAL_OF, DType, bool_, uint8
from twinoar.core.loop import bits
from twinoar.core.op.declare import Desc, Spec, Tensor, loop, primitive
from twinoar.core.op.definition import of_complex
from twinoar.errors import GradientError, ShapeError
from twinoar.ops.math.complex_number import as_complex, as_real
from twinoar.ops.shape.reshape import reshape_op


def _viewed(x: Spec, dtype: DType) -> Spec:
    own, wanted = x.dtype.itemsize, dtype.itemsize
    if own == wanted:
        return Spec(x.shape, dtype)
    if not x.ndim:
        raise ShapeError(
            f"a number of {own} bytes has no view as {dtype.name}, whose elements have {wanted}",
            cure="reshape it to [1] first, or convert it with astype",
        )
    total = x.shape[-1] * own
    if is_known(total) and total % wanted:
        raise ShapeError(
            f"the last dimension, {x.shape[-1]} elements of {own} bytes, does not hold a whole "
            f"number of elements of {dtype.name}, which have {wanted}",
            cure="view a slice or another shape, or convert it with astype",
        )
    return Spec((*x.shape[:-1], total // wanted), dtype)


@primitive(
    name="view_dtype",
    infer=_viewed,
    view=lambda base, part, dtype: view_dtype_op(part, base.dtype),
    desc=Desc("view_dtype", {"input": "x"}, outputs=("out",), attrs={"dtype": "dtype"}),
    amp="keep",
    moves=True,
)
def view_dtype_op(x: Tensor, dtype: DType) -> Tensor:
    """The bits of x as elements of another dtype: the operator under `view`."""


@view_dtype_op.kernel
def _(x, dtype):
    shape = _viewed(Spec(x.shape, BY_NUMPY[x.dtype]), dtype).shape
    flat = np.ascontiguousarray(x).reshape(-1)
    if dtype is bool_:  # which has no bytes but 0 and 1
        return (flat.view(np.uint8) != 0).reshape(shape)
    return flat.view(dtype.numpy).reshape(shape)


@view_dtype_op.lower
def _(i, x, dtype):
    *rest, last = i or (loop.const(0),)
    if dtype.is_complex:
        return loop.of_parts(*(_number(x, rest, last * 2 + k, REAL_OF[dtype]) for k in (0, 1)))
    if dtype is bool_:
        return loop.ne(_number(x, rest, last, uint8), 0)
    return _number(x, rest, last, dtype)


def _number(x: loop.Reader, rest: list[Any], n: loop.Expr, dtype: DType) -> loop.Expr:
    """The n-th number in a row of x, as of a dtype that is not complex."""
    own, wanted = REAL_OF.get(x.dtype, x.dtype).itemsize, dtype.itemsize
    if own >= wanted:
        many = own // wanted
        word = loop.shr(_bits(x, rest, n // many), n % many * (8 * wanted))
        return bits.of_low_bits(word, dtype)
    many = wanted // own
    word = loop.const(0)
    for k in range(many):
        word = loop.or_(word, loop.shl(_bits(x, rest, n * many + k), 8 * own * k))
    return bits.of_low_bits(word, dtype)


def _bits(x: loop.Reader, rest: list[Any], n: loop.Expr) -> loop.Expr:
    """The bits of the n-th number in a row of x, as they lie in memory."""
    if not x.dtype.is_complex:
        return bits.unsigned(loop.cast(x[(*rest, n) if x.ndim else ()], x.dtype))
    z = x[(*rest, n // 2) if x.ndim else ()]
    return bits.unsigned(loop.select(loop.eq(n % 2, 0), loop.real(z), loop.imag(z)))


@view_dtype_op.grad
@of_complex
def _(g, specs, dtype):
    (x,) = specs
    if x.dtype is dtype:
        return g
    if REAL_OF.get(x.dtype) is dtype:
        return as_complex(reshape_op(g, (*x.shape, 2)))
    if REAL_OF.get(dtype) is x.dtype:
        return reshape_op(as_real(g), x.shape)
    raise GradientError(
        f"the bits of {x.dtype.name} viewed as {dtype.name} have no gradient",
        cure="view a tensor that is detached: x.detach().view(dtype)",
    )


@view_dtype_op.samples
def _(s):
    yield s(s.randn(2, 4), "int32", gradient=False, half=False)
    yield s(s.randn(4), "float32", gradient=False, half=False)
    yield s(s.randn(2, 4), "uint8", gradient=False, half=False)
    yield s(s.randn(2, 4, dtype="float64"), "int16", gradient=False, half=False)
    yield s(s.ints(0, 256, 2, 8, dtype="uint8"), "int32", gradient=False, half=False)
    yield s(s.ints(-9, 9, 4), "bool", gradient=False, half=False)
    yield s(s.ints(-9, 9, 4, dtype="int16"), "float16", half=False)
    yield s(s.randn(2, 4), "complex64", gradient=False, half=False)
    yield s(s.randn(3) + 1j * s.randn(3), "float32", gradient=False)
    yield s(s.randn(), "int32", gradient=False, half=False)
    yield s(s.zeros(0, 4), "int64", gradient=False, half=False)
    yield s.bad(ShapeError, "does not hold a whole number", s.randn(3), "int64")
    yield s.bad(ShapeError, "has no view as uint8", s.randn(), "uint8")
