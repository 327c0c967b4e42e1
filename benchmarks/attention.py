"""Attention tile by tile beside all scores at once, by length: what `LEAST_SCORES` is chosen by.

Both are compiled, and run in turns in one process; the figure is the least processor time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.ops.sequence.attention import attended, not_later
from twinoar.ops.sequence.tiled_attention import tiled_attention

HEADS, SIZE = 8, 64
POSITIONS = 2048  # of all sequences of a batch together


def tiles(q: Any, k: Any, v: Any, causal: bool) -> Any:
    return tiled_attention(q, k, v, None, None, None, 0.0, causal, SIZE**-0.5)[0]


def all_scores(q: Any, k: Any, v: Any, causal: bool) -> Any:
    mask = not_later(q, k) if causal else None
    return attended(q, k, v, mask, None, draw=None, dropout_p=0.0)[0]


def forward(way: Callable[..., Any], operands: list[Any], causal: bool) -> Callable[[], Any]:
    """The attention, compiled."""

    @paddle.jit.to_static
    def run(q: Any, k: Any, v: Any, g: Any) -> Any:
        return way(q, k, v, causal)

    return lambda: run(*operands)


def training(way: Callable[..., Any], operands: list[Any], causal: bool) -> Callable[[], Any]:
    """The attention and its gradients, compiled."""

    @paddle.jit.to_static
    def run(q: Any, k: Any, v: Any, g: Any) -> Any:
        return paddle.grad(way(q, k, v, causal), [q, k, v], g)

    return lambda: run(*operands)


def least(calls: list[Callable[[], Any]], turns: int) -> list[float]:
    """The least milliseconds of each, in turns, after one that compiles."""
    found = [float("inf")] * len(calls)
    for turn in range(turns + 1):
        for n, call in enumerate(calls):
            start = time.process_time()
            call()
            if turn:
                found[n] = min(found[n], 1e3 * (time.process_time() - start))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lengths", default="128,256,512,1024,2048")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    print("| length | what | tiles, ms | all scores, ms | times as fast |")
    print("|---:|---|---:|---:|---:|")
    for length in map(int, given.lengths.split(",")):
        shape = (max(1, POSITIONS // length), length, HEADS, SIZE)
        arrays = [np.random.randn(*shape).astype("float32") for _ in range(4)]
        operands = [paddle.to_tensor(a).astype(given.dtype).detach() for a in arrays]
        for x in operands[:3]:
            x.stop_gradient = False
        for make in (forward, training):
            for causal in (False, True):
                ways = [make(way, operands, causal) for way in (tiles, all_scores)]
                ours, others = least(ways, given.turns)
                what = f"{make.__name__}{', causal' if causal else ''}"
                print(f"| {length} | {what} | {ours:.1f} | {others:.1f} | {others / ours:.2f} |")


if __name__ == "__main__":
    main()
