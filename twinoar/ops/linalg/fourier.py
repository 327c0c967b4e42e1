"""The discrete Fourier transform: of complex to complex, real to complex, and complex to real.

NumPy's are the kernels; compiled, they are loops. Each transform is linear, so its gradient is its
adjoint.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY, COMPLEX_OF, REAL_OF
from twinoar.core.op.declare import Desc, Spec, Tensor, normalize_axes, primitive
from twinoar.core.op.definition import of_complex
from twinoar.errors import ArgumentError, DTypeError
from twinoar.ops.linalg._fourier import transform, zeros
from twinoar.ops.math.complex_number import real
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.slice import slice_op, unslice

NORMS = ("backward", "ortho", "forward")


def _opposite(norm: str) -> Any:
    """The norm with which the other direction is the adjoint."""
    return {"backward": "forward", "forward": "backward"}.get(norm, norm)


def _desc(kind: str, **attrs: str) -> Desc:
    return Desc(
        kind,
        {"X": "x"},
        attrs={"axes": "axes", "normalization": "norm", "forward": "forward", **attrs},
    )


def _check(x: Spec, axes: tuple[int, ...], norm: str, dtypes: Any) -> None:
    if x.dtype not in dtypes:
        raise DTypeError(
            f"x must be one of {', '.join(d.name for d in dtypes)}, received {x}",
            cure="convert it with astype",
        )
    if norm not in NORMS:
        raise ArgumentError(f"norm must be one of {', '.join(NORMS)}, received {norm!r}")
    normalize_axes(axes, x.ndim)


def _complex_spec(x: Spec, axes: tuple[int, ...], norm: str, forward: bool) -> Spec:
    _check(x, axes, norm, REAL_OF)
    return x


@primitive(
    slow_kernel=True,
    apart="axes",
    infer=_complex_spec,
    grad=of_complex(lambda g, axes, norm, forward: fft_c2c(g, axes, _opposite(norm), not forward)),
    desc=_desc("fft_c2c"),
)
def fft_c2c(
    x: Tensor, axes: tuple[int, ...], norm: str = "backward", forward: bool = True
) -> Tensor:
    """The transform of complex numbers over `axes`, or the inverse one."""


@fft_c2c.kernel
def _(x, axes, norm, forward):
    _check(Spec(x.shape, BY_NUMPY[x.dtype]), axes, norm, REAL_OF)
    if not x.size:
        return x
    transform = np.fft.fftn if forward else np.fft.ifftn
    return transform(x, axes=axes, norm=norm).astype(x.dtype, copy=False)


def _scale(norm: str, forward: bool, n: int) -> float:
    """What the norm multiplies a transform of `n` elements by."""
    if norm == "ortho":
        return 1 / math.sqrt(n)
    return 1 / n if (norm == "forward") is forward else 1.0


def _over_axes(p: Any, x: Any, out: Any, axes: tuple[int, ...], norm: str, forward: bool) -> None:
    """Launch transforms of complex numbers, one axis after the other."""
    for axis in axes:
        n = x.shape[axis]
        transform(p, x, out, axis % x.ndim, n, _scale(norm, forward, n), forward=forward)
        x = out


@fft_c2c.procedure
def _(p, x, axes, norm, forward):
    (out,) = p.results
    if not axes:
        return False
    if out.size:
        _over_axes(p, x, out, axes, norm, forward)
    return True


def _complex(s: Any, *shape: int, dtype: str = "float32") -> np.ndarray:
    return s.randn(*shape, dtype=dtype) + 1j * s.randn(*shape, dtype=dtype)


@fft_c2c.samples
def _(s):
    yield s(_complex(s, 4), (0,))
    yield s(_complex(s, 2, 3, 4, dtype="float64"), (0, -1), "ortho", False)
    yield s(_complex(s, 2, 3), (1,), "forward")
    yield s.bad(DTypeError, "must be one of", s.randn(4), (0,))
    yield s.bad(ArgumentError, "norm must be", _complex(s, 4), (0,), "other")


def _half_spec(x: Spec, axes: tuple[int, ...], norm: str, forward: bool, onesided: bool) -> Spec:
    _check(x, axes, norm, COMPLEX_OF)
    shape = list(x.shape)
    if onesided:
        shape[axes[-1]] = shape[axes[-1]] // 2 + 1
    return Spec(tuple(shape), COMPLEX_OF[x.dtype])


@primitive(
    slow_kernel=True,
    apart="axes",
    infer=_half_spec,
    desc=_desc("fft_r2c", onesided="onesided"),
    amp="full",
)
def fft_r2c(
    x: Tensor,
    axes: tuple[int, ...],
    norm: str = "backward",
    forward: bool = True,
    onesided: bool = True,
) -> Tensor:
    """The transform of real numbers over `axes`; `onesided` leaves out what follows by symmetry."""


@fft_r2c.kernel
def _(x, axes, norm, forward, onesided):
    spec = _half_spec(Spec(x.shape, BY_NUMPY[x.dtype]), axes, norm, forward, onesided)
    if not x.size:
        return np.zeros(spec.shape, spec.dtype.numpy)
    if not onesided:
        return fft_c2c.kernel_rule(x.astype(spec.dtype.numpy), axes, norm, forward)
    if forward:
        return np.fft.rfftn(x, axes=axes, norm=norm).astype(spec.dtype.numpy, copy=False)
    # the inverse of real numbers is the conjugate of the transform, with the other norm
    return np.conj(np.fft.rfftn(x, axes=axes, norm=_opposite(norm))).astype(spec.dtype.numpy)


@fft_r2c.procedure
def _(p, x, axes, norm, forward):
    (out,) = p.results
    if not axes:
        return False
    *others, axis = axes
    n = x.shape[axis]
    if not x.size:
        if out.size:
            p.launch(zeros, 1, out.reshape(1, -1))
        return True
    scale = _scale(norm, forward, n)
    transform(p, x, out, axis % x.ndim, n, scale, forward=forward, read="real")
    _over_axes(p, out, out, tuple(others), norm, forward)
    return True


@fft_r2c.grad
@of_complex
def _(g, specs, axes, norm, forward, onesided):
    if onesided:  # what was left out has no gradient
        axis = axes[-1] % specs[0].ndim
        g = unslice(g, specs[0].shape, (axis,), (0,), (g.spec.shape[axis],), (1,))
    return real(fft_c2c(g, axes, _opposite(norm), not forward))


@fft_r2c.samples
def _(s):
    yield s(s.randn(4), (0,), gradient=False)
    yield s(s.randn(2, 3, 5, dtype="float64"), (0, -1), "ortho", False, gradient=False)
    yield s(s.randn(2, 3), (1,), "forward", True, False, gradient=False)
    yield s(s.randn(4, 3), (1, 0), "forward", False, gradient=False)
    yield s.bad(DTypeError, "must be one of", s.ints(0, 3, 4), (0,))


def _real_spec(x: Spec, axes: tuple[int, ...], norm: str, forward: bool, last_size: int) -> Spec:
    _check(x, axes, norm, REAL_OF)
    shape = list(x.shape)
    shape[axes[-1]] = last_size or 2 * (shape[axes[-1]] - 1)
    return Spec(tuple(shape), REAL_OF[x.dtype])


@primitive(
    slow_kernel=True,
    apart="axes",
    infer=_real_spec,
    desc=_desc("fft_c2r", last_dim_size="last_size"),
)
def fft_c2r(
    x: Tensor,
    axes: tuple[int, ...],
    norm: str = "backward",
    forward: bool = False,
    last_size: int = 0,
) -> Tensor:
    """The real numbers whose transform, without what follows by symmetry, is x."""


@fft_c2r.kernel
def _(x, axes, norm, forward, last_size):
    spec = _real_spec(Spec(x.shape, BY_NUMPY[x.dtype]), axes, norm, forward, last_size)
    sizes = [spec.shape[a] for a in axes]
    if not math.prod(spec.shape):
        return np.zeros(spec.shape, spec.dtype.numpy)
    if forward:
        x, norm = np.conj(x), _opposite(norm)
    return np.fft.irfftn(x, sizes, axes, norm).astype(spec.dtype.numpy, copy=False)


@fft_c2r.procedure
def _(p, x, axes, norm, forward):
    (out,) = p.results
    *others, axis = axes
    if not out.size:
        return
    if others and x.size:
        middle = p.scratch(x.shape, x.dtype)
        _over_axes(p, x, middle, tuple(others), norm, forward)
        x = middle
    n = out.shape[axis]
    scale = _scale(norm, forward, n)
    transform(p, x, out, axis % x.ndim, n, scale, forward=forward, read="half", write="real")


@fft_c2r.grad
def _(g, specs, axes, norm, forward):
    # all but the first number, and the middle one of an even size, stand for two
    back = fft_r2c(g, axes, _opposite(norm), not forward, True)
    axis = axes[-1] % g.ndim
    half, is_even = back.spec.shape[axis], g.spec.shape[axis] % 2 == 0
    cuts = (0, 1, half - 1, half) if is_even else (0, 1, half)
    parts = [slice_op(back, (axis,), (a,), (b,)) for a, b in pairwise(cuts)]
    parts[1] = parts[1] * 2.0
    return concat_op(parts, axis)


@fft_c2r.samples
def _(s):
    yield s(_complex(s, 3), (0,))
    yield s(_complex(s, 2, 3, dtype="float64"), (0, 1), "ortho", True, 5)
    yield s(_complex(s, 3, 2), (0,), "forward", False, 4)
    yield s.bad(DTypeError, "must be one of", s.randn(4), (0,))
