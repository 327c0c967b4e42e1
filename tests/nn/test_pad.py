"""Padding layers do what NumPy does, along the axes that are spatial."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle

MODES = {
    "ZeroPad": {"mode": "constant"},
    "ReflectionPad": {"mode": "reflect"},
    "ReplicationPad": {"mode": "edge"},
    "CircularPad": {"mode": "wrap"},
    "ConstantPad": {"mode": "constant", "constant_values": 2.0},
}


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("kind", MODES)
def test_the_last_axis_is_padded_first(kind: str, rank: int) -> None:
    x = np.random.default_rng(0).standard_normal((2, 1, 4, 5, 4)[: rank + 2]).astype("float32")
    value = (2.0,) if kind == "ConstantPad" else ()
    padding = [1, 2, 0, 1, 2, 0][: 2 * rank]
    sides = [(0, 0), (0, 0), *list(zip(padding[::2], padding[1::2], strict=True))[::-1]]
    layer = getattr(paddle.nn, f"{kind}{rank}D")(padding, *value)
    expected = np.pad(x, sides, **MODES[kind])
    np.testing.assert_array_equal(layer(paddle.to_tensor(x)).numpy(), expected)


def test_channels_may_come_last() -> None:
    x = paddle.ones([1, 3, 2])
    assert paddle.nn.ConstantPad1D(1, 5.0, "NLC")(x)[0, :, 0].tolist() == [5.0, 1.0, 1.0, 1.0, 5.0]


def test_what_a_layer_prints_are_its_arguments() -> None:
    expected = "ReflectionPad1D(padding=[1, 1], mode=reflect, value=0.0, data_format=NCL)"
    assert repr(paddle.nn.ReflectionPad1D(1)) == expected
