"""Smooth activations at extreme arguments, and the public forms of them."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
import twinoar.nn.functional as F
from twinoar.autograd.api import grad
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.ops.activation.smooth import (
    gelu,
    log_sigmoid,
    mish,
    sigmoid,
    silu,
    softplus,
    softsign,
    swish,
)

LARGE = [-1e20, -1000.0, -100.0, 100.0, 1000.0, 1e20]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("function", "expected", "slope"),
    [
        (sigmoid, [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 0]),
        (log_sigmoid, [-1e20, -1000, -100, 0, 0, 0], [1, 1, 1, 0, 0, 0]),
        (silu, [0, 0, 0, 100, 1000, 1e20], [0, 0, 0, 1, 1, 1]),
        (swish, [0, 0, 0, 100, 1000, 1e20], [0, 0, 0, 1, 1, 1]),
        (mish, [0, 0, 0, 100, 1000, 1e20], [0, 0, 0, 1, 1, 1]),
        (softplus, [0, 0, 0, 100, 1000, 1e20], [0, 0, 0, 1, 1, 1]),
        (softsign, [-1, -0.999001, -0.990099, 0.990099, 0.999001, 1], None),
        (gelu, [0, 0, 0, 100, 1000, 1e20], None),
        (lambda x: gelu(x, True), [0, 0, 0, 100, 1000, 1e20], [0, 0, 0, 1, 1, 1]),
    ],
)
def test_values_and_slopes_at_large_arguments(function, expected, slope):
    x = to_tensor(LARGE, stop_gradient=False)
    out = function(x)
    np.testing.assert_allclose(out.numpy(), np.array(expected, np.float32), rtol=1e-6, atol=1e-30)
    if slope is not None:
        np.testing.assert_allclose(grad(out.sum(), [x])[0].numpy(), slope, atol=1e-30)


@pytest.mark.parametrize("x", [-100.0, -1000.0, 100.0, 1000.0])
def test_gelu_s_slope_is_0_or_1_at_large_arguments(x):
    x = to_tensor(x, stop_gradient=False)
    assert grad(gelu(x), [x])[0].item() == float(x.item() > 0)


@pytest.mark.parametrize("approximate", [True, "tanh"])
def test_gelu_s_tanh_form_differs_from_the_exact_one(approximate):
    x = to_tensor(1.0)
    assert gelu(x, approximate).item() == pytest.approx(0.841192, abs=1e-6)
    assert gelu(x).item() == gelu(x, "none").item() == pytest.approx(0.8413447, abs=1e-6)


def test_gelu_refuses_another_approximation():
    with pytest.raises(ArgumentError, match="approximate must be a bool, 'none' or 'tanh'"):
        gelu(to_tensor([1.0]), "sigmoid")


def test_log_sigmoid_keeps_tiny_values():
    assert log_sigmoid(to_tensor(50.0)).item() == pytest.approx(-np.exp(-50.0), rel=1e-6)


def test_softplus_is_the_identity_beyond_its_threshold():
    x = to_tensor([4.9, 5.1])
    found = softplus(x, beta=2.0, threshold=10.0).numpy()
    np.testing.assert_allclose(found, [4.9 + np.log1p(np.exp(-9.8)) / 2, 5.1], rtol=1e-7)


def test_sigmoid_in_float16_reaches_its_smallest_numbers():
    expected = np.float16(1 / (1 + np.exp(15.0)))
    assert sigmoid(to_tensor(-15.0, dtype="float16")).item() == expected > 0


def test_silu_in_place():
    x = to_tensor([0.0, 100.0])
    assert silu(x, inplace=True) is x and x.tolist() == [0.0, 100.0]


def test_sigmoid_in_place():
    x = to_tensor([0.0])
    assert x.sigmoid_() is x and x.item() == 0.5


@pytest.mark.parametrize("function", [sigmoid, gelu, silu, softplus, mish])
def test_functions_of_integers_come_as_float32(function):
    assert function(to_tensor([1, -2])).dtype == "float32"


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_softplus_and_log_sigmoid_of_complex_numbers(dtype) -> None:
    data = np.array([0.3 + 1j, -2.0 - 0.5j, 3.0 + 2j], dtype)
    x = paddle.to_tensor(data, stop_gradient=False)
    functions = {
        lambda x: F.softplus(x): (np.log1p(np.exp(data)), 1 / (1 + np.exp(-data))),
        lambda x: F.softplus(x, 2.0, 5.0): (
            np.where(2 * data.real > 5, data, np.log1p(np.exp(2 * data)) / 2),
            np.where(2 * data.real > 5, 1, 1 / (1 + np.exp(-2 * data))),
        ),
        F.log_sigmoid: (-np.log1p(np.exp(-data)), 1 / (1 + np.exp(data))),
    }
    for function, (expected, slope) in functions.items():
        for run in (function, paddle.jit.to_static(function)):
            out = run(x)
            np.testing.assert_allclose(out.numpy(), expected, rtol=1e-5)
            (g,) = paddle.grad(paddle.real(out).sum(), x)
            np.testing.assert_allclose(g.numpy(), np.conj(slope), rtol=1e-5)
