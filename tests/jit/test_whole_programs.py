"""Programs whose sizes and steps the data decides are compiled, and say what eager mode says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.whole_models import (
    Adversaries,
    Detector,
    Reader,
    Translator,
    Writer,
    adversarial_step,
    detection_loss,
    detections,
    reading_loss,
    translation_loss,
)
from twinoar import nn, optimizer
from twinoar.jit import to_static
from twinoar.nn import functional
from twinoar.vision.ops import distribute_fpn_proposals, generate_proposals, matrix_nms

pytestmark = pytest.mark.usefixtures("strict")


def on_numpy(function: Any) -> set[str]:
    """The operators that do not run compiled."""
    text = function.explain()
    between = re.findall(r"NumPy, as .*?: (.*)", text)  # stages
    inside = re.findall(r"on NumPy: .*? = (\w+)", text)
    assert inside or between or "host commands: 0" in text
    return {*inside, *(name for names in between for name in names.split(", "))}


def agree(found: Any, wanted: Any) -> None:
    for f, w in zip(found, wanted, strict=True):
        assert (f.dtype, f.shape) == (w.dtype, w.shape)
        np.testing.assert_allclose(f.numpy(), w.numpy(), rtol=2e-4, atol=1e-5)


@pytest.fixture
def detector() -> Detector:
    paddle.seed(4)
    return Detector()


def test_a_detector_with_masks_and_counts(detector: Detector) -> None:
    compiled = to_static(lambda image: detections(detector, image))
    for size in (24, 40, 24):
        image = paddle.randn([1, 3, size, size]) * 2
        found, wanted = compiled(image), detections(detector, image)
        assert 0 < found[2].item() < 20
        agree(found, wanted)
    assert on_numpy(compiled) == set()


def proposed(net: Detector, image: paddle.Tensor) -> list[paddle.Tensor]:
    logits, boxes = net(image)
    height = boxes.shape[0]
    anchors = boxes.unsqueeze(2) + paddle.to_tensor([-2.0, -2.0, 2.0, 2.0])
    deltas = paddle.concat([logits[:1], logits], 0).unsqueeze(0) * 0.2
    size = paddle.full([1, 2], height * 1.0)
    rois, _, counts = generate_proposals(
        logits[:1].unsqueeze(0), deltas, size, anchors, paddle.ones_like(anchors), 80, 20, 0.6,
        return_rois_num=True,
    )  # fmt: skip
    levels, restore, numbers = distribute_fpn_proposals(rois, 2, 3, 3, 5, rois_num=counts)
    rows, counts, _ = matrix_nms(
        boxes.reshape([1, -1, 4]), functional.sigmoid(logits).reshape([1, 3, -1]), 0.3, 0.2, 40, 15
    )
    return [rois, *levels, restore, *numbers, rows, counts]


def test_proposals_are_divided_among_levels(detector: Detector) -> None:
    compiled = to_static(lambda image: proposed(detector, image))
    for size in (24, 40):
        image = paddle.randn([1, 3, size, size]) * 2
        agree(compiled(image), proposed(detector, image))
    assert on_numpy(compiled) == set()


def trained(make: Callable[[], nn.Layer], loss_of: Callable, batches: list, compile: bool) -> list:
    """Losses of steps of training, and what the step runs on NumPy."""
    paddle.seed(3)
    net = make()
    rule = optimizer.Adam(0.01, parameters=net.parameters())

    def step(*batch: paddle.Tensor) -> paddle.Tensor:
        loss = loss_of(net, *batch)
        loss.backward()
        rule.step()
        rule.clear_grad()
        return loss

    run = to_static(step) if compile else step
    losses = [run(*batch).item() for batch in batches]
    return [losses, on_numpy(run) if compile else set()]


def test_training_of_a_detector_by_the_cells_that_a_mask_names() -> None:
    numbers = np.random.default_rng(0)
    batches = [
        [
            paddle.to_tensor(numbers.normal(size=(1, 3, 16, 16)).astype("float32")),
            paddle.to_tensor(numbers.integers(-1, 3, 64)),
            paddle.to_tensor(numbers.uniform(0, 8, (64, 4)).astype("float32")),
        ]
        for _ in range(4)
    ]
    wanted, _ = trained(Detector, detection_loss, batches, False)
    found, not_compiled = trained(Detector, detection_loss, batches, True)
    np.testing.assert_allclose(found, wanted, rtol=1e-4)
    assert not_compiled == set()


def test_training_by_ctc() -> None:
    numbers = np.random.default_rng(0)
    batches = [
        [
            paddle.to_tensor(numbers.normal(size=(3, 9, 5)).astype("float32")),
            paddle.to_tensor(numbers.integers(7, 10, 3)),
            paddle.to_tensor(numbers.integers(1, 6, (3, 4)).astype("int32")),
            paddle.to_tensor(numbers.integers(1, 4, 3)),
        ]
        for _ in range(4)
    ]
    wanted, _ = trained(Reader, reading_loss, batches, False)
    found, not_compiled = trained(Reader, reading_loss, batches, True)
    np.testing.assert_allclose(found, wanted, rtol=1e-4)
    assert not_compiled == set()


def test_adversarial_training_with_noise() -> None:
    """Both optimizers in one step; the noise is drawn in it, the same numbers both ways."""
    losses = _adversarial_losses(True)
    np.testing.assert_allclose(losses, _adversarial_losses(False), rtol=1e-4)
    assert len(set(losses)) == len(losses)


def _adversarial_losses(compile: bool) -> list[float]:
    paddle.seed(3)
    step = adversarial_step(Adversaries())
    run = to_static(step) if compile else step
    points = np.random.default_rng(0).normal(size=(4, 8, 2)).astype("float32")
    found = [part.item() for batch in points for part in run(paddle.to_tensor(batch))]
    assert not compile or on_numpy(run) == set()
    return found


def test_training_of_a_transformer_with_dropout() -> None:
    numbers = np.random.default_rng(0)
    batches = [[paddle.to_tensor(numbers.integers(0, 11, (3, 6))) for _ in "xy"] for _ in range(4)]
    wanted, _ = trained(Translator, translation_loss, batches, False)
    found, not_compiled = trained(Translator, translation_loss, batches, True)
    np.testing.assert_allclose(found, wanted, rtol=1e-4)
    assert not_compiled == set()


def test_a_search_by_beams() -> None:
    paddle.seed(7)
    search = Writer()
    search.out.bias.set_value(paddle.to_tensor([0.0, 0.6, 0, 0, 0, 0, 0]))  # it ends often
    compiled = to_static(search.forward)
    ends = set()
    for _ in range(4):
        state = paddle.randn([2, 8])
        found = compiled(state)
        agree(found, search(state))
        ends.add(found[2].item())
    assert len(ends) > 1
    assert on_numpy(compiled) == set()


def test_tags_of_sentences() -> None:
    paddle.seed(2)
    scores = nn.Linear(6, 4)
    follows = paddle.randn([4, 4])

    def tags(x: paddle.Tensor, lengths: paddle.Tensor) -> tuple[paddle.Tensor, ...]:
        best, path = paddle.text.viterbi_decode(scores(x), follows, lengths)
        return best, path, (path == 1).astype("int64").sum(1)

    compiled = to_static(tags)
    for lengths in ([3, 5, 1], [2, 2, 1]):
        given = paddle.randn([3, 5, 6]), paddle.to_tensor(lengths)
        agree(compiled(*given), tags(*given))
    assert on_numpy(compiled) == set()
