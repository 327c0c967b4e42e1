"""The works for a framework with Paddle's API: `works_paddle.py twinoar|paddle MODE FOLDER`.

MODE: `eager`; `to_static`, where the model is compiled; `train_step`, where the whole step is.
FOLDER: where works.py wrote weights and data. The amp works run under `auto_cast` at level O1, the
bf16 works at O2, with float32 weights that the optimizer keeps.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from models_paddle import encoder, wider_models
from turns import Work, serve
from works import (
    ADAM_RATE,
    DEPTHS,
    RECURRENT_LAYERS,
    SGD_RATE,
    TABLE_ROWS,
    TABLE_WIDTH,
    TABLES,
    VOCABULARY,
    WIDTH,
    WORKS,
    WRITTEN,
    Description,
    Sizes,
    mean,
    read,
    sizes,
    widths,
)

MODES = ("eager", "to_static", "train_step")
HIDDEN = -1e9  # what is added to scores of attention that shall not count


def offered(framework: str, mode: str) -> list[str]:
    """The works that make sense in this mode."""
    return [
        name
        for name, work in WORKS.items()
        if work.model != "copy"
        and (work.optimizer or mode != "train_step")
        and (framework == "twinoar" or work.precision == "float32")
        # Paddle 3's Programs have no sparse gradients.
        and (framework == "twinoar" or mode == "eager" or work.optimizer != "lazy_adam")
    ]


def make(
    paddle: Any, mode: str, folder: Path, name: str, compiled: dict[str, Any] | None = None
) -> Work:
    """The work `name`; a call of it returns the loss, or what the model gives.

    compiled: gets what is compiled of it, by name.
    """
    function, arguments = prepared(paddle, mode, folder, name, compiled)
    if WORKS[name].optimizer:
        return functools.partial(function, *arguments)

    def use() -> Any:
        with paddle.no_grad():
            return function(*arguments)

    return use


def prepared(
    paddle: Any, mode: str, folder: Path, name: str, kept: dict[str, Any] | None = None
) -> tuple[Any, tuple]:
    """What the work `name` calls, a function or a model, and with which arguments.

    kept: gets what is compiled of it, by name.
    """
    work = WORKS[name]
    x, labels, weights = read(name, folder)
    x, labels = paddle.to_tensor(x), paddle.to_tensor(labels)

    def compiled(function: Any) -> Any:
        found = paddle.jit.to_static(function, full_graph=True)
        if kept is not None:
            kept[name] = getattr(found, "forward", found)  # of a model
        return found

    if work.model == "silu":
        function = silu_of(paddle)
        return compiled(function) if mode == "to_static" else function, (x,)
    model = models(paddle)[work.model]()
    model.set_state_dict(weights)
    cast = autocast_of(paddle, work)
    if work.writes:
        model.eval()
        following = compiled(model.following) if mode == "to_static" else model.following
        return functools.partial(written, sizes(work.model)), (paddle, following, x)
    if work.optimizer is None:
        if work.precision == "bf16":
            paddle.amp.decorate(model, level="O2", dtype="bfloat16")
        model.eval()
        used = compiled(model) if mode == "to_static" else model

        def use(x: Any) -> Any:
            with cast():
                return used(x)

        return use, (x,)
    rule = optimizer_of(paddle, model, work)
    if work.precision == "bf16":
        paddle.amp.decorate(model, rule, level="O2", dtype="bfloat16")
    step = train_step(paddle, compiled(model) if mode == "to_static" else model, rule, cast)
    return compiled(step) if mode == "train_step" else step, (x, labels)


def models(paddle: Any) -> dict[str, Any]:
    """What makes each model, by name."""
    nn = paddle.nn

    class Encoder(nn.Layer):
        def __init__(self, model: str = "enc") -> None:
            super().__init__()
            self.size = size = sizes(model)
            self.embedding = nn.Embedding(size.vocabulary, size.width)
            self.encoder = encoder(nn, size)
            self.scores = nn.Linear(size.width, size.vocabulary)

        def forward(self, tokens: Any) -> Any:
            return self.scores(self.encoder(self.embedding(tokens)))

    class Language(Encoder):
        def forward(self, tokens: Any) -> Any:
            length = tokens.shape[1]
            mask = paddle.triu(paddle.full([length, length], HIDDEN), 1)
            return self.scores(self.encoder(self.embedding(tokens), mask))

        def following(self, token: Any, position: Any, keys: Any, values: Any) -> tuple:
            """Scores [1,1,V] after `token`, and the keys and values [layers,heads,T,D] with those
            of `position`.
            """
            places, heads = paddle.arange(WRITTEN), self.size.heads
            here = (places == position).reshape([-1, 1])
            mask = paddle.where(places <= position, 0.0, HIDDEN)
            x, kept = self.embedding(token), []
            for number, layer in enumerate(self.encoder.layers):
                attention = layer.self_attn
                normed = layer.norm1(x)
                k, v = (
                    paddle.where(here, project(normed).reshape([heads, 1, -1]), old[number])
                    for project, old in ((attention.k_proj, keys), (attention.v_proj, values))
                )
                q = attention.q_proj(normed).reshape([heads, 1, -1])
                scores = paddle.matmul(q, k, transpose_y=True) * (self.size.width // heads) ** -0.5
                shares = nn.functional.softmax(scores + mask)
                x = x + attention.out_proj(paddle.matmul(shares, v).reshape([1, 1, -1]))
                x = x + layer.linear2(nn.functional.gelu(layer.linear1(layer.norm2(x))))
                kept.append((k, v))
            keys, values = (paddle.stack(list(parts)) for parts in zip(*kept, strict=True))
            return self.scores(x), keys, values

    class Recurrent(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(VOCABULARY, WIDTH)
            self.lstm = nn.LSTM(WIDTH, WIDTH, RECURRENT_LAYERS)
            self.scores = nn.Linear(WIDTH, VOCABULARY)

        def forward(self, tokens: Any) -> Any:
            return self.scores(self.lstm(self.embedding(tokens))[0])

    class DeepFM(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.LayerList(
                nn.Embedding(TABLE_ROWS, TABLE_WIDTH, sparse=True) for _ in range(TABLES)
            )
            self.pairs = nn.Linear(TABLE_WIDTH, 2)
            self.deep = nn.Sequential(
                nn.Linear(TABLES * TABLE_WIDTH, 256), nn.ReLU(), nn.Linear(256, 2)
            )

        def forward(self, ids: Any) -> Any:
            tables = enumerate(self.embedding)
            v = paddle.stack([table(ids[:, k]) for k, table in tables], 1)  # [N,TABLES,D]
            pairs = v.sum(1) ** 2 - (v**2).sum(1)
            return self.pairs(pairs / TABLES) + self.deep(v.flatten(1))

    def mobilenet_v2() -> Any:
        model = paddle.vision.models.mobilenet_v2()
        model.classifier[0].p = 0.0  # what dropout leaves out cannot be compared
        return model

    def mlp() -> Any:
        return nn.Sequential(
            nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10)
        )

    def deep(depth: int) -> Any:
        layers: list[Any] = []
        for before, after in pairwise(widths(depth)):
            layers += [nn.Linear(before, after), nn.ReLU()]
        return nn.Sequential(*layers[:-1])

    return {
        "mlp": mlp,
        **{f"deep_{n}": functools.partial(deep, n) for n in DEPTHS},
        "lenet": lambda: paddle.vision.models.LeNet(),
        "enc": Encoder,
        "r18": lambda: paddle.vision.models.resnet18(),
        "mobilenet_v2": mobilenet_v2,
        "lstm": Recurrent,
        "lm": Language,
        "gpt2": functools.partial(Language, "gpt2"),
        "deepfm": DeepFM,
        **wider_models(paddle),
    }


def written(size: Sizes, paddle: Any, following: Any, token: Any) -> Any:
    """The scores of the last of WRITTEN tokens after `token`, each the likeliest."""
    keys = values = paddle.zeros([size.layers, size.heads, WRITTEN, size.width // size.heads])
    for position in range(WRITTEN):
        scores, keys, values = following(token, paddle.to_tensor(position), keys, values)
        token = scores.argmax(-1)
    return scores


def autocast_of(paddle: Any, work: Description) -> Any:
    """What makes the block in which a work chooses its precision."""
    if work.precision == "float32":
        return contextlib.nullcontext
    level = "O1" if work.precision == "amp" else "O2"
    return functools.partial(paddle.amp.auto_cast, level=level, dtype="bfloat16")


def optimizer_of(paddle: Any, model: Any, work: Description) -> Any:
    """What trains the parameters of `model`."""
    if work.optimizer in ("adam", "lazy_adam"):
        lazy_mode = work.optimizer == "lazy_adam"
        return paddle.optimizer.Adam(ADAM_RATE, parameters=model.parameters(), lazy_mode=lazy_mode)
    return paddle.optimizer.SGD(SGD_RATE, parameters=model.parameters())


def train_step(paddle: Any, model: Any, rule: Any, cast: Any) -> Any:
    """A function of x and labels that trains `model` and returns the loss."""

    def step(x: Any, labels: Any) -> Any:
        with cast():
            scores = model(x)
        loss = paddle.nn.functional.cross_entropy(
            scores.reshape([-1, scores.shape[-1]]).astype("float32"), labels.reshape([-1])
        )
        loss.backward()
        rule.step()
        rule.clear_grad()
        return loss

    return step


def silu_of(paddle: Any) -> Any:
    def silu(x: Any) -> Any:
        return paddle.nn.functional.silu(x * 1.5 + 0.25)

    return silu


def refuse_host_commands(name: str, text: str) -> None:
    """Raise RuntimeError where `explain()` of the work `name` says that Python runs a part."""
    counted = [line for line in text.splitlines() if line.startswith("host commands: ")]
    if not counted:
        raise RuntimeError(f"{name} is not compiled: explain() counts no host commands")
    found = [line for line in counted if line != "host commands: 0"]
    if found:
        raise RuntimeError(f"{name} leaves its compiled Program for Python: {'; '.join(found)}")


def main() -> None:
    framework, mode, folder = sys.argv[1:]
    paddle = importlib.import_module(framework)
    paddle.set_device("cpu")
    compiled: dict[str, Any] | None = {} if framework == "twinoar" else None

    def check(name: str) -> None:
        if compiled and name in compiled:
            refuse_host_commands(name, compiled.pop(name).explain())

    works = {
        name: functools.partial(make, paddle, mode, Path(folder), name, compiled)
        for name in offered(framework, mode)
    }
    serve(f"{framework} {mode}", works, mean, check)


if __name__ == "__main__":
    main()
