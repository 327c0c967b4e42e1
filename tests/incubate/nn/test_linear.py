"""Products with bias and activation, and dropout with a sum."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.incubate.nn import FusedDropout, FusedDropoutAdd, FusedLinear
from twinoar.incubate.nn import functional as F

RANDOM = np.random.default_rng(6)


def normal(*shape):
    return paddle.to_tensor(RANDOM.standard_normal(shape).astype("float32"))


@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
def test_a_product_has_its_bias(transposed):
    x, y, bias = normal(3, 4), normal(4, 5), normal(5)
    given = [a.T if swap else a for a, swap in zip((x, y), transposed, strict=True)]
    found = F.fused_matmul_bias(*given, bias, *transposed)
    np.testing.assert_allclose(found, x @ y + bias, rtol=1e-6)


@pytest.mark.parametrize(
    "name, wanted",
    [
        ("relu", paddle.nn.functional.relu),
        ("gelu", lambda x: paddle.nn.functional.gelu(x, approximate=True)),
        (None, paddle.clone),
    ],
)
def test_a_product_is_activated(name, wanted):
    x, y, bias = normal(3, 4), normal(4, 5), normal(5)
    found = F.fused_linear_activation(x, y, bias, activation=name)
    np.testing.assert_allclose(found, wanted(x @ y + bias), rtol=1e-6)


@pytest.mark.parametrize("name", ["gelu", "relu", "silu"])
def test_the_activation_is_of_the_sum_then_shifted_and_scaled(name):
    x, bias, shift, smooth = normal(2, 3, 4), normal(4), normal(4), normal(4)
    found = F.fused_bias_act(x, bias, None, shift, smooth, act_method=name)
    activation = getattr(paddle.nn.functional, name)
    np.testing.assert_allclose(found, (activation(x + bias) + shift) * smooth, rtol=1e-5)


@pytest.mark.parametrize("name, plain", [("geglu", "gelu"), ("swiglu", "silu")])
def test_a_gate_halves_the_last_dimension(name, plain):
    x = normal(3, 6)
    wanted = getattr(paddle.nn.functional, plain)(x[:, :3]) * x[:, 3:]
    np.testing.assert_allclose(F.fused_bias_act(x, act_method=name), wanted, rtol=1e-6)


def test_what_is_not_served_is_refused():
    x = normal(2, 3)
    with pytest.raises(ArgumentError, match="must be one of"):
        F.fused_bias_act(x, act_method="tanhh")
    with pytest.raises(ArgumentError, match="'relu', 'gelu' or None"):
        F.fused_linear_activation(x, normal(3, 2), normal(2), activation="tanh")
    with pytest.raises(UnsupportedError, match="dequant_scales"):
        F.fused_bias_act(x, dequant_scales=normal(3))
    with pytest.raises(ShapeError, match="must be even"):
        F.fused_bias_act(x, act_method="swiglu")
    with pytest.raises(ShapeError, match=r"bias must be \[N\]"):
        F.fused_matmul_bias(x, normal(3, 2), normal(2, 2))


@pytest.mark.parametrize("transposed", [False, True])
def test_a_linear_layer_is_that_of_nn(transposed):
    x, layer = normal(2, 3), FusedLinear(3, 4, transpose_weight=transposed)
    same = paddle.nn.Linear(3, 4)
    same.weight.set_value(layer.weight.T if transposed else layer.weight)
    np.testing.assert_allclose(layer(x), same(x), rtol=1e-6)
    assert FusedLinear(3, 4, bias_attr=False).bias is None


@pytest.mark.parametrize("mode", ["upscale_in_train", "downscale_in_infer"])
@pytest.mark.parametrize("training", [False, True])
def test_dropout_is_added_as_that_of_nn(mode, training):
    x, y = normal(40), normal(40)
    paddle.seed(3)
    wanted = y + paddle.nn.functional.dropout(x, 0.4, training=training, mode=mode)
    paddle.seed(3)
    layer = FusedDropoutAdd(0.4, mode)
    layer.training = training
    np.testing.assert_allclose(layer(x, y), wanted, rtol=1e-6)


def test_dropout_is_that_of_nn():
    paddle.seed(4)
    wanted = paddle.nn.Dropout(0.5, axis=0)(paddle.ones([3, 4]))
    paddle.seed(4)
    assert FusedDropout(0.5, axis=0)(paddle.ones([3, 4])).tolist() == wanted.tolist()
    with pytest.raises(ArgumentError):
        FusedDropout(1.5)
