"""Layers of rounded values by Paddle's older names: what they compute, keep and refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import nn
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.nn.quant import quant_layers as layers


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


def rounded(x: np.ndarray, axes: Any = None, bits: int = 8) -> np.ndarray:
    """x on the grid of its largest magnitude."""
    limit = 2 ** (bits - 1) - 1
    scale = np.abs(x).max(axis=axes, keepdims=True)
    return np.round(x / scale * limit) * scale / limit


OTHER_AXES = {layers.QuantizedLinear: (0,), layers.QuantizedConv2D: (1, 2, 3),
              layers.QuantizedConv2DTranspose: (0, 2, 3)}  # fmt: skip
CASES = {
    "linear": (lambda: nn.Linear(6, 4), layers.QuantizedLinear, (3, 6)),
    "convolution": (
        lambda: nn.Conv2D(4, 6, 3, 2, 1, groups=2),
        layers.QuantizedConv2D,
        (2, 4, 7, 7),
    ),
    "reflecting": (
        lambda: nn.Conv2D(2, 3, 3, padding=1, padding_mode="reflect"),
        layers.QuantizedConv2D,
        (1, 2, 5, 5),
    ),
    "transposed": (
        lambda: nn.Conv2DTranspose(4, 3, 3, stride=2, output_padding=1),
        layers.QuantizedConv2DTranspose,
        (1, 4, 5, 5),
    ),
}


@pytest.mark.parametrize("kind", ["abs_max", "channel_wise_abs_max"])
@pytest.mark.parametrize("case", CASES)
def test_a_layer_computes_what_it_stands_for_of_rounded_values(case: str, kind: str) -> None:
    make, quantized, shape = CASES[case]
    layer, x = make(), numbers(*shape)
    given = {"weight_quantize_type": kind, "activation_quantize_type": "abs_max"}
    found = quantized(layer, **given)(twinoar.to_tensor(x))
    axes = None if kind == "abs_max" else OTHER_AXES[quantized]
    layer.weight.set_value(rounded(layer.weight.numpy(), axes))
    np.testing.assert_allclose(found, layer(twinoar.to_tensor(rounded(x))), atol=1e-5)


def test_a_product_rounds_both_sides() -> None:
    x, y = numbers(3, 4), numbers(5, 4, seed=1)
    product = layers.QuantizedMatmul()(twinoar.to_tensor(x), twinoar.to_tensor(y), transpose_y=True)
    np.testing.assert_allclose(product, rounded(x) @ rounded(y).T, atol=1e-5)


def test_scales_of_channels_are_kept_and_stand_still_in_evaluation() -> None:
    layer = layers.FakeQuantChannelWiseAbsMax(None, 4, quant_axis=1, quant_on_weight=True)
    first, second = numbers(3, 4), numbers(3, 4, seed=1)
    layer(twinoar.to_tensor(first))
    layer.eval()(twinoar.to_tensor(second))
    np.testing.assert_array_equal(layer._scale, np.abs(first).max(0))


def test_a_measured_layer_returns_what_it_did_and_keeps_the_average() -> None:
    layer = nn.ReLU()
    measured = layers.MAOutputScaleLayer(layer, moving_rate=0.5)
    x = twinoar.to_tensor([3.0, -7.0])
    assert measured(x).tolist() == [3.0, 0.0]
    measured(x / 3)
    # (3 * 0.5 + 1) / (1 * 0.5 + 1)
    assert measured._ma_output_scale._scale.item() == pytest.approx(2.5 / 1.5)


def test_a_layer_with_several_results_is_not_measured() -> None:
    class Two(nn.Layer):
        def forward(self, x: Any) -> Any:
            return x, x + 1

    measured = layers.MAOutputScaleLayer(Two())
    assert [y.item() for y in measured(twinoar.to_tensor(1.0))] == [1.0, 2.0]
    assert measured._ma_output_scale._scale.item() == 0.0


def test_results_are_rounded_by_their_average() -> None:
    layer = layers.FakeQuantMAOutputScaleLayer(nn.ReLU(), activation_bits=4, moving_rate=0.0)
    assert layer(twinoar.to_tensor([0.3, 7.0])).tolist() == [0.0, 7.0]


def test_gradients_pass_through_rounding() -> None:
    layer = layers.QuantizedLinear(nn.Linear(3, 2))
    layer(twinoar.to_tensor(numbers(4, 3))).sum().backward()
    np.testing.assert_allclose(layer.bias.grad, [4.0, 4.0])
    np.testing.assert_allclose(layer.weight.grad[:, 0], rounded(numbers(4, 3)).sum(0), rtol=1e-5)


def test_layers_of_ones_own_are_called_before_and_instead() -> None:
    class Half(nn.Layer):
        def forward(self, x: Any) -> Any:
            return x / 2

    linear = nn.Linear(3, 2, bias_attr=False)
    made = {"weight_quant_layer": nn.Identity, "act_quant_layer": nn.Identity}
    layer = layers.QuantizedLinear(linear, weight_pre_layer=Half, act_pre_layer=Half, **made)
    x = twinoar.to_tensor(numbers(4, 3))
    np.testing.assert_allclose(layer(x), linear(x) / 4, rtol=1e-5)


@pytest.mark.parametrize(
    ("make", "error", "told"),
    [
        (lambda: layers.FakeQuantAbsMax(quant_bits=1), ArgumentError, "bit"),
        (lambda: layers.FakeQuantChannelWiseAbsMax(channel_num=3), ArgumentError, "number of"),
        (lambda: layers.FakeQuantAbsMax(reduce_type="max"), UnsupportedError, "all processes"),
        (lambda: layers.QuantizedRowParallelLinear(None), UnsupportedError, "QuantizedLinear"),
        (lambda: layers.QuantizedColumnParallelLinear(None), UnsupportedError, "among devices"),
        (
            lambda: layers.QuantizedLinear(nn.Linear(2, 2), weight_quantize_type="log"),
            ArgumentError,
            "channel_wise_abs_max",
        ),
        (
            lambda: layers.QuantizedMatmul(activation_quantize_type="channel_wise_abs_max"),
            ArgumentError,
            "expected one of abs_max, moving_average_abs_max",
        ),
    ],
)
def test_what_is_no_way_to_round_is_refused(
    make: Callable[[], object], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        make()
