"""Signals over short times: `paddle.signal`."""

from __future__ import annotations

from typing import Any, Literal

from twinoar.core.dtype import REAL_OF
from twinoar.core.op.function import function
from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.create.fill import ones, zeros
from twinoar.ops.create.range import arange
from twinoar.ops.index.gather import index_add
from twinoar.ops.index.strided import unfold
from twinoar.ops.linalg.fourier import fft_c2c, fft_c2r, fft_r2c
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.cast import astype
from twinoar.ops.math.select import maximum
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import reshape_op, squeeze_op, swapaxes, unsqueeze_op
from twinoar.ops.shape.roll import flip
from twinoar.ops.shape.slice import slice_op, unslice


def _check_hop(frame_length: int, hop_length: int) -> None:
    if frame_length < 1 or hop_length < 1:
        raise ArgumentError(
            f"lengths must be 1 or more, received frame {frame_length} and hop {hop_length}"
        )


@function
def frame(x: Tensor, frame_length: int, hop_length: int, axis: int = -1) -> Tensor:
    """Parts of a signal, `hop_length` apart.

    x: [...,T], or [T,...] for axis 0. Returns [...,frame_length,N], or [N,frame_length,...]. Raises
    ArgumentError.

    >>> twinoar.signal.frame(twinoar.arange(5), 3, 2).tolist()
    [[0, 2], [1, 3], [2, 4]]
    """
    _check_hop(frame_length, hop_length)
    if axis not in (0, -1):
        raise ArgumentError(f"axis must be 0 or -1, received {axis}")
    parts = unfold(x, axis, frame_length, hop_length)  # [...,N,F], or [N,...,F]
    if axis == -1:
        return swapaxes(parts, -1, -2)
    for i in range(x.ndim, 1, -1):
        parts = swapaxes(parts, i, i - 1)
    return parts


@function
def overlap_add(x: Tensor, hop_length: int, axis: int = -1) -> Tensor:
    """The signal that parts of it, `hop_length` apart, add up to.

    x: [...,F,N], or [N,F,...] for axis 0. Returns [...,T] or [T,...] with T = (N - 1) hop_length +
    F. Raises ArgumentError, ShapeError.

    >>> twinoar.signal.overlap_add(twinoar.ones([3, 2]), 2).tolist()
    [1.0, 1.0, 2.0, 1.0, 1.0]
    """
    if axis not in (0, -1) or x.ndim < 2:
        raise ArgumentError(
            f"axis must be 0 or -1 and x have 2 dimensions, received {axis} and {x.spec}"
        )
    ordered = x if axis == 0 else swapaxes(x, -1, -2)
    first = 0 if axis == 0 else x.ndim - 2
    shape = ordered.spec.shape
    count: Any = shape[first]
    length: Any = shape[first + 1]
    _check_hop(length, hop_length)
    places = unsqueeze_op(arange(0, count) * hop_length, (1,)) + arange(0, length)
    parts = reshape_op(ordered, (*shape[:first], count * length, *shape[first + 2 :]))
    total = (count - 1) * hop_length + length
    silence = zeros([*shape[:first], total, *shape[first + 2 :]], x.dtype)
    return index_add(silence, reshape_op(places, (-1,)), first, parts)


def _window(window: Tensor | None, win_length: int, n_fft: int, dtype: Any) -> Tensor:
    """The window, in the middle of n_fft numbers."""
    if not 0 < win_length <= n_fft:
        raise ArgumentError(f"win_length must be in [1, {n_fft}], received {win_length}")
    given = ones([win_length], dtype) if window is None else astype(window, dtype)
    if given.shape != [win_length]:
        raise ShapeError(f"window must have shape [{win_length}], received {given.spec}")
    left = (n_fft - win_length) // 2
    return unslice(given, (n_fft,), (0,), (left,), (left + win_length,), (1,))


def _padded(x: Tensor, width: int, mode: str) -> Tensor:
    """x, [B,T], with `width` numbers more at both ends."""
    if mode not in ("reflect", "constant"):
        raise ArgumentError(f"pad_mode must be 'reflect' or 'constant', received {mode!r}")
    n: Any = x.spec.shape[-1]
    if mode == "constant":
        return unslice(x, (x.spec.shape[0], n + 2 * width), (1,), (width,), (width + n,), (1,))
    if isinstance(n, int) and n <= width:
        raise ShapeError(f"a signal of {n} numbers cannot be mirrored by {width}")
    start = slice_op(x, (1,), (1,), (width + 1,))
    end = slice_op(x, (1,), (n - width - 1,), (n - 1,))
    return concat_op((flip(start, 1), x, flip(end, 1)), 1)


