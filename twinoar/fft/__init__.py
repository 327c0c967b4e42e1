"""Fourier transforms: `paddle.fft`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from twinoar.core.dtype import COMPLEX_OF, default_dtype, dtype_of
from twinoar.core.op.explain import explained, told
from twinoar.core.op.function import function
from twinoar.core.spec import normalize_axis
from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError
from twinoar.ops._sizes import sizes
from twinoar.ops.create.range import arange
from twinoar.ops.linalg.fourier import fft_c2c, fft_c2r, fft_r2c
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.cast import astype
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.roll import roll
from twinoar.ops.shape.slice import slice_op, unslice

Norm = Literal["backward", "ortho", "forward"]
Transform = Callable[[Tensor, tuple[int, ...], tuple[Any, ...], str], Tensor]


def _fitted(x: Tensor, axis: int, size: Any) -> Tensor:
    """x cut, or filled with zeros at the end, to `size` along `axis`."""
    own = x.spec.shape[axis]
    if isinstance(size, int) and size < 1:
        raise ArgumentError(f"a transform has size 1 or more, received {size}")
    if size == own:
        return x
    if isinstance(size, int) and isinstance(own, int) and size > own:
        shape = (*x.spec.shape[:axis], size, *x.spec.shape[axis + 1 :])
        return unslice(x, shape, (axis,), (0,), (own,), (1,))
    return slice_op(x, (axis,), (0,), (size,))


def _floating(x: Tensor) -> Tensor:
    return x if x.dtype.is_differentiable else astype(x, default_dtype())


def _all_fitted(x: Tensor, axes: tuple[int, ...], s: tuple[Any, ...]) -> Tensor:
    for axis, size in zip(axes, s, strict=True):
        x = _fitted(x, axis, size)
    return _floating(x)


def _of_complex(forward: bool) -> Transform:
    def transform(x: Tensor, axes: tuple[int, ...], s: tuple[Any, ...], norm: str) -> Tensor:
        x = _all_fitted(x, axes, s)
        if x.dtype.is_complex:
            return fft_c2c(x, axes, norm, forward)
        return fft_r2c(x, axes, norm, forward, False)

    return transform


def _of_real(forward: bool) -> Transform:
    def transform(x: Tensor, axes: tuple[int, ...], s: tuple[Any, ...], norm: str) -> Tensor:
        return fft_r2c(_all_fitted(x, axes, s), axes, norm, forward, True)

    return transform


def _to_real(forward: bool) -> Transform:
    def transform(x: Tensor, axes: tuple[int, ...], s: tuple[Any, ...], norm: str) -> Tensor:
        x = _all_fitted(x, axes, (*s[:-1], s[-1] // 2 + 1))
        return fft_c2r(astype(x, COMPLEX_OF.get(x.dtype, x.dtype)), axes, norm, forward, s[-1])

    return transform


KINDS: dict[str, tuple[Transform, str, str]] = {
    "fft": (_of_complex(True), "The discrete Fourier transform", "complex"),
    "ifft": (_of_complex(False), "The inverse of `fft`", "complex"),
    "rfft": (_of_real(True), "`fft` of real numbers without what follows by symmetry", "complex"),
    "irfft": (_to_real(False), "The inverse of `rfft`", "real"),
    "hfft": (_to_real(True), "`fft` of numbers with Hermitian symmetry, given by half", "real"),
    "ihfft": (_of_real(False), "The inverse of `hfft`", "complex"),
}
RULES = """

