"""Models of TensorFlow that its own converter wrote as ONNX run, train and are saved.

The files are made by written/write_tensorflow.py.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar.onnx import ImportedLayer, load

MODELS = zipfile.ZipFile(Path(__file__).parent / "written" / "tensorflow.zip")
NAMES = ["convolutions", "recurrent", "attention"]


def model(name: str) -> tuple[ImportedLayer, paddle.Tensor, np.ndarray]:
    """The layer, its input, and what TensorFlow computed of it."""
    with np.load(io.BytesIO(MODELS.read(f"{name}.npz"))) as known:
        return load(MODELS.read(f"{name}.onnx")), paddle.to_tensor(known["x"]), known["y"]


@pytest.mark.parametrize("name", NAMES)
def test_what_tensorflow_computed_is_computed(name: str) -> None:
    layer, x, y = model(name)
    np.testing.assert_allclose(layer(x), y, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_programs_of_them_take_any_batch(name: str, tmp_path: Path) -> None:
    layer, x, y = model(name)
    paddle.jit.save(layer, str(tmp_path / "net"), layer.input_spec)
    again = paddle.jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(again(x), y, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(again(paddle.concat([x, x]))[3:], y, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_they_train(name: str) -> None:
    layer, x, _ = model(name)
    layer.train()
    adam = paddle.optimizer.Adam(0.01, parameters=layer.parameters())
    wanted = paddle.to_tensor([0, 1, 2])
    losses = []
    for _ in range(10):
        loss = paddle.nn.functional.cross_entropy(layer(x), wanted)
        loss.backward()
        adam.step()
        adam.clear_grad()
        losses.append(float(loss))
    assert all(p.grad is not None for p in layer.parameters())
    assert losses[-1] < losses[0]
