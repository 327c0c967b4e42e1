"""Whole programs whose sizes and steps the data decides, for tests and for benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import twinoar as paddle
from twinoar import nn, optimizer
from twinoar.nn import functional
from twinoar.vision.ops import nms


class Detector(nn.Layer):
    """Scores of classes and boxes around the cells of an image."""

    def __init__(self, classes: int = 3, width: int = 8):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2D(3, width, 3, stride=2, padding=1), nn.ReLU())
        self.scores, self.sides = nn.Conv2D(width, classes, 1), nn.Conv2D(width, 4, 1)

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


class Reader(nn.Layer):
    """Letters at each moment of a recording."""

    def __init__(self, size: int = 5, width: int = 8, letters: int = 6) -> None:
        super().__init__()
        self.states = nn.LSTM(size, width, direction="bidirect")
        self.out = nn.Linear(2 * width, letters)

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        """Logits [T,B,6] of recordings [B,T,5]."""
        return self.out(self.states(x)[0]).transpose([1, 0, 2])


def reading_loss(net: Reader, x: paddle.Tensor, lengths: paddle.Tensor, letters: paddle.Tensor,
                 counts: paddle.Tensor) -> paddle.Tensor:  # fmt: skip
    return functional.ctc_loss(net(x), letters, lengths, counts)


class Adversaries(nn.Layer):
    """A network that makes points of noise, and one that tells them from given points."""

    def __init__(self, noise: int = 4, width: int = 16) -> None:
        super().__init__()
        self.makes = nn.Sequential(nn.Linear(noise, width), nn.ReLU(), nn.Linear(width, 2))
        self.tells = nn.Sequential(nn.Linear(2, width), nn.LeakyReLU(), nn.Linear(width, 1))


def adversarial_step(nets: Adversaries, noise: int = 4) -> Callable[..., Any]:
    """A step of both networks on points [N,2], with an optimizer each; the losses."""
    makers = optimizer.Adam(0.01, parameters=nets.makes.parameters())
    tellers = optimizer.Adam(0.01, parameters=nets.tells.parameters())

    def step(given: paddle.Tensor) -> tuple[paddle.Tensor, paddle.Tensor]:
        made = nets.makes(paddle.randn([given.shape[0], noise]))
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

    return step


def translation_loss(net: nn.Layer, given: paddle.Tensor, wanted: paddle.Tensor) -> paddle.Tensor:
    """given, wanted: words by number, [batch, moments]."""
    return functional.cross_entropy(net(given), wanted)


class Translator(nn.Layer):
    """A word for each word, by attention, with dropout everywhere."""

    def __init__(self, words: int = 11, width: int = 8) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width)
        layer = nn.TransformerEncoderLayer(width, 2, 2 * width, dropout=0.2)
        self.attends = nn.TransformerEncoder(layer, 2)
        self.out = nn.Linear(width, words)

    def forward(self, given: paddle.Tensor) -> paddle.Tensor:
        return self.out(self.attends(self.words(given)))


class Writer(nn.Layer):
    """The likeliest words after a state, by beams, until each beam has ended."""

    def __init__(self, words: int = 7, beams: int = 3, steps: int = 9, width: int = 8):
        super().__init__()
        self.embed, self.cell, self.out = (
            nn.Embedding(words, width),
            nn.GRUCell(width, width),
            nn.Linear(width, words),
        )
        self.words, self.beams, self.steps = words, beams, steps

    def forward(self, state: paddle.Tensor) -> tuple[paddle.Tensor, ...]:
        """Words [T,B,K], log probabilities [B,K] and the number of steps, for states [B,width]."""
        batch, beams = state.shape[0], self.beams
        state = state.unsqueeze(1).expand([batch, beams, state.shape[1]]).flatten(0, 1)
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
