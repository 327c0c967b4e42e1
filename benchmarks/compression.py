"""What filter pruning saves and costs: ResNet-18 on MNIST, half of its multiplications removed.

The network learns the digits (in `$TWINOAR_DATA_HOME`), loses filters by `slim`, learns on, and is
timed beside what it was, both compiled, in turns, at the size of ImageNet's pictures and batch 1.
An accuracy more than half a percent lower is an error, as is a network that is not faster.
"""

from __future__ import annotations

import argparse
import copy
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import nn, slim
from twinoar.slim.measures import measure
from twinoar.vision.datasets import MNIST
from twinoar.vision.models import resnet18

SHAPE = [1, 3, 28, 28]
TIMED = [1, 3, 224, 224]
SHARE = 0.5  # of the multiplications that go
MAY_LOSE = 0.005  # of accuracy
TURNS = 15


def digits(mode: str) -> tuple[np.ndarray, np.ndarray]:
    """All images [N, 1, 28, 28] in float32 from -1 to 1, and labels [N, 1]."""
    pairs = list(MNIST(mode=mode, backend="cv2"))
    images = np.stack([image for image, _ in pairs])[:, None] / np.float32(127.5) - 1
    return images.astype(np.float32), np.stack([label for _, label in pairs]).reshape(-1, 1)


def trained(model: nn.Layer, data: tuple[np.ndarray, np.ndarray], steps: int, rate: float) -> None:
    """Let `model` learn on batches of 64, with a rate that falls to 0."""
    schedule = paddle.optimizer.lr.CosineAnnealingDecay(rate, steps)
    adam = paddle.optimizer.Adam(schedule, parameters=model.parameters())

    def step(x: Any, y: Any) -> Any:
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        adam.step()
        adam.clear_grad()
        return loss

    model.train()
    run, random = paddle.jit.to_static(step, full_graph=True), np.random.default_rng(steps)
    images, labels = data
    for _ in range(steps):
        chosen = random.integers(0, len(images), 64)
        pixels = np.repeat(images[chosen], 3, 1)
        run(paddle.to_tensor(pixels), paddle.to_tensor(labels[chosen]))
        schedule.step()


def accuracy(model: nn.Layer, data: tuple[np.ndarray, np.ndarray]) -> float:
    """The share of digits that `model` names rightly."""
    model.eval()
    run, right = paddle.jit.to_static(model.forward, full_graph=True), 0
    images, labels = data
    for start in range(0, len(images), 250):
        scores = run(paddle.to_tensor(np.repeat(images[start : start + 250], 3, 1)))
        right += int((np.argmax(scores.numpy(), 1) == labels[start : start + 250, 0]).sum())
    return right / len(images)


def least_times(models: Sequence[nn.Layer]) -> list[float]:
    """Seconds of a compiled call of each, the least of several turns."""
    x = paddle.to_tensor(np.random.default_rng(0).standard_normal(TIMED).astype(np.float32))

    def compiled(model: nn.Layer) -> Callable[[], Any]:
        model.eval()
        run = paddle.jit.to_static(model.forward, full_graph=True)
        run(x)
        return lambda: run(x)

    calls = [compiled(copy.deepcopy(model)) for model in models]
    found = [float("inf")] * len(calls)
    with paddle.no_grad():
        for _ in range(TURNS):
            for place, call in enumerate(calls):
                start = time.perf_counter()
                call()
                found[place] = min(found[place], time.perf_counter() - start)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--steps", type=int, default=900, help="of training; half as many after pruning"
    )
    given = parser.parse_args()
    paddle.seed(0)
    model = resnet18(num_classes=10)
    learning, testing = digits("train"), digits("test")
    trained(model, learning, given.steps, 1e-3)
    small = copy.deepcopy(model)
    slim.L1NormFilterPruner(small, SHAPE).prune_flops(SHARE)
    pruned = accuracy(small, testing)
    trained(small, learning, given.steps // 2, 1e-3)
    times = least_times([model, small])
    rows = [(measure(net, TIMED), accuracy(net, testing)) for net in (model, small)]
    print("| ResNet-18 | parameters | MFLOPs | ms | accuracy |\n|---|---:|---:|---:|---:|")
    for name, (costs, score), seconds in zip(("given", "pruned"), rows, times, strict=True):
        print(
            f"| {name} | {costs.parameters:,} | {costs.flops / 1e6:.0f} | {1e3 * seconds:.1f} "
            f"| {score:.4f} |"
        )
    print(f"accuracy before it learns on: {pruned:.4f}")
    flops, speed = (rows[1][0].flops / rows[0][0].flops), times[1] / times[0]
    print(f"multiplications {flops:.2f}, time {speed:.2f} of what they were")
    if rows[0][1] - rows[1][1] > MAY_LOSE or speed >= 1:
        sys.exit("pruning costs more than it may, or saves nothing")


if __name__ == "__main__":
    main()
