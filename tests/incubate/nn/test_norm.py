"""Normalization of sums, against formulas in NumPy."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import AxisError, ShapeError, UnsupportedError
from twinoar.incubate.nn import FusedBiasDropoutResidualLayerNorm
from twinoar.incubate.nn import functional as F

RANDOM = np.random.default_rng(5)
X, RESIDUAL = RANDOM.standard_normal((2, 2, 3, 4)).astype("float32")
BIAS, WEIGHT, SHIFT = RANDOM.standard_normal((3, 4)).astype("float32")


def t(x):
    return paddle.to_tensor(x)


def standardized(x, epsilon, axes=(-1,)):
    spread = x.var(axes, keepdims=True)
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(spread + epsilon)


@pytest.mark.parametrize("axis", [2, -1])
def test_layer_norm_is_of_the_sum_with_bias_and_residual(axis):
    found = F.fused_layer_norm(
        t(X), t(WEIGHT), t(SHIFT), 1e-3, 0.5, axis, bias=t(BIAS), residual=t(RESIDUAL)
    )
    summed = X + BIAS + 0.5 * RESIDUAL
    wanted = standardized(summed, 1e-3) * WEIGHT + SHIFT, summed, summed.mean(-1), summed.var(-1)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other.reshape(one.shape), rtol=1e-5, atol=1e-6)


def test_without_weight_and_bias_the_sum_is_returned():
    found = F.fused_layer_norm(t(X), None, None, 1e-5, bias=t(BIAS), residual=t(RESIDUAL))
    np.testing.assert_allclose(found[0], X + BIAS + RESIDUAL, rtol=1e-6)
    assert found[2:] == (None, None)


def test_a_bias_counts_without_a_residual():
    found, summed, *_ = F.fused_layer_norm(t(X), t(WEIGHT), t(SHIFT), 1e-3, 1.0, 2, t(BIAS))
    np.testing.assert_allclose(
        found, standardized(X + BIAS, 1e-3) * WEIGHT + SHIFT, rtol=1e-5, atol=1e-6
    )
    assert summed is None


@pytest.mark.parametrize("axis, size", [(1, 12), (2, 4), (-1, 4), (-2, 12)])
def test_rms_norm_is_over_the_dimensions_from_the_axis_on(axis, size):
    weight, shift = RANDOM.standard_normal((2, size)).astype("float32")
    out, summed = F.fused_rms_norm(t(X), t(weight), t(shift), 1e-3, axis, t(BIAS), t(RESIDUAL))
    rows = (X + BIAS + RESIDUAL).reshape(-1, size)
    wanted = rows / np.sqrt((rows**2).mean(-1, keepdims=True) + 1e-3) * weight + shift
    np.testing.assert_allclose(out, wanted.reshape(X.shape), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(summed, X + BIAS + RESIDUAL, rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_squares_of_half_precision_do_not_overflow(dtype):
    x = paddle.full([1, 4], 1000.0, dtype)
    out, _ = F.fused_rms_norm(x, paddle.ones([4], dtype), None, 1e-5)
    assert out.dtype == x.dtype and out.astype("float32").tolist() == [[1.0] * 4]
    assert F.fast_rms_norm(x, paddle.ones([4]))[0].dtype == x.dtype


@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (3, 1)])
def test_few_elements_are_normalized(shape):
    x, ones = paddle.ones(shape), paddle.ones(shape[-1:])
    assert F.fused_layer_norm(x, ones, ones, 1e-5)[0].shape == list(shape)
    assert F.fused_rms_norm(x, ones, None, 1e-5)[0].shape == list(shape)
    assert F.fast_ln(x, ones, ones)[1].shape == list(shape[:-1])


def test_int8_is_refused():
    with pytest.raises(UnsupportedError, match="a scale of"):
        F.fused_rms_norm(t(X), t(WEIGHT), None, 1e-5, 2, quant_scale=0.5)


def test_wrong_sizes_are_told():
    with pytest.raises(ShapeError, match="norm_weight must have 12 elements"):
        F.fused_rms_norm(t(X), t(WEIGHT), None, 1e-5, 1)
    with pytest.raises(ShapeError, match="residual must be as x"):
        F.fused_layer_norm(t(X), t(WEIGHT), None, 1e-5, 1.0, 2, residual=t(X[:1]))
    with pytest.raises(ShapeError, match="bias must have 4 elements"):
        F.fused_layer_norm(t(X), t(WEIGHT), None, 1e-5, 1.0, 2, bias=paddle.ones([1]))
    with pytest.raises(AxisError):
        F.fused_rms_norm(t(X), t(WEIGHT), None, 1e-5, 3)


def test_the_layer_normalizes_what_dropout_and_residual_make():
    layer = FusedBiasDropoutResidualLayerNorm(4, 0.5).eval()
    layer.linear_bias.set_value(BIAS)
    wanted = standardized(RESIDUAL + X + BIAS, 1e-5)
    np.testing.assert_allclose(layer(t(X), t(RESIDUAL)), wanted, rtol=1e-5, atol=1e-6)
    assert sorted(layer.state_dict()) == ["linear_bias", "ln_bias", "ln_scale"]
    bare = FusedBiasDropoutResidualLayerNorm(4, 0.5, bias_attr=False).eval()
    wanted = standardized(RESIDUAL + X, 1e-5)
    np.testing.assert_allclose(bare(t(X), t(RESIDUAL)), wanted, rtol=1e-5, atol=1e-6)
