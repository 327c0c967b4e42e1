"""Weights of 4 bits in blocks: the nearest codes, what they stand for, layers that keep them."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import jit, nn, static
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.slim.lc.layers import FP4Linear, NF4Linear
from twinoar.slim.lc.quantizers import FP4Quantizer, NF4Quantizer
from twinoar.slim.lc.quantizers.codes import FP4, NF4

KINDS = {NF4Quantizer: NF4, FP4Quantizer: FP4}


def weights(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


@pytest.mark.parametrize("kind", KINDS)
def test_each_weight_becomes_the_nearest_of_16(kind: Any) -> None:
    values, quantizer = weights(8, 16), kind(block_size=32)
    codes = quantizer.quantize(paddle.to_tensor(values))
    assert codes.shape == [64, 1] and codes.dtype == paddle.uint8
    blocks = values.reshape(-1, 32)
    largest = np.abs(blocks).max(1, keepdims=True)
    distances = np.abs(blocks[..., None] / largest[..., None] - KINDS[kind])
    wanted = KINDS[kind][distances.argmin(-1)] * largest
    np.testing.assert_allclose(quantizer.dequantize(codes), wanted.ravel(), rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_what_codes_stand_for_has_these_codes_again(kind: Any) -> None:
    quantizer = kind(16)
    codes = quantizer.quantize(paddle.to_tensor(weights(64)))
    again = kind(16).quantize(quantizer.dequantize(codes))
    np.testing.assert_array_equal(again, codes)


def test_normal_weights_lose_less_in_nf4() -> None:
    values = weights(256, 256)
    lost = []
    for kind in KINDS:
        quantizer = kind()
        found = quantizer.dequantize(quantizer.quantize(paddle.to_tensor(values))).numpy()
        lost.append(float(np.square(found - values.ravel()).mean()))
    assert lost[0] < lost[1] < 0.02


@pytest.mark.parametrize("count", [1, 5, 33])
def test_counts_that_blocks_and_bytes_do_not_divide_are_filled(count: int) -> None:
    quantizer = NF4Quantizer(block_size=4)
    values = weights(count)
    found = quantizer.dequantize(quantizer.quantize(paddle.to_tensor(values)))
    assert found.shape == [count + count % 2]
    np.testing.assert_allclose(found[:count], values, atol=0.3 * np.abs(values).max())


def test_scales_in_8_bits_lose_little() -> None:
    values = paddle.to_tensor(weights(64, 64))
    plain, double = NF4Quantizer(), NF4Quantizer(double_quant=True)
    found = [q.dequantize(q.quantize(values)).numpy() for q in (plain, double)]
    assert [x.dtype for x in double.state] == [paddle.uint8, paddle.float32, paddle.float32]
    assert 0 < np.abs(found[0] - found[1]).max() < 0.1


def test_a_block_of_zeros_stays() -> None:
    quantizer = FP4Quantizer(4)
    assert quantizer.dequantize(quantizer.quantize(paddle.zeros([8]))).tolist() == [0.0] * 8


@pytest.mark.parametrize("kind", [NF4Linear, FP4Linear])
@pytest.mark.parametrize("double", [False, True])
def test_layers_compute_nearly_the_same_from_an_eighth_of_the_bytes(
    kind: Any, double: bool, tmp_path
) -> None:
    paddle.seed(1)
    linear = nn.Linear(128, 64)
    x = paddle.randn([4, 128])
    wanted = linear(x)
    layer = kind(copy.deepcopy(linear), use_double_quant=double)
    layer.quantize()
    error = float((layer(x) - wanted).abs().max() / wanted.abs().max())
    assert error < 0.2
    assert layer.quant_weight.size * 8 == 128 * 64 * 4 and layer.linear.weight is None
    spec = [static.InputSpec([None, 128], "float32")]
    jit.save(layer, str(tmp_path / "layer"), input_spec=spec)
    with paddle.no_grad():
        np.testing.assert_allclose(jit.load(str(tmp_path / "layer"))(x), layer(x), atol=1e-5)


def test_the_bias_and_inputs_have_gradients() -> None:
    layer = NF4Linear(nn.Linear(8, 4))
    layer.quantize()
    x = paddle.ones([2, 8])
    x.stop_gradient = False
    layer(x).sum().backward()
    assert layer.linear.bias.grad.tolist() == [2.0] * 4 and x.grad.shape == [2, 8]


def test_layers_without_a_bias_and_inputs_of_half_precision_are_served() -> None:
    layer = NF4Linear(nn.Linear(8, 4, bias_attr=False))
    layer.quantize()
    assert layer(paddle.ones([2, 3, 8], "float16")).dtype == paddle.float16
    assert layer(paddle.ones([0, 8])).shape == [0, 4]


def test_copies_and_states_keep_the_codes() -> None:
    layer = NF4Linear(nn.Linear(8, 4))
    layer.quantize()
    other = NF4Linear(nn.Linear(8, 4))
    other.quantize()
    other.set_state_dict(layer.state_dict())
    x = paddle.ones([1, 8])
    for found in (copy.deepcopy(layer), other):
        np.testing.assert_array_equal(found(x), layer(x))


@pytest.mark.parametrize(
    ("error", "message", "make"),
    [
        (ArgumentError, "block_size", lambda: NF4Quantizer(0)),
        (ArgumentError, "no scales", lambda: NF4Quantizer().dequantize(paddle.ones([1], "uint8"))),
        (ArgumentError, "finite", lambda: NF4Quantizer().quantize(paddle.to_tensor([np.nan]))),
        (DTypeError, "floating", lambda: NF4Quantizer().quantize(paddle.to_tensor([1]))),
        (TypeMismatchError, "a Linear", lambda: NF4Linear(nn.ReLU())),
        (ShapeError, "3 columns are odd", lambda: NF4Linear(nn.Linear(2, 3))),
        (ArgumentError, "not quantized yet", lambda: NF4Linear(nn.Linear(2, 2))(paddle.ones([2]))),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(error: type[Exception], message: str, make: Any) -> None:
    with pytest.raises(error, match=message):
        make()


def test_a_weight_is_quantized_once() -> None:
    layer = NF4Linear(nn.Linear(2, 2))
    layer.quantize()
    with pytest.raises(ArgumentError, match="quantized already"):
        layer.quantize()
