"""Products and convolutions in our own loops beside oneDNN: `contractions.py [NAME ...]`.

Each is an operator compiled both ways for the same arrays, in this process, measured in turns. Both
ways get what a step of training has: weights in rows, images with channels last, the channels' axis
second. It runs in as many threads as OMP_NUM_THREADS says.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar import config
from twinoar.backends.host import host
from twinoar.backends.native import description
from twinoar.backends.native.operation import Bound, make_operation
from twinoar.ops.conv.gradient import conv2d_grad_weight, conv2d_grad_x
from twinoar.ops.conv.operator import conv2d_op
from twinoar.ops.linalg.matmul import matmul

SEED = 2024
BATCH = 8
BLOCKS = 15
SECONDS = 0.02  # of a block
TOLERANCE = 1e-4

# x, y, and whether each is transposed.
MATMULS: dict[str, tuple[tuple[int, ...], tuple[int, ...], bool, bool]] = {
    "1024x256x1024": ((1024, 256), (256, 1024), False, False),
    "1024x256x5000": ((1024, 256), (256, 5000), False, False),
    "256x1024x5000": ((256, 1024), (1024, 5000), False, False),
    "256x1024x5000 x^T": ((1024, 256), (1024, 5000), True, False),
    "1024x5000x256 y^T": ((1024, 5000), (256, 5000), False, True),
    "32 of 128x64x128": ((32, 128, 64), (32, 64, 128), False, False),
    "32 of 128x64x128 y^T": ((32, 128, 64), (32, 128, 64), False, True),
    "64x784x128": ((64, 784), (784, 128), False, False),
    "784x64x128 x^T": ((64, 784), (64, 128), True, False),
    "64x128x64": ((64, 128), (128, 64), False, False),
    "64x64x128 y^T": ((64, 64), (128, 64), False, True),
    "128x64x64 x^T": ((64, 128), (64, 64), True, False),
    "64x64x10": ((64, 64), (64, 10), False, False),
    "64x10x64 y^T": ((64, 10), (64, 10), False, True),
    "64x64x10 x^T": ((64, 64), (64, 10), True, False),
}
# Channels, filters, pixels on a side, kernel size, stride.
CONVOLUTIONS: dict[str, tuple[int, int, int, int, int]] = {
    "7x7 3@112 to 64, stride 2": (3, 64, 112, 7, 2),
    "3x3 64@28": (64, 64, 28, 3, 1),
    "3x3 64@28 to 128, stride 2": (64, 128, 28, 3, 2),
    "1x1 64@28 to 128, stride 2": (64, 128, 28, 1, 2),
    "3x3 128@14": (128, 128, 14, 3, 1),
    "3x3 256@7": (256, 256, 7, 3, 1),
    "3x3 512@4": (512, 512, 4, 3, 1),
}


@dataclass(frozen=True)
class Case:
    """A call of an operator, and how many additions and multiplications it takes."""

    name: str
    function: Callable[..., Any]
    arrays: Sequence[np.ndarray]
    attrs: dict[str, Any]
    operations: int


def cases() -> list[Case]:
    """All that is measured."""
    return [*map(product, MATMULS), *(c for name in CONVOLUTIONS for c in convolutions(name))]


def product(name: str) -> Case:
    """A matrix product."""
    x, y, turns_x, turns_y = MATMULS[name]
    attrs = {"transpose_x": turns_x, "transpose_y": turns_y}
    arrays = random(x), random(y)
    return Case(name, matmul, arrays, attrs, matmul.rules["flops"](*arrays, **attrs))


def convolutions(name: str) -> list[Case]:
    """A convolution and its two gradients."""
    channels, filters, side, kernel, stride = CONVOLUTIONS[name]
    margin, out = (kernel - 1) // 2, -(-side // stride)
    x = channels_last(random((BATCH, channels, side, side)))
    dy = channels_last(random((BATCH, filters, out, out)))
    weight = random((filters, channels, kernel, kernel))
    shared = {"stride": (stride, stride), "padding": (margin,) * 4}
    shared |= {"dilation": (1, 1), "groups": 1, "data_format": "NCHW"}
    operations = 2 * dy.size * weight[0].size
    return [
        Case(f"{name}", conv2d_op, (x, weight), shared, operations),
        Case(
            f"{name}, dx", conv2d_grad_x, (dy, weight), {"size": (side, side)} | shared, operations
        ),
        Case(
            f"{name}, dw",
            conv2d_grad_weight,
            (x, dy),
            {"kernel_size": (kernel, kernel)} | shared,
            operations,
        ),
    ]


def random(shape: tuple[int, ...]) -> np.ndarray:
    """Normal numbers, the same at each call."""
    return np.random.default_rng(SEED).standard_normal(shape).astype(np.float32)


def channels_last(images: np.ndarray) -> np.ndarray:
    """The same images [N,C,H,W], whose channels are neighbors in memory."""
    return np.ascontiguousarray(images.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)


def ways(case: Case) -> tuple[Bound, Bound]:
    """The case in oneDNN and in our loops; AssertionError where their results differ."""
    made = []
    for in_library in (True, False):
        with config.override(onednn=in_library):
            operation = make_operation(case.function, case.arrays, case.attrs, host())
        assert operation is not None, case.name
        made.append(operation.bind(operation.new_arena(operation.arena_bytes)))
    one, other = (bound.run(case.arrays)[0] for bound in made)
    assert np.abs(one - other).max() <= TOLERANCE * np.abs(one).max(), case.name
    return made[0], made[1]


def seconds(case: Case) -> tuple[float, float]:
    """The median time of a run in oneDNN and in our loops, block after block in turns."""
    made = ways(case)
    times: tuple[list[float], list[float]] = [], []
    for _ in range(BLOCKS):
        for bound, own in zip(made, times, strict=True):
            own.append(block(bound, case.arrays))
    return statistics.median(times[0]), statistics.median(times[1])


def block(bound: Bound, arrays: Sequence[np.ndarray]) -> float:
    """The shortest run of a block: others may have had the cores during longer ones."""
    results = bound.run(arrays)
    run, best, end = bound._instance.run, float("inf"), time.perf_counter() + SECONDS
    while (start := time.perf_counter()) < end:
        run()
        best = min(best, time.perf_counter() - start)
    del results  # until here runs write to them
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="part of a name; else all")
    names = parser.parse_args().names
    description.SMALL = 0  # else oneDNN would not be asked for small products
    print(f"{'':32} {'oneDNN us':>10} {'ours us':>9} {'GFLOP/s':>8} {'ours':>6} {'share':>6}")
    for case in cases():
        if names and not any(name in case.name for name in names):
            continue
        library, own = seconds(case)
        rates = [case.operations / time_ / 1e9 for time_ in (library, own)]
        print(
            f"{case.name:32} {library * 1e6:10.1f} {own * 1e6:9.1f} "
            f"{rates[0]:8.0f} {rates[1]:6.0f} {rates[1] / rates[0]:6.0%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
