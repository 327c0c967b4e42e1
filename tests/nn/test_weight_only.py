"""Weights of 8 and 4 bits: what is kept, what comes back, and products with them."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.nn.quant import (
    llm_int8_linear,
    weight_dequantize,
    weight_only_linear,
    weight_quantize,
)

ALGOS = {"weight_only_int8": 127, "weight_only_int4": 7}


def matrix(rows=128, columns=6, dtype="float32", seed=0):
    numbers = np.random.default_rng(seed).normal(size=(rows, columns))
    return paddle.to_tensor(numbers.astype(np.float32)).astype(dtype)


def expected(x, limit, group):
    """Integers [K,N] and scales [groups,N] by the definition."""
    wide = x.astype("float32").numpy()
    parts = wide.reshape(-1, group if group > 0 else len(wide), wide.shape[1])
    scale = np.abs(parts).max(1, keepdims=True) * np.float32(1 / limit)
    scale = paddle.to_tensor(scale).astype(x.dtype).astype("float32").numpy()
    numbers = np.clip(np.round(parts / scale), -limit, limit).reshape(wide.shape)
    return numbers, scale[:, 0]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("group", [-1, 64, 128])
@pytest.mark.parametrize("algo", ALGOS)
def test_a_matrix_comes_back_within_half_a_step(algo, group, dtype):
    x = matrix(dtype=dtype)
    q, scale = weight_quantize(x, algo, group_size=group)
    assert (q.dtype, scale.dtype) == (paddle.int8, x.dtype)
    assert q.shape == [6 if algo.endswith("8") else 3, 128]
    assert scale.shape == ([6] if group < 0 else [128 // group, 6])
    numbers, scales = expected(x, ALGOS[algo], group)
    found = weight_dequantize(q, scale, algo, "float32", group).numpy()
    rows = np.repeat(scales, 128 // len(scales), 0)
    np.testing.assert_allclose(found, numbers * rows, rtol=1e-6)
    wide = x.astype("float32").numpy()
    limit = 0.5 * rows * 1.01 + (np.abs(wide) - ALGOS[algo] * rows).clip(
        0
    )  # where scales round down
    assert (np.abs(found - wide) <= limit).all()


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("group", [-1, 64])
@pytest.mark.parametrize("algo", ALGOS)
def test_a_product_is_that_with_the_matrix(algo, group, dtype):
    weight, x = matrix(), matrix(5, 128, dtype, 1).reshape([1, 5, 128])
    q, scale = weight_quantize(weight, algo, group_size=group)
    bias = matrix(1, 6, dtype, 2)[0]
    width = algo.removeprefix("weight_only_")
    found = weight_only_linear(x, q, bias, scale, width, None, group)
    whole = weight_dequantize(q, scale, algo, "float32", group)
    wanted = x.astype("float32") @ whole + bias.astype("float32")
    assert (found.dtype, found.shape) == (x.dtype, [1, 5, 6])
    tolerance = 1e-5 if dtype == "float32" else 2e-2
    error = (found.astype("float32") - wanted).abs().max().item()
    assert error <= tolerance * wanted.abs().max().item()


def test_it_converts_saves_and_has_gradients_of_x(tmp_path):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            q, scale = weight_quantize(matrix(), "weight_only_int4")
            self.register_buffer("weight", q)
            self.register_buffer("scale", scale)

        def forward(self, x):
            return weight_only_linear(x, self.weight, None, self.scale, "int4")

    net, x = Net(), matrix(3, 128, seed=1)
    x.stop_gradient = False
    wanted = net(x)
    wanted.sum().backward()
    whole = weight_dequantize(net.weight, net.scale, "weight_only_int4", "float32")
    np.testing.assert_allclose(x.grad.numpy(), np.tile(whole.sum(1).numpy(), (3, 1)), rtol=1e-4)
    np.testing.assert_allclose(paddle.jit.to_static(net)(x).numpy(), wanted.numpy(), rtol=1e-5)
    path = str(tmp_path / "model")
    spec = paddle.static.InputSpec([None, 128], "float32", "x")
    paddle.jit.save(net, path, input_spec=[spec])
    np.testing.assert_allclose(paddle.jit.load(path)(x).numpy(), wanted.numpy(), rtol=1e-5)


@pytest.mark.parametrize("threshold", [6.0, 0.0, 1e9])
def test_large_columns_are_multiplied_as_floats(threshold):
    weight, x = matrix(), matrix(4, 128, seed=1)
    x[1, 3] = 50.0
    q, scale = weight_quantize(weight, "llm.int8")
    assert scale.dtype == paddle.float32
    found = llm_int8_linear(x, q, None, scale, threshold)
    exact = x @ weight_dequantize(q, scale, "llm.int8", "float32")
    error = (found - exact).abs().max().item()
    bound = {6.0: 0.5, 0.0: 1e-4, 1e9: 5.0}[threshold]  # a large element makes all steps large
    assert error < bound
    assert threshold == 0.0 or error > 1e-3


def test_columns_of_zeros_stay_zeros():
    x = paddle.zeros([4, 2])
    for algo in ALGOS:
        q, scale = weight_quantize(x, algo)
        assert weight_dequantize(q, scale, algo, "float32").tolist() == x.tolist()
    q, scale = weight_quantize(x, "llm.int8")
    assert llm_int8_linear(paddle.zeros([1, 4]), q, None, scale).tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: weight_quantize(x, "int3"), ArgumentError, "algo must be one of"),
        (lambda x: weight_quantize(x, group_size=32), ArgumentError, "-1, 64 or 128"),
        (lambda x: weight_quantize(x[:100], group_size=64), ShapeError, "do not divide 100"),
        (lambda x: weight_quantize(x[0]), ShapeError, r"x must be \[K,N\]"),
        (lambda x: weight_quantize(x[:, :3], "weight_only_int4"), ShapeError, "N must be even"),
        (lambda x: weight_quantize(x.astype("float64")), DTypeError, "must be one of float16"),
        (lambda x: weight_quantize(x * float("nan")), ValueError, "must be finite"),
        (lambda x: weight_only_linear(x.T, x), ArgumentError, "weight_scale is missing"),
        (lambda x: llm_int8_linear(x.T, x), ArgumentError, "weight_scale is missing"),
        (lambda x: weight_only_linear(x.T, x, None, x[0]), DTypeError, r"integers \[N,K\]"),
        (lambda x: weight_only_linear(x.T, x, None, x[0], "int2"), ArgumentError, "'int4'"),
        (lambda x: weight_dequantize(*weight_quantize(x), group_size=64), ShapeError, "scales of"),
        (lambda x: weight_dequantize(*weight_quantize(x), out_dtype="int8"), DTypeError, "int8"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(matrix())
