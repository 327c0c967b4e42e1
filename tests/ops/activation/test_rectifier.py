"""Activations at their kinks, where the slope is a matter of choice: Paddle's."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.values import INPLACE
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.activation import rectifier
from twinoar.ops.activation.rectifier import celu, prelu, relu, selu, softshrink, thresholded_relu


@pytest.mark.parametrize(
    ("name", "arguments", "x", "values", "slopes"),
    [
        ("relu", {}, [0.0, -1.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
        ("relu6", {}, [0.0, 6.0, 3.0], [0.0, 6.0, 3.0], [0.0, 0.0, 1.0]),
        ("leaky_relu", {}, [0.0, -1.0], [0.0, -0.01], [1.0, 0.01]),
        ("elu", {"alpha": 2.0}, [0.0, 1.0], [0.0, 1.0], [2.0, 1.0]),
        ("celu", {"alpha": 2.0}, [0.0, 1.0], [0.0, 1.0], [1.0, 1.0]),
        ("hardsigmoid", {}, [-3.0, 0.0, 3.1], [0.0, 0.5, 1.0], [0.0, 0.1666667, 0.0]),
        ("hardswish", {}, [-3.0, 0.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.5, 1.0]),
        ("hardtanh", {}, [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 1.0, 0.0]),
        ("hardshrink", {}, [-0.5, 0.25, 0.5], [-0.5, 0.0, 0.5], [1.0, 0.0, 1.0]),
        ("softshrink", {}, [-0.5, 0.5, 0.75], [0.0, 0.0, 0.25], [0.0, 0.0, 1.0]),
        ("thresholded_relu", {}, [1.0, 2.0], [0.0, 2.0], [0.0, 1.0]),
    ],
)
def test_value_and_slope_at_the_kinks(name, arguments, x, values, slopes):
    x = to_tensor(x, stop_gradient=False)
    out = getattr(rectifier, name)(x, **arguments)
    np.testing.assert_allclose(out.numpy(), values, atol=1e-6)
    np.testing.assert_allclose(grad(out.sum(), [x])[0].numpy(), slopes, rtol=1e-6)


def test_selu_has_its_left_slope_at_zero():
    x = to_tensor(0.0, stop_gradient=False)
    assert grad(selu(x), [x])[0].item() == pytest.approx(1.0507010 * 1.6732632)


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "elu", "hardtanh", "softshrink"])
def test_nan_stays(name):
    assert np.isnan(getattr(rectifier, name)(to_tensor(float("nan"))).item())


def test_the_slope_of_hardswish_stays_nan():
    x = to_tensor(float("nan"), stop_gradient=False)
    assert np.isnan(grad(rectifier.hardswish(x), [x])[0].item())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["elu", "selu", "celu", "hardswish"])
def test_large_arguments_neither_overflow_nor_warn(name):
    x = to_tensor([-1e30, 1e30], stop_gradient=False)
    out = getattr(rectifier, name)(x)
    assert np.isfinite(out.numpy()).all() and np.isfinite(grad(out.sum(), [x])[0].numpy()).all()


def test_prelu_has_a_weight_for_each_channel():
    x, weight = to_tensor([[[-1.0, -1.0], [1.0, -1.0]]]), to_tensor([0.25, 0.5])
    weight.stop_gradient = False
    assert prelu(x, weight).tolist() == [[[-0.25, -0.25], [1.0, -0.5]]]
    assert prelu(x, weight, "NLC").tolist() == [[[-0.25, -0.5], [1.0, -0.5]]]
    assert grad(prelu(x, weight).sum(), [weight])[0].tolist() == [-2.0, -1.0]


def test_prelu_refuses_a_weight_that_does_not_fit():
    with pytest.raises(ShapeError, match="expected one weight, or one for each channel"):
        prelu(to_tensor([[1.0, 2.0, 3.0]]), to_tensor([1.0, 2.0]))


def test_thresholded_relu_takes_a_value():
    assert thresholded_relu(to_tensor([1.0, 2.0]), 1.0, -3.0).tolist() == [-3.0, 2.0]


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda x: selu(x, scale=1.0), "expected scale > 1"),
        (lambda x: selu(x, alpha=-1.0), "alpha >= 0"),
        (lambda x: celu(x, 0.0), "alpha must not be 0"),
        (lambda x: softshrink(x, -1.0), "threshold must not be negative"),
    ],
)
def test_senseless_attributes_are_refused(call, match):
    with pytest.raises(ArgumentError, match=match):
        call(to_tensor([1.0]))


@pytest.mark.parametrize("name", ["relu_", "elu_", "leaky_relu_", "hardtanh_", "thresholded_relu_"])
def test_in_place_forms(name):
    x = to_tensor([-2.0, 3.0])
    expected = getattr(rectifier, name[:-1])(x).tolist()
    assert INPLACE[name](x) is x and x.tolist() == expected


def test_gradient_of_relu_keeps_its_result_only():
    assert relu.grad_rule.needs_out and not any(relu.grad_rule.needs_operand)
