"""Complex numbers: their parts, their making, and tensors that hold parts side by side.

The gradient of a real result with respect to z = x + iy is its derivative by x plus i times that by
y, as Paddle has it; so that of a product has the conjugate of the other factor.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import COMPLEX_OF, REAL_OF, float32
from twinoar.core.op.declare import Desc, Spec, Tensor, function, loop, op, primitive
from twinoar.core.op.definition import of_complex
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.math._unary import unary_desc
from twinoar.ops.math.cast import elementwise, promote_operands, sum_to
from twinoar.ops.math.compare import equal
from twinoar.ops.math.fill import ones_of, zeros_of
from twinoar.ops.math.select import select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.math.sign import sign
from twinoar.ops.math.trigonometry import cos, sin


def _part(x: Spec) -> Spec:
    return Spec(x.shape, REAL_OF.get(x.dtype, x.dtype))


def _complex_samples(s):
    yield s(s.randn(2, 3) + 1j * s.randn(2, 3))
    yield s(s.randn(2, dtype="float64") + 1j * s.randn(2, dtype="float64"))
    yield s(s.zeros(0, 2, dtype="complex64"))


def _any_samples(s):
    yield from _complex_samples(s)
    yield s(s.randn(2, 3), gradient=False)


@primitive(
    method=True,
    infer=_part,
    kernel=lambda x: x.real,
    scalar=lambda s, x: s.real(x),
    grad=lambda g, specs: _with_imag(g, None) if specs[0].dtype.is_complex else g,
    view=lambda base, part: _with_imag(part, imag(base)) if base.dtype.is_complex else part,
    desc=unary_desc("real"),
    samples=_complex_samples,
)
def real(x: Tensor) -> Tensor:
    """The real parts.

    x: [*]. Returns [*], real; real numbers are returned as they are.

    >>> twinoar.real(twinoar.to_tensor([1 + 2j])).tolist()
    [1.0]
    """


@primitive(
    method=True,
    infer=_part,
    kernel=lambda x: x.imag,
    scalar=lambda s, x: s.imag(x),
    grad=lambda g, specs: _with_imag(zeros_of(g.spec), g) if specs[0].dtype.is_complex else None,
    view=lambda base, part: _with_imag(real(base), part) if base.dtype.is_complex else base,
    desc=unary_desc("imag"),
    samples=_complex_samples,
)
def imag(x: Tensor) -> Tensor:
    """The imaginary parts; 0 for real numbers.

    x: [*]. Returns [*], real.

    >>> twinoar.imag(twinoar.to_tensor([1 + 2j])).tolist()
    [2.0]
    """


def _with_imag(x: Tensor, y: Tensor | None) -> Tensor:
    return complex.function(x, zeros_of(x.spec) if y is None else y)


@primitive(
    one_function=True,
    method=True,
    infer=elementwise,
    kernel=lambda x: np.conjugate(x) if x.dtype.kind == "c" else x,  # NumPy makes bool int8
    grad=lambda g: conj(g),
    scalar=lambda s, x: s.conj(x),
    desc=unary_desc("conj"),
    samples=_any_samples,
)
def conj(x: Tensor) -> Tensor:
    """The complex conjugates.

    x: [*]. Returns [*]; real numbers are returned as they are.

    >>> twinoar.conj(twinoar.to_tensor([1 + 2j])).tolist()
    [(1-2j)]
    """


def _angle_spec(x: Spec) -> Spec:
    return Spec(x.shape, float32 if x.dtype.category < float32.category else _part(x).dtype)


def _angle(s: Any, x: Any) -> Any:
    if x.dtype.is_complex:
        return s.atan2(s.imag(x), s.real(x))
    x = x if x.dtype.is_floating else s.cast(x, float32)
    return s.select(x < 0.0, math.pi, x * 0.0)


@primitive(
    method=True, infer=_angle_spec, scalar=_angle, desc=unary_desc("angle"), samples=_any_samples
)
def angle(x: Tensor) -> Tensor:
    """The angles of complex numbers with the positive real axis; 0 or pi for real ones.

    x: [*]. Returns [*], real, in [-pi, pi]; integers count as float32.

    >>> round(twinoar.angle(twinoar.to_tensor([1 + 1j])).item(), 4)
    0.7854
    """


@angle.kernel
def _(x):
    x = x.astype(np.float32) if x.dtype.kind in "biu" else x
    found = np.angle(x) if x.dtype.kind == "c" else np.where(x < 0, np.pi, 0 * x)
    return np.asarray(found, x.real.dtype)


@angle.grad
def _(g, x, specs):
    if not specs[0].dtype.is_complex:
        return zeros_of(g.spec)
    square = real(x) * real(x) + imag(x) * imag(x)
    square = select(equal(square, 0.0), float("inf"), square)  # no angle at 0, and no slope
    return _with_imag(-g * imag(x) / square, g * real(x) / square)


def _pair_spec(x: Spec, y: Spec) -> Spec:
    if x.dtype not in COMPLEX_OF:
        raise DTypeError(
            f"parts of complex numbers must be float32 or float64, received {x}",
            cure="convert them: x.astype('float32')",
        )
    return Spec(elementwise(x, y).shape, COMPLEX_OF[x.dtype])


def _pair_samples(s):
    yield s(s.uniform(0.5, 2, 2, 3), s.randn(2, 3), gradient=False)
    yield s(s.uniform(0.5, 2, 3, dtype="float64"), s.randn(2, 1, dtype="float64"), gradient=False)
    yield s(s.uniform(0.5, 2, 3), s.randn(), gradient=False)
    yield s(s.zeros(0, 2), s.zeros(0, 2), gradient=False)


@primitive(
    infer=_pair_spec,
    promote=promote_operands,
    scalar=lambda s, x, y: s.of_parts(x, y),
    desc=Desc("complex", {"X": "real", "Y": "imag"}),
    amp="full",
)
def complex(real: Tensor, imag: Tensor) -> Tensor:
    """Complex numbers of given real and imaginary parts.

    real, imag: shapes that broadcast, float32 or float64. Returns the broadcast shape, complex64 or
    complex128. Raises DTypeError, ShapeError.

    >>> twinoar.complex(twinoar.to_tensor([1.0]), twinoar.to_tensor([2.0])).tolist()
    [(1+2j)]
    """


@complex.samples
def _(s):
    yield from _pair_samples(s)
    yield s.bad(DTypeError, "must be float32", s.ints(0, 3, 2), s.ints(0, 3, 2))
    yield s.bad(ShapeError, "do not broadcast", s.randn(2), s.randn(3))


@complex.kernel
def _(real, imag):
    out = np.empty(np.broadcast_shapes(real.shape, imag.shape), np.result_type(real, np.complex64))
    if real.dtype.kind != "f" or real.dtype.itemsize < 4:
        raise TypeError
    out.real, out.imag = real, imag
    return out


@complex.grad
@of_complex
def _(g, specs):
    return sum_to(real(g), specs[0]), sum_to(imag(g), specs[1])


@function
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Complex numbers of given sizes and angles.

    abs, angle: shapes that broadcast, float32 or float64. Returns the broadcast shape, complex64 or
    complex128. Raises DTypeError, ShapeError.

    >>> twinoar.polar(twinoar.to_tensor([2.0]), twinoar.to_tensor([0.0])).tolist()
    [(2+0j)]
    """
    return complex.function(abs * cos(angle), abs * sin(angle))


