"""Token by token as users write it: an eager loop whose cache of keys and values grows by `concat`.

Milliseconds a token, beside torch eager and the real Paddle: each framework in a process of its
own, in turns, all with the same weights, whose last scores must agree. `small` has 6 layers of
width 384, `gpt2` the sizes of GPT-2 small but for the vocabulary. A peer whose interpreter is not
given is left out.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from turns import medians, serve, started

HERE = Path(__file__).parent
MODELS = {"small": (6, 384, 6), "gpt2": (12, 768, 12)}  # layers, width, heads
TOKENS, VOCABULARY = 64, 1024
CLOSE = 1e-3  # of scores after 64 tokens: sums of float32 in another order


def weights_of(layers: int, width: int) -> dict[str, np.ndarray]:
    """The same in each process: those of a layer by name and number, [inputs,outputs]."""
    rng = np.random.default_rng(7)
    sizes = {"qkv": 3 * width, "out": width, "wide": 4 * width, "narrow": width}
    found = {"table": (VOCABULARY, width), "places": (TOKENS, width)}
    for n in range(layers):
        for name, columns in sizes.items():
            found[f"{name}.{n}"] = (4 * width if name == "narrow" else width, columns)
    return {k: rng.standard_normal(s, np.float32) * s[0] ** -0.5 for k, s in found.items()}


def paddle_writer(name: str, framework: str) -> Any:
    """A call writes TOKENS tokens and returns the largest score of the last."""
    paddle = importlib.import_module(framework)
    nn, (layers, width, heads) = paddle.nn, MODELS[name]
    paddle.set_device("cpu")

    class Block(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any, past: Any) -> Any:
            qkv = self.qkv(self.norm1(x)).reshape([1, 1, 3, heads, width // heads])
            q, k, v = qkv.transpose([2, 0, 3, 1, 4])
            if past is not None:
                k = paddle.concat([past[0], k], axis=2)
                v = paddle.concat([past[1], v], axis=2)
            scores = paddle.matmul(q, k, transpose_y=True) * (width // heads) ** -0.5
            shares = nn.functional.softmax(scores, axis=-1)
            found = paddle.matmul(shares, v).transpose([0, 2, 1, 3]).reshape([1, 1, width])
            x = x + self.out(found)
            return x + self.narrow(nn.functional.gelu(self.wide(self.norm2(x)))), (k, v)

    blocks = nn.LayerList([Block() for _ in range(layers)])
    table, places = nn.Embedding(VOCABULARY, width), nn.Embedding(TOKENS, width)
    norm = nn.LayerNorm(width)
    given = weights_of(layers, width)
    table.weight.set_value(given["table"])
    places.weight.set_value(given["places"])
    for n, block in enumerate(blocks):
        for part in ("qkv", "out", "wide", "narrow"):
            getattr(block, part).weight.set_value(given[f"{part}.{n}"])
            getattr(block, part).bias.set_value(
                np.zeros(getattr(block, part).bias.shape, "float32")
            )

    def write() -> float:
        token, past = paddle.to_tensor([[1]]), [None] * layers
        with paddle.no_grad():
            for position in range(TOKENS):
                x = table(token) + places(paddle.to_tensor([[position]]))
                for n, block in enumerate(blocks):
                    x, past[n] = block(x, past[n])
                scores = paddle.matmul(norm(x), table.weight, transpose_y=True)
                token = scores.argmax(-1)
        return float(scores.max())

    return write


def torch_writer(name: str) -> Any:
    """The same in torch."""
    torch = importlib.import_module("torch")
    nn, (layers, width, heads) = torch.nn, MODELS[name]

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any, past: Any) -> Any:
            qkv = self.qkv(self.norm1(x)).reshape(1, 1, 3, heads, width // heads)
            q, k, v = qkv.permute(2, 0, 3, 1, 4)
            if past is not None:
                k = torch.cat([past[0], k], dim=2)
                v = torch.cat([past[1], v], dim=2)
            scores = torch.matmul(q, k.transpose(-1, -2)) * (width // heads) ** -0.5
            shares = torch.softmax(scores, dim=-1)
            found = torch.matmul(shares, v).permute(0, 2, 1, 3).reshape(1, 1, width)
            x = x + self.out(found)
            return x + self.narrow(nn.functional.gelu(self.wide(self.norm2(x)))), (k, v)

    blocks = nn.ModuleList([Block() for _ in range(layers)])
    table, places = nn.Embedding(VOCABULARY, width), nn.Embedding(TOKENS, width)
    norm = nn.LayerNorm(width)
    given = {k: torch.from_numpy(v) for k, v in weights_of(layers, width).items()}
    with torch.no_grad():
        table.weight.copy_(given["table"])
        places.weight.copy_(given["places"])
        for n, block in enumerate(blocks):
            for part in ("qkv", "out", "wide", "narrow"):
                getattr(block, part).weight.copy_(given[f"{part}.{n}"].T)
                getattr(block, part).bias.zero_()

    def write() -> float:
        token, past = torch.tensor([[1]]), [None] * layers
        with torch.no_grad():
            for position in range(TOKENS):
                x = table(token) + places(torch.tensor([[position]]))
                for n, block in enumerate(blocks):
                    x, past[n] = block(x, past[n])
                scores = torch.matmul(norm(x), table.weight.T)
                token = scores.argmax(-1)
        return float(scores.max())

    return write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", default="small,gpt2")
    parser.add_argument("--torch", type=Path, help="interpreter that has torch")
    parser.add_argument("--paddle", type=Path, help="interpreter that has the real Paddle")
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--processor", action="store_true", help="processor time, not the clock's")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    clock = time.process_time if given.processor else time.perf_counter
    if given.serve:
        serve(given.serve, {m: _works(given.serve, m) for m in MODELS}, clock=clock)
        return
    peers = {"twinoar": sys.executable, "torch": given.torch, "paddle": given.paddle}
    more = ["--processor"] if given.processor else []
    commands = [[p, __file__, "--serve", name, *more] for name, p in peers.items() if p]
    with started(commands, given.threads) as running:
        print(f"| ms a token | {' | '.join(p.name for p in running)} |")
        print("|---" * (len(running) + 1) + "|")
        for model in given.models.split(","):
            found = [p.results(model, 2)[-1] for p in running]
            if max(found) - min(found) > CLOSE * max(map(abs, found)):
                raise SystemExit(f"{model}: the peers write something else: {found}")
            least = medians(running, model, given.blocks, given.seconds, typical=min)
            shown = [f"{s / TOKENS * 1e3:.2f}" for s in least.values()]
            print(f"| `{model}` | {' | '.join(shown)} |", flush=True)


def _works(framework: str, model: str) -> Any:
    if framework == "torch":
        return lambda: torch_writer(model)
    return lambda: paddle_writer(model, framework)


if __name__ == "__main__":
    main()
