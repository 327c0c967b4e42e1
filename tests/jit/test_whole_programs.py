"""Programs whose sizes and steps the data decides are compiled, and say what eager mode says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn, optimizer
from twinoar.jit import to_static
from twinoar.nn import functional
from twinoar.vision.ops import distribute_fpn_proposals, generate_proposals, matrix_nms, nms


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    with config.override(strict=True):
        yield


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


class Detector(nn.Layer):
    """Scores of classes and boxes around the cells of an image."""

    def __init__(self, classes: int = 3):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2D(3, 8, 3, stride=2, padding=1), nn.ReLU())
        self.scores, self.sides = nn.Conv2D(8, classes, 1), nn.Conv2D(8, 4, 1)

    def forward(self, image: paddle.Tensor) -> tuple[paddle.Tensor, paddle.Tensor]:
        """Logits [C,H,W] and boxes [H,W,4] of an image [1,3,H,W]."""
        x = self.features(image)
        sides = functional.softplus(self.sides(x)[0] * 4).transpose([1, 2, 0]) * 2
        height, width = sides.shape[:2]
        rows = paddle.arange(height, dtype="float32").reshape([-1, 1]).expand([height, width])
        columns = paddle.arange(width, dtype="float32").expand([height, width])
        middles = paddle.stack([columns, rows], -1)
        return self.scores(x)[0], paddle.concat(
            [middles - sides[..., :2], middles + sides[..., 2:]], -1
        )


def detections(net: Detector, image: paddle.Tensor) -> tuple[paddle.Tensor, ...]:
    logits, boxes = net(image)
    chances = functional.sigmoid(logits).flatten(1)
    best, classes = chances.max(0), chances.argmax(0)
    likely = best > 0.6
    boxes, best, classes = boxes.reshape([-1, 4])[likely], best[likely], classes[likely]
    kept = nms(boxes, 0.4, best, classes, [0, 1, 2], top_k=20)
    large = (boxes[kept, 2] - boxes[kept, 0]) > 3
    rows = paddle.concat([boxes[kept], best[kept].unsqueeze(1)], 1)[large]
    count = large.astype("int64").sum()
    return rows, classes[kept][large], count, rows.sum() / count.clip(1)


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


def detection_loss(
    net: Detector, image: paddle.Tensor, target: paddle.Tensor, box: paddle.Tensor
) -> paddle.Tensor:
    """target: the class of each cell, -1 for none. box: of each cell."""
    logits, boxes = net(image)
    logits, boxes = logits.flatten(1).transpose([1, 0]), boxes.reshape([-1, 4])
    here = target >= 0
    count = here.astype("float32").sum().clip(1)
    of_classes = functional.cross_entropy(logits[here], target[here], reduction="sum")
    of_boxes = functional.smooth_l1_loss(boxes[here], box[here], reduction="sum")
    return (of_classes + 0.1 * of_boxes) / count + logits[~here].square().mean()


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


class Reader(nn.Layer):
    """Letters at each moment of a recording."""

    def __init__(self) -> None:
        super().__init__()
        self.states, self.out = nn.LSTM(5, 8, direction="bidirect"), nn.Linear(16, 6)

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        """Logits [T,B,6] of recordings [B,T,5]."""
        return self.out(self.states(x)[0]).transpose([1, 0, 2])


def reading_loss(net: Reader, x: paddle.Tensor, lengths: paddle.Tensor, letters: paddle.Tensor,
                 counts: paddle.Tensor) -> paddle.Tensor:  # fmt: skip
    return functional.ctc_loss(net(x), letters, lengths, counts)


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


class Adversaries(nn.Layer):
    """A network that makes points of noise, and one that tells them from given points."""

    def __init__(self) -> None:
        super().__init__()
        self.makes = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
        self.tells = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(), nn.Linear(16, 1))


def test_adversarial_training_with_noise() -> None:
    """Both optimizers in one step; the noise is drawn in it, the same numbers both ways."""
    losses = _adversarial_losses(True)
    np.testing.assert_allclose(losses, _adversarial_losses(False), rtol=1e-4)
    assert len(set(losses)) == len(losses)


def _adversarial_losses(compile: bool) -> list[float]:
    paddle.seed(3)
    nets = Adversaries()
    makers = optimizer.Adam(0.01, parameters=nets.makes.parameters())
    tellers = optimizer.Adam(0.01, parameters=nets.tells.parameters())

    def step(given: paddle.Tensor) -> tuple[paddle.Tensor, paddle.Tensor]:
        made = nets.makes(paddle.randn([given.shape[0], 4]))
        told = functional.softplus(-nets.tells(given)) + functional.softplus(
            nets.tells(made.detach())
        )
        loss = told.mean()
        loss.backward()
        tellers.step()
        tellers.clear_grad()
        fooled = functional.softplus(-nets.tells(made)).mean()
        fooled.backward()
        makers.step()
        makers.clear_grad()
        tellers.clear_grad()
        return loss, fooled

    run = to_static(step) if compile else step
    points = np.random.default_rng(0).normal(size=(4, 8, 2)).astype("float32")
    found = [part.item() for batch in points for part in run(paddle.to_tensor(batch))]
    assert not compile or on_numpy(run) == set()
    return found


def translation_loss(net: nn.Layer, given: paddle.Tensor, wanted: paddle.Tensor) -> paddle.Tensor:
    """given, wanted: words by number, [batch, moments]."""
    return functional.cross_entropy(net(given), wanted)


class Translator(nn.Layer):
    """A word for each word, by attention, with dropout everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(11, 8)
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2)
        self.attends = nn.TransformerEncoder(layer, 2)
        self.out = nn.Linear(8, 11)

    def forward(self, given: paddle.Tensor) -> paddle.Tensor:
        return self.out(self.attends(self.words(given)))