x: [*], cut or filled with zeros to {sizes}, by default what x has. norm: which direction is scaled
by 1 / n: "backward" the inverse ones, "forward" the others, "ortho" both by the root. `irfft` and
`hfft` give 2 (m - 1) numbers of m by default, `rfft` and `ihfft` n // 2 + 1 of n, in the last axis.
Returns [*], {returned}. Raises AxisError, ArgumentError, DTypeError.
"""


def _own_sizes(x: Tensor, axes: tuple[int, ...], kind: str) -> tuple[Any, ...]:
    own = [x.spec.shape[a] for a in axes]
    if kind in ("irfft", "hfft"):
        own[-1] = 2 * (own[-1] - 1)
    return tuple(own)


def _named(function: Any, kind: str, suffix: str, over: str) -> Any:
    """`function` under its name, with what is said of it."""
    _, what, returned = KINDS[kind]
    function.__name__ = function.__qualname__ = kind + suffix
    function.__doc__ = f"{what}, over {over}." + RULES.format(
        sizes="the sizes `s` along the axes" if suffix else "the size `n` along the axis",
        returned=returned,
    )
    return explained(function)


def _over_one(kind: str) -> Any:
    transform = KINDS[kind][0]

    def function(
        x: Tensor,
        n: int | None = None,
        axis: int = -1,
        norm: Norm = "backward",
        name: str | None = None,
    ) -> Tensor:
        axes = (normalize_axis(axis, x.ndim),)
        return transform(x, axes, _own_sizes(x, axes, kind) if n is None else (n,), norm)

    return _named(function, kind, "", "one axis")


def _several(x: Tensor, s: Any, axes: Any, kind: str, norm: str) -> Tensor:
    if axes is None:
        axes = range(x.ndim) if s is None else range(x.ndim - len(sizes(s)), x.ndim)
    found = tuple(normalize_axis(a, x.ndim, "axes") for a in axes)
    if not found:
        raise ArgumentError("a transform is over one axis or more, received none")
    given = _own_sizes(x, found, kind) if s is None else sizes(s, "s")
    if len(given) != len(found):
        raise ArgumentError(f"s has {len(given)} sizes for {len(found)} axes")
    return KINDS[kind][0](x, found, given, norm)


def _over_two(kind: str) -> Any:
    def function(
        x: Tensor,
        s: Any = None,
        axes: Any = (-2, -1),
        norm: Norm = "backward",
        name: str | None = None,
    ) -> Tensor:
        if len(axes) != 2:
            raise ArgumentError(f"axes must be two, received {list(axes)}")
        return _several(x, s, axes, kind, norm)

    return _named(function, kind, "2", "two axes")


def _over_all(kind: str) -> Any:
    def function(
        x: Tensor,
        s: Any = None,
        axes: Any = None,
        norm: Norm = "backward",
        name: str | None = None,
    ) -> Tensor:
        return _several(x, s, axes, kind, norm)

    return _named(function, kind, "n", "all axes, or those given")


fft, ifft, rfft, irfft, hfft, ihfft = map(_over_one, KINDS)
fft2, ifft2, rfft2, irfft2, hfft2, ihfft2 = map(_over_two, KINDS)
fftn, ifftn, rfftn, irfftn, hfftn, ihfftn = map(_over_all, KINDS)


@told
def fftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """The frequencies of `fft` of n numbers that lie d apart: 0, 1, ..., -2, -1 over n d.

    >>> twinoar.fft.fftfreq(4).tolist()
    [0.0, 0.25, -0.5, -0.25]
    """
    low = arange(0, (n + 1) // 2, dtype="int64")
    return _frequencies(concat_op((low, arange(-(n // 2), 0, dtype="int64")), 0), n, d, dtype, name)


@told
def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """The frequencies of `rfft` of n numbers that lie d apart: 0, 1, ..., n // 2 over n d.

    >>> twinoar.fft.rfftfreq(4).tolist()
    [0.0, 0.25, 0.5]
    """
    return _frequencies(arange(0, n // 2 + 1, dtype="int64"), n, d, dtype, name)


def _frequencies(k: Tensor, n: int, d: float, dtype: Any, name: str | None) -> Tensor:
    if n < 1 or d * n == 0:
        raise ArgumentError(f"n must be 1 or more and d not 0, received n={n}, d={d}")
    wanted = default_dtype() if dtype is None else dtype_of(dtype)
    return divide(astype(k, wanted), float(n * d), name=name)


@function
def fftshift(x: Tensor, axes: Any = None) -> Tensor:
    """x with the frequency 0 moved to the middle of each of the axes, of all for None.

    >>> twinoar.fft.fftshift(twinoar.to_tensor([0.0, 1.0, -2.0, -1.0])).tolist()
    [-2.0, -1.0, 0.0, 1.0]
    """
    return _shifted(x, axes, lambda n: n // 2)


@function
def ifftshift(x: Tensor, axes: Any = None) -> Tensor:
    """The inverse of `fftshift`.

    >>> twinoar.fft.ifftshift(twinoar.to_tensor([-2.0, -1.0, 0.0, 1.0])).tolist()
    [0.0, 1.0, -2.0, -1.0]
    """
    return _shifted(x, axes, lambda n: (n + 1) // 2)


def _shifted(x: Tensor, axes: Any, distance: Callable[[Any], Any]) -> Tensor:
    given = range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    found = [normalize_axis(a, x.ndim, "axes") for a in given]
    return roll(x, [distance(x.spec.shape[a]) for a in found], found)


__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2",
    "ifftn", "ifftshift", "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft",
    "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip
