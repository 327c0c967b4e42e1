"""Under auto_cast fused functions compute in the precision that Paddle's lists say."""

import pytest

import twinoar as paddle
from twinoar.incubate.nn import functional as F


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    "call",
    [
        lambda x: F.fused_matmul_bias(x, x, x[0], transpose_y=True),
        lambda x: F.fused_linear(x, x, x[0]),
        lambda x: F.fused_linear_activation(x, x, x[0], activation="gelu"),
        lambda x: F.fused_rotary_position_embedding(x.reshape([1, 4, 1, 4]))[0],
    ],
)
def test_products_and_rotations_are_low(call, dtype):
    with paddle.amp.auto_cast(dtype=dtype):
        assert call(paddle.ones([4, 4])).dtype.name == dtype


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    "call",
    [lambda x: F.fused_layer_norm(x, x[0], x[0], 1e-5)[0], lambda x: F.fused_dropout_add(x, x)],
)
def test_sums_and_norms_stay(call, dtype):
    with paddle.amp.auto_cast(dtype=dtype):
        assert call(paddle.ones([4, 4])).dtype == paddle.float32
