"""What lower precision costs in training: the last losses beside float32's, over several seeds.

MLP, LeNet and ResNet-18 learn MNIST, a small transformer Tiny Shakespeare (both in
`$TWINOAR_DATA_HOME`); each a few hundred steps, the whole step compiled, at levels O1 and O2 of
`auto_cast`. float16 is trained with a GradScaler, which every run plants an overflow in. A mean
that is further from float32's than the seeds of both are spread is an error.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np

import twinoar as paddle
from twinoar import amp, config, nn
from twinoar.vision.datasets import MNIST
from twinoar.vision.models import LeNet, resnet18

LAST = 20  # steps whose losses are averaged
PLANTED = 40  # the step whose loss is infinite, with a scaler
WAYS = [("O0", "float32")] + [
    (level, dtype) for level in ("O1", "O2") for dtype in ("bfloat16", "float16")
]


class Work(NamedTuple):
    """What makes a model, and batches of its data; how many steps it learns."""

    make: Callable[[], nn.Layer]
    batches: Callable[[np.random.Generator], Iterator[tuple[np.ndarray, np.ndarray]]]
    steps: int
    rate: float = 1e-3


class Characters(nn.Layer):
    """Scores of the next character, from those before."""

    def __init__(self, count: int = 128, width: int = 64, length: int = 32):
        super().__init__()
        self.embedding, self.places = nn.Embedding(count, width), nn.Embedding(length, width)
        layer = nn.TransformerEncoderLayer(width, 4, 4 * width, 0.0, normalize_before=True)
        self.encoder, self.scores = nn.TransformerEncoder(layer, 2), nn.Linear(width, count)
        mask = np.triu(np.full((length, length), -1e9, np.float32), 1)
        self.register_buffer("mask", paddle.to_tensor(mask), persistable=False)

    def forward(self, x: Any) -> Any:
        h = self.embedding(x) + self.places(paddle.arange(x.shape[1]))
        return self.scores(self.encoder(h, self.mask.astype(h.dtype)))


def mlp() -> nn.Layer:
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))


def digits(size: int, channels: int = 1) -> Callable[..., Iterator[tuple[np.ndarray, np.ndarray]]]:
    """Batches of MNIST."""

    def batches(random: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        data = MNIST(mode="train", backend="cv2")
        while True:
            chosen = random.integers(0, len(data), size)
            images = np.stack([data[i][0] for i in chosen])[:, None] / np.float32(127.5) - 1
            labels = np.stack([data[i][1] for i in chosen]).reshape(-1, 1)
            yield np.repeat(images.astype(np.float32), channels, 1), labels

    return batches


def characters(random: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Batches of Tiny Shakespeare."""
    text = (config.data_home / "tinyshakespeare" / "input.txt").read_bytes()
    numbers = np.frombuffer(text, np.uint8).astype(np.int64)
    while True:
        starts = random.integers(0, len(numbers) - 33, 16)
        pieces = np.stack([numbers[s : s + 33] for s in starts])
        yield pieces[:, :-1], pieces[:, 1:, None]


WORKS = {
    "mlp": Work(mlp, digits(64), 300),
    "lenet": Work(LeNet, digits(64), 200),
    "r18": Work(lambda: resnet18(num_classes=10), digits(16, 3), 100),
    "transformer": Work(Characters, characters, 300, 3e-3),
}


def trained(work: Work, level: str, dtype: str, seed: int) -> float:
    """The mean of the last losses."""
    paddle.seed(seed)
    model = work.make()
    adam = paddle.optimizer.Adam(work.rate, parameters=model.parameters())
    if level == "O2":
        amp.decorate(model, adam, level="O2", dtype=dtype)
    is_scaled = dtype == "float16"
    scaler = amp.GradScaler(is_scaled, init_loss_scaling=2.0**12)

    def step(x: Any, y: Any, factor: Any) -> Any:
        low = "bfloat16" if level == "O0" else dtype
        with amp.auto_cast(level=level, dtype=low):
            scores = model(x)
        loss = paddle.nn.functional.cross_entropy(scores.astype("float32"), y)
        scaler.scale(loss * factor).backward()
        scaler.step(adam)
        scaler.update()
        adam.clear_grad()
        return loss

    run = paddle.jit.to_static(step, full_graph=True)
    batches, losses = work.batches(np.random.default_rng(seed)), []
    for number in range(work.steps):
        x, y = next(batches)
        factor = math.inf if is_scaled and number == PLANTED else 1.0
        losses.append(
            float(run(paddle.to_tensor(x), paddle.to_tensor(y), paddle.to_tensor(factor)))
        )
    if not np.isfinite(losses).all():
        raise RuntimeError(f"a loss is not finite: {level}, {dtype}, seed {seed}")
    return statistics.mean(losses[-LAST:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--works", default="*", help="a pattern of names")
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    print("| last losses, mean and spread | " + " | ".join(" ".join(w) for w in WAYS) + " |")
    print("|---|" + "---:|" * len(WAYS))
    wrong = []
    for name, work in WORKS.items():
        if not fnmatchcase(name, given.works):
            continue
        found = {way: [trained(work, *way, seed) for seed in range(given.seeds)] for way in WAYS}
        cells = [f"{statistics.mean(v):.4f} ± {statistics.stdev(v):.4f}" for v in found.values()]
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)
        wide = found[WAYS[0]]
        for way, losses in found.items():
            spread = statistics.stdev(wide) + statistics.stdev(losses)
            if abs(statistics.mean(losses) - statistics.mean(wide)) > spread:
                wrong.append(f"{name} at {' '.join(way)}")
    if wrong:
        sys.exit(f"outside of the spread of float32: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
