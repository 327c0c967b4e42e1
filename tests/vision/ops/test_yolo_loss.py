"""yolo_loss: what counts of boxes and of cells, against sums written out."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError
from twinoar.vision.ops import yolo_loss

ANCHORS, CELL, SIDE, CLASSES = [8, 8, 16, 32], 8, 4, 2
BOX = [0.40, 0.65, 0.30, 0.90]  # of the second anchor, in the cell of row 2 and column 1


def loss_of(x: np.ndarray, boxes: list, labels: list[int], mask: list[int], **options) -> float:
    found = yolo_loss(
        paddle.to_tensor(x),
        paddle.to_tensor([boxes]),
        paddle.to_tensor([labels], "int32"),
        ANCHORS,
        mask,
        CLASSES,
        options.pop("thresh", 0.99),
        CELL,
        **options,
    )
    assert found.shape == [1]
    return found.item()


def predictions(seed: int = 0, anchors: int = 1) -> np.ndarray:
    shape = (1, anchors * (5 + CLASSES), SIDE, SIDE)
    return np.random.RandomState(seed).randn(*shape).astype("float32")


def entropy(x: np.ndarray, chance: float) -> np.ndarray:
    return np.log1p(np.exp(x)) - x * chance


def of_background(x: np.ndarray) -> float:
    return float(entropy(x[0, 4], 0.0).sum())


def of_box(x: np.ndarray, label: int, rest: float) -> float:
    """What the box adds in its own cell."""
    px, py, pw, ph, certain, *classes = x[0, :, 2, 1]
    side = CELL * SIDE
    wanted = BOX[0] * SIDE - 1, BOX[1] * SIDE - 2
    sizes = np.log(BOX[2] * side / 16), np.log(BOX[3] * side / 32)
    place = entropy(px, wanted[0]) + entropy(py, wanted[1])
    size = abs(pw - sizes[0]) + abs(ph - sizes[1])
    named = sum(entropy(c, 1 - rest if k == label else rest) for k, c in enumerate(classes))
    return (
        (2 - BOX[2] * BOX[3]) * (place + size) + named + entropy(certain, 1) - entropy(certain, 0)
    )


def test_without_boxes_all_is_background() -> None:
    x = predictions()
    np.testing.assert_allclose(loss_of(x, [[0.0] * 4], [0], [0]), of_background(x), rtol=1e-5)


@pytest.mark.parametrize(("smooth", "rest"), [(True, 1 / 40), (False, 0.0)])
def test_a_box_counts_in_its_cell_for_the_anchor_most_like_it(smooth: bool, rest: float) -> None:
    x = predictions(1)
    wanted = of_background(x) + of_box(x, 1, rest)
    found = loss_of(x, [BOX], [1], [1], use_label_smooth=smooth)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_a_box_of_another_anchor_does_not_count() -> None:
    x = predictions(2)
    np.testing.assert_allclose(loss_of(x, [BOX], [1], [0]), of_background(x), rtol=1e-5)


def test_a_score_scales_what_a_box_adds() -> None:
    x = predictions(3)
    half = loss_of(x, [BOX], [0], [1], gt_score=paddle.to_tensor([[0.5]]))
    background = entropy(x[0, 4, 2, 1], 0.0)
    without, whole = of_background(x) - background, loss_of(x, [BOX], [0], [1])
    np.testing.assert_allclose(half - without, (whole - without) / 2, rtol=1e-4)


def test_cells_that_cover_a_box_well_are_no_background() -> None:
    x = predictions(4)
    x[0, 2:4] = 0.5
    assert loss_of(x, [BOX], [0], [0], thresh=0.01) < loss_of(x, [BOX], [0], [0])


def test_training_finds_the_boxes() -> None:
    x = paddle.create_parameter([1, 2 * (5 + CLASSES), SIDE, SIDE], "float32")
    optimizer = paddle.optimizer.Adam(0.1, parameters=[x])
    box, label = paddle.to_tensor([[BOX, [0.1, 0.1, 0.2, 0.2]]]), paddle.to_tensor([[0, 1]])
    losses = []
    for _ in range(150):
        loss = yolo_loss(x, box, label.astype("int32"), ANCHORS, [0, 1], CLASSES, 0.7, CELL).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    boxes, scores = paddle.vision.ops.yolo_box(
        x, paddle.to_tensor([[32, 32]], "int32"), ANCHORS, CLASSES, 0.5, CELL, clip_bbox=False
    )
    best = boxes[0][scores[0, :, 0].argmax()].numpy() / 32
    x0, y0, w, h = BOX
    np.testing.assert_allclose(best, [x0 - w / 2, y0 - h / 2, x0 + w / 2, y0 + h / 2], atol=0.05)
    assert losses[-1] < losses[0] / 3


def test_boxes_get_no_gradient() -> None:
    box = paddle.to_tensor([[BOX]], stop_gradient=False)
    x = paddle.to_tensor(predictions(), stop_gradient=False)
    label = paddle.zeros([1, 1], "int32")
    yolo_loss(x, box, label, ANCHORS, [1], CLASSES, 0.7, CELL).backward()
    assert box.grad is None
    assert np.abs(x.grad.numpy()).max() > 0


def test_images_are_square_and_anchors_pairs() -> None:
    with pytest.raises(ShapeError, match=r"\[N,7,H,H\]"):
        loss_of(predictions()[:, :, :3], [BOX], [0], [0])
    with pytest.raises(ArgumentError, match="anchor_mask"):
        loss_of(predictions(), [BOX], [0], [2])
