"""Counts as compiled loops: what NumPy's kernels say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.compiled_calls import compiled, same, sample
from twinoar.errors import ArgumentError
from twinoar.ops.loss.auc import auc, counts_shape
from twinoar.ops.reduce.histogram import histogram_bin_edges_op, histogram_op, histogramdd_op
from twinoar.ops.sequence.experts import expert_rows

pytestmark = pytest.mark.usefixtures("strict")

DTYPES = ["uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
SIZES = [0, 1, 7, 1000, 100_000]
BOUNDS = [(0.0, 0.0), (-1.0, 1.0), (0.5, 3.5), (2.0, 2.0)]


def numbers(n: int, dtype: str, low: float, high: float) -> np.ndarray:
    """Numbers, which are finite where the bounds of a histogram are theirs."""
    x = sample((n,), dtype, n)
    if dtype.startswith("int") or low != high:
        return x
    return np.where(np.isfinite(x.astype("float64")), x, 1).astype(x.dtype)


@pytest.mark.parametrize(("low", "high"), BOUNDS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_histogram(dtype: str, low: float, high: float) -> None:
    for n in SIZES:
        x = numbers(n, dtype, low, high)
        for bins in (1, 3, 100, 5000):
            wanted = histogram_op.kernel_rule(x, None, bins, low, high, False)
            same(compiled(lambda x: histogram_op(x, None, bins, low, high), x), (wanted,))  # noqa: B023
            edges = histogram_bin_edges_op.kernel_rule(x, bins, low, high)
            same(compiled(lambda x: histogram_bin_edges_op(x, bins, low, high), x), (edges,))  # noqa: B023


@pytest.mark.parametrize("density", [False, True])
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_histogram_of_weights(dtype: str, density: bool) -> None:
    random = np.random.default_rng(0)
    for n in (7, 100_000):
        x = random.standard_normal(n).astype("float32")
        weight = (random.random(n) * 9).astype(dtype)
        wanted = histogram_op.kernel_rule(x, weight, 20, -1.0, 2.0, density)
        (found,) = compiled(lambda x, w: histogram_op(x, w, 20, -1.0, 2.0, density), x, weight)
        np.testing.assert_allclose(found, wanted, 1e-6)


def test_histogram_is_that_of_numpy() -> None:
    x = np.random.default_rng(0).standard_normal(50_000)
    (found,) = compiled(lambda x: paddle.histogram(x, 77), x)
    assert found.tolist() == np.histogram(x, 77)[0].tolist()


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_bounds_that_are_none_are_an_error(value: float) -> None:
    x = np.ones(50_000, "float32")
    x[40_000] = value
    for function in (paddle.histogram, paddle.histogram_bin_edges):
        with pytest.raises(ArgumentError, match="must be finite"):
            compiled(function, x)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [0, 5, 100_000])
def test_histogramdd(dtype: str, n: int) -> None:
    random = np.random.default_rng(n)
    x = random.standard_normal((n, 3)).astype(dtype)
    edges = [np.sort(random.standard_normal(k)).astype(dtype) for k in (2, 5, 9)]
    if n:
        x[:4] = [np.nan, 0, 0], [e[0] for e in edges], [e[-1] for e in edges], [np.inf, 0, 0]
    weights = random.random(n).astype(dtype)
    wanted = histogramdd_op.kernel_rule(x, weights, *edges)
    (found,) = compiled(lambda x, w, *e: histogramdd_op(x, w, list(e)), x, weights, *edges)
    np.testing.assert_allclose(found, wanted, 1e-6 if dtype == "float32" else 1e-13)


@pytest.mark.parametrize("dtype", ["int16", "int64", "uint8"])
@pytest.mark.parametrize("edges", ["float32", "float64", "int64"])
def test_whole_points_lie_between_edges_that_are_not(dtype: str, edges: str) -> None:
    x = np.random.default_rng(3).integers(0, 9, (50, 1)).astype(dtype)
    bounds = np.linspace(0.5, 7.5, 6).astype(edges)
    weights = np.ones(50, dtype)
    (found,) = compiled(lambda x, w, e: histogramdd_op(x, w, [e]), x, weights, bounds)
    assert np.asarray(found).tolist() == histogramdd_op.kernel_rule(x, weights, bounds).tolist()


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_auc(steps: int) -> None:
    random = np.random.default_rng(0)
    shape = counts_shape(4095, steps)
    positives, negatives = (random.integers(0, 9, shape) for _ in range(2))
    if steps:
        positives[-1] = negatives[-1] = 7
    for n in (1, 100_000):
        scores = random.random((n, 2)).astype("float32")
        labels = random.integers(0, 2, (n, 1))
        given = scores, labels, positives, negatives
        wanted = auc.kernel_rule(*given, "ROC", 4095, steps)
        found = compiled(lambda *x: auc(*x, slide_steps=steps), *given)
        np.testing.assert_allclose(found[0], wanted[0], 1e-14)
        same(found[1:], wanted[1:])


def test_scores_outside_are_an_error() -> None:
    counts = np.zeros(counts_shape(9, 0), "int64")
    for score in (1.5, -0.5, np.nan):
        scores = np.full((5, 2), score, "float32")
        with pytest.raises(ArgumentError, match="from 0 to 1"):
            compiled(lambda *x: auc(*x, num_thresholds=9), scores, np.ones((5, 1)), counts, counts)


def routed(tokens: int, experts: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """Two experts of each token, or -1; and how many tokens each expert gets."""
    random = np.random.default_rng(tokens)
    order = np.argsort(random.random((tokens, experts)), 1)[:, :2]
    routes = np.where(random.random((tokens, 2)) < 0.2, -1, order).astype("int32")
    return routes, tuple(np.bincount(routes[routes >= 0], minlength=experts).tolist())


@pytest.mark.parametrize("tokens", [20, 3000])
def test_expert_rows(tokens: int) -> None:
    routes, counts = routed(tokens, 6)
    wanted = expert_rows.kernel_rule(routes, counts, 4)
    same(compiled(lambda x: expert_rows(x, counts, 4), routes), (wanted,))
    wrong: list[Any] = [(routes, (counts[0] + 1, *counts[1:])), (routes * 0, counts)]
    wrong.append((np.where(routes < 0, 6, routes), counts))
    for given, told in wrong:
        with pytest.raises(ArgumentError, match="must count the tokens"):
            compiled(lambda x: expert_rows(x, told, 4), given)  # noqa: B023
