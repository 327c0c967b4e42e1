"""Regions of images, brought to one size: averages or maxima over the parts of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import float64, int32, int64
from twinoar.core.loop.procedure import cast as as_dtype
from twinoar.core.loop.procedure import fail, procedure
from twinoar.core.op.declare import Desc, Spec, Tensor, function, loop, op, primitive
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather_op
from twinoar.ops.math.cast import astype, cast
from twinoar.ops.math.rounding import ceil, floor
from twinoar.ops.math.select import maximum, select
from twinoar.ops.reduce.cumulative_sum import cumsum_op
from twinoar.ops.reduce.reduction import sum as sum_of
from twinoar.ops.shape.concat import stack, unbind
from twinoar.ops.shape.reshape import squeeze_op, unsqueeze
from twinoar.ops.vision._region import weighed_regions
from twinoar.ops.vision._window import window_maxima

Size = int | Sequence[int]

FAR = 2.0**31  # pixels: an interval that goes further is none
LEAST_SIDE = 0.1  # pixels, of regions in psroi_pool


def _desc(type: str, *more: str) -> Desc:
    return Desc(
        type,
        {"X": "x", "ROIs": "boxes", "RoisNum": "boxes_num"},
        attrs={name: name for name in ("pooled_height", "pooled_width", "spatial_scale", *more)},
        extra_outputs=("Argmax",) if type == "roi_pool" else (),
        prepare=lambda operands, attrs: _with_int32(operands),
    )


def _with_int32(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """The operands with counts of boxes as Paddle's kernel takes them."""
    x, boxes, count = operands
    return x, boxes, count if count is None or count.dtype is int32 else cast(count, int32)


@primitive(
    slow_kernel=True,
    infer=lambda first, length, bins, size, samples: Spec(
        (first.shape[0], bins, size), first.dtype
    ),
    grad=lambda: (None, None),
)
def bilinear_weights(
    first: Tensor, length: Tensor, bins: int, size: int, samples: int = -1
) -> Tensor:
    """How much of each of `size` pixels is in the average over each of `bins` parts of an interval.

    first, length: of the intervals, [R], pixels; they get no gradient. Returns [R,bins,size]. Of
    each part `samples` places are taken, or one for each pixel, between pixels bilinearly.
    """


@bilinear_weights.kernel
def _(first, length, bins, size, samples):
    out = np.zeros((len(first), bins, size), first.dtype)
    for r, (start, part) in enumerate(zip(first, length / bins, strict=True)):
        count = samples if samples > 0 else max(int(np.ceil(part)), 0)
        places = start + (np.arange(bins * count) + 0.5) / max(count, 1) * part
        share = np.where((places >= -1) & (places <= size), 1 / max(count, 1), 0)
        places = np.clip(places, 0, size - 1)
        low = places.astype(int)
        rows = np.arange(bins).repeat(count)
        np.add.at(out[r], (rows, low), share * (1 - (places - low)))
        np.add.at(out[r], (rows, np.minimum(low + 1, size - 1)), share * (places - low))
    return out


@bilinear_weights.procedure
def _(p, first, length, samples):
    out = p.results[0]
    p.launch(_weighed_linearly, out.shape[0], first, length, samples, out, work=8 * out.size)


@procedure
def _weighed_linearly(r, first, length, samples, out):
    bins, size = out.shape[1], out.shape[2]
    start = as_dtype(first[r], float64)
    part = as_dtype(length[r] / as_dtype(bins, length), float64)
    if not (loop.abs(start) < FAR and loop.abs(part) < FAR):
        fail()
    count = samples if samples > 0 else max(as_dtype(loop.ceil(part), int64), 0)
    weight = 1.0 / as_dtype(max(count, 1), float64)
    for b in range(bins):
        for pixel in range(size):
            out[r, b, pixel] = as_dtype(0, out)
        for k in range(b * count, (b + 1) * count):
            place = start + (as_dtype(k, float64) + 0.5) * weight * part
            if place >= -1.0 and place <= as_dtype(size, float64):
                place = min(max(place, 0.0), as_dtype(size - 1, float64))
                low = as_dtype(place, int64)
                far = place - as_dtype(low, float64)
                after = min(low + 1, size - 1)
                out[r, b, low] += as_dtype(weight * (1.0 - far), out)
                out[r, b, after] += as_dtype(weight * far, out)


@bilinear_weights.samples
def _(s):
    yield s(s.uniform(-3, 4, 4), s.uniform(1, 5, 4), 2, 6, gradient=False, half=False)
    yield s(s.uniform(-3, 4, 4), s.uniform(1, 5, 4), 3, 5, 2, gradient=False, half=False)


