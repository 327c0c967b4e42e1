"""Weights that are computed from other parameters before each call: by length, by spectrum."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.nn.utils import remove_weight_norm, spectral_norm, weight_norm

WEIGHT = np.arange(1, 7, dtype="float32").reshape(3, 2)


def linear() -> Any:
    layer = paddle.nn.Linear(3, 2)
    layer.weight.set_value(WEIGHT)
    return layer


@pytest.mark.parametrize(("dim", "axes"), [(0, (1,)), (1, (0,)), (None, (0, 1)), (-1, (0, 1))])
def test_weight_norm_divides_a_weight_into_direction_and_lengths(dim: Any, axes: Any) -> None:
    layer = weight_norm(linear(), dim=dim)
    lengths = np.sqrt((WEIGHT**2).sum(axes))
    np.testing.assert_allclose(layer.weight_g.numpy(), lengths, rtol=1e-6)
    layer.weight_g.set_value(2 * lengths)
    x = np.ones((1, 3), "float32")
    np.testing.assert_allclose(layer(paddle.to_tensor(x)).numpy(), x @ WEIGHT * 2, rtol=1e-6)
    layer(paddle.to_tensor(x)).sum().backward()
    direction = layer.weight_v.grad.numpy() * WEIGHT
    np.testing.assert_allclose(direction.sum(axes), 0.0, atol=1e-5)  # longer changes nothing


def test_remove_weight_norm_leaves_one_parameter_of_the_same_value() -> None:
    layer = weight_norm(linear())
    layer.weight_g.set_value(layer.weight_g * 3)
    remove_weight_norm(layer)
    assert [name for name, _ in layer.named_parameters()] == ["bias", "weight"]
    np.testing.assert_allclose(layer.weight.numpy(), 3 * WEIGHT, rtol=1e-6)
    assert not layer._forward_pre_hooks


def test_spectral_norm_divides_by_the_greatest_singular_value() -> None:
    layer = spectral_norm(linear(), n_power_iterations=20)
    x = paddle.ones([1, 3])
    norm = np.linalg.svd(WEIGHT, compute_uv=False)[0]
    np.testing.assert_allclose(layer(x).numpy(), WEIGHT.sum(0)[None] / norm, rtol=1e-5)
    u = layer.weight_u.numpy().copy()
    layer.eval()
    layer.weight_orig.set_value(WEIGHT[:, ::-1].copy())
    layer(x)
    np.testing.assert_array_equal(layer.weight_u.numpy(), u)


def test_one_step_of_the_power_method_is_that_of_the_paper() -> None:
    layer = spectral_norm(paddle.nn.Conv2D(2, 4, 3))
    matrix, u = layer.weight_orig.numpy().reshape(4, -1), layer.weight_u.numpy().copy()
    layer(paddle.ones([1, 2, 3, 3]))
    v = matrix.T @ u / np.linalg.norm(matrix.T @ u)
    u = matrix @ v / np.linalg.norm(matrix @ v)
    np.testing.assert_allclose(layer.weight_v.numpy(), v, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(layer.weight_u.numpy(), u, rtol=1e-4, atol=1e-6)
    expected = layer.weight_orig.numpy() / (u @ matrix @ v)
    np.testing.assert_allclose(layer.weight.numpy(), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("change", [weight_norm, spectral_norm])
def test_compiled_training_is_eager_training(change: Callable) -> None:
    paddle.seed(3)
    layer = change(linear())
    other = copy.deepcopy(layer)

    def trained(layer: Any, forward: Any) -> list[np.ndarray]:
        optimizer = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
        for _ in range(3):
            (forward(paddle.ones([2, 3])) ** 2).mean().backward()
            optimizer.step()
            optimizer.clear_grad()
        return [x.numpy() for x in layer.state_dict().values()]

    compiled = paddle.jit.to_static(other)
    for found, wanted in zip(trained(other, compiled), trained(layer, layer), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_the_layer_divides_what_it_is_given() -> None:
    layer = paddle.nn.SpectralNorm(WEIGHT.shape, dim=1, power_iters=20)
    norm = np.linalg.svd(WEIGHT, compute_uv=False)[0]
    np.testing.assert_allclose(layer(paddle.to_tensor(WEIGHT)).numpy(), WEIGHT / norm, rtol=1e-5)
    assert list(layer.state_dict()) == ["weight_u", "weight_v"]


@pytest.mark.parametrize("change", [weight_norm, spectral_norm])
def test_what_cannot_be_changed_is_refused(change: Callable) -> None:
    with pytest.raises(ArgumentError, match="already"):
        change(change(linear()))
    with pytest.raises(UnknownNameError, match="no parameter 'gain'"):
        change(linear(), "gain")
    with pytest.raises(ArgumentError, match="dim must be"):
        change(linear(), dim=5)
    with pytest.raises(UnknownNameError, match="no weight that weight_norm"):
        remove_weight_norm(linear())