@function
def stft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: Literal["reflect", "constant"] = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
) -> Tensor:
    """The Fourier transforms of the parts of a signal.

    x: [B,T] or [T], real or complex. n_fft: numbers in a part. hop_length: how far parts are apart,
    n_fft // 4 by default. window: [win_length], by which parts are multiplied; win_length is n_fft
    by default. center: the signal is padded so that parts lie around their positions. normalized:
    divided by the root of n_fft. onesided: without what follows by symmetry, by default for real x.
    Returns [B,n_fft // 2 + 1,N], or [B,n_fft,N] where not onesided, without B for a vector. Raises
    ArgumentError, ShapeError, DTypeError.

    >>> twinoar.signal.stft(twinoar.ones([1, 16]), n_fft=8).shape
    [1, 5, 9]
    """
    if x.ndim not in (1, 2):
        raise ShapeError(f"x must be a signal [T] or a batch [B,T], received {x.spec}")
    hop = n_fft // 4 if hop_length is None else hop_length
    is_complex = x.dtype.is_complex
    is_half = not is_complex if onesided is None else onesided
    if is_half and is_complex:
        raise ArgumentError("onesided is for real signals", cure="give onesided=False")
    batch = unsqueeze_op(x, (0,)) if x.ndim == 1 else x
    batch = _padded(batch, n_fft // 2, pad_mode) if center else batch
    weights = _window(window, win_length or n_fft, n_fft, REAL_OF.get(x.dtype, x.dtype))
    parts = swapaxes(frame(batch, n_fft, hop), 1, 2) * weights
    norm = "ortho" if normalized else "backward"
    if is_complex:
        out = fft_c2c(parts, (2,), norm, True)
    else:
        out = fft_r2c(parts, (2,), norm, True, is_half)
    out = swapaxes(out, 1, 2)
    return squeeze_op(out, (0,)) if x.ndim == 1 else out


LEAST_WEIGHT = 1e-11  # of windows that add up, where they are divided by


@function
def istft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool = True,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """The signal that `stft` came from, by the mean of its parts under the window.

    x: [B,F,N] or [F,N], complex; F is n_fft // 2 + 1, or n_fft where not onesided. length: of the
    signal. return_complex: the signal is complex, which onesided cannot be. Returns [B,T] or [T].
    Raises ArgumentError, ShapeError, DTypeError. Source: Griffin and Lim, "Signal estimation from
    modified short-time Fourier transform", 1984, eq. 6.

    >>> x = twinoar.arange(16, dtype="float32")
    >>> y = twinoar.signal.istft(twinoar.signal.stft(x, n_fft=8), n_fft=8)
    >>> bool(twinoar.allclose(x, y, atol=1e-4))
    True
    """
    if x.ndim not in (2, 3):
        raise ShapeError(f"x must be [F,N] or a batch [B,F,N], received {x.spec}")
    if not x.dtype.is_complex:
        raise DTypeError(f"x must be complex, received {x.spec}")
    if onesided and return_complex:
        raise ArgumentError("a onesided transform gives real signals", cure="give onesided=False")
    wanted = n_fft // 2 + 1 if onesided else n_fft
    batch = unsqueeze_op(x, (0,)) if x.ndim == 2 else x
    if batch.shape[1] != wanted:
        raise ShapeError(f"x must have {wanted} frequencies, received {x.spec}")
    hop = n_fft // 4 if hop_length is None else hop_length
    weights = _window(window, win_length or n_fft, n_fft, REAL_OF.get(x.dtype, x.dtype))
    parts, norm = swapaxes(batch, 1, 2), "ortho" if normalized else "backward"
    if onesided:
        signal = fft_c2r(parts, (2,), norm, False, n_fft)
    else:
        whole = fft_c2c(parts, (2,), norm, False)
        signal = whole if return_complex else whole.real()
    count: Any = batch.shape[2]
    total = overlap_add(swapaxes(signal * weights, 1, 2), hop)
    squares = unsqueeze_op(weights * weights, (1,)) * ones([1, count], weights.dtype)
    shared = overlap_add(squares, hop)
    size: Any = (count - 1) * hop + n_fft
    first = n_fft // 2 if center else 0
    last = first + length if length is not None else size - first
    if isinstance(last, int) and isinstance(size, int) and last > size:
        total = unslice(total, (total.spec.shape[0], last), (1,), (0,), (size,), (1,))
        shared = concat_op((shared, ones([last - size], shared.dtype)), 0)
    total = slice_op(total, (1,), (first,), (last,))
    shared = slice_op(shared, (0,), (first,), (last,))
    out = divide(total, maximum(shared, LEAST_WEIGHT))
    return squeeze_op(out, (0,)) if x.ndim == 2 else out


__all__ = ["frame", "istft", "overlap_add", "stft"]
