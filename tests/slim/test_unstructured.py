"""Zeros are where weights are small, stay there, and are as many as asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.slim import GMPUnstructuredPruner, UnstructuredPruner

CONFIGS = {
    "stable_iterations": 20,
    "pruning_iterations": 80,
    "tunning_iterations": 20,
    "resume_iteration": 0,
    "pruning_steps": 4,
    "initial_ratio": 0.1,
}


def network() -> nn.Layer:
    paddle.seed(5)
    return nn.Sequential(
        nn.Conv2D(2, 8, 3), nn.BatchNorm2D(8), nn.Conv2D(8, 4, 1), nn.Flatten(), nn.Linear(64, 3)
    )


def zeros(p: Any) -> float:
    return float((p.numpy() == 0).mean())


def image() -> Any:
    return paddle.to_tensor(np.random.default_rng(0).normal(size=(2, 2, 6, 6)).astype("float32"))


@pytest.mark.parametrize("ratio", [0.0, 0.3, 0.75])
def test_a_share_of_all_weights_becomes_zero(ratio: float) -> None:
    model = network()
    weights = [model[i].weight for i in (0, 2, 4)]
    sizes = np.sort(np.concatenate([np.abs(w.numpy()).ravel() for w in weights]))
    UnstructuredPruner(model, "ratio", ratio=ratio).step()
    count = round(ratio * sizes.size)
    left = np.sort(np.concatenate([np.abs(w.numpy()).ravel() for w in weights]))
    assert (left[:count] == 0).all()
    np.testing.assert_array_equal(left[count:], sizes[count:])
    assert zeros(model[1].weight) == 0


def test_a_share_of_each_weight_becomes_zero() -> None:
    model = network()
    UnstructuredPruner(model, "ratio", ratio=0.5, local_sparsity=True).step()
    assert [zeros(model[i].weight) for i in (0, 2, 4)] == [0.5, 0.5, 0.5]


def test_what_is_below_the_threshold_becomes_zero() -> None:
    model = network()
    before = model[4].weight.numpy()
    UnstructuredPruner(model, "threshold", threshold=0.1).step()
    expected = np.where(np.abs(before) < 0.1, 0, before)
    np.testing.assert_array_equal(model[4].weight.numpy(), expected)


def test_only_convolutions_of_one_by_one() -> None:
    model = network()
    pruner = UnstructuredPruner(model, "ratio", ratio=0.5, prune_params_type="conv1x1_only")
    pruner.step()
    assert [zeros(model[i].weight) for i in (0, 2, 4)] == [0, 0.5, 0]
    assert pruner.total_sparse_conv1x1(model) == 0.5


@pytest.mark.parametrize("block", [(2, 1), (1, 4), (4, 4), (3, 5)])
def test_blocks_are_zero_as_a_whole(block: tuple[int, int]) -> None:
    model = nn.Sequential(nn.Linear(24, 30))
    UnstructuredPruner(model, "ratio", ratio=0.5, sparse_block=block).step()
    found = model[0].weight.numpy() != 0
    rows, columns = block
    for top in range(0, 24, rows):
        for left in range(0, 30, columns):
            assert len(np.unique(found[top : top + rows, left : left + columns])) == 1
    assert abs(found.mean() - 0.5) < 0.15


@pytest.mark.parametrize("converted", [False, True])
def test_zeros_stay_while_the_network_is_trained(converted: bool) -> None:
    model = network()
    pruner = UnstructuredPruner(model, "ratio", ratio=0.6, local_sparsity=True)
    pruner.step()
    before = {n: p.numpy() == 0 for n, p in pruner._pruned.items()}
    pruner.set_static_masks()
    called = paddle.jit.to_static(model) if converted else model
    opt = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    values = model[4].weight.numpy()
    for _ in range(3):
        called(image()).square().mean().backward()
        assert model[4].weight.grad is not None
        opt.step()
        opt.clear_grad()
    pruner.update_params()
    for name, parameter in pruner._pruned.items():
        np.testing.assert_array_equal(parameter.numpy() == 0, before[name])
    assert (model[4].weight.numpy() != values).any()


def test_a_call_sets_weights_to_zero_again() -> None:
    model = network()
    pruner = UnstructuredPruner(model, "ratio", ratio=0.5)
    pruner.step()
    expected = model(image()).numpy()
    weight = model[4].weight
    weight.set_value(np.where(weight.numpy() == 0, 9.0, weight.numpy()).astype("float32"))
    np.testing.assert_array_equal(model(image()).numpy(), expected)


def test_the_share_grows_by_a_cube() -> None:
    model = network()
    pruner = GMPUnstructuredPruner(model, ratio=0.9, configs=CONFIGS)
    found = []
    for _ in range(120):
        pruner.step()
        found.append(pruner.ratio)
    expected = [0.9 - 0.8 * (1 - i / 4) ** 3 for i in range(5)]
    np.testing.assert_allclose(sorted(set(found)), [0.0, *expected])
    assert found.index(expected[0]) == 20
    assert abs(zeros(model[4].weight) - 0.9) < 0.1


def test_a_schedule_goes_on_where_it_was() -> None:
    pruner = GMPUnstructuredPruner(
        network(), ratio=0.9, configs={**CONFIGS, "resume_iteration": 60}
    )
    pruner.step()
    assert pruner.ratio == pytest.approx(0.9 - 0.8 / 8)


def test_names_to_skip_are_asked_for() -> None:
    model = network()
    skip = {p.name for p in model.parameters()} - {model[4].weight.name}
    UnstructuredPruner(model, "ratio", ratio=0.5, skip_params_func=lambda m: skip).step()
    assert (zeros(model[0].weight), zeros(model[4].weight)) == (0, 0.5)


@pytest.mark.parametrize(
    "make, error",
    [
        (lambda m: UnstructuredPruner(m, "share"), UnknownNameError),
        (lambda m: UnstructuredPruner(m, "ratio", ratio=1.2), ArgumentError),
        (lambda m: UnstructuredPruner(m, "ratio", prune_params_type="rnn"), UnknownNameError),
        (lambda m: UnstructuredPruner(m, "threshold", local_sparsity=True), ArgumentError),
        (lambda m: UnstructuredPruner(m, "ratio", sparse_block=(0, 1)), ArgumentError),
        (lambda m: UnstructuredPruner(nn.ReLU(), "ratio"), ArgumentError),
        (lambda m: GMPUnstructuredPruner(m), ArgumentError),
        (
            lambda m: GMPUnstructuredPruner(m, configs={**CONFIGS, "pruning_steps": 10}),
            ArgumentError,
        ),
    ],
)
def test_bad_calls_are_refused(make: Callable[[Any], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        make(network())