@op(name="roi_align", amp="full", desc=_desc("roi_align", "sampling_ratio", "aligned"))
def roi_align_op(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = True,
) -> Tensor:
    """Averages over the parts of regions: the operator under `roi_align`."""
    _check(x, boxes)
    _check_averaged(x)
    sides = []
    scaled = boxes * spatial_scale - (0.5 if aligned else 0.0)
    left, top, right, bottom = unbind(scaled, 1)
    for start, end, bins, size in (
        (top, bottom, pooled_height, x.spec.shape[2]),
        (left, right, pooled_width, x.spec.shape[3]),
    ):
        length = end - start if aligned else maximum(end - start, 1.0)
        sides.append(bilinear_weights(start, length, bins, size, sampling_ratio))
    return weighed_regions(x, *sides, _image(boxes, boxes_num))


@op(name="roi_pool", amp="full", desc=_desc("roi_pool"))
def roi_pool_op(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
) -> Tensor:
    """Maxima over the parts of regions: the operator under `roi_pool`."""
    _check(x, boxes)
    left, top, right, bottom = (_rounded(side * spatial_scale) for side in unbind(boxes, 1))
    sides = []
    for first, last, bins in ((top, bottom, pooled_height), (left, right, pooled_width)):
        start, end = _ends(maximum(last - first + 1.0, 1.0), bins)
        # Rounded before the whole number is added: multiplication and addition must not be fused.
        moved = [squeeze_op(f, (2,)) + unsqueeze(first, [1]) for f in (floor(start), ceil(end))]
        sides.append(stack(moved, 2))  # [R,bins,2]
    return window_maxima(x, *sides, _image(boxes, boxes_num))[0]


@op(
    name="psroi_pool",
    amp="full",
    desc=Desc(
        "psroi_pool",
        {"X": "x", "ROIs": "boxes", "RoisNum": "boxes_num"},
        attrs={
            "pooled_height": "pooled_height",
            "pooled_width": "pooled_width",
            "spatial_scale": "spatial_scale",
            "output_channels": "output_channels",
        },
    ),
)
def psroi_pool_op(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    output_channels: int,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
) -> Tensor:
    """Averages over the parts of regions, each from channels of its own."""
    _check(x, boxes)
    _check_averaged(x)
    c, h, w = x.spec.shape[1:]
    if c != output_channels * pooled_height * pooled_width:
        raise ShapeError(
            f"x must have {output_channels} channels for each of {pooled_height} by "
            f"{pooled_width} parts, received {c}"
        )
    left, top, right, bottom = unbind(boxes, 1)
    shares = []
    for start, end, bins, size in ((top, bottom, pooled_height, h), (left, right, pooled_width, w)):
        first, last = _rounded(start) * spatial_scale, (_rounded(end) + 1.0) * spatial_scale
        start, end = _ends(maximum(last - first, LEAST_SIDE), bins)
        moved = unsqueeze(first, [1, 2])
        mask = _between(floor(start + moved), ceil(end + moved), size)
        weights = astype(mask, x.dtype)  # [R,bins,size]
        shares.append(weights / maximum(sum_of(weights, 2, keepdim=True), 1.0))
    return weighed_regions(x, *shares, _image(boxes, boxes_num), apart=True)


def _samples(s: Any, channels: int, *more: Any) -> Any:
    corners = s.uniform(-2, 9, 5, 2)
    boxes = np.concatenate([corners, corners + s.uniform(1, 9, 5, 2)], 1)
    x, num = s.randn(2, channels, 6, 7), np.array([2, 3], "int32")
    yield s(x, boxes, num, *more, 2, 3, gradient=False, half=False, tolerance=1e-4)
    yield s(x, boxes, num, *more, 2, 3, 0.5, gradient=False, half=False, tolerance=1e-4)
    yield s(x[:1], boxes, num[:1] + 3, *more, 2, 3, gradient=False, half=False, tolerance=1e-4)
    yield s.bad(ShapeError, "boxes must be [R,4]", x, boxes[:, :3], num, *more)


@roi_align_op.samples
def _(s):
    yield from _samples(s, 2)
    x, boxes = s.randn(1, 2, 6, 7), np.array([[1, 1, 4.5, 5], [2, 0, 2.5, 9]], "float32")
    for rest in ((2, True), (2, False), (-1, False)):
        yield s(x, boxes, np.array([2]), 2, 2, 1.0, *rest, gradient=False, half=False)


@roi_pool_op.samples
def _(s):
    yield from _samples(s, 2)


