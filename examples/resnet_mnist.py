"""Train ResNet-18 on handwritten digits with `Model.fit`, and draw its curves.

    python examples/resnet_mnist.py [--samples N] [--epochs N] [--output FOLDER]

The digits are those of MNIST, in `$TWINOAR_DATA_HOME/mnist`.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np

import twinoar as paddle
from twinoar import cli, nn
from twinoar.callbacks import VisualDL
from twinoar.io import Subset
from twinoar.vision import transforms
from twinoar.vision.datasets import MNIST
from twinoar.vision.models import resnet18

BATCH_SIZE = 64
RATE = 2e-3
EXPECTED = 0.9  # of the accuracy; 0.95 is usual
TO_MINUS_1_TO_1 = {"mean": [127.5], "std": [127.5], "data_format": "CHW"}


def digits(mode: str, count: int) -> Subset:
    """The first `count` digits of a set: images [3,28,28], alike in all channels, and labels."""
    prepared = transforms.Compose(
        [transforms.Transpose(), transforms.Normalize(**TO_MINUS_1_TO_1), in_three_channels]
    )
    return Subset(MNIST(mode=mode, transform=prepared), range(count))


def in_three_channels(image: np.ndarray) -> np.ndarray:
    """The image [1,H,W] as [3,H,W]."""
    return np.repeat(image, 3, 0)


def main() -> None:
    """Run the whole demonstration; exits with 1 if the digits are not learned."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=6000, help="digits to learn from")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("output"))
    options = parser.parse_args()

    paddle.seed(1)
    np.random.seed(1)
    steps = options.epochs * (options.samples // BATCH_SIZE)
    network = resnet18(num_classes=10)
    rate = paddle.optimizer.lr.CosineAnnealingDecay(RATE, T_max=steps)
    optimizer = paddle.optimizer.AdamW(rate, parameters=network.parameters())
    model = paddle.Model(network)
    model.prepare(optimizer, nn.CrossEntropyLoss(), paddle.metric.Accuracy())
    model.summary((1, 3, 28, 28))

    folder = options.output / "resnet_mnist"
    shutil.rmtree(folder, ignore_errors=True)  # the curves of an earlier run
    train, test = digits("train", options.samples), digits("test", options.samples // 6)
    log = VisualDL(str(folder))
    model.fit(train, test, BATCH_SIZE, options.epochs, log_freq=20, drop_last=True, callbacks=log)
    cli.main(["plot", str(folder)])
    accuracy = model.evaluate(test, BATCH_SIZE, verbose=0)["acc"]
    print(f"accuracy on {len(test)} digits not learned from: {accuracy:.4f}")
    if accuracy < EXPECTED:
        raise SystemExit("the digits were not learned")


if __name__ == "__main__":
    main()
