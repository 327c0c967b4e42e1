"""A recognizer of digits that learns its user's hand, as a library for phones: LeNet, and its step.

    python examples/phones/make.py [--output FOLDER] [--target aarch64] [--epochs N]

Trains LeNet as examples/mnist.py does, and writes `libdigits.a` with `digits.h`: for any machine,
from any machine, as no compiler takes part. `digits.c` is a program around it, `jni` a class for
Java and Kotlin; docs/phones.md says how each is built.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from mnist import Data, accuracy, load_data, train  # noqa: E402 - it lies beside this folder

import twinoar as paddle  # noqa: E402
from twinoar import nn  # noqa: E402
from twinoar.export.native import export_training  # noqa: E402
from twinoar.static import InputSpec  # noqa: E402

BATCH = 8
RATE = 0.01


def make(folder: Path, target: str, data: Data, epochs: int) -> float:
    """Train, and write the library; returns the share of the test set that is named right."""
    paddle.seed(1)
    net = paddle.vision.models.LeNet()
    if epochs:
        train(paddle.jit.to_static(net), data, epochs, "LeNet")
    found = accuracy(net, data)
    net.train()
    optimizer = paddle.optimizer.SGD(RATE, parameters=net.parameters())

    @paddle.jit.to_static(
        input_spec=[
            InputSpec([BATCH, 1, 28, 28], "float32", "images"),
            InputSpec([BATCH, 1], "int64", "labels"),
        ]
    )
    def step(images: Any, labels: Any) -> Any:
        loss = nn.functional.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    export_training(
        step,
        str(folder),
        target=target,
        kind="static",
        name="digits",
        predict=nn.Sequential(net, nn.Softmax()),
        predict_spec=[InputSpec([1, 1, 28, 28], "float32", "image")],
    )
    return found


def main() -> None:
    """Write the library."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("output/phones"))
    parser.add_argument("--target", default="aarch64")
    parser.add_argument("--epochs", type=int, default=None)
    options = parser.parse_args()
    data = load_data()
    epochs = data.epochs if options.epochs is None else options.epochs
    found = make(options.output, options.target, data, epochs)
    print(f"{found:.4f} of the test set are named right; {options.output}/libdigits.a")


if __name__ == "__main__":
    main()
