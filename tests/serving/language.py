"""A small language model with a cache in the layout of a repository."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import nn
from twinoar.inference import Config, create_predictor

WIDTH, LAYERS, HEADS, VOCABULARY, CONTEXT, END = 16, 2, 2, 257, 64, 256
CONFIG = """max_batch_size: SLOTS
input [{ name: "token" data_type: TYPE_INT64 dims: [] },
       { name: "position" data_type: TYPE_INT64 dims: [] }]
output [{ name: "SCORES" data_type: TYPE_FP32 dims: [257] }]
sequence_batching { state [
  { input_name: "keys" output_name: "KEYS" data_type: TYPE_FP32 dims: [2, 2, 64, 8] },
  { input_name: "values" output_name: "VALUES" data_type: TYPE_FP32 dims: [2, 2, 64, 8] } ] }
parameters [
  { key: "writes" value { string_value: "text" } },
  { key: "tokenizer" value { string_value: "bytes" } },
  { key: "end_token" value { string_value: "256" } },
  { key: "context_length" value { string_value: "64" } } ]"""


class Layer(nn.Layer):
    """Attention to what was kept of each row, and two products."""

    def __init__(self) -> None:
        super().__init__()
        self.norms = nn.LayerList([nn.LayerNorm(WIDTH) for _ in range(2)])
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x: Any, here: Any, mask: Any, keys: Any, values: Any) -> tuple:
        """x: [N,WIDTH]. here: [N,1,T,1]. mask: [N,1,1,T]. keys, values: [N,HEADS,T,D]."""
        normed = self.norms[0](x)
        shape = [-1, HEADS, 1, WIDTH // HEADS]
        q, k, v = (f(normed).reshape(shape) for f in (self.query, self.key, self.value))
        keys, values = paddle.where(here, k, keys), paddle.where(here, v, values)
        scores = paddle.matmul(q, keys, transpose_y=True) * 8.0 + mask
        found = paddle.matmul(nn.functional.softmax(scores), values).reshape([-1, WIDTH])
        x = x + self.out(found)
        return x + self.narrow(nn.functional.gelu(self.wide(self.norms[1](x)))), keys, values


class Language(nn.Layer):
    """Scores [N,V] after a token of each row at its position, and the caches."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(CONTEXT, WIDTH)
        self.layers = nn.LayerList([Layer() for _ in range(LAYERS)])
        self.norm, self.scores = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY)

    def forward(self, token: Any, position: Any, keys: Any, values: Any) -> tuple:
        """token, position: [N]. keys, values: [N,LAYERS,HEADS,T,D]."""
        places = paddle.arange(CONTEXT).unsqueeze(0)
        now = position.unsqueeze(1)
        here = (places == now).reshape([-1, 1, CONTEXT, 1])
        mask = paddle.where(places <= now, 0.0, -1e9).reshape([-1, 1, 1, CONTEXT])
        x, kept = self.embedding(token) + self.places(position), []
        for number, layer in enumerate(self.layers):
            x, *new = layer(x, here, mask, keys[:, number], values[:, number])
            kept.append(new)
        keys, values = (paddle.stack(list(parts), axis=1) for parts in zip(*kept, strict=True))
        return self.scores(self.norm(x)) * 5, keys, values


def saved(folder: Path, name: str = "writer", slots: int = 4) -> Language:
    """Save a language model into a repository, and return it."""
    paddle.seed(3)
    model = Language()
    model.eval()
    place = folder / name / "1"
    place.mkdir(parents=True)
    cache = [None, LAYERS, HEADS, CONTEXT, WIDTH // HEADS]
    spec = [
        paddle.static.InputSpec([None], "int64", "token"),
        paddle.static.InputSpec([None], "int64", "position"),
        paddle.static.InputSpec(cache, "float32", "keys"),
        paddle.static.InputSpec(cache, "float32", "values"),
    ]
    paddle.jit.save(model, str(place / "model"), input_spec=spec)
    files = str(place / "model.pdmodel"), str(place / "model.pdiparams")
    names = create_predictor(Config(*files)).get_output_names()
    config = CONFIG.replace("SLOTS", str(slots))
    for word, output in zip(("SCORES", "KEYS", "VALUES"), names, strict=True):
        config = config.replace(f'"{word}"', f'"{output}"')
    (folder / name / "config.pbtxt").write_text(config)
    return model


def likeliest(model: Language, prompt: bytes, count: int) -> list[int]:
    """The tokens that follow a prompt by the model alone, each the likeliest."""
    keys = values = paddle.zeros([1, LAYERS, HEADS, CONTEXT, WIDTH // HEADS])
    tokens, found = list(prompt), []
    with paddle.no_grad():
        for position in range(len(prompt) + count - 1):
            given = paddle.to_tensor([tokens[position]]), paddle.to_tensor([position])
            scores, keys, values = model(*given, keys, values)
            if position >= len(prompt) - 1:
                tokens.append(int(np.argmax(scores.numpy())))
                found.append(tokens[-1])
    return found
