"""Small saved models in the layout of a repository, for the tests of the server."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twinoar as paddle
from twinoar import nn
from twinoar.serving.request import Request

INPUT = 'input [{ name: "x" data_type: TYPE_FP32 dims: [4] }]'


def scaling(folder: Path, name: str, factor: float, version: int = 1, config: str = "") -> Path:
    """A model [N,4] -> [N,4] that multiplies by `factor`; its folder."""

    class Scaling(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.factor = self.create_parameter([4])
            self.factor.set_value(np.full(4, factor, "float32"))

        def forward(self, x: paddle.Tensor) -> paddle.Tensor:
            return x * self.factor

    return saved(folder, name, Scaling(), version, config)


def saved(
    folder: Path, name: str, layer: nn.Layer, version: int = 1, config: str = "",
    shape: tuple[int | None, ...] = (None, 4),
) -> Path:  # fmt: skip
    """Save a layer with an input x as a version of a model; the model's folder."""
    place = folder / name / str(version)
    place.mkdir(parents=True, exist_ok=True)
    layer.eval()
    spec = [paddle.static.InputSpec(list(shape), "float32", "x")]
    paddle.jit.save(layer, str(place / "model"), input_spec=spec)
    if config:
        (folder / name / "config.pbtxt").write_text(config)
    return folder / name


def python(folder: Path, name: str, code: str, config: str) -> Path:
    """A model in Python; its folder."""
    (folder / name / "1").mkdir(parents=True)
    (folder / name / "1" / "model.py").write_text(code)
    (folder / name / "config.pbtxt").write_text(config)
    return folder / name


def rows(*values: float) -> Request:
    """A request for a model of `scaling`, a row for each value."""
    return Request({"x": np.array([[v] * 4 for v in values], "float32")})
