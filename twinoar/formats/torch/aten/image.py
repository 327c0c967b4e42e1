"""ATen's operators over images: pooling, shuffling of pixels, windows, other sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import int64
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.conv import batched
from twinoar.formats.torch.aten.table import one, target
from twinoar.ops.math.cast import astype
from twinoar.ops.pool.adaptive import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
)
from twinoar.ops.pool.pool import (
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
)
from twinoar.ops.vision.grid import grid_sample
from twinoar.ops.vision.interpolate import interpolate
from twinoar.ops.vision.shuffle import channel_shuffle, pixel_shuffle, pixel_unshuffle
from twinoar.ops.window.unfold import fold, unfold

# Pooling.


def _window(kernel_size: Any, stride: Any, padding: Any, rank: int) -> list[list[Any]]:
    kernel = one(kernel_size, rank)
    return [kernel, one(stride, rank) if stride else kernel, one(padding, rank)]


def _max_pool(rank: int, function: Callable[..., Any], with_places: bool) -> Callable[..., Any]:
    def call(
        self: Value,
        kernel_size: Any,
        stride: Any = (),
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
    ) -> Any:
        if any(d != 1 for d in one(dilation, rank)):
            raise UnsupportedError("a maximum pooling with dilation")
        window = _window(kernel_size, stride, padding, rank)
        maxima = batched(self, rank, lambda x: function(x, *window, ceil_mode=ceil_mode))
        if not with_places:
            return maxima
        # Decomposed code asks for places that nobody reads: then the plain pooling alone remains.
        found = batched(
            self, rank, lambda x: function(x, *window, return_mask=True, ceil_mode=ceil_mode)
        )
        return maxima, _with_long_places(found)[1]

    return call


def _with_long_places(found: tuple[Value, Value]) -> tuple[Value, Value]:
    """Maxima, and where they were, which ATen has in int64."""
    return found[0], astype(found[1], int64)


def _avg_pool(rank: int, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        self: Value,
        kernel_size: Any,
        stride: Any = (),
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Any:
        window = _window(kernel_size, stride, padding, rank)
        told: dict[str, Any] = {"exclusive": not count_include_pad, "ceil_mode": ceil_mode}
        if divisor_override is not None:
            told["divisor_override"] = divisor_override
        return batched(self, rank, lambda x: function(x, *window, **told))

    return call


POOLS: list[tuple[int, Any, Any]] = [
    (1, max_pool1d, avg_pool1d),
    (2, max_pool2d, avg_pool2d),
    (3, max_pool3d, avg_pool3d),
]
for rank, maxima, averages in POOLS:
    target(f"aten.max_pool{rank}d")(_max_pool(rank, maxima, with_places=False))
    target(f"aten.max_pool{rank}d_with_indices")(_max_pool(rank, maxima, with_places=True))
    target(f"aten.avg_pool{rank}d")(_avg_pool(rank, averages))


def _adaptive(rank: int, function: Callable[..., Any], **told: Any) -> Callable[..., Any]:
    def call(self: Value, output_size: Any) -> Any:
        size = one(output_size, rank)
        wanted = size[0] if rank == 1 else size
        found = batched(self, rank, lambda x: function(x, wanted, **told))
        return _with_long_places(found) if told else found

    return call


ADAPTIVE: list[tuple[int, Any, Any]] = [
    (1, adaptive_max_pool1d, adaptive_avg_pool1d),
    (2, adaptive_max_pool2d, adaptive_avg_pool2d),
    (3, adaptive_max_pool3d, adaptive_avg_pool3d),
]
for rank, maxima, averages in ADAPTIVE:
    target(f"aten.adaptive_max_pool{rank}d")(_adaptive(rank, maxima, return_mask=True))
    names = (f"aten.adaptive_avg_pool{rank}d", f"aten._adaptive_avg_pool{rank}d")
    target(*names)(_adaptive(rank, averages))


# Pixels and windows.


@target("aten.pixel_shuffle")
def pixel_shuffle_(self: Value, upscale_factor: int) -> Any:
    """Channels as pixels."""
    return batched(self, 2, lambda x: pixel_shuffle(x, upscale_factor))


@target("aten.pixel_unshuffle")
def pixel_unshuffle_(self: Value, downscale_factor: int) -> Any:
    """Pixels as channels."""
    return batched(self, 2, lambda x: pixel_unshuffle(x, downscale_factor))


@target("aten.channel_shuffle", "aten.native_channel_shuffle")
def channel_shuffle_(self: Value, groups: int) -> Any:
    """Channels of groups in turn."""
    return channel_shuffle(self, groups)


@target("aten.im2col")
def im2col(self: Value, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    """The windows of images as columns."""
    return batched(self, 2, lambda x: unfold(x, kernel_size, stride, padding, dilation))


@target("aten.col2im")
def col2im(
    self: Value, output_size: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any
) -> Any:
    """Images of the sums of windows."""
    return batched(
        self, 1, lambda x: fold(x, list(output_size), kernel_size, stride, padding, dilation)
    )


def _upsampled(x: Value, mode: str, size: Any, scales: Any, align_corners: bool = False) -> Any:
    if size is None:
        return interpolate(x, scale_factor=scales, mode=mode, align_corners=align_corners)
    told = [scale for scale in scales or () if scale is not None]
    if told:
        exact = [n * scale == m for n, m, scale in zip(x.spec.shape[2:], size, told, strict=False)]
        if not all(exact):
            return interpolate(x, scale_factor=told, mode=mode, align_corners=align_corners)
    return interpolate(x, list(size), mode=mode, align_corners=align_corners)


@target("aten.upsample_nearest1d", "aten.upsample_nearest2d", "aten.upsample_nearest3d")
def upsample_nearest(
    self: Value = None,  # type: ignore[assignment]  # called `input` in overloads
    output_size: Any = None,
    scales: Any = None,
    scales_d: Any = None,
    scales_h: Any = None,
    scales_w: Any = None,
    scale_factors: Any = None,
    input: Any = None,
) -> Any:
    """Images of another size, of the nearest pixels."""
    x = self if input is None else input
    given = scale_factors or [s for s in (scales, scales_d, scales_h, scales_w) if s is not None]
    return _upsampled(x, "nearest", output_size, given)


def _smooth(mode: str) -> Callable[..., Any]:
    def call(
        self: Any = None,
        output_size: Any = None,
        align_corners: bool = False,
        scales: Any = None,
        scales_d: Any = None,
        scales_h: Any = None,
        scales_w: Any = None,
        scale_factors: Any = None,
        input: Any = None,
    ) -> Any:
        x = self if input is None else input
        given = scale_factors or [
            s for s in (scales, scales_d, scales_h, scales_w) if s is not None
        ]
        return _upsampled(x, mode, output_size, given, align_corners)

    return call


for name in ("linear1d", "bilinear2d", "bicubic2d", "trilinear3d"):
    target(f"aten.upsample_{name}")(_smooth(name[:-2]))


@target("aten.grid_sampler", "aten.grid_sampler_2d", "aten.grid_sampler_3d")
def grid_sampler(
    input: Value, grid: Value, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Any:
    """The pixels at places of a grid."""
    modes, borders = ("bilinear", "nearest"), ("zeros", "border", "reflection")
    if interpolation_mode >= len(modes):
        raise UnsupportedError("grid_sampler with bicubic interpolation")
    return grid_sample(input, grid, modes[interpolation_mode], borders[padding_mode], align_corners)