def _viewed(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return np.ascontiguousarray(x).reshape(-1).view(dtype)


def _joined_spec(x: Spec) -> Spec:
    if not x.ndim or (isinstance(x.shape[-1], int) and x.shape[-1] != 2):
        raise ShapeError(f"the last dimension must have size 2, received {x}")
    return Spec(x.shape[:-1], _pair_spec(x, x).dtype)


@primitive(
    method=True,
    infer=_joined_spec,
    kernel=lambda x: _viewed(x, np.result_type(x, np.complex64)).reshape(x.shape[:-1]),
    lower=lambda i, x: loop.of_parts(x[(*i, 0)], x[(*i, 1)]),
    grad=of_complex(lambda g: as_real(g)),
    view=lambda base, part: as_real(part),
    desc=unary_desc("as_complex"),
    amp="full",
)
def as_complex(x: Tensor) -> Tensor:
    """Complex numbers whose parts stand side by side.

    x: [*,2], float32 or float64. Returns [*], complex64 or complex128. Raises ShapeError,
    DTypeError.

    >>> twinoar.as_complex(twinoar.to_tensor([[1.0, 2.0]])).tolist()
    [(1+2j)]
    """


@as_complex.samples
def _(s):
    yield s(s.randn(3, 2), gradient=False)
    yield s(s.randn(2, dtype="float64"), gradient=False)
    yield s.bad(ShapeError, "size 2", s.randn(2, 3))


def _split_spec(x: Spec) -> Spec:
    if not x.dtype.is_complex:
        raise DTypeError(f"x must be complex, received {x}")
    return Spec((*x.shape, 2), REAL_OF[x.dtype])


@primitive(
    method=True,
    infer=_split_spec,
    kernel=lambda x: _viewed(x, x.real.dtype).reshape(*x.shape, 2),
    lower=lambda i, x: loop.select(loop.eq(i[-1], 0), loop.real(x[i[:-1]]), loop.imag(x[i[:-1]])),
    grad=lambda g: as_complex(g),
    view=lambda base, part: as_complex(part),
    desc=unary_desc("as_real"),
)
def as_real(x: Tensor) -> Tensor:
    """The parts of complex numbers side by side.

    x: [*], complex. Returns [*,2], real. Raises DTypeError.

    >>> twinoar.as_real(twinoar.to_tensor([1 + 2j])).tolist()
    [[1.0, 2.0]]
    """


@as_real.samples
def _(s):
    yield s(s.randn(3) + 1j * s.randn(3))
    yield s.bad(DTypeError, "must be complex", s.randn(2), static_error=True)


@function(method=True, named=False)
def view_as_complex(input: Tensor) -> Tensor:
    """Complex numbers whose parts stand side by side. See `as_complex`.

    >>> twinoar.view_as_complex(twinoar.to_tensor([[1.0, 2.0]])).tolist()
    [(1+2j)]
    """
    return as_complex(input)


@function(method=True, named=False)
def view_as_real(input: Tensor) -> Tensor:
    """The parts of complex numbers side by side. See `as_real`.

    >>> twinoar.view_as_real(twinoar.to_tensor([1 + 2j])).tolist()
    [[1.0, 2.0]]
    """
    return as_real(input)


@function(method=True)
def isreal(x: Tensor) -> Tensor:
    """Where the imaginary part is 0.

    >>> twinoar.isreal(twinoar.to_tensor([1 + 2j, 1 + 0j])).tolist()
    [False, True]
    """
    return equal(imag(x), 0)


@op(method=True, samples=_any_samples)
def sgn(x: Tensor) -> Tensor:
    """x / |x|, and 0 where x is 0; the sign of real numbers.

    >>> twinoar.sgn(twinoar.to_tensor([-2.0, 0.0])).tolist()
    [-1.0, 0.0]
    """
    if not x.dtype.is_complex:
        return sign(x)
    size = magnitude(x)
    return x / select(equal(size, 0.0), ones_of(size.spec), size)
