"""A page on which a digit is drawn and recognized: LeNet as WebAssembly, in any browser.

    python examples/digits_page/make.py [--output FOLDER] [--epochs N]
    python -m http.server --directory FOLDER

Trains LeNet as examples/mnist.py does, writes it for pages, and puts the page beside it. No server
computes anything: the folder may lie wherever files are served from.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from mnist import Data, accuracy, load_data, train  # noqa: E402 - it lies beside this folder

import twinoar as paddle  # noqa: E402
from twinoar.export.native import export  # noqa: E402

SAMPLES = 20  # of the test set, that the page can draw by itself


def make(folder: Path, data: Data, epochs: int) -> float:
    """Train, and write the page; returns the share of the test set that is named right."""
    paddle.seed(1)
    net = paddle.vision.models.LeNet()
    train(paddle.jit.to_static(net), data, epochs, "LeNet")
    found = accuracy(net, data)
    spec = paddle.static.InputSpec([1, 1, 28, 28], "float32", "image")
    export(net, folder, target="wasm32", kind="wasm", name="lenet", input_spec=[spec])
    images = np.round((data.test_images[:SAMPLES, 0] + 1) / 2, 2)
    samples = {"images": images.tolist(), "labels": data.test_labels[:SAMPLES, 0].tolist()}
    (folder / "samples.json").write_text(json.dumps(samples))
    for name in ("index.html", "page.js"):
        shutil.copy(HERE / name, folder / name)
    return found


def main() -> None:
    """Write the page, and say how to look at it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("output/page"))
    parser.add_argument("--epochs", type=int, default=None)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    data = load_data()
    found = make(options.output, data, options.epochs or data.epochs)
    print(f"{found:.4f} of the test set are named right")
    print(f"python -m http.server --directory {options.output}")


if __name__ == "__main__":
    main()
