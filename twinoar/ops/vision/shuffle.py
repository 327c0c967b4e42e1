"""Channels that become pixels, pixels that become channels, and channels that change places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from twinoar.core.dim import Dim, is_known
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.pad import pad_constant
from twinoar.ops.shape.reshape import reshape, transpose
from twinoar.ops.shape.slice import slice as slice_
from twinoar.ops.window._geometry import check_images

ImageFormat = Literal["NCHW", "NHWC"]


def _divided(d: Dim, by: int, what: str) -> Dim:
    """d / by. Raises ArgumentError where by is not positive, ShapeError where it leaves a rest."""
    if by < 1:
        raise ArgumentError(f"{what} must be positive, received {by}")
    if is_known(d) and d % by:
        raise ShapeError(f"{what} {by} does not divide {d}", cure="give one that does")
    return d // by


def _rearranged(
    x: Tensor, form: Sequence[Dim], order: Sequence[int], shape: Sequence[Dim]
) -> Tensor:
    return reshape(transpose(reshape(x, form), order), shape)


@op(
    name="pixel_shuffle",
    desc=Desc(
        "pixel_shuffle",
        {"X": "x"},
        attrs={"upscale_factor": "upscale_factor", "data_format": "data_format"},
    ),
)
def pixel_shuffle_op(x: Tensor, upscale_factor: int, data_format: ImageFormat = "NCHW") -> Tensor:
    """Groups of channels as squares of pixels: the operator under `pixel_shuffle`."""
    check_images(x.ndim, data_format)
    r = upscale_factor
    if data_format == "NHWC":
        n, h, w, c = x.spec.shape
        out = _divided(c, r * r, "the square of upscale_factor")
        form, order = (n, h, w, out, r, r), (0, 1, 4, 2, 5, 3)
        return _rearranged(x, form, order, (n, h * r, w * r, out))
    n, c, h, w = x.spec.shape
    out = _divided(c, r * r, "the square of upscale_factor")
    return _rearranged(x, (n, out, r, r, h, w), (0, 1, 4, 2, 5, 3), (n, out, h * r, w * r))


@pixel_shuffle_op.samples
def _(s):
    yield s(s.randn(2, 8, 2, 3), 2)
    yield s(s.randn(1, 3, 2, 9), 3, "NHWC")
    yield s.bad(ShapeError, "does not divide 6", s.randn(1, 6, 2, 2), 2)
    yield s.bad(ArgumentError, "must be positive", s.randn(1, 6, 2, 2), 0)


@op(
    name="pixel_unshuffle",
    desc=Desc(
        "pixel_unshuffle",
        {"X": "x"},
        attrs={"downscale_factor": "downscale_factor", "data_format": "data_format"},
    ),
)
def pixel_unshuffle_op(
    x: Tensor, downscale_factor: int, data_format: ImageFormat = "NCHW"
) -> Tensor:
    """Squares of pixels as groups of channels: the operator under `pixel_unshuffle`."""
    check_images(x.ndim, data_format)
    r = downscale_factor
    n, a, b, c = x.spec.shape
    height, width = (a, b) if data_format == "NHWC" else (b, c)
    h, w = (_divided(d, r, "downscale_factor") for d in (height, width))
    if data_format == "NHWC":
        return _rearranged(x, (n, h, r, w, r, c), (0, 1, 3, 5, 2, 4), (n, h, w, c * r * r))
    return _rearranged(x, (n, a, h, r, w, r), (0, 1, 3, 5, 2, 4), (n, a * r * r, h, w))


@pixel_unshuffle_op.samples
def _(s):
    yield s(s.randn(2, 2, 4, 6), 2)
    yield s(s.randn(1, 6, 3, 2), 3, "NHWC")
    yield s.bad(ShapeError, "does not divide 3", s.randn(1, 2, 4, 3), 2)


@op(
    name="channel_shuffle",
    desc=Desc(
        "channel_shuffle", {"X": "x"}, attrs={"groups": "groups", "data_format": "data_format"}
    ),
)
def channel_shuffle_op(x: Tensor, groups: int, data_format: ImageFormat = "NCHW") -> Tensor:
    """Channels of all groups in turn: the operator under `channel_shuffle`."""
    check_images(x.ndim, data_format)
    shape = x.spec.shape
    at = 3 if data_format == "NHWC" else 1
    form = (*shape[:at], groups, _divided(shape[at], groups, "groups"), *shape[at + 1 :])
    order = [*range(at), at + 1, at, *range(at + 2, 5)]
    return _rearranged(x, form, order, shape)


@channel_shuffle_op.samples
def _(s):
    yield s(s.randn(2, 6, 2, 3), 3)
    yield s(s.randn(1, 2, 2, 4), 2, "NHWC")
    yield s.bad(ShapeError, "does not divide 6", s.randn(1, 6, 2, 2), 4)
    yield s.bad(ShapeError, "4 dimensions", s.randn(6, 2, 2), 2)


@op(
    name="temporal_shift",
    desc=Desc(
        "temporal_shift",
        {"X": "x"},
        attrs={"seg_num": "seg_num", "shift_ratio": "shift_ratio", "data_format": "data_format"},
    ),
)
def temporal_shift_op(
    x: Tensor, seg_num: int, shift_ratio: float = 0.25, data_format: ImageFormat = "NCHW"
) -> Tensor:
    """Some channels from the time before and after: the operator under `temporal_shift`."""
    check_images(x.ndim, data_format)
    if not 0 <= shift_ratio <= 0.5:
        raise ArgumentError(f"shift_ratio must be in [0, 0.5], received {shift_ratio}")
    shape = x.spec.shape
    frames = reshape(x, (_divided(shape[0], seg_num, "seg_num"), seg_num, *shape[1:]))
    axis = 4 if data_format == "NHWC" else 2
    channels = shape[axis - 1]
    if not isinstance(channels, int):
        raise ShapeError(f"the number of channels must be known, received {x.spec}")
    before, after = int(channels * shift_ratio), int(channels * 2 * shift_ratio)
    late, early = [0] * 10, [0] * 10
    late[2], early[3] = 1, 1  # one frame of zeros in front, one behind
    bounds = (0, before), (before, after), (after, channels)
    first, second, rest = (slice_(frames, [axis], [low], [high]) for low, high in bounds)
    first = slice_(pad_constant(first, late), [1], [0], [seg_num])
    second = slice_(pad_constant(second, early), [1], [1], [seg_num + 1])
    return reshape(concat([first, second, rest], axis), shape)


@temporal_shift_op.samples
def _(s):
    yield s(s.randn(6, 4, 2, 2), 3)
    yield s(s.randn(4, 2, 1, 5), 2, 0.4, "NHWC")
    yield s.bad(ShapeError, "does not divide 6", s.randn(6, 4, 2, 2), 4)
    yield s.bad(ArgumentError, "shift_ratio must be", s.randn(6, 4, 2, 2), 3, 0.7)


@function
def pixel_shuffle(x: Tensor, upscale_factor: int, data_format: str = "NCHW") -> Tensor:
    """Each group of r^2 channels becomes a channel of images r times as large.

    x: [N,C r^2,H,W], or with channels last. Returns [N,C,H r,W r] in the same layout. Raises
    ShapeError, ArgumentError. Source: arXiv 1609.05158, eq. 4.

    >>> x = twinoar.arange(4).astype("float32").reshape([1, 4, 1, 1])
    >>> twinoar.nn.functional.pixel_shuffle(x, 2).tolist()
    [[[[0.0, 1.0], [2.0, 3.0]]]]
    """
    return pixel_shuffle_op(x, upscale_factor, data_format)


@function
def pixel_unshuffle(x: Tensor, downscale_factor: int, data_format: str = "NCHW") -> Tensor:
    """Each square of r by r pixels becomes r^2 channels: the inverse of `pixel_shuffle`.

    x: [N,C,H,W], or with channels last. Returns [N,C r^2,H/r,W/r] in the same layout. Raises
    ShapeError, ArgumentError.

    >>> twinoar.nn.functional.pixel_unshuffle(twinoar.ones([1, 1, 4, 4]), 2).shape
    [1, 4, 2, 2]
    """
    return pixel_unshuffle_op(x, downscale_factor, data_format)


@function
def channel_shuffle(x: Tensor, groups: int, data_format: str = "NCHW") -> Tensor:
    """The first channel of each group, then the second of each, and so on.

    x: [N,C,H,W], or with channels last. Returns its shape. Raises ShapeError, ArgumentError.
    Source: arXiv 1707.01083, section 3.1.

    >>> x = twinoar.arange(4).astype("float32").reshape([1, 4, 1, 1])
    >>> twinoar.nn.functional.channel_shuffle(x, 2).flatten().tolist()
    [0.0, 2.0, 1.0, 3.0]
    """
    return channel_shuffle_op(x, groups, data_format)


@function
def temporal_shift(
    x: Tensor,
    seg_num: int,
    shift_ratio: float = 0.25,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Tensor:
    """The first channels of each frame from the frame before, the next from the frame after.

    x: [N T,C,H,W], or with channels last. seg_num: T, the frames of a clip. shift_ratio: the part
    of the channels that comes from either side; zeros come from beyond a clip. Returns its shape.
    Raises ShapeError, ArgumentError. Source: arXiv 1811.08383.

    >>> x = twinoar.to_tensor([[1.0, 2.0], [3.0, 4.0]]).reshape([2, 2, 1, 1])
    >>> twinoar.nn.functional.temporal_shift(x, 2, 0.5).flatten().tolist()
    [0.0, 4.0, 1.0, 0.0]
    """
    return temporal_shift_op(x, seg_num, shift_ratio, data_format, name=name)
