"""A page on which a small network trains on what is drawn there: whole steps as WebAssembly.

    python examples/training_page/make.py [--output FOLDER]
    python -m http.server --directory FOLDER

Writes the step of a small network of convolutions for pages, with weights that have learned nothing
yet, and puts the page beside it. Draw some of each of three things, press Train, and draw again:
what is drawn is named. No server computes anything: the folder may lie wherever files are served
from.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

import twinoar as paddle
from twinoar import nn
from twinoar.export.native import export_training
from twinoar.static import InputSpec

HERE = Path(__file__).parent
SIDE, CLASSES, BATCH = 28, 3, 16
RATE = 0.002


def network() -> nn.Layer:
    """What tells drawings of 28 by 28 from each other: 6,000 parameters."""
    return nn.Sequential(
        nn.Conv2D(1, 8, 5, stride=2, padding=2),
        nn.ReLU(),
        nn.Conv2D(8, 16, 5, stride=2, padding=2),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(16 * 7 * 7, CLASSES),
    )


def make(folder: Path) -> list[str]:
    """Write the page; the paths of the model's files."""
    paddle.seed(1)
    net = network()
    optimizer = paddle.optimizer.Adam(RATE, parameters=net.parameters())
    images = InputSpec([BATCH, 1, SIDE, SIDE], "float32", "images")
    labels = InputSpec([BATCH, 1], "int64", "labels")

    @paddle.jit.to_static(input_spec=[images, labels])
    def step(images: Any, labels: Any) -> Any:
        loss = nn.functional.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    files = export_training(
        step,
        str(folder),
        target="wasm32",
        kind="wasm",
        name="drawings",
        predict=nn.Sequential(net, nn.Softmax()),
        predict_spec=[InputSpec([1, 1, SIDE, SIDE], "float32", "image")],
    )
    for name in ("index.html", "page.js"):
        shutil.copy(HERE / name, folder / name)
    return files


def main() -> None:
    """Write the page, and say how to look at it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("output/training_page"))
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    size = sum(Path(file).stat().st_size for file in make(folder))
    print(f"{size / 1000:.0f} KB of model; python -m http.server --directory {folder}")


if __name__ == "__main__":
    main()
