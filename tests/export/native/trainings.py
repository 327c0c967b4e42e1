"""Trainings that tests export, and what this machine does with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import twinoar as paddle
from tests.export.native.exported import here
from twinoar import nn
from twinoar.export.native import export_training
from twinoar.export.native.loaded import LoadedTraining
from twinoar.formats.safetensors import Tensors
from twinoar.static import InputSpec

STEPS = 20
NEAR = 1e-5  # of the largest number: what 20 steps may add up


@dataclass
class Training:
    """A network, its optimizer, and the batches that it is trained with."""

    net: Any
    optimizer: Any
    batches: Sequence[tuple[np.ndarray, np.ndarray]]
    loss: Callable[[Any, Any], Any]

    def step(self, x: Any, y: Any) -> Any:
        """A whole step; the loss."""
        loss = self.loss(self.net(x), y)
        loss.backward()
        self.optimizer.step()
        self.optimizer.clear_grad()
        return loss

    @property
    def spec(self) -> list[Any]:
        """An InputSpec of each input."""
        pairs = zip("xy", self.batches[0], strict=True)
        return [InputSpec(a.shape, a.dtype.name, name) for name, a in pairs]

    def exported(self, folder: Path, target: str, **options: Any) -> list[str]:
        """The files of the training `net`."""
        step = paddle.jit.to_static(self.step)
        given = {
            "name": "net", "input_spec": self.spec, "predict": self.net,
            "predict_spec": self.spec[:1], **options,
        }  # fmt: skip
        return export_training(step, str(folder), target=target, **given)

    def library(self, folder: Path, target: str = "", **options: Any) -> LoadedTraining:
        """The training as a shared library of this machine, loaded."""
        return LoadedTraining(self.exported(folder, target or here(), **options)[0])

    def eager(self) -> list[np.ndarray]:
        """The losses of plain Python, which trains the network."""
        return [self.step(*map(paddle.to_tensor, batch)).numpy() for batch in self.batches]

    def parameters(self) -> dict[str, np.ndarray]:
        """What the network holds by now, by name."""
        return {t.name: t.numpy() for t in self.net.state_dict().values()}

    def predicted(self) -> np.ndarray:
        """What the network says of the first batch."""
        self.net.eval()
        try:
            found: np.ndarray = self.net(paddle.to_tensor(self.batches[0][0])).numpy()
        finally:
            self.net.train()
        return found


def batches_of(shape: Sequence[int], classes: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Batches that can be learned: each class has a pattern of its own, with noise."""
    rng = np.random.default_rng(0)
    patterns = rng.standard_normal((classes, *shape[1:]))
    found = []
    for _ in range(STEPS):
        labels = rng.integers(0, classes, shape[0])
        noise = rng.standard_normal(tuple(shape))
        found.append(((patterns[labels] + noise / 2).astype(np.float32), labels[:, None]))
    return found


def training(
    make: Callable[[], Any],
    optimizer: Callable[[Any], Any],
    shape: Sequence[int],
    classes: int,
    seed: int = 0,
) -> Training:
    """A classification, with names as in a process of its own."""
    paddle.seed(seed)
    with paddle.utils.unique_name.guard():
        net = make()
        chosen = optimizer(net.parameters())
    return Training(net, chosen, batches_of(shape, classes), nn.functional.cross_entropy)


def sgd(parameters: Any) -> Any:
    return paddle.optimizer.SGD(0.01, parameters=parameters)


def momentum(parameters: Any) -> Any:
    return paddle.optimizer.Momentum(0.002, 0.9, parameters=parameters, weight_decay=1e-3)


def adam(parameters: Any) -> Any:
    return paddle.optimizer.Adam(1e-3, parameters=parameters)


def fast_adam(parameters: Any) -> Any:
    return paddle.optimizer.Adam(1e-2, parameters=parameters)


def clipped(parameters: Any) -> Any:
    # Not Adam: the bias of keys has a gradient of zero but for rounding, of which Adam makes steps.
    clip = nn.ClipGradByGlobalNorm(1.0)
    return paddle.optimizer.Momentum(0.02, 0.9, parameters=parameters, grad_clip=clip)


def mlp(optimizer: Callable[[Any], Any] = sgd) -> Training:
    def make() -> Any:
        return nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 3))

    return training(make, optimizer, (8, 12), 3)


def lenet(optimizer: Callable[[Any], Any]) -> Training:
    return training(paddle.vision.models.LeNet, optimizer, (4, 1, 28, 28), 10)


def lenet_sgd() -> Training:
    return lenet(sgd)


def lenet_momentum() -> Training:
    return lenet(momentum)


def lenet_adam() -> Training:
    return lenet(adam)


def normalized() -> Training:
    """Statistics that each step changes, and dropout, whose random state is one of them."""

    def make() -> Any:
        return nn.Sequential(
            nn.Conv2D(2, 8, 3, padding=1), nn.BatchNorm2D(8), nn.ReLU(),
            nn.Conv2D(8, 8, 3, groups=8), nn.MaxPool2D(2), nn.Flatten(),
            nn.Dropout(0.3), nn.Linear(8 * 9, 4),
        )  # fmt: skip

    return training(make, momentum, (6, 2, 8, 8), 4)


def recurrent() -> Training:
    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.lstm, self.last = nn.LSTM(5, 8), nn.Linear(8, 3)

        def forward(self, x: Any) -> Any:
            return self.last(self.lstm(x)[0][:, -1])

    return training(Net, fast_adam, (4, 6, 5), 3)


def encoder() -> Training:
    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.1)
            self.last = nn.Linear(16, 3)

        def forward(self, x: Any) -> Any:
            return self.last(self.inner(x).mean(1))

    return training(Net, clipped, (4, 7, 16), 3)


TRAININGS: Sequence[Callable[[], Training]] = (
    mlp, lenet_sgd, lenet_momentum, lenet_adam, normalized, recurrent, encoder,
)  # fmt: skip


def assert_trained(
    losses: Sequence[np.ndarray], state: bytes, prediction: np.ndarray, given: Training
) -> None:
    """A device came to what plain Python comes to, step for step."""
    wanted = given.eager()
    np.testing.assert_allclose(losses, wanted, rtol=NEAR)
    held = Tensors(state, "state")
    for name, array in given.parameters().items():
        np.testing.assert_allclose(
            held[name], array, rtol=0, atol=NEAR * max(1e-2, np.abs(array).max()), err_msg=name
        )
    expected = given.predicted()
    np.testing.assert_allclose(prediction, expected, atol=NEAR * np.abs(expected).max(), rtol=NEAR)
    assert np.mean(wanted[-5:]) < np.mean(wanted[:5])
