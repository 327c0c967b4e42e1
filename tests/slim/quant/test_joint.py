"""Joints are where factors of channels change nothing, and only there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.slim.quant.planted import outputs
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.slim.quant import joints

# What makes a network, the shape of its input, and (makers, readers) of each joint.
NETWORKS: dict[str, Any] = {
    "linear": (
        lambda: nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3)), [2, 4], [(2, 1)]
    ),
    "convolutions": (
        lambda: nn.Sequential(
            nn.Conv2D(3, 4, 3), nn.LeakyReLU(), nn.MaxPool2D(2), nn.Conv2D(4, 4, 3, groups=4),
            nn.AvgPool2D(2), nn.Conv2D(4, 5, 1, bias_attr=False), nn.Dropout(),
            nn.AdaptiveAvgPool2D(1), nn.Flatten(), nn.Linear(5, 2),
        ),
        [1, 3, 14, 14],
        [(2, 1), (2, 1), (1, 1)],
    ),
    "batch norm": (
        lambda: nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4), nn.Conv2D(4, 2, 1)),
        [1, 3, 8, 8],
        [(2, 1)],
    ),
    "norm first": (
        lambda: nn.TransformerEncoderLayer(8, 2, 16, normalize_before=True),
        [1, 3, 8],
        [(2, 3), (2, 1), (2, 1)],
    ),
    "norm last": (lambda: nn.TransformerEncoderLayer(8, 2, 16), [1, 3, 8], [(2, 1)]),
}  # fmt: skip


@pytest.mark.parametrize("kind", NETWORKS)
def test_factors_at_joints_change_nothing(kind: str) -> None:
    make, shape, expected = NETWORKS[kind]
    model, random = make(), np.random.default_rng(2)
    found = joints(model, shape)
    assert [(len(j.makers), len(j.readers)) for j in found] == expected
    x = paddle.randn(shape)
    before = outputs(model, x)
    weights = [p.numpy() for p in model.parameters()]
    for joint in found:
        joint.scale(10 ** random.uniform(-2, 2, len(joint.makers[0].channels())))
    np.testing.assert_allclose(outputs(model, x), before, rtol=1e-4, atol=1e-5)
    after = [p.numpy() for p in model.parameters()]
    assert any(not np.allclose(a, b) for a, b in zip(weights, after, strict=True))


class Shared(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        return self.layer(paddle.nn.functional.relu(self.layer(x)))


class Residual(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        h = self.one(x)
        return h + self.two(h)


NONE: dict[str, Any] = {
    "an activation that is not homogeneous": lambda: nn.Sequential(
        nn.Linear(4, 4), nn.GELU(), nn.Linear(4, 4)
    ),
    "a bound": lambda: nn.Sequential(nn.Linear(4, 4), nn.ReLU6(), nn.Linear(4, 4)),
    "a weight used twice": Shared,
    "another reader": Residual,
    "nothing after": lambda: nn.Sequential(nn.Linear(4, 4), nn.ReLU()),
}


@pytest.mark.parametrize("kind", NONE)
def test_there_is_no_joint_at(kind: str) -> None:
    assert joints(NONE[kind](), [2, 4]) == []


@pytest.mark.parametrize("factor", [0.0, -1.0, np.inf, np.nan])
def test_factors_must_be_positive(factor: float) -> None:
    (joint,) = joints(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), [1, 2])
    with pytest.raises(ArgumentError, match="positive and finite"):
        joint.scale(np.array([1.0, factor]))
