"""What products of float32 that round their operands cost and save: time and error of some works.

Each work runs under "highest" and "medium" of `set_float32_matmul_precision`, in turns in one
process; the figure is the least processor time of a call. The error is that of a model's scores
beside float64's, as a part of their spread.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import works_paddle
from works import WORKS, read, write

import twinoar as paddle

EXACTNESSES = ("highest", "medium")
SIZES = (256, 1024, 2048)
CONVOLUTIONS = (
    (8, 64, 56, 3),
    (8, 256, 14, 3),
    (8, 128, 28, 1),
)  # images, channels, pixels, filter
DEFAULT = "enc,r18,r18inf"


def least(calls: dict[str, Callable[[], Any]], turns: int) -> dict[str, float]:
    """The least milliseconds of each under its exactness, in turns, after a call that compiles."""
    found = dict.fromkeys(calls, float("inf"))
    for turn in range(turns + 1):
        for name, call in calls.items():
            paddle.set_float32_matmul_precision(name)
            start = time.process_time()
            call()
            if turn:
                found[name] = min(found[name], 1e3 * (time.process_time() - start))
    paddle.set_float32_matmul_precision("highest")
    return found


def errors(function: Callable[..., Any], *operands: np.ndarray) -> dict[str, float]:
    """The error of a function of arrays in float32 beside float64, as a part of the spread."""
    exact = function(*(paddle.to_tensor(a.astype("float64")) for a in operands)).numpy()
    found = {}
    for name in EXACTNESSES:
        paddle.set_float32_matmul_precision(name)
        out = function(*map(paddle.to_tensor, operands)).numpy()
        found[name] = float((out - exact).std() / exact.std())
    paddle.set_float32_matmul_precision("highest")
    return found


def line(name: str, times: dict[str, float], found: dict[str, float]) -> str:
    """A line of the table."""
    exact, rounded = (times[n] for n in EXACTNESSES)
    shown = " | ".join(f"{found[n]:.1e}" for n in EXACTNESSES)
    return f"| {name} | {exact:.3g} | {rounded:.3g} ({exact / rounded:.2f}) | {shown} |"


def operator(name: str, function: Callable[..., Any], turns: int, *shapes: tuple[int, ...]) -> str:
    """The line of one operator, compiled."""
    draw = np.random.default_rng(1)
    operands = [draw.standard_normal(shape).astype("float32") for shape in shapes]
    compiled, given = paddle.jit.to_static(function), [paddle.to_tensor(a) for a in operands]
    calls = dict.fromkeys(EXACTNESSES, lambda: compiled(*given))
    return line(name, least(calls, turns), errors(function, *operands))


def work(name: str, turns: int) -> str:
    """The line of a work: the whole step, or the use of a model, compiled."""
    mode = "train_step" if WORKS[name].optimizer else "to_static"
    calls = {}
    with tempfile.TemporaryDirectory() as folder:
        write(name, Path(folder))
        for exactness in EXACTNESSES:
            calls[exactness] = works_paddle.make(paddle, mode, Path(folder), name)
        x, _, weights = read(name, Path(folder))
    found = {}
    for exactness, dtype in (("exact", "float64"), *((n, "float32") for n in EXACTNESSES)):
        paddle.set_float32_matmul_precision(exactness if exactness in EXACTNESSES else "highest")
        model = works_paddle.models(paddle)[WORKS[name].model]()
        model.set_state_dict(weights)
        model.to(dtype=dtype)
        model.eval()
        with paddle.no_grad():
            given = paddle.to_tensor(x if x.dtype.kind == "i" else x.astype(dtype))
            found[exactness] = model(given).numpy().astype("float64")
    exact = found.pop("exact")
    spread = {n: float((out - exact).std() / exact.std()) for n, out in found.items()}
    return line(f"`{name}`", least(calls, turns), spread)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--works", default=DEFAULT)
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    print("| | highest, ms | medium, ms | error of highest | of medium |")
    print("|---|---:|---:|---:|---:|")
    for n in SIZES:
        name = f"product of [{n},{n}] and [{n},{n}]"
        print(operator(name, paddle.matmul, given.turns, (n, n), (n, n)), flush=True)
    for images, channels, pixels, size in CONVOLUTIONS:
        shapes = (images, channels, pixels, pixels), (channels, channels, size, size)
        convolution = lambda x, w, pad=size // 2: paddle.nn.functional.conv2d(x, w, padding=pad)  # noqa: E731
        name = f"convolution [{images},{channels},{pixels},{pixels}] by {size} x {size}"
        print(operator(name, convolution, given.turns, *shapes), flush=True)
    for name in filter(None, given.works.split(",")):
        print(work(name, given.turns), flush=True)


if __name__ == "__main__":
    main()
