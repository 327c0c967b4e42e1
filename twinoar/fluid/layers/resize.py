"""Images of another size, by 1.x names."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError, ShapeError
from twinoar.fluid.layers.adapter import define
from twinoar.nn import functional as F
from twinoar.ops._sizes import sizes
from twinoar.ops.vision.interpolate import nearest_interp
from twinoar.ops.window._geometry import spatial_sizes

MODES = ("BILINEAR", "TRILINEAR", "NEAREST", "LINEAR", "BICUBIC")


def resized(
    x: Any,
    resample: str,
    out_shape: Any,
    scale: float | None,
    align_corners: bool,
    align_mode: int,
    data_format: str,
) -> Any:
    """x in the sizes of out_shape, or `scale` times as large, rounded down."""
    if resample not in MODES:
        raise ArgumentError(
            f"resample must be one of {', '.join(MODES)}, received {resample!r}",
            cure="'BILINEAR' is the usual one",
        )
    if out_shape is None and scale is None:
        raise ArgumentError("out_shape or scale must be given", cure="write out_shape=[h, w]")
    before: Any = spatial_sizes(x.spec.shape, data_format)
    if out_shape is not None:
        wanted = sizes(out_shape, "out_shape")
    elif scale is not None and all(isinstance(n, int) for n in before):
        wanted = tuple(int(n * scale) for n in before)
    else:
        raise ShapeError(
            f"scale needs images of known size, received {x.spec}",
            cure="declare the sizes, or give out_shape",
        )
    if resample == "NEAREST":
        return nearest_interp(x, wanted, (), align_corners, align_mode, data_format)
    return F.interpolate(
        x, list(wanted), None, resample.lower(), align_corners, align_mode, data_format
    )


def resized_short(x: Any, out_short_len: int, resample: str) -> Any:
    """x, [N,C,H,W], in its own proportions, with the shorter of its sides as long as that."""
    height, width = x.spec.shape[2:]
    short = min(height, width)
    wanted = [int(n * (out_short_len / short) + 0.5) for n in (height, width)]
    return resized(x, resample, wanted, None, True, 1, "NCHW")


__all__ = define(
    globals(),
    """
image_resize(input, out_shape=None, scale=None, name=None, resample='BILINEAR', actual_shape=None,
        align_corners=True, align_mode=1, data_format='NCHW')
    -> resized(
        input, resample, out_shape if actual_shape is None else actual_shape, scale, align_corners,
        align_mode, data_format)
    # F.interpolate(input, out_shape, scale, 'bilinear', True, 1)
image_resize_short(input, out_short_len, resample='BILINEAR')
    -> resized_short(input, out_short_len, resample)  # F.interpolate(input, [h, w])
interpolate(input, out_shape=None, scale=None, name=None, resample='BILINEAR', actual_shape=None,
        align_corners=True, align_mode=1, data_format='NCHW')
    -> resized(
        input, resample, out_shape if actual_shape is None else actual_shape, scale, align_corners,
        align_mode, data_format)
    # F.interpolate(input, out_shape, scale, 'bilinear', True, 1)
resize_bilinear(input, out_shape=None, scale=None, name=None, actual_shape=None,
        align_corners=True, align_mode=1, data_format='NCHW')
    -> resized(
        input, 'BILINEAR', out_shape if actual_shape is None else actual_shape, scale,
        align_corners, align_mode, data_format)
    # F.interpolate(input, out_shape, scale, 'bilinear', True, 1)
resize_nearest(input, out_shape=None, scale=None, name=None, actual_shape=None, align_corners=True,
        data_format='NCHW')
    -> resized(
        input, 'NEAREST', out_shape if actual_shape is None else actual_shape, scale,
        align_corners, 1, data_format)
    # F.interpolate(input, out_shape, scale, 'nearest')
resize_trilinear(input, out_shape=None, scale=None, name=None, actual_shape=None,
        align_corners=True, align_mode=1, data_format='NCDHW')
    -> resized(
        input, 'TRILINEAR', out_shape if actual_shape is None else actual_shape, scale,
        align_corners, align_mode, data_format)
    # F.interpolate(input, out_shape, scale, 'trilinear', True, 1, 'NCDHW')
""",
)
