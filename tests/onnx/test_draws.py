"""Random numbers in ONNX models are distributed as ours, and drawn anew at each run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.errors import UnsupportedError

MANY = 4000


class Drawing(nn.Layer):
    """A function of its input as a layer."""

    def __init__(self, function: Callable[[Any], Any]):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def drawn(tmp_path: Path, function: Callable[[Any], Any], opset: int = 17) -> list[np.ndarray]:
    """What two runs draw, for an input of halves."""
    spec = [static.InputSpec([None, 4], "float32", "x")]
    paddle.onnx.export(Drawing(function), str(tmp_path / "net"), spec, opset_version=opset)
    onnx.checker.check_model(str(tmp_path / "net.onnx"), full_check=True)
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"))
    x = np.full((MANY, 4), 0.5, np.float32)
    return [session.run(None, {"x": x})[0] for _ in range(2)]


@pytest.mark.parametrize("opset", [11, 17])
@pytest.mark.parametrize(
    ("function", "mean", "deviation"),
    [
        (lambda x: paddle.randn(x.shape) * 2 + x, 0.5, 2.0),
        (lambda x: paddle.normal(3.0, 0.5, [MANY, 2]), 3.0, 0.5),
        (lambda x: paddle.uniform(x.shape, min=-1.0, max=3.0), 1.0, 4 / 12**0.5),
        (lambda x: paddle.rand([MANY]), 0.5, 1 / 12**0.5),
        (lambda x: paddle.bernoulli(x), 0.5, 0.5),
        (lambda x: paddle.randint(2, 5, [MANY, 4]), 3.0, (2 / 3) ** 0.5),
        (lambda x: paddle.randperm(MANY), (MANY - 1) / 2, MANY / 12**0.5),
        (lambda x: paddle.multinomial(x, 1), 1.5, 1.25**0.5),
        (lambda x: paddle.multinomial(x, 9, replacement=True), 1.5, 1.25**0.5),
    ],
)
def test_numbers_are_distributed_alike(
    tmp_path: Path, function: Callable, mean: float, deviation: float, opset: int
) -> None:
    first, second = drawn(tmp_path, function, opset)
    assert first.shape == second.shape and not np.array_equal(first, second)
    assert first.dtype == np.asarray(function(paddle.full([MANY, 4], 0.5))).dtype
    np.testing.assert_allclose(first.mean(), mean, atol=6 * deviation / MANY**0.5)
    np.testing.assert_allclose(first.std(), deviation, rtol=0.1)


def test_whole_numbers_stay_within_their_bounds(tmp_path: Path) -> None:
    found, _ = drawn(tmp_path, lambda x: paddle.randint(-2, 1, x.shape))
    assert sorted(set(found.ravel().tolist())) == [-2, -1, 0]


def test_an_order_has_each_number_once(tmp_path: Path) -> None:
    found, _ = drawn(tmp_path, lambda x: paddle.randperm(MANY))
    assert sorted(found.tolist()) == list(range(MANY))


def test_positions_are_drawn_once_each_and_never_without_weight(tmp_path: Path) -> None:
    weights = paddle.to_tensor([1.0, 0.0, 2.0, 4.0])
    found, _ = drawn(tmp_path, lambda x: paddle.multinomial(x * weights, 3))
    assert all(sorted(row) == [0, 2, 3] for row in found.tolist())
    assert np.mean(found[:, 0] == 3) == pytest.approx(4 / 7, abs=0.05)


def test_bounds_that_are_far_apart_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="whole numbers from 0 to"):
        drawn(tmp_path, lambda x: paddle.randint(0, 1 << 60, [2]))
