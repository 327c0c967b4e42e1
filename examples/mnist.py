"""Train LeNet on handwritten digits, eagerly and as a Program; save it; run it without its class.

    python examples/mnist.py [--output FOLDER] [--epochs N]

The digits are MNIST where its files are (`$TWINOAR_DATA_HOME/mnist`), else the 1,797 small ones
that twinoar carries.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

import twinoar as paddle
from twinoar import config
from twinoar.io import DataLoader, TensorDataset
from twinoar.vision.datasets import MNIST, Digits
from twinoar.vision.models import LeNet

console = Console(width=110)
BATCH_SIZE = 64
PREDICT = Path(__file__).with_name("predict.py")


class Data(NamedTuple):
    """Images [N,1,28,28] in [-1,1] and labels [N,1] of the two sets.

    epochs: how many suit them. expected: the accuracy to reach.
    """

    name: str
    train_images: np.ndarray
    train_labels: np.ndarray
    test_images: np.ndarray
    test_labels: np.ndarray
    epochs: int
    expected: float


def load_data() -> Data:
    """MNIST where it is present, else Digits."""
    if (config.data_home / "mnist" / "train-images-idx3-ubyte.gz").is_file():
        return Data(
            "MNIST",
            *arrays(MNIST(mode="train", backend="cv2")),
            *arrays(MNIST(mode="test", backend="cv2")),
            3,
            0.985,
        )
    return Data(
        "Digits",
        *arrays(Digits(mode="train", backend="cv2")),
        *arrays(Digits(mode="test", backend="cv2")),
        15,
        0.97,
    )


def arrays(dataset: Any) -> tuple[np.ndarray, np.ndarray]:
    """A whole data set as images [N,1,28,28] in [-1,1], float32, and labels [N,1], int64."""
    images = np.stack([image for image, _ in dataset]) / np.float32(127.5) - np.float32(1)
    if images.shape[1] == 8:  # Digits: three times as large, with a margin
        images = np.kron(images, np.ones((1, 3, 3), np.float32))
        images = np.pad(images, ((0, 0), (2, 2), (2, 2)), constant_values=-1)
    return images[:, None].astype("float32"), np.stack([label for _, label in dataset]).reshape(
        -1, 1
    )


def train(net: Any, data: Data, epochs: int, title: str) -> tuple[list[float], float]:
    """Train with Adam, the learning rate falling along a cosine, samples always in one order.

    Returns the loss of every step, and the seconds it took.
    """
    steps = epochs * (len(data.train_images) // BATCH_SIZE)
    schedule = paddle.optimizer.lr.CosineAnnealingDecay(learning_rate=2e-3, T_max=steps)
    optimizer = paddle.optimizer.Adam(learning_rate=schedule, parameters=net.parameters())
    dataset = TensorDataset(
        [paddle.to_tensor(data.train_images), paddle.to_tensor(data.train_labels)]
    )
    np.random.seed(0)
    loader = DataLoader(dataset, batch_size=BATCH_SIZE, shuffle=True, drop_last=True)
    losses: list[float] = []
    net.train()
    start = time.perf_counter()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(title, total=epochs * len(loader), loss=float("nan"))
        for _ in range(epochs):
            for images, labels in loader():
                loss = paddle.nn.functional.cross_entropy(net(images), labels)
                loss.backward()
                optimizer.step()
                optimizer.clear_grad()
                schedule.step()
                losses.append(loss.item())
                progress.update(task, advance=1, loss=losses[-1])
    return losses, time.perf_counter() - start


def accuracy(net: Any, data: Data) -> float:
    """The share of the test set that the network names right."""
    net.eval()
    right = 0
    with paddle.no_grad():
        for i in range(0, len(data.test_images), 500):
            scores = net(paddle.to_tensor(data.test_images[i : i + 500]))
            right += int((scores.numpy().argmax(1) == data.test_labels[i : i + 500, 0]).sum())
    return right / len(data.test_images)


def draw(images: np.ndarray, labels: np.ndarray, predictions: np.ndarray, path: Path) -> None:
    """A picture of digits with what the network says of them; wrong ones in red."""
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(4, 8, figsize=(8, 4.8))
    for axis, image, label, found in zip(axes.flat, images, labels, predictions, strict=True):
        axis.imshow(image[0], cmap="gray_r")
        axis.set_title(str(found), color="black" if found == label else "red", fontsize=11)
        axis.axis("off")
    figure.suptitle("Digits, and what the loaded model says")
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main() -> None:
    """Run the whole demonstration; exits with 1 if something does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("output"))
    parser.add_argument("--epochs", type=int, default=None)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)

    data = load_data()
    epochs = options.epochs or data.epochs
    console.rule(
        f"{data.name}: {len(data.train_images)} digits to learn from, "
        f"{len(data.test_images)} to be tested on"
    )

    paddle.seed(1)
    eager = LeNet()
    compiled = LeNet()
    compiled.set_state_dict(eager.state_dict())
    compiled = paddle.jit.to_static(compiled)

    losses, seconds = train(eager, data, epochs, "eager    ")
    static_losses, static_seconds = train(compiled, data, epochs, "to_static")
    difference = float(np.abs(np.array(losses) - np.array(static_losses)).max())
    console.print(f"eager:     {seconds:6.1f} s, last loss {losses[-1]:.4f}")
    console.print(f"to_static: {static_seconds:6.1f} s, last loss {static_losses[-1]:.4f}")
    console.print(f"largest difference of the two in {len(losses)} steps: {difference:.2e}")

    found = accuracy(compiled, data)
    console.print(f"accuracy on the test set: {found:.4f} (eager {accuracy(eager, data):.4f})")

    console.rule("the Program, its first lines")
    text = str(compiled.forward.main_program).splitlines()
    console.print("\n".join([*text[:22], "    ..."]), markup=False, highlight=False)

    prefix = options.output / "lenet"
    spec = [paddle.static.InputSpec([None, 1, 28, 28], "float32", "image")]
    paddle.jit.save(compiled, str(prefix), input_spec=spec)
    sample = options.output / "digits.npz"
    np.savez(sample, images=data.test_images[:32])
    console.rule("saved; now in a fresh process, without the class")
    answer = subprocess.run(
        [sys.executable, PREDICT, prefix, sample], check=True, capture_output=True, text=True
    )
    console.print(answer.stdout.strip())
    predictions = np.array([int(n) for n in answer.stdout.splitlines()[-1].split()])
    picture = options.output / "digits.png"
    draw(data.test_images[:32], data.test_labels[:32, 0], predictions, picture)
    console.print(f"picture: {picture}, model: {prefix}.pdmodel")

    compiled.eval()
    same = np.array_equal(
        predictions, compiled(paddle.to_tensor(data.test_images[:32])).numpy().argmax(1)
    )
    if difference > 1e-3 or found < data.expected or not same:
        console.print(
            "[red]something does not hold: the losses differ, the accuracy is low, "
            "or the loaded model disagrees"
        )
        raise SystemExit(1)


if __name__ == "__main__":
    main()
