"""Equalization and folding change no output in floats, and make rounding hurt less."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.slim.quant.planted import outputs, relative_error, round_weights
from twinoar import nn
from twinoar.slim.quant import equalize, fold_batch_norms, joints


def unequal() -> Any:
    """Convolutions whose channels differ in size a thousand times."""
    model = nn.Sequential(
        nn.Conv2D(3, 16, 3), nn.ReLU(), nn.Conv2D(16, 16, 3, groups=16), nn.ReLU(),
        nn.Conv2D(16, 8, 1), nn.ReLU(), nn.AdaptiveAvgPool2D(1), nn.Flatten(), nn.Linear(8, 4),
    )  # fmt: skip
    random = np.random.default_rng(5)
    for joint in joints(model, [1, 3, 12, 12]):
        joint.scale(10 ** random.uniform(-1.5, 1.5, len(joint.makers[0].channels())))
    return model


def test_equalization_keeps_outputs_and_makes_rounding_to_8_bits_hurt_less() -> None:
    paddle.seed(3)
    x, plain, equal = paddle.randn([8, 3, 12, 12]), unequal(), unequal()
    equal.set_state_dict(plain.state_dict())
    wanted = outputs(plain, x)
    assert equalize(equal, [1, 3, 12, 12]) == 3
    np.testing.assert_allclose(outputs(equal, x), wanted, atol=1e-5 * np.abs(wanted).max())
    for model in (plain, equal):
        round_weights(model)
    errors = [relative_error(outputs(model, x), wanted) for model in (plain, equal)]
    assert errors[1] < errors[0] / 5


def test_sizes_of_channels_are_alike_afterwards() -> None:
    model = unequal()
    equalize(model, [1, 3, 12, 12], rounds=100, tolerance=1e-6)
    for joint in joints(model, [1, 3, 12, 12]):
        sizes = [np.abs(s.channels()).max(1) for s in (joint.makers[0], joint.readers[0])]
        np.testing.assert_allclose(*sizes, rtol=1e-4)


def test_a_channel_that_is_always_0_stays() -> None:
    model = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 2))
    with paddle.no_grad():
        model[0].weight[:, 0] = 0.0
    before = model[2].weight.numpy()[0].copy()
    equalize(model, [1, 3])
    np.testing.assert_array_equal(model[2].weight.numpy()[0], before)


@pytest.mark.parametrize("bias", [None, False])
@pytest.mark.parametrize("affine", [None, False])
def test_a_folded_batch_norm_computes_the_same(bias: bool | None, affine: bool | None) -> None:
    random = np.random.default_rng(8)
    model = nn.Sequential(
        nn.Conv2D(3, 4, 3, bias_attr=bias),
        nn.BatchNorm2D(4, weight_attr=affine, bias_attr=affine),
        nn.ReLU(),
    )
    model[1]._mean.set_value(random.normal(size=4).astype("float32"))
    model[1]._variance.set_value(random.uniform(0.1, 9, 4).astype("float32"))
    x = paddle.randn([2, 3, 8, 8])
    before = outputs(model, x)
    assert fold_batch_norms(model, [1, 3, 8, 8]) == 1
    assert isinstance(model[1], nn.Identity)
    np.testing.assert_allclose(outputs(model, x), before, atol=1e-5)


class BothRead(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2D(3, 3, 1), nn.BatchNorm2D(3)

    def forward(self, x: Any) -> Any:
        h = self.conv(x)
        return h + self.norm(h)


def test_a_batch_norm_stays_where_something_else_reads_the_convolution() -> None:
    assert fold_batch_norms(BothRead(), [1, 3, 4, 4]) == 0
