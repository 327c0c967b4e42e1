"""The works for a framework with Paddle's API: `works_paddle.py twinoar|paddle MODE FOLDER`.

MODE: `eager`; `to_static`, where the model is compiled; `train_step`, where the whole step is.
FOLDER: where works.py wrote weights and data. The bf16 works compute in bfloat16 throughout, but
for the loss and for the float32 weights that the optimizer keeps.
"""

from __future__ import annotations

import functools
import importlib
import sys
from pathlib import Path
from typing import Any

from turns import Work, serve
from works import (
    ADAM_RATE,
    ENCODER_LAYERS,
    HEADS,
    SGD_RATE,
    VOCABULARY,
    WIDTH,
    WORKS,
    Description,
    mean,
    read,
)

MODES = ("eager", "to_static", "train_step")


def offered(framework: str, mode: str) -> list[str]:
    """The works that make sense in this mode."""
    return [
        name
        for name, work in WORKS.items()
        if work.model != "copy"
        and (work.optimizer or mode != "train_step")
        and (framework == "twinoar" or not work.bf16)
    ]


def make(paddle: Any, mode: str, folder: Path, name: str) -> Work:
    """The work `name`; a call of it returns the loss, or what the model gives."""
    function, arguments = prepared(paddle, mode, folder, name)
    if WORKS[name].optimizer:
        return functools.partial(function, *arguments)

    def use() -> Any:
        with paddle.no_grad():
            return function(*arguments)

    return use


def prepared(paddle: Any, mode: str, folder: Path, name: str) -> tuple[Any, tuple]:
    """What the work `name` calls, a function or a model, and with which arguments."""
    work = WORKS[name]
    x, labels, weights = read(name, folder)
    x, labels = paddle.to_tensor(x), paddle.to_tensor(labels)
    compiled = functools.partial(paddle.jit.to_static, full_graph=True)
    if work.model == "silu":
        function = silu_of(paddle)
        return compiled(function) if mode == "to_static" else function, (x,)
    model = models(paddle)[work.model]()
    model.set_state_dict(weights)
    if work.bf16:
        model.bfloat16()
    if mode == "to_static":
        model = compiled(model)
    if work.optimizer is None:
        model.eval()
        return model, (x.astype("bfloat16") if work.bf16 else x,)
    step = train_step(paddle, model, work)
    return compiled(step) if mode == "train_step" else step, (x, labels)


def models(paddle: Any) -> dict[str, Any]:
    """What makes each model, by name."""
    nn = paddle.nn

    class Encoder(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            layer = nn.TransformerEncoderLayer(
                WIDTH, HEADS, 4 * WIDTH, 0.0, "gelu", normalize_before=True
            )
            self.embedding = nn.Embedding(VOCABULARY, WIDTH)
            self.encoder = nn.TransformerEncoder(layer, ENCODER_LAYERS)
            self.scores = nn.Linear(WIDTH, VOCABULARY)

        def forward(self, tokens: Any) -> Any:
            return self.scores(self.encoder(self.embedding(tokens)))

    def mlp() -> Any:
        return nn.Sequential(
            nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10)
        )

    return {
        "mlp": mlp,
        "lenet": lambda: paddle.vision.models.LeNet(),
        "enc": Encoder,
        "r18": lambda: paddle.vision.models.resnet18(),
    }


def train_step(paddle: Any, model: Any, work: Description) -> Any:
    """A function of x and labels that trains `model` and returns the loss."""
    settings: dict[str, Any] = {"parameters": model.parameters(), "multi_precision": work.bf16}
    casts = work.bf16 and not work.tokens
    if work.optimizer == "adam":
        rule = paddle.optimizer.Adam(ADAM_RATE, **settings)
    else:
        rule = paddle.optimizer.SGD(SGD_RATE, **settings)

    def step(x: Any, labels: Any) -> Any:
        scores = model(x.astype("bfloat16") if casts else x)
        if work.bf16:
            scores = scores.astype("float32")
        loss = paddle.nn.functional.cross_entropy(
            scores.reshape([-1, scores.shape[-1]]), labels.reshape([-1])
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


def main() -> None:
    framework, mode, folder = sys.argv[1:]
    paddle = importlib.import_module(framework)
    paddle.set_device("cpu")
    works = {
        name: functools.partial(make, paddle, mode, Path(folder), name)
        for name in offered(framework, mode)
    }
    serve(f"{framework} {mode}", works, mean)


if __name__ == "__main__":
    main()
