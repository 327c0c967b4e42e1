"""Where observers clip is where a search over all candidates, written otherwise, finds it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError
from twinoar.quantization import observers
from twinoar.quantization.observers.threshold import (
    SHARES,
    divergence,
    least_divergence,
    percentiles,
    rounded,
)

GENERATOR = np.random.default_rng(11)
VALUES = {
    "normal": GENERATOR.normal(size=20000),
    "heavy tails": GENERATOR.standard_t(2, size=20000),
    "far from 0": GENERATOR.normal(5, 1, 20000),
    "uniform": GENERATOR.uniform(-2, 1, 20000),
    "outlier": np.append(GENERATOR.normal(size=20000), 50.0),
}


def earth_movers_distance(x: np.ndarray, y: np.ndarray) -> float:
    """Of samples of equal size: each goes to the one of its own rank."""
    return float(np.abs(np.sort(x) - np.sort(y)).mean())


def scale_of(factory: type, values: np.ndarray, **arguments: object) -> float:
    observer = factory(**arguments)._instance(None)
    for part in np.array_split(values, 4):
        observer(paddle.to_tensor(part))
    return float(observer.scales())


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("kind", VALUES)
def test_mse_and_emd_clip_as_well_as_the_best_candidate(kind: str, bits: int) -> None:
    values = VALUES[kind]
    measures = {
        observers.MSEObserver: lambda x: float(np.square(values - x).mean()),
        observers.EMDObserver: lambda x: earth_movers_distance(values, x),
    }
    for factory, error in measures.items():
        found = error(rounded(values, scale_of(factory, values, quant_bits=bits), bits))
        tried = [error(rounded(values, s * np.abs(values).max(), bits)) for s in SHARES]
        # Values stand in the middle of their bins: 1 % where candidates are nearly equal.
        assert found <= min(tried) * 1.01


def by_loops(counts: np.ndarray, kept: int, levels: int) -> float:
    """The divergence, as its source says it; infinite where the model lacks what there is."""
    truth = counts[:kept].astype(float)
    truth[-1] += counts[kept:].sum()
    model = np.zeros(kept)
    for level in range(levels):
        group = range(level * kept // levels, (level + 1) * kept // levels)
        filled = [i for i in group if truth[i]]
        for i in filled:
            model[i] = counts[list(group)].sum() / len(filled)
    p, q = truth / truth.sum(), model / model.sum()
    return sum(a * math.log(a / b) if b else math.inf for a, b in zip(p, q, strict=True) if a)


@pytest.mark.parametrize("seed", range(12))
def test_the_divergence_is_the_least_of_all(seed: int) -> None:
    random = np.random.default_rng(seed)
    counts = random.poisson(np.exp(-np.linspace(0, random.uniform(0, 9), 48)) * 300)
    counts[-1] = 1
    found = {kept: by_loops(counts, kept, 7) for kept in range(7, 49)}
    for kept, expected in found.items():
        clipped = int(counts[kept:].sum())
        np.testing.assert_allclose(divergence(counts[:kept], clipped, 7), expected, atol=1e-9)
    assert found[least_divergence(counts, 7)] <= min(found.values()) + 1e-9


def test_kl_leaves_out_an_outlier() -> None:
    assert scale_of(observers.KLObserver, VALUES["outlier"]) < 25.0


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("percent", [0.9, 0.999])
def test_percentiles_are_those_of_the_values_to_a_bin(kind: str, percent: float) -> None:
    values = VALUES[kind]
    counts, edges = np.histogram(values, 2048)
    width = edges[1] - edges[0]
    for end, part in zip(percentiles(counts, edges, percent), (1 - percent, percent), strict=True):
        assert (values < end - width).mean() <= part + 1e-9
        assert (values <= end + width).mean() >= part - 1e-9


def test_all_values_are_kept_at_1() -> None:
    assert percentiles(np.array([0, 3, 1]), np.arange(4.0), 1.0) == (1.0, 3.0)


@pytest.mark.parametrize("part", [0.5, 0.0, 1.01])
def test_a_part_that_leaves_nothing_is_refused(part: float) -> None:
    with pytest.raises(ArgumentError, match=r"above 0\.5"):
        percentiles(np.ones(4), np.arange(5.0), part)


@pytest.mark.parametrize("axis", [0, 1])
def test_each_channel_is_clipped_where_a_search_clips_it(axis: int) -> None:
    layer = paddle.nn.Linear(40, 6) if axis else paddle.nn.Conv2D(4, 6, 3)
    weight = GENERATOR.standard_t(2, size=layer.weight.shape)
    observer = observers.MSEChannelWiseWeightObserver(quant_bits=4)._instance(layer)
    observer(paddle.to_tensor(weight))
    for channel, scale in zip(
        np.moveaxis(weight, axis, 0), observer.scales().tolist(), strict=True
    ):
        tried = SHARES * np.abs(channel).max()
        errors = [np.square(channel - rounded(channel, s, 4)).mean() for s in tried]
        np.testing.assert_allclose(scale, tried[int(np.argmin(errors))], rtol=1e-6)


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_nothing_below_a_share_of_the_greatest_is_clipped(share: float) -> None:
    """Half of what follows a ReLU is 0, and little is then lost by clipping all but that."""
    values = np.maximum(np.random.default_rng(0).standard_normal(4000), 0)
    counts = np.histogram(values, 2048)[0]
    free, held = least_divergence(counts, 127), least_divergence(counts, 127, share)
    assert held >= round(2048 * share)
    assert held == free or free < round(2048 * share)


def test_a_share_is_a_part() -> None:
    with pytest.raises(ArgumentError, match="from 0 to 1"):
        observers.KLObserver(least_share=1.5)._instance(None)
