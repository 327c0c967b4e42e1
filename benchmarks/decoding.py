"""Tokens a second of a language model that writes one at a time, by the bits of its weights.

A transformer too large for the caches (109 million weights in products, 437 MB in float32) reads
all of them for each token. Its step is compiled, with the keys and values of the tokens before;
copies with weights of 8 and 4 bits write in turns with it, in this process. Before they are timed,
each is checked against the network with the floats that its integers stand for.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import nn
from twinoar.nn.quant import weight_dequantize
from twinoar.slim.quant import WeightOnlyLinear, quantize_weights

WIDTH, LAYERS, HEADS, VOCABULARY, WRITTEN = 1024, 8, 16, 8192, 32
HIDDEN = -1e9  # what a mask adds to the scores of tokens that are not there yet
KINDS = {
    "float32": None, "int8": (8, -1), "int8, groups of 128": (8, 128),
    "int4, groups of 128": (4, 128), "int4, groups of 64": (4, 64),
}  # fmt: skip
CLOSE = 1e-4  # of the largest score: sums of float32 in another order


class Layer(nn.Layer):
    """Attention to what was kept, and two products."""

    def __init__(self) -> None:
        super().__init__()
        self.norms = nn.LayerList([nn.LayerNorm(WIDTH) for _ in range(2)])
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Any, here: Any, mask: Any, keys: Any, values: Any) -> tuple:
        """x: [1,WIDTH]. here: [T,1]. mask: [T]. keys, values: [HEADS,T,D], which it returns."""
        normed = self.norms[0](x)
        q, k, v = (f(normed).reshape([HEADS, 1, -1]) for f in (self.query, self.key, self.value))
        keys, values = paddle.where(here, k, keys), paddle.where(here, v, values)
        scores = paddle.matmul(q, keys, transpose_y=True) * (WIDTH // HEADS) ** -0.5
        found = paddle.matmul(nn.functional.softmax(scores + mask), values)
        x = x + self.out(found.reshape([1, WIDTH]))
        return x + self.narrow(nn.functional.gelu(self.wide(self.norms[1](x)))), keys, values


class Language(nn.Layer):
    """Scores [1,V] after a token, and all keys and values."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.LayerList([Layer() for _ in range(LAYERS)])
        self.norm, self.scores = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY)

    def forward(self, token: Any, position: Any, keys: Any, values: Any) -> tuple:
        """token, position: [1]. keys, values: [LAYERS,HEADS,T,D]."""
        places = paddle.arange(WRITTEN)
        here = (places == position).reshape([-1, 1])
        mask = paddle.where(places <= position, 0.0, HIDDEN)
        x, kept = self.embedding(token), []
        for number, layer in enumerate(self.layers):
            x, *new = layer(x, here, mask, keys[number], values[number])
            kept.append(new)
        keys, values = (paddle.stack(list(parts)) for parts in zip(*kept, strict=True))
        return self.scores(self.norm(x)), keys, values


def of_kind(state: dict[str, Any], kind: tuple[int, int] | None) -> nn.Layer:
    """A copy of the network, with weights of so many bits and rows in a group."""
    model = Language()
    model.set_state_dict(state)
    model.eval()
    if kind is not None:
        quantize_weights(model, *kind)
    return model


def in_floats(model: nn.Layer, state: dict[str, Any]) -> nn.Layer:
    """The network with the floats that the integers of another stand for."""
    copy = of_kind(state, None)
    linears = dict(copy.named_sublayers())
    for name, layer in model.named_sublayers():
        if isinstance(layer, WeightOnlyLinear):
            given = layer.quant_weight, layer.weight_scale, f"weight_only_int{layer.bits}"
            linears[name].weight.set_value(weight_dequantize(*given, "float32", layer.group_size))
    return copy


def written(step: Callable[..., Any], tokens: list[int] | None = None) -> tuple[list[int], Any]:
    """The tokens that follow, each the likeliest unless they are given, and the last scores."""
    keys = values = paddle.zeros([LAYERS, HEADS, WRITTEN, WIDTH // HEADS])
    token, found = 1, []
    for position in range(WRITTEN):
        given = (paddle.to_tensor([token]), paddle.to_tensor([position]), keys, values)
        scores, keys, values = step(*given)
        token = int(np.argmax(scores.numpy())) if tokens is None else tokens[position]
        found.append(token)
    return found, scores.numpy()


def size(model: nn.Layer) -> int:
    """The bytes of what products read."""
    linears = [x for x in model.sublayers() if isinstance(x, (nn.Linear, WeightOnlyLinear))]
    kept = [y for x in linears for y in (*x.parameters(), *x.buffers())]
    return sum(y.numpy().nbytes for y in kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    given = parser.parse_args()
    paddle.seed(0)
    state = {name: x.clone() for name, x in Language().state_dict().items()}
    steps, bytes_, times = {}, {}, {name: [] for name in KINDS}
    with paddle.no_grad():
        for name, kind in KINDS.items():
            model = of_kind(state, kind)
            steps[name], bytes_[name] = paddle.jit.to_static(model, full_graph=True), size(model)
            tokens, scores = written(steps[name])
            wanted = written(paddle.jit.to_static(in_floats(model, state)), tokens)[1]
            off = np.abs(scores - wanted).max() / np.abs(wanted).max()
            if off > CLOSE:
                raise SystemExit(f"{name} is {off:.1e} off")
        for _ in range(given.turns):
            for name, step in steps.items():
                begin = time.perf_counter()
                written(step)
                times[name].append((time.perf_counter() - begin) / WRITTEN)
    least = min(times["float32"])
    print("| weights | MB | tokens/s | times as fast | GB/s |\n|---|---:|---:|---:|---:|")
    for name, found in times.items():
        best = min(found)
        cells = (f"{bytes_[name] / 1e6:.0f}", f"{1 / best:.1f}", f"{least / best:.2f}")
        print(f"| {name} | {' | '.join(cells)} | {bytes_[name] / best / 1e9:.1f} |")


if __name__ == "__main__":
    main()