def test_training_of_a_transformer_with_dropout() -> None:
    numbers = np.random.default_rng(0)
    batches = [[paddle.to_tensor(numbers.integers(0, 11, (3, 6))) for _ in "xy"] for _ in range(4)]
    wanted, _ = trained(Translator, translation_loss, batches, False)
    found, not_compiled = trained(Translator, translation_loss, batches, True)
    np.testing.assert_allclose(found, wanted, rtol=1e-4)
    assert not_compiled == set()


class Writer(nn.Layer):
    """The likeliest words after a state, by beams, until each beam has ended."""

    def __init__(self, words: int = 7, beams: int = 3, steps: int = 9):
        super().__init__()
        self.embed, self.cell, self.out = (
            nn.Embedding(words, 5),
            nn.GRUCell(5, 8),
            nn.Linear(8, words),
        )
        self.words, self.beams, self.steps = words, beams, steps

    def forward(self, state: paddle.Tensor) -> tuple[paddle.Tensor, ...]:
        """Words [T,B,K], log probabilities [B,K] and the number of steps, for states [B,8]."""
        batch, beams = state.shape[0], self.beams
        state = state.unsqueeze(1).expand([batch, beams, 8]).reshape([-1, 8])
        total = paddle.where(paddle.arange(beams) == 0, 0.0, -1e9).expand([batch, beams])
        last = paddle.zeros([batch, beams], "int64")
        ids, parents = (paddle.zeros([self.steps, batch, beams], "int64") for _ in range(2))
        parents = parents + paddle.arange(beams)
        ended, moment = paddle.zeros([batch, beams], "bool"), paddle.zeros([], "int64")
        stay = paddle.where(paddle.arange(self.words) == 1, 0.0, -1e9)
        while moment < self.steps and not ended.all():
            out, state = self.cell(self.embed(last.flatten()), state)
            scores = functional.log_softmax(self.out(out) * 4).reshape([batch, beams, -1])
            scores = paddle.where(ended.unsqueeze(-1), stay, scores) + total.unsqueeze(-1)
            total, place = scores.flatten(1).topk(beams)
            parent, last = place // self.words, place % self.words
            rows = (paddle.arange(batch).unsqueeze(1) * beams + parent).flatten()
            state = state[rows]
            ended = ended.flatten()[rows].reshape([batch, beams]) | (last == 1)
            here = (paddle.arange(self.steps) == moment).reshape([-1, 1, 1])
            ids, parents = paddle.where(here, last, ids), paddle.where(here, parent, parents)
            moment = moment + 1
        return functional.gather_tree(ids, parents), total, moment


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
