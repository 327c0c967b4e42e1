"""A pipeline compresses a copy, reports what each step brought, and takes back what loses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.slim import (
    FPGMFilterPruner,
    LowRank,
    PruneFilters,
    PruneWeights,
    ShareWeights,
    analysis,
    compress,
)

INPUTS = [4, 1, 8, 8]
GENERATOR = np.random.default_rng(6)
X = GENERATOR.normal(size=(64, 1, 8, 8)).astype("float32")
Y = (X[:, 0, :4].sum((1, 2)) > X[:, 0, 4:].sum((1, 2))).astype("int64")


def network() -> nn.Layer:
    paddle.seed(2)
    return nn.Sequential(
        nn.Conv2D(1, 16, 3), nn.BatchNorm2D(16), nn.ReLU(), nn.Conv2D(16, 16, 3), nn.ReLU(),
        nn.Flatten(), nn.Linear(256, 32), nn.ReLU(), nn.Linear(32, 2),
    )  # fmt: skip


def score(model: nn.Layer) -> float:
    model.eval()
    found = model(paddle.to_tensor(X)).numpy().argmax(-1)
    return float((found == Y).mean())


def tune(model: nn.Layer, keep: Callable[[], None]) -> None:
    model.train()
    opt = paddle.optimizer.Adam(0.003, parameters=model.parameters())
    for _ in range(30):
        nn.functional.cross_entropy(model(paddle.to_tensor(X)), paddle.to_tensor(Y)).backward()
        opt.step()
        opt.clear_grad()
        keep()


def trained() -> nn.Layer:
    model = network()
    tune(model, lambda: None)
    return model


def test_each_step_brings_what_it_is_for() -> None:
    model = trained()
    before = {n: t.numpy() for n, t in model.state_dict().items()}
    steps = [PruneFilters(0.5), LowRank(rank=0.3), PruneWeights(0.6), ShareWeights(8)]
    small, report = compress(model, INPUTS, steps, score, tune)
    given, filters, low_rank, weights, shared = report.rows
    assert filters.flops == pytest.approx(0.5 * given.flops, rel=0.1)
    assert filters.size < given.size
    assert low_rank.flops < filters.flops and low_rank.parameters < filters.parameters
    assert weights.size == low_rank.size == shared.size
    assert weights.packed < 0.8 * low_rank.packed
    assert shared.packed < 0.7 * weights.packed
    assert shared.score is not None and shared.score > 0.9
    after = {n: t.numpy() for n, t in model.state_dict().items()}
    assert all((after[n] == v).all() for n, v in before.items())
    assert sum(p.size for p in small.parameters()) == shared.parameters
    last = small[-1][-1] if isinstance(small[-1], nn.Sequential) else small[-1]
    assert len(np.unique(last.weight.numpy())) <= 8
    assert str(report).count("\n") == len(report.rows)
    assert report.to_list()[0]["flops"] == given.flops


def test_a_step_that_loses_too_much_is_taken_back() -> None:
    model = trained()
    x = paddle.to_tensor(X)
    steps = [PruneWeights(0.1), ShareWeights(2), PruneWeights(0.99)]
    small, report = compress(model, INPUTS, steps, score, max_loss=0.02)
    assert [row.is_kept for row in report.rows][-1] is False
    assert score(small) >= score(model) - 0.02
    assert "taken back" in str(report)
    assert small(x).shape == [64, 2]


def test_sensitivities_decide_where_filters_go() -> None:
    _, report = compress(
        trained(), INPUTS, [PruneFilters(0.4, FPGMFilterPruner, by_sensitivity=True)], score
    )
    assert report.rows[1].flops < 0.75 * report.rows[0].flops


@pytest.mark.parametrize(
    "steps, settings",
    [
        ([PruneWeights(), PruneFilters()], {}),
        ([PruneFilters()], {"max_loss": 0.1}),
        ([PruneFilters(by_sensitivity=True)], {}),
        ([PruneFilters(2.0)], {}),
    ],
)
def test_bad_calls_are_refused(steps: list[Any], settings: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        compress(network(), INPUTS, steps, **settings)


def test_multiplications_by_weight_add_up() -> None:
    total, by_name = analysis.flops(network(), INPUTS, detail=True)
    assert total == sum(by_name.values()) == analysis.flops(network(), INPUTS)
    with pytest.raises(ArgumentError, match="only_conv"):
        analysis.flops(network(), INPUTS, only_conv=False)
