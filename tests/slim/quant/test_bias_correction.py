"""Means of channels are those of the network before rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.slim.quant.planted import outputs, relative_error, round_weights, tensor
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.slim.quant import correct_biases
from twinoar.slim.quant.bias_correction import channel_means


def networks(**given: Any) -> list[Any]:
    """The same network twice, with weights most of which are rounded in one direction."""
    random, found = np.random.default_rng(6), []
    for _ in range(2):
        found.append(
            nn.Sequential(
                nn.Conv2D(3, 8, 3, **given), nn.ReLU(), nn.Flatten(), nn.Linear(128, 8, **given),
                nn.ReLU(), nn.Linear(8, 4, **given),
            )
        )  # fmt: skip
    for layer in found[0]:
        if hasattr(layer, "weight"):
            step = 1 / 127
            weight = random.integers(-20, 20, layer.weight.shape) * step + 0.4 * step
            weight.flat[0] = 1.0
            layer.weight.set_value(weight.astype("float32"))
    found[1].set_state_dict(found[0].state_dict())
    return found


@pytest.mark.parametrize("given", [{}, {"bias_attr": False}])
def test_corrected_biases_make_rounding_to_8_bits_hurt_less(given: dict[str, Any]) -> None:
    reference, model = networks(**given)
    random = np.random.default_rng(1)
    batches = [tensor(random.uniform(0.5, 1, (16, 3, 6, 6))) for _ in range(3)]
    x = tensor(random.uniform(0.5, 1, (32, 3, 6, 6)))
    round_weights(model)
    wanted = outputs(reference, x)
    before = relative_error(outputs(model, x), wanted)
    assert correct_biases(model, reference, batches) == ["0", "3", "5"]
    assert relative_error(outputs(model, x), wanted) < before / 3
    for name in ("0", "3", "5"):
        means = [channel_means(m, batches, {name: m[int(name)]})[name] for m in (model, reference)]
        np.testing.assert_allclose(*means, rtol=1e-4, atol=1e-4)


def test_modes_and_hooks_are_as_before() -> None:
    reference, model = networks()
    correct_biases(model, reference, [paddle.ones([1, 3, 6, 6])])
    assert model.training and model[0].training and not model[0]._forward_post_hooks


def test_a_network_without_the_layer_is_refused() -> None:
    reference = networks()[0]
    with pytest.raises(ArgumentError, match="has no layer '5'"):
        correct_biases(networks()[0][:5], reference, [paddle.ones([1, 3, 6, 6])])


def test_batches_are_needed() -> None:
    reference, model = networks()
    with pytest.raises(ArgumentError, match="no layer was run"):
        correct_biases(model, reference, [])