@psroi_pool_op.samples
def _(s):
    yield from _samples(s, 12, 2)


def _sizes(output_size: Size) -> tuple[int, int]:
    if isinstance(output_size, int):
        return output_size, output_size
    height, width = output_size
    return height, width


@function
def roi_align(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    output_size: Size,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = True,
) -> Tensor:
    """Regions of images as averages over the parts of a grid, without rounding to pixels.

    x: [N,C,H,W], floating. boxes: [R,4], corners x1, y1, x2, y2, those of the first image first;
    boxes_num: [N], how many each image has. output_size: (PH, PW), or both as one number.
    spatial_scale: pixels of x by units of boxes. sampling_ratio: places along each side of a part
    that are averaged; -1 takes one for each pixel. aligned: pixels have their middle at .5.
    Returns [R,C,PH,PW]; boxes get no gradient. Raises ShapeError. Source: He et al. 2017, arXiv
    1703.06870, section 3.

    >>> x = twinoar.arange(16, dtype="float32").reshape([1, 1, 4, 4])
    >>> boxes = twinoar.to_tensor([[0.0, 0.0, 4.0, 4.0]])
    >>> roi_align(x, boxes, twinoar.to_tensor([1]), 2).tolist()
    [[[[2.5, 4.5], [10.5, 12.5]]]]
    """
    rest = (*_sizes(output_size), spatial_scale, sampling_ratio, aligned)
    return roi_align_op(x, boxes, boxes_num, *rest)


@function
def roi_pool(
    x: Tensor, boxes: Tensor, boxes_num: Tensor, output_size: Size, spatial_scale: float = 1.0
) -> Tensor:
    """Regions of images as maxima over the parts of a grid, 0 for a part outside of the image.

    The rest as of `roi_align`. Source: Girshick 2015, arXiv 1504.08083, section 2.1.
    """
    return roi_pool_op(x, boxes, boxes_num, *_sizes(output_size), spatial_scale)


@function
def psroi_pool(
    x: Tensor, boxes: Tensor, boxes_num: Tensor, output_size: Size, spatial_scale: float = 1.0
) -> Tensor:
    """Regions of images as averages over the parts of a grid, each from channels of its own.

    x: [N,C PH PW,H,W]. Returns [R,C,PH,PW]. The rest as of `roi_align`. Source: Dai et al. 2016,
    arXiv 1605.06409, equation 1.
    """
    height, width = _sizes(output_size)
    channels: Any = x.spec.shape[1]
    rest = (channels // (height * width), height, width, spatial_scale)
    return psroi_pool_op(x, boxes, boxes_num, *rest)


def _check(x: Tensor, boxes: Tensor) -> None:
    if x.ndim != 4:
        raise ShapeError(f"x must be [N,C,H,W], received {x.spec}")
    if boxes.ndim != 2 or boxes.spec.shape[1] != 4:
        raise ShapeError(f"boxes must be [R,4], received {boxes.spec}")


def _check_averaged(x: Tensor) -> None:
    if not x.dtype.is_floating:
        raise DTypeError(f"averages are of floating numbers, received {x.spec}")


def _images(x: Tensor, boxes: Tensor, boxes_num: Tensor) -> Tensor:
    """The image of each region: [R,...], or [1,...] where there is one image."""
    return x if x.spec.shape[0] == 1 else gather_op(x, _image(boxes, boxes_num))


def _image(boxes: Tensor, boxes_num: Tensor) -> Tensor:
    """The number of the image of each region: [R]."""
    ends = cumsum_op(boxes_num, 0)
    region = iota(boxes.spec.shape[0])
    passed = unsqueeze(region, 1) >= unsqueeze(astype(ends, int64), 0)  # [R,N]
    return sum_of(astype(passed, int64), 1)


def _ends(length: Tensor, bins: int) -> tuple[Tensor, Tensor]:
    """Where the equal parts of intervals from 0 on start and end: [R,bins,1] each."""
    part = unsqueeze(length / float(bins), [1, 2])
    number = astype(unsqueeze(iota(bins), [0, 2]), length.dtype)
    return number * part, (number + 1.0) * part


def _between(start: Tensor, end: Tensor, size: Any) -> Tensor:
    """Which whole pixels lie from start to before end: [R,bins,size]."""
    pixel = astype(unsqueeze(iota(size), [0, 1]), start.dtype)
    return (pixel >= start) & (pixel < end)


def _rounded(x: Tensor) -> Tensor:
    """To whole numbers, halves away from 0."""
    return select(x < 0.0, ceil(x - 0.5), floor(x + 0.5))
