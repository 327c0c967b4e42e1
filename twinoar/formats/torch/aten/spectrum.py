"""ATen's Fourier transforms, complex numbers and windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.dtype import COMPLEX_OF, DType, float32
from twinoar.core.op.declare import normalize_axis, op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.shape import constant_pad, rolled, windows
from twinoar.formats.torch.aten.table import floating, target, together
from twinoar.ops.create.range import arange
from twinoar.ops.create.window_function import (
    bartlett_window,
    blackman_window,
    hamming_window,
    hann_window,
    kaiser_window,
)
from twinoar.ops.linalg.fourier import fft_c2c, fft_c2r, fft_r2c
from twinoar.ops.math.cast import astype
from twinoar.ops.math.complex_number import polar
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import swapaxes
from twinoar.ops.shape.slice import slice_op

UNSCALED, BY_ROOT, BY_SIZE = range(3)  # what ATen divides a transform by
FORWARD = {UNSCALED: "backward", BY_ROOT: "ortho", BY_SIZE: "forward"}
BACKWARD = {UNSCALED: "forward", BY_ROOT: "ortho", BY_SIZE: "backward"}


@target("aten.complex")
def complex_of_parts(real: Value, imag: Value) -> Any:
    """Complex numbers of their two parts."""
    return op_named("complex")(*together(real, imag))


@target("aten.polar")
def complex_of_angle(abs: Value, angle: Value) -> Any:
    """Complex numbers of their sizes and angles."""
    return polar(*together(abs, angle))


def _axes(x: Value, dims: Sequence[int]) -> tuple[int, ...]:
    return tuple(normalize_axis(d, x.ndim) for d in dims)


@target("aten._fft_r2c")
def real_to_complex(self: Value, dim: Sequence[int], normalization: int, onesided: bool) -> Any:
    """The transform of real numbers; onesided: without what follows by symmetry."""
    return fft_r2c(self, _axes(self, dim), FORWARD[normalization], True, onesided)


@target("aten._fft_c2r")
def complex_to_real(self: Value, dim: Sequence[int], normalization: int, last_dim_size: int) -> Any:
    """The transform back of the half of a symmetric one."""
    return fft_c2r(self, _axes(self, dim), BACKWARD[normalization], False, last_dim_size)


@target("aten._fft_c2c")
def complex_to_complex(self: Value, dim: Sequence[int], normalization: int, forward: bool) -> Any:
    """The transform of complex numbers, or the one back."""
    names = FORWARD if forward else BACKWARD
    return fft_c2c(self, _axes(self, dim), names[normalization], forward)


# The functions of torch.fft: sizes and dimensions of one's own.


def _fitted(x: Value, axis: int, size: Any) -> Any:
    """x cut, or with zeros at the end, to `size` along a dimension."""
    own = x.spec.shape[axis]
    if size is None or size == own:
        return x
    if not (isinstance(size, int) and isinstance(own, int)):
        raise UnsupportedError("a transform of another size than a dimension of unknown size")
    if size < own:
        return slice_op(x, (axis,), (0,), (size,))
    return constant_pad(x, [0, 0] * (x.ndim - 1 - axis) + [0, size - own])


def _as_complex(x: Value) -> Any:
    return astype(floating(x), COMPLEX_OF.get(floating(x).dtype, floating(x).dtype))


def _of_complex(x: Value, axes: tuple[int, ...], s: list, norm: str, forward: bool) -> Any:
    for axis, size in zip(axes, s, strict=True):
        x = _fitted(x, axis, size)
    x = floating(x)
    if x.dtype.is_complex:
        return fft_c2c(x, axes, norm, forward)
    return fft_r2c(x, axes, norm, forward, False)


def _of_real(x: Value, axes: tuple[int, ...], s: list, norm: str, forward: bool) -> Any:
    for axis, size in zip(axes, s, strict=True):
        x = _fitted(x, axis, size)
    return fft_r2c(floating(x), axes, norm, forward, True)


def _to_real(x: Value, axes: tuple[int, ...], s: list, norm: str, forward: bool) -> Any:
    last = s[-1] if s[-1] is not None else 2 * (x.spec.shape[axes[-1]] - 1)
    for axis, size in zip(axes, [*s[:-1], last // 2 + 1], strict=True):
        x = _fitted(x, axis, size)
    return fft_c2r(_as_complex(x), axes, norm, forward, last)


KINDS: dict[str, tuple[Callable[..., Any], bool]] = {
    "fft": (_of_complex, True),
    "ifft": (_of_complex, False),
    "rfft": (_of_real, True),
    "irfft": (_to_real, False),
    "hfft": (_to_real, True),
    "ihfft": (_of_real, False),
}


def _transform(kind: str) -> None:
    """Enter a kind along one dimension, along two, and along any."""
    function, forward = KINDS[kind]

    def one(self: Value, n: Any = None, dim: int = -1, norm: str | None = None) -> Any:
        return function(self, _axes(self, [dim]), [n], norm or "backward", forward)

    def several(self: Value, s: Any = None, dim: Any = None, norm: str | None = None) -> Any:
        count = self.ndim if s is None else len(s)
        axes = _axes(self, range(-count, 0) if dim is None else dim)
        sizes = [None if n == -1 else n for n in (s or [None] * len(axes))]
        return function(self, axes, sizes, norm or "backward", forward)

    def two(self: Value, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Any:
        return several(self, s, dim, norm)

    target(f"aten.fft_{kind}")(one)
    target(f"aten.fft_{kind}2")(two)
    target(f"aten.fft_{kind}n")(several)


for _kind in KINDS:
    _transform(_kind)


@target("aten.fft_fftfreq")
def frequencies(n: int, d: float = 1.0, dtype: DType | None = None) -> Any:
    """The frequencies of a transform's results."""
    parts = [arange(0, (n + 1) // 2, 1, float32), arange(-(n // 2), 0, 1, float32)]
    return astype(concat(parts, 0), dtype or float32) * (1.0 / (n * d))


@target("aten.fft_rfftfreq")
def half_frequencies(n: int, d: float = 1.0, dtype: DType | None = None) -> Any:
    """The frequencies of the results of a transform of real numbers."""
    return arange(0, n // 2 + 1, 1, dtype or float32) * (1.0 / (n * d))


def _shifted(x: Value, dims: Sequence[int] | None, half: Callable[[int], int]) -> Any:
    axes = _axes(x, range(x.ndim) if dims is None else dims)
    sizes = [n for n in (x.spec.shape[axis] for axis in axes) if isinstance(n, int)]
    if len(sizes) < len(axes):
        raise UnsupportedError("a shift of a dimension of unknown size")
    return rolled(x, [half(n) for n in sizes], axes)


@target("aten.fft_fftshift")
def to_middle(self: Value, dim: Sequence[int] | None = None) -> Any:
    """The frequency 0 in the middle."""
    return _shifted(self, dim, lambda n: n // 2)


@target("aten.fft_ifftshift")
def from_middle(self: Value, dim: Sequence[int] | None = None) -> Any:
    """The frequency 0 at the beginning again."""
    return _shifted(self, dim, lambda n: -(n // 2))


# Windows, and transforms over short times.


def _window(name: str, function: Callable[..., Any]) -> None:
    def call(
        window_length: int, periodic: bool = True, dtype: DType | None = None, **shape: float
    ) -> Any:
        return function(window_length, periodic, dtype=dtype or float32, **shape)

    target(f"aten.{name}_window")(call)


_window("hann", hann_window)
_window("hamming", hamming_window)
_window("blackman", blackman_window)
_window("bartlett", bartlett_window)
_window("kaiser", kaiser_window)


@target("aten.stft")
def short_time(
    self: Value,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Value | None = None,
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Any:
    """Transforms of parts of a signal: [...,n_fft // 2 + 1,parts]."""
    if align_to_window:
        raise UnsupportedError("a short-time transform that is aligned to its window")
    parts = windows(self, -1, n_fft, hop_length or n_fft // 4)
    if window is not None:
        length = window.spec.shape[0]
        before = (n_fft - length) // 2
        parts = parts * constant_pad(window, [before, n_fft - length - before])
    elif win_length not in (None, n_fft):
        raise UnsupportedError("a short-time transform over less than its size without a window")
    norm = "ortho" if normalized else "backward"
    if parts.dtype.is_complex:
        found = fft_c2c(parts, (parts.ndim - 1,), norm, True)
    else:
        found = fft_r2c(parts, (parts.ndim - 1,), norm, True, onesided is not False)
    found = swapaxes(found, -1, -2)
    return found if return_complex else op_named("as_real")(found)
