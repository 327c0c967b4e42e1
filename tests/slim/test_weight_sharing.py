"""Weights have few values, the nearest ones, and keep sharing them while they are trained."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.slim import UnstructuredPruner, share_weights


@pytest.mark.parametrize("clusters", [2, 5, 16, 300])
def test_each_element_has_the_nearest_value(clusters: int) -> None:
    model = nn.Sequential(nn.Linear(20, 30), nn.Conv2D(3, 4, 3))
    before = [model[0].weight.numpy(), model[1].weight.numpy()]
    sharing = share_weights(model, clusters)
    for layer, old in zip(model, before, strict=True):
        values = sharing.codebooks[layer.weight.name].values
        assert len(values) <= clusters
        expected = values[np.abs(old[..., None] - values).argmin(-1)]
        np.testing.assert_array_equal(layer.weight.numpy(), expected)


def test_no_value_is_wasted_on_a_gap() -> None:
    model = nn.Linear(50, 50)
    UnstructuredPruner(nn.Sequential(model), "ratio", ratio=0.8).step()
    share_weights(model, 16)
    assert len(np.unique(model.weight.numpy())) == 16


def test_values_that_are_few_enough_stay() -> None:
    model = nn.Linear(4, 6)
    weight = np.random.default_rng(0).choice([-1.5, 0.0, 0.25, 3.0], (4, 6)).astype("float32")
    model.weight.set_value(weight)
    share_weights(model, 4)
    np.testing.assert_array_equal(model.weight.numpy(), weight)


def test_values_minimize_squares_as_far_as_one_step_can_tell() -> None:
    model = nn.Linear(40, 50)
    before = model.weight.numpy().astype("float64")
    book = share_weights(model, 8).codebooks[model.weight.name]
    means = [before[book.indices == i].mean() for i in range(len(book.values))]
    np.testing.assert_allclose(book.values, means, rtol=1e-3, atol=1e-4)


def test_pruned_weights_stay_zero_while_shared_ones_are_trained() -> None:
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))
    UnstructuredPruner(model, "ratio", ratio=0.5).step()
    zeros = model[0].weight.numpy() == 0
    sharing = share_weights(model, 8)
    opt = paddle.optimizer.Adam(0.01, parameters=model.parameters())
    x = paddle.randn([32, 8])
    losses = []
    for _ in range(40):
        loss = (model(x) - x[:, :2]).square().mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        sharing.step()
        losses.append(float(loss))
    assert losses[-1] < 0.8 * losses[0]
    assert (model[0].weight.numpy()[zeros] == 0).all()
    assert len(np.unique(model[0].weight.numpy())) <= 8


def test_the_size_is_that_of_indices_and_values() -> None:
    model = nn.Linear(16, 16)
    assert share_weights(model, 16).size == 256 * 4 // 8 + 16 * 4


def test_bad_calls_are_refused() -> None:
    model = nn.Linear(4, 4)
    with pytest.raises(ArgumentError):
        share_weights(model, 1)
    with pytest.raises(UnknownNameError):
        share_weights(model, 4, names=["nobody"])
    model.weight.set_value(np.full((4, 4), np.nan, "float32"))
    with pytest.raises(ArgumentError, match="finite"):
        share_weights(model, 4)
