"""Normalization: wrappers and statistics; the rest is in test_ops."""

import math

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops.norm.group_norm import group_norm
from twinoar.ops.norm.instance_norm import instance_norm
from twinoar.ops.norm.layer_norm import layer_norm
from twinoar.ops.norm.normalize import normalize

random = np.random.default_rng(0)


def normal(*shape):
    return random.standard_normal(shape).astype("float32")


def standardized(x, axis, epsilon=1e-5):
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + epsilon)


def test_layer_norm_standardizes_the_last_dimensions():
    x, weight, bias = normal(2, 3, 4), normal(12), normal(12)
    found = layer_norm(to_tensor(x), [3, 4], to_tensor(weight), to_tensor(bias)).numpy()
    expected = standardized(x, (1, 2)) * weight.reshape(3, 4) + bias.reshape(3, 4)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_layer_norm_takes_one_size():
    x = to_tensor(normal(2, 3, 4))
    np.testing.assert_array_equal(layer_norm(x, 4).numpy(), layer_norm(x, [4]).numpy())


def test_layer_norm_of_large_equal_numbers_is_zero():
    x = to_tensor(np.full((2, 1000), 3e4, "float32"))
    np.testing.assert_array_equal(layer_norm(x, 1000).numpy(), 0)


def test_layer_norm_of_another_shape_is_refused():
    with pytest.raises(ShapeError, match=r"last dimensions of x must be \[3, 2\]"):
        layer_norm(to_tensor(normal(2, 3, 4)), [3, 2])


def test_layer_norm_takes_an_unknown_batch():
    program = trace(lambda x: layer_norm(x, 8), Spec.parse("f32[N,T,8]"))
    assert str(program.main.outputs[0].spec) == "f32[N,T,8]"


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_group_norm_standardizes_each_group_of_channels(data_format):
    x, weight, bias = normal(2, 4, 3, 5), normal(4), normal(4)
    given = x if data_format == "NCHW" else np.ascontiguousarray(x.transpose(0, 2, 3, 1))
    tensors = [to_tensor(a) for a in (given, weight, bias)]
    found = group_norm(tensors[0], 2, 1e-5, *tensors[1:], data_format).numpy()
    found = found if data_format == "NCHW" else found.transpose(0, 3, 1, 2)
    expected = standardized(x.reshape(2, 2, 30), 2).reshape(x.shape)
    expected = expected * weight[:, None, None] + bias[:, None, None]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_groups_must_divide_the_channels():
    with pytest.raises(ShapeError, match="4 channels of x are not a multiple of 3 groups"):
        group_norm(to_tensor(normal(2, 4, 3)), 3)


def test_instance_norm_is_group_norm_with_a_group_for_each_channel():
    x, weight = to_tensor(normal(2, 4, 3, 5)), to_tensor(normal(4))
    one = instance_norm(x, weight=weight).numpy()
    np.testing.assert_allclose(one, group_norm(x, 4, weight=weight).numpy(), rtol=1e-5, atol=1e-6)


def test_instance_norm_needs_channels_first():
    with pytest.raises(ArgumentError, match="data_format must be"):
        instance_norm(to_tensor(normal(2, 4, 3, 5)), data_format="NHWC")


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_normalize_divides_by_the_norm(p, axis):
    x = normal(3, 4)
    expected = x / np.linalg.norm(x, p, axis, keepdims=True) if p != 1.5 else None
    if p == 1.5:
        expected = x / (np.abs(x) ** p).sum(axis, keepdims=True) ** (1 / p)
    np.testing.assert_allclose(normalize(to_tensor(x), p, axis).numpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_normalize_of_zeros_is_zero_with_a_finite_gradient(p):
    x = to_tensor(np.zeros((2, 3), "float32"), stop_gradient=False)
    out = normalize(x, p, epsilon=1e-3)
    (g,) = grad(out.sum(), x)
    np.testing.assert_array_equal(out.numpy(), 0)
    np.testing.assert_allclose(g.numpy(), 1e3, rtol=1e-5)


def test_normalize_refuses_an_axis_that_x_lacks():
    with pytest.raises(AxisError):
        normalize(to_tensor(normal(3)))
