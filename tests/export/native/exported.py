"""Networks that tests export, and what this machine runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import UnsupportedError
from twinoar.export.native import export
from twinoar.export.native.loaded import LoadedLibrary
from twinoar.export.native.targets import host_name


def here() -> str:
    """The latest target whose instructions this machine has."""
    try:
        return host_name()
    except UnsupportedError as refusal:
        pytest.skip(str(refusal))


@dataclass(frozen=True)
class Network:
    """A Layer, and the arrays that it is called with."""

    layer: Any
    inputs: tuple[np.ndarray, ...]

    @property
    def spec(self) -> list[Any]:
        """An InputSpec of each input."""
        return [
            paddle.static.InputSpec(x.shape, x.dtype.name, f"x{n}")
            for n, x in enumerate(self.inputs)
        ]

    def eager(self) -> list[np.ndarray]:
        """What plain Python computes."""
        self.layer.eval()
        found = self.layer(*map(paddle.to_tensor, self.inputs))
        return [x.numpy() for x in flat(found)]

    def exported(self, folder: Path, target: str, **options: Any) -> list[str]:
        """The files of the model `net`."""
        self.layer.eval()
        given = {"name": "net", "input_spec": self.spec, **options}
        return export(self.layer, str(folder), target=target, **given)

    def library(self, folder: Path, **options: Any) -> LoadedLibrary:
        """The model as a shared library of this machine, loaded."""
        return LoadedLibrary(self.exported(folder, here(), **options)[0])


def flat(found: Any) -> list[Any]:
    """The tensors of a result."""
    return [t for x in found for t in flat(x)] if isinstance(found, (list, tuple)) else [found]


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def lenet() -> Network:
    paddle.seed(0)
    return Network(paddle.vision.models.LeNet(), (numbers(1, 1, 28, 28),))


def small_convolutions() -> Network:
    """Strides, groups, a depthwise convolution, batch norm, a residual, pooling."""
    paddle.seed(1)

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Sequential(nn.Conv2D(3, 8, 3, stride=2), nn.BatchNorm2D(8), nn.ReLU6())
            self.deep = nn.Conv2D(8, 8, 3, padding=1, groups=8)
            self.grouped = nn.Conv2D(8, 8, 1, groups=2)
            self.last = nn.Linear(8, 5)

        def forward(self, x: Any) -> Any:
            x = self.first(x)
            x = x + self.grouped(nn.functional.relu(self.deep(x)))
            return self.last(nn.functional.adaptive_avg_pool2d(x, 1).flatten(1))

    return Network(Net(), (numbers(2, 3, 17, 15),))


def transformer() -> Network:
    paddle.seed(2)
    return Network(nn.TransformerEncoderLayer(32, 4, 64, activation="gelu"), (numbers(2, 9, 32),))


def recurrent() -> Network:
    paddle.seed(3)
    return Network(nn.LSTM(6, 8, num_layers=2), (numbers(2, 7, 6),))


NETWORKS: Sequence[Callable[[], Network]] = (lenet, small_convolutions, transformer, recurrent)


class Function(nn.Layer):
    """A function as a Layer."""

    def __init__(self, function: Callable[..., Any]):
        super().__init__()
        self.function = function

    def forward(self, *inputs: Any) -> Any:
        return self.function(*inputs)


def of_function(function: Callable[..., Any], *inputs: np.ndarray) -> Network:
    """A function as a network; its arguments are named in its own line."""
    return Network(Function(function), inputs)


def assert_near(found: Sequence[np.ndarray], wanted: Sequence[np.ndarray]) -> None:
    """Equal up to the order of float32 sums."""
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted, strict=True):
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)
