"""What weights of 8 and 4 bits cost a language model: its perplexity beside float32's, and bytes.

A small transformer learns Tiny Shakespeare (in `$TWINOAR_DATA_HOME`) for a while, the whole step
compiled; then its Linear layers keep integers, by each way of rounding, and it reads the last tenth
of the text, which it has not seen.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import config, nn
from twinoar.slim.quant import quantize_weights

LENGTH, COUNT = 64, 128
WAYS = [
    ("int8", 8, "nearest"), ("int4 nearest", 4, "nearest"), ("int4 GPTQ", 4, "gptq"),
    ("int4 AWQ", 4, "awq"),
]  # fmt: skip


class Characters(nn.Layer):
    """Scores of the next character, from those before."""

    def __init__(self, width: int = 128, layers: int = 3):
        super().__init__()
        self.embedding, self.places = nn.Embedding(COUNT, width), nn.Embedding(LENGTH, width)
        layer = nn.TransformerEncoderLayer(
            width, 4, 4 * width, 0.0, activation="gelu", normalize_before=True
        )
        self.encoder = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width))
        self.scores = nn.Linear(width, COUNT)
        mask = np.triu(np.full((LENGTH, LENGTH), -1e9, np.float32), 1)
        self.register_buffer("mask", paddle.to_tensor(mask), persistable=False)

    def forward(self, x: Any) -> Any:
        h = self.embedding(x) + self.places(paddle.arange(x.shape[1]))
        return self.scores(self.encoder(h, self.mask))


def pieces(numbers: np.ndarray, starts: np.ndarray) -> tuple[Any, Any]:
    """Characters, and those that follow each."""
    found = np.stack([numbers[s : s + LENGTH + 1] for s in starts]).astype(np.int64)
    return paddle.to_tensor(found[:, :-1]), paddle.to_tensor(found[:, 1:, None])


def trained(numbers: np.ndarray, seconds: float) -> nn.Layer:
    paddle.seed(0)
    model, random = Characters(), np.random.default_rng(0)
    adam = paddle.optimizer.Adam(2e-3, parameters=model.parameters())

    def step(x: Any, y: Any) -> Any:
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        adam.step()
        adam.clear_grad()
        return loss

    run, begin, steps = paddle.jit.to_static(step, full_graph=True), time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        loss = run(*pieces(numbers, random.integers(0, len(numbers) - LENGTH, 32)))
        steps += 1
    print(f"{steps} steps in {seconds:.0f} s, the last loss is {float(loss):.3f}\n")
    model.eval()
    return model


def perplexity(model: nn.Layer, batches: list[tuple[Any, Any]]) -> float:
    with paddle.no_grad():
        losses = [float(nn.functional.cross_entropy(model(x), y)) for x, y in batches]
    return math.exp(sum(losses) / len(losses))


def reading(numbers: np.ndarray, count: int) -> Iterator[tuple[Any, Any]]:
    """Batches of 32 pieces, one after the other."""
    starts = np.arange(0, len(numbers) - LENGTH - 1, LENGTH)[: 32 * count]
    for batch in np.array_split(starts, count):
        yield pieces(numbers, batch)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of training")
    parser.add_argument("--groups", type=int, nargs="*", default=[-1, 64])
    given = parser.parse_args()
    text = (config.data_home / "tinyshakespeare" / "input.txt").read_bytes()
    numbers = np.frombuffer(text, np.uint8)
    cut = len(numbers) * 9 // 10
    model = trained(numbers[:cut], given.seconds)
    batches = list(reading(numbers[cut:], 20))
    random = np.random.default_rng(1)
    calibration = [pieces(numbers[:cut], random.integers(0, cut - LENGTH, 16))[0] for _ in range(4)]
    linears = [x for x in model.sublayers() if isinstance(x, nn.Linear)]
    size = sum(x.weight.numpy().nbytes for x in linears)
    print("| weights | rows that share a scale | perplexity | bytes |\n|---|---:|---:|---:|")
    print(f"| float32 | - | {perplexity(model, batches):.4f} | {size:,} |", flush=True)
    state = {name: x.clone() for name, x in model.state_dict().items()}
    for label, bits, method in WAYS:
        for group in given.groups:
            copy = Characters()
            copy.set_state_dict(state)
            done = quantize_weights(copy, bits, group, method, calibration)
            shown = "all" if group < 0 else group
            after = sum(x.after for x in done)
            cells = (label, shown, f"{perplexity(copy, batches):.4f}", f"{after:,}")
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
