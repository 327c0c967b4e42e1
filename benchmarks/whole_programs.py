"""Whole programs, compiled and eager in turns: masks, counts, noise, beams and sequences.

Each is a model of tests/jit/whole_models.py at a larger size. A program that leaves compiled code
for Python, or that is not faster compiled, is an error.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import twinoar as paddle
from tests.jit.whole_models import (
    Adversaries,
    Detector,
    Reader,
    Translator,
    Writer,
    adversarial_step,
    detections,
    reading_loss,
    translation_loss,
)

Work = tuple[Callable[..., Any], tuple[Any, ...]]


def detecting(numbers: np.random.Generator) -> Work:
    """A detector's head: boolean masks, nms, dynamic counts."""
    net = Detector(width=32)
    image = paddle.to_tensor(numbers.normal(size=(1, 3, 128, 128)).astype("float32") * 2)
    return lambda x: detections(net, x), (image,)


def adversarial(numbers: np.random.Generator) -> Work:
    """A step of adversarial training, with noise."""
    points = paddle.to_tensor(numbers.normal(size=(256, 2)).astype("float32"))
    return adversarial_step(Adversaries(16, 128), 16), (points,)


def translating(numbers: np.random.Generator) -> Work:
    """A step of a transformer with dropout."""
    words = [paddle.to_tensor(numbers.integers(0, 500, (8, 64))) for _ in "xy"]
    return trained(Translator(500, 128), translation_loss), tuple(words)


def reading(numbers: np.random.Generator) -> Work:
    """A step of CTC training of recurrent layers."""
    given = (
        paddle.to_tensor(numbers.normal(size=(8, 50, 40)).astype("float32")),
        paddle.to_tensor(numbers.integers(40, 51, 8)),
        paddle.to_tensor(numbers.integers(1, 30, (8, 12)).astype("int32")),
        paddle.to_tensor(numbers.integers(6, 13, 8)),
    )
    return trained(Reader(40, 64, 30), reading_loss), given


def searching(numbers: np.random.Generator) -> Work:
    """A search by beams, until each has ended."""
    state = paddle.to_tensor(numbers.normal(size=(8, 64)).astype("float32"))
    return Writer(500, 5, 30, 64).forward, (state,)


WORKS = {
    "detector": detecting,
    "adversaries": adversarial,
    "transformer": translating,
    "ctc": reading,
    "beams": searching,
}


def trained(net: Any, loss_of: Callable[..., Any]) -> Callable[..., Any]:
    """A step of training."""
    rule = paddle.optimizer.Adam(0.001, parameters=net.parameters())

    def step(*batch: Any) -> Any:
        loss = loss_of(net, *batch)
        loss.backward()
        rule.step()
        rule.clear_grad()
        return loss

    return step


def blocks(run: Callable[[], Any], count: int, seconds: float) -> Iterator[float]:
    """Seconds of a call, in blocks of many."""
    run()
    while count:
        began, calls = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            run()
            calls += 1
        yield (time.perf_counter() - began) / calls
        count -= 1


def measured(name: str, count: int, seconds: float) -> tuple[float, float]:
    """Seconds of a call, eager and compiled: medians of blocks in turns."""
    ways = []
    for is_compiled in (False, True):
        paddle.seed(1)
        function, given = WORKS[name](np.random.default_rng(0))
        if is_compiled:
            function = paddle.jit.to_static(function, full_graph=True)
        ways.append((function, given))
    (eager, _), (compiled, given) = ways
    compiled(*given)
    if "host commands: 0" not in compiled.explain():
        raise RuntimeError(f"{name} leaves its compiled Program for Python")
    runs = [
        blocks(lambda: eager(*given), count, seconds),
        blocks(lambda: compiled(*given), count, seconds),
    ]
    found = list(zip(*runs, strict=True))
    return statistics.median(a for a, _ in found), statistics.median(b for _, b in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--works", default="*", help="a pattern of names")
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a block")
    given = parser.parse_args()
    print("| milliseconds | eager | compiled | times as fast |\n|---|---:|---:|---:|")
    slower = []
    for name in WORKS:
        if fnmatchcase(name, given.works):
            eager, compiled = measured(name, given.blocks, given.seconds)
            print(
                f"| `{name}` | {eager * 1e3:.3g} | {compiled * 1e3:.3g} | {eager / compiled:.3g} |"
            )
            slower += [name] if compiled > eager else []
    if slower:
        sys.exit(f"slower compiled: {', '.join(slower)}")


if __name__ == "__main__":
    main()
