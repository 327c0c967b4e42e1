"""The loss of YOLOv3: boxes that are there against what a network gives for cells and anchors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinoar.core.dim import differ
from twinoar.core.dtype import int64
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.activation.smooth import sigmoid, softplus
from twinoar.ops.create.fill import constant
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather, scatter_op
from twinoar.ops.loss.binary import sigmoid_cross_entropy_with_logits as cross_entropy
from twinoar.ops.loss.nll import as_given
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, greater_equal, greater_than
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import maximum, minimum, select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.reduce.extreme import argmax
from twinoar.ops.reduce.reduction import any as any_of
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import concat, unbind
from twinoar.ops.shape.reshape import reshape, transpose, unsqueeze

Box = list[Tensor]  # x and y of the middle, width, height

SMALLEST = 1e-6  # sides of boxes that are not there are no greater; Paddle's
MOST_SMOOTHING = 1 / 40  # Paddle's
ATTRS = (
    *("anchors", "anchor_mask", "class_num", "ignore_thresh"),
    *("downsample_ratio", "use_label_smooth", "scale_x_y"),
)


@op(
    name="yolov3_loss",
    amp="full",
    desc=Desc(
        "yolov3_loss",
        {"X": "x", "GTBox": "gt_box", "GTLabel": "gt_label", "GTScore": "gt_score"},
        outputs=("Loss",),
        attrs={name: name for name in ATTRS},
        extra_outputs=("ObjectnessMask", "GTMatchMask"),
    ),
)
def yolo_loss_op(
    x: Tensor,
    gt_box: Tensor,
    gt_label: Tensor,
    gt_score: Tensor | None,
    anchors: tuple[int, ...],
    anchor_mask: tuple[int, ...],
    class_num: int,
    ignore_thresh: float,
    downsample_ratio: int,
    use_label_smooth: bool = True,
    scale_x_y: float = 1.0,
) -> Tensor:
    """The operator under `yolo_loss`."""
    _check(x, gt_box, gt_label, anchors, anchor_mask, class_num)
    n, _, h, w = x.spec.shape
    slots, size = len(anchor_mask), float(downsample_ratio * h)
    parts = transpose(reshape(x, (n, slots, 5 + class_num, h, w)), (0, 1, 3, 4, 2))
    sides = np.array(anchors, "float64").reshape(-1, 2) / size
    truth = unbind(astype(gt_box, x.dtype), -1)  # [N,B] each
    is_there = logical_and(greater_than(truth[2], SMALLEST), greater_than(truth[3], SMALLEST))
    truth[2:] = (select(is_there, side, 1.0) for side in truth[2:])
    score = fill(is_there.spec.shape, 1.0, x.dtype) if gt_score is None else gt_score

    best, slot = _anchors_of(truth, sides, anchor_mask)
    matched = logical_and(is_there, greater_equal(slot, 0))
    weight = select(matched, astype(score, x.dtype), 0.0)
    slot = select(matched, slot, 0)
    column, row = (
        minimum(astype(middle * float(cells), int64), cells - 1)
        for middle, cells in zip(truth[:2], (w, h), strict=True)
    )
    place = ((unsqueeze(iota(n), 1) * slots + slot) * h + row) * w + column  # [N,B]

    found = reshape(parts, (-1, 5 + class_num))
    chosen = reshape(gather(found, reshape(place, (-1,))), (n, -1, 5 + class_num))
    own = [reshape(gather(_numbers(s, x), reshape(best, (-1,))), (n, -1)) for s in sides.T]
    wanted = [truth[0] * float(h) - column, truth[1] * float(h) - row]
    wanted += [log(side / anchor) for side, anchor in zip(truth[2:], own, strict=True)]
    importance = 2.0 - truth[2] * truth[3]  # small boxes count more
    chances = _chances(gt_label, class_num, use_label_smooth, x)
    of_classes = total(cross_entropy(chosen[:, :, 5:], chances), 2)
    of_boxes = weight * (importance * _placement(chosen, wanted) + of_classes)

    near = _fits(_boxes(parts, sides, anchor_mask, scale_x_y), truth, is_there, ignore_thresh)
    target = _certainty(near, select(matched, place, -1), weight)
    of_cells = _of_cells(reshape(parts[:, :, :, :, 4], (-1,)), target)
    return total(of_boxes, 1) + total(reshape(of_cells, (n, -1)), 1)


def _placement(found: Tensor, wanted: Box) -> Tensor:
    """How far places and sizes are from those wanted, [N,B]; found: [N,B,5 + classes]."""
    places = [cross_entropy(found[:, :, i], wanted[i]) for i in (0, 1)]
    sizes = [magnitude(found[:, :, i] - wanted[i]) for i in (2, 3)]
    return places[0] + places[1] + sizes[0] + sizes[1]


def _chances(label: Tensor, classes: int, smooth: bool, like: Tensor) -> Tensor:
    """What the likelihood of each class is to be, [N,B,classes]."""
    rest = min(1.0 / classes, MOST_SMOOTHING) if smooth else 0.0
    is_class = equal(unsqueeze(label, 2), iota(classes, label.dtype))
    return astype(is_class, like.dtype) * (1.0 - 2.0 * rest) + rest


def _certainty(near: Tensor, place: Tensor, weight: Tensor) -> Tensor:
    """What each cell is to say, [cells]: the weight of a box, 0 for background, -1 for anything.

    near: [N,S,H,W], for anything. place: [N,B], the cell of a box, or -1; weight: [N,B].
    """
    nothing = fill((1,), 0.0, weight.dtype)
    cells = concat([select(reshape(near, (-1,)), -1.0, nothing), nothing])  # the last is for -1
    return scatter_op(cells, reshape(place, (-1,)), reshape(weight, (-1,)))[:-1]


def _of_cells(found: Tensor, target: Tensor) -> Tensor:
    """The loss of whether there is something, [cells]."""
    background = select(greater_than(target, -0.5), softplus(found), 0.0)
    return select(greater_than(target, 1e-5), softplus(-found) * target, background)


def _numbers(values: np.ndarray, like: Tensor) -> Tensor:
    return constant(tuple(values.tolist()), like.dtype)


def _anchors_of(
    truth: Box, sides: np.ndarray, anchor_mask: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    """The anchor most like each box, and its place in anchor_mask, -1 for none; [N,B] each."""
    w, h = (unsqueeze(side, 2) for side in truth[2:])
    wide, high = (_numbers(s, w) for s in sides.T)
    shared = minimum(w, wide) * minimum(h, high)
    best = argmax(shared / (w * h + wide * high - shared), -1)
    slots = [anchor_mask.index(a) if a in anchor_mask else -1 for a in range(len(sides))]
    slot = gather(constant(tuple(slots), int64), reshape(best, (-1,)))
    return best, reshape(slot, best.spec.shape)


def _boxes(parts: Tensor, sides: np.ndarray, anchor_mask: tuple[int, ...], stretch: float) -> Box:
    """The boxes that a network gives, [N,S,H,W] each; parts: [N,S,H,W,5 + classes]."""
    h, w = parts.spec.shape[2:4]
    cells = iota(w), unsqueeze(iota(h), 1)
    middles = [
        (sigmoid(parts[..., i]) * stretch - 0.5 * (stretch - 1.0) + cell) / float(h)
        for i, cell in enumerate(cells)
    ]
    anchors = sides[list(anchor_mask)].T
    sizes = [
        exp(parts[..., 2 + i]) * unsqueeze(_numbers(side, parts), [1, 2])
        for i, side in enumerate(anchors)
    ]
    return [*middles, *sizes]


def _fits(boxes: Box, truth: Box, is_there: Tensor, least: float) -> Tensor:
    """Whether a box covers one that is there by more than `least`, [N,S,H,W]."""
    x, y, w, h = (unsqueeze(part, 4) for part in boxes)
    tx, ty, tw, th = (unsqueeze(part, [1, 2, 3]) for part in truth)
    shared = _overlap(x, w, tx, tw) * _overlap(y, h, ty, th)
    cover = shared / (w * h + tw * th - shared)
    return any_of(logical_and(greater_than(cover, least), unsqueeze(is_there, [1, 2, 3])), 4)


def _overlap(a: Tensor, a_side: Tensor, b: Tensor, b_side: Tensor) -> Tensor:
    """What two intervals share, by their middles and lengths."""
    last = minimum(a + a_side / 2.0, b + b_side / 2.0)
    return maximum(last - maximum(a - a_side / 2.0, b - b_side / 2.0), 0.0)


def _check(
    x: Tensor,
    gt_box: Tensor,
    gt_label: Tensor,
    anchors: tuple[int, ...],
    anchor_mask: tuple[int, ...],
    class_num: int,
) -> None:
    if len(anchors) % 2 or any(not 0 <= a < len(anchors) // 2 for a in anchor_mask):
        raise ArgumentError(
            f"anchors must be pairs, anchor_mask numbers of them, received {list(anchors)} and "
            f"{list(anchor_mask)}"
        )
    channels = len(anchor_mask) * (5 + class_num)
    if x.ndim != 4 or x.spec.shape[1] != channels or differ(*x.spec.shape[2:]):
        raise ShapeError(f"x must be [N,{channels},H,H], received {x.spec}")
    if gt_box.ndim != 3 or gt_box.spec.shape[2] != 4 or gt_label.ndim != 2:
        raise ShapeError(
            f"gt_box must be [N,B,4] and gt_label [N,B], received {gt_box.spec}, {gt_label.spec}"
        )


@yolo_loss_op.samples
def _(s):
    anchors = (10, 13, 16, 30, 33, 23)
    box = s.uniform(0.1, 0.7, 2, 3, 4)
    box[0, 1] = 0.0
    label, options = s.ints(0, 2, 2, 3, dtype="int32"), {"half": False, "tolerance": 1e-3}
    yield s(s.randn(2, 14, 3, 3), box, label, None, anchors, (0, 2), 2, 0.5, 8, **options)
    score = s.uniform(0.2, 1, 2, 3)
    few = (anchors, (1,), 2, 0.3, 8, False, 1.2)
    yield s(s.randn(2, 7, 3, 3), box, label, score, *few, **options)
    yield s.bad(
        ShapeError, "[N,14,H,H]", s.randn(2, 14, 3, 4), box, label, None, anchors, (0, 2), 2, 0.5, 8
    )
    yield s.bad(ShapeError, "[N,B,4]", s.randn(2, 7, 3, 3), box[0], label, score, *few)
    yield s.bad(
        ArgumentError,
        "numbers of them",
        s.randn(2, 7, 3, 3),
        box,
        label,
        None,
        anchors,
        (3,),
        2,
        0.5,
        8,
    )


@function
def yolo_loss(
    x: Tensor,
    gt_box: Tensor,
    gt_label: Tensor,
    anchors: Sequence[int],
    anchor_mask: Sequence[int],
    class_num: int,
    ignore_thresh: float,
    downsample_ratio: int,
    gt_score: Tensor | None = None,
    use_label_smooth: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
) -> Tensor:
    """How far what a YOLOv3 network gives is from the boxes that are there.

    x: [N,S (5 + class_num),H,H], floating, for S anchors: place, size, whether there is something,
    classes. gt_box: [N,B,4], middle, width and height, in parts of the image; those without a size
    do not count. gt_label: [N,B], integers. anchors: width and height of each, pixels; each box
    belongs to the one most like it. anchor_mask: the S that x is for. ignore_thresh: a box of x
    that covers one that is there by more is not taken for background. downsample_ratio: pixels of
    a cell. gt_score: [N,B], what each box counts. use_label_smooth: classes are less certain.
    scale_x_y: see `yolo_box`. Returns [N]. Raises ShapeError, ArgumentError.
    Source: Redmon, Farhadi 2018, arXiv 1804.02767, section 2.
    """
    how = tuple(anchors), tuple(anchor_mask), class_num, float(ignore_thresh), downsample_ratio
    truth = as_given(gt_box), gt_label, None if gt_score is None else as_given(gt_score)
    return yolo_loss_op(x, *truth, *how, use_label_smooth, float(scale_x_y), name=name)
