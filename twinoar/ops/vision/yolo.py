"""Boxes and scores from the last layer of YOLOv3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.activation.smooth import sigmoid
from twinoar.ops.create.fill import constant
from twinoar.ops.create.range import iota
from twinoar.ops.math.cast import astype
from twinoar.ops.math.exponential import exp
from twinoar.ops.math.select import maximum, minimum, select
from twinoar.ops.shape.concat import stack
from twinoar.ops.shape.reshape import reshape, transpose, unsqueeze

ATTRS = (
    *("anchors", "class_num", "conf_thresh", "downsample_ratio"),
    *("clip_bbox", "scale_x_y", "iou_aware", "iou_aware_factor"),
)


@op(
    name="yolo_box",
    desc=Desc(
        "yolo_box",
        {"X": "x", "ImgSize": "img_size"},
        outputs=("Boxes", "Scores"),
        attrs={name: name for name in ATTRS},
    ),
    grad=lambda: (None, None),
)
def yolo_box_op(
    x: Tensor,
    img_size: Tensor,
    anchors: tuple[int, ...],
    class_num: int,
    conf_thresh: float,
    downsample_ratio: int,
    clip_bbox: bool = True,
    scale_x_y: float = 1.0,
    iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> tuple[Tensor, Tensor]:
    """Boxes and scores: the operator under `yolo_box`."""
    count = len(anchors) // 2
    n, _, h, w = _checked(x, count, class_num, iou_aware)
    dtype = x.dtype
    parts: Any = x
    certain: Any = 1.0
    if iou_aware:
        certain = sigmoid(parts[:, :count]) ** iou_aware_factor
        parts = parts[:, count:]
    parts = reshape(parts, (n, count, 5 + class_num, h, w))
    sides = np.array(anchors).reshape(count, 2)
    image = astype(img_size, dtype)
    place, size = [], []
    for axis, (cells, pixels) in enumerate(((w, image[:, 1]), (h, image[:, 0]))):
        pixels = unsqueeze(pixels, [1, 2, 3])
        cell = astype(iota(cells), dtype)
        cell = cell if axis == 0 else unsqueeze(cell, 1)
        middle = sigmoid(parts[:, :, axis]) * scale_x_y - 0.5 * (scale_x_y - 1.0) + cell
        place.append(middle * pixels / float(cells))
        anchor = unsqueeze(constant(tuple(map(float, sides[:, axis])), dtype), [1, 2])
        size.append(exp(parts[:, :, 2 + axis]) * anchor * pixels / float(downsample_ratio * cells))
    chance = sigmoid(parts[:, :, 4])
    if iou_aware:
        chance = chance ** (1.0 - iou_aware_factor) * certain
    found = chance >= conf_thresh  # [N,A,H,W]
    corners = [m - s / 2.0 for m, s in zip(place, size, strict=True)]
    corners += [m + s / 2.0 for m, s in zip(place, size, strict=True)]
    if clip_bbox:
        limits = [unsqueeze(image[:, 1 - i % 2], [1, 2, 3]) - 1.0 for i in range(4)]
        # As Paddle: the first corner is kept from below, the second from above.
        corners = [
            maximum(c, 0.0) if i < 2 else minimum(c, limit)
            for i, (c, limit) in enumerate(zip(corners, limits, strict=True))
        ]
    boxes = select(unsqueeze(found, 4), stack(corners, 4), 0.0)
    chance = select(found, chance, 0.0)
    scores = sigmoid(parts[:, :, 5:]) * unsqueeze(chance, 2)
    scores = transpose(scores, (0, 1, 3, 4, 2))
    return reshape(boxes, (n, -1, 4)), reshape(scores, (n, -1, class_num))


@yolo_box_op.samples
def _(s):
    size = np.array([[40, 50], [30, 60]], "int32")
    options = {"gradient": False, "half": False, "tolerance": 1e-4}
    yield s(s.randn(2, 14, 2, 3), size, (10, 13, 16, 30), 2, 0.4, 32, **options)
    yield s(s.randn(2, 14, 2, 3), size, (10, 13, 16, 30), 2, 0.4, 16, False, 1.2, **options)
    yield s(
        s.randn(2, 16, 2, 3), size, (10, 13, 16, 30), 2, 0.4, 32, True, 1.0, True, 0.4, **options
    )
    yield s.bad(ShapeError, "14 channels", s.randn(2, 15, 2, 3), size, (10, 13, 16, 30), 2, 0.4, 32)


@function
def yolo_box(
    x: Tensor,
    img_size: Tensor,
    anchors: Sequence[int],
    class_num: int,
    conf_thresh: float,
    downsample_ratio: int,
    clip_bbox: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
    iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> tuple[Tensor, Tensor]:
    """Boxes and scores from what a YOLOv3 network gives for each cell of a grid and each anchor.

    x: [N,A (5 + class_num),H,W], floating: place, size, whether there is something, classes; with
    iou_aware A channels more, first, of how well the box fits. img_size: [N,2], integers, height
    and width. anchors: width and height of each of A, pixels. conf_thresh: boxes with a lower
    chance, and their scores, are 0. downsample_ratio: pixels of a cell. clip_bbox: keep boxes
    inside of the image. scale_x_y: stretches places around the middle of a cell. No gradient flows.
    Returns boxes [N,A H W,4], corners x1, y1, x2, y2, and scores [N,A H W,class_num]. Raises
    ShapeError, ArgumentError. Source: Redmon, Farhadi 2018, arXiv 1804.02767, section 2.1.
    """
    return yolo_box_op(
        x,
        img_size,
        tuple(anchors),
        class_num,
        conf_thresh,
        downsample_ratio,
        clip_bbox,
        scale_x_y,
        iou_aware,
        iou_aware_factor,
        name=name,
    )


def _checked(x: Tensor, count: int, class_num: int, iou_aware: bool) -> Any:
    """The shape of x."""
    channels = count * (5 + class_num + iou_aware)
    if count < 1 or class_num < 1:
        raise ArgumentError(f"anchors and class_num must be there, received {count}, {class_num}")
    if x.ndim != 4 or x.spec.shape[1] != channels:
        raise ShapeError(f"x must be [N,C,H,W] with {channels} channels, received {x.spec}")
    return x.spec.shape
