"""Products with integers that have scales, as files hold them, are one operator in inference."""

import numpy as np
import pytest

import twinoar as paddle
from tests.passes.programs import types
from tests.passes.test_inference import saved
from twinoar import nn
from twinoar.slim.quant import quantize_weights


def rows():
    return paddle.to_tensor(np.random.default_rng(3).standard_normal((3, 128), "float32"))


@pytest.mark.parametrize("group", [-1, 64, 128])
@pytest.mark.parametrize("bits", [8, 4])
def test_a_saved_product_is_one_operator_again(tmp_path, bits, group):
    paddle.seed(2)
    net = nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 6, bias_attr=False))
    quantize_weights(net, bits, group)
    loaded = saved(net, tmp_path, [None, 128])
    before = loaded(rows()).numpy()
    assert "weight_only_product" not in types(loaded.program())
    loaded.apply_passes("for_inference")
    wanted = ["weight_only_product", "add", "relu", "weight_only_product"]
    assert types(loaded.program()) == wanted
    np.testing.assert_allclose(loaded(rows()).numpy(), before, rtol=1e-5, atol=1e-5)


class Other(nn.Layer):
    """A product with integers, and something else than their scales."""

    def __init__(self, factors, dtype="int8"):
        super().__init__()
        self.register_buffer("weight", paddle.ones([6, 128], dtype))
        self.register_buffer("factors", paddle.ones(factors))

    def forward(self, x):
        return paddle.matmul(x, self.weight.astype("float32"), transpose_y=True) * self.factors


@pytest.mark.parametrize(("factors", "dtype"), [([1], "int8"), ([3, 6], "int8"), ([6], "int16")])
def test_other_products_with_integers_stay(tmp_path, factors, dtype):
    loaded = saved(Other(factors, dtype), tmp_path, [3, 128])
    loaded.apply_passes("fuse_weight_only")
    assert "weight_only_product" not in types(loaded.program())
