"""Draws are distributed as they say, and independent of their neighbours and of other draws.

Seeds are fixed, so a test passes always or never. Limits are such that one of a thousand generators
without a fault would miss them.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import twinoar as paddle
from twinoar.ops.random.philox import words

COUNT = 400_000
MEAN = 3.29  # standard deviations: two-sided, 0.1 %
KOLMOGOROV = 1.95 / math.sqrt(COUNT)


def chi_squared_limit(freedom: int) -> float:
    """What chi-squared exceeds in one of a thousand: E. Wilson, M. Hilferty, 1931."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + 3.09 * math.sqrt(part)) ** 3


def chi_squared(counts: np.ndarray, expected: np.ndarray | float) -> float:
    return float(((counts - expected) ** 2 / expected).sum())


def distance(sample: np.ndarray, cdf) -> float:
    """The greatest difference between the empirical distribution and `cdf`."""
    expected = cdf(np.sort(sample).astype(np.float64))
    steps = np.arange(sample.size + 1) / sample.size
    return max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max())


def normal_cdf(x: np.ndarray) -> np.ndarray:
    return np.vectorize(lambda v: 0.5 * math.erfc(-v / math.sqrt(2)))(x)


@pytest.fixture(autouse=True)
def fixed_seed():
    paddle.seed(2024)


UNIFORM = {
    "float32": lambda: paddle.rand([COUNT]),
    "float64": lambda: paddle.rand([COUNT], "float64"),
    "stretched": lambda: (paddle.uniform([COUNT], "float64", -2.0, 3.0) + 2) / 5,
    "exponential": lambda: 1 - paddle.exp(-paddle.zeros([COUNT], "float64").exponential_(1.0)),
}


@pytest.mark.parametrize("kind", UNIFORM)
def test_uniform_numbers_have_the_moments_and_the_distribution(kind):
    x = UNIFORM[kind]().numpy()
    assert distance(x, lambda v: v) < KOLMOGOROV
    for power in (1, 2, 3, 4):
        mean, variance = 1 / (power + 1), 1 / (2 * power + 1) - 1 / (power + 1) ** 2
        error = (x.astype(np.float64) ** power).mean() - mean
        assert abs(error) < MEAN * math.sqrt(variance / COUNT)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normal_numbers_have_the_moments_and_the_distribution(dtype):
    x = paddle.randn([COUNT], dtype).numpy().astype(np.float64)
    assert distance(x, normal_cdf) < KOLMOGOROV
    for power, mean, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((x**power).mean() - mean) < MEAN * math.sqrt(variance / COUNT)


def test_the_tails_of_normal_numbers_are_there():
    x = np.abs(paddle.randn([4_000_000]).numpy())
    for limit in (3.0, 4.0, 4.5):
        expected = x.size * math.erfc(limit / math.sqrt(2))
        assert abs((x > limit).sum() - expected) < MEAN * math.sqrt(expected)
    assert x.max() > 5


def test_a_cosine_and_its_sine_are_normal_together():
    pairs = paddle.randn([COUNT, 2]).numpy().astype(np.float64)
    turn = np.arctan2(pairs[:, 1], pairs[:, 0]) / (2 * math.pi) + 0.5
    assert distance(turn, lambda v: v) < KOLMOGOROV
    assert distance((pairs**2).sum(1), lambda v: 1 - np.exp(-v / 2)) < KOLMOGOROV
    assert abs(np.corrcoef(turn, (pairs**2).sum(1))[0, 1]) < MEAN / math.sqrt(COUNT)


@pytest.mark.parametrize("lag", [1, 2, 3, 4, 5, 8, 1000])
def test_neighbours_are_not_correlated(lag):
    for x in (paddle.rand([COUNT]).numpy(), paddle.randn([COUNT]).numpy()):
        for of in (lambda v: v, np.square):
            a, b = of(x.astype(np.float64)), of(x.astype(np.float64))
            assert abs(np.corrcoef(a[:-lag], b[lag:])[0, 1]) < MEAN / math.sqrt(COUNT)


def test_pairs_of_neighbours_fill_the_square():
    x = (paddle.rand([COUNT]).numpy() * 20).astype(int).reshape(-1, 2)
    counts = np.bincount(x[:, 0] * 20 + x[:, 1], minlength=400)
    assert chi_squared(counts, len(x) / 400) < chi_squared_limit(399)


def streams():
    """The words of draws whose keys are neighbours."""
    return [words(np.array([seed, draw]), 50_000) for seed in (7, 8) for draw in range(4)]


def test_draws_and_seeds_beside_each_other_are_not_correlated():
    table = np.corrcoef([s.astype(np.float64) for s in streams()])
    off = table[~np.eye(len(table), dtype=bool)]
    assert np.abs(off).max() < 4.1 / math.sqrt(50_000)  # of 28 pairs
    shifted = [np.corrcoef(a[1:], b[:-1])[0, 1] for a in streams() for b in streams()]
    assert np.abs(shifted).max() < 4.3 / math.sqrt(50_000)  # of 64 pairs


def test_each_bit_of_a_word_is_as_often_0_as_1():
    x = words(np.array([5, 9]), COUNT)
    for bit in range(32):
        share = (x >> bit & 1).mean()
        assert abs(share - 0.5) < 4 * 0.5 / math.sqrt(COUNT)


@pytest.mark.parametrize(("low", "high"), [(-3, 5), (0, 3), (0, 1000), (-(2**62), 2**62 + 7)])
def test_integers_are_equally_frequent(low, high):
    x = paddle.randint(low, high, [COUNT]).numpy()
    parts = min(high - low, 64)
    place = (x.astype(object) - low) * parts // (high - low)
    counts = np.bincount(place.astype(int), minlength=parts)
    sizes = np.array([-(-(high - low) * (n + 1) // parts) - -(-(high - low) * n // parts)
                      for n in range(parts)], float)  # fmt: skip
    assert chi_squared(counts, COUNT * sizes / (high - low)) < chi_squared_limit(parts - 1)
    assert x.min() >= low and x.max() < high


@pytest.mark.parametrize("p", [0.001, 0.25, 0.5, 0.9])
def test_masks_and_trials_have_their_share(p):
    limit = MEAN * math.sqrt(p * (1 - p) / COUNT)
    kept = paddle.nn.functional.dropout(paddle.ones([COUNT]), p).numpy()
    assert abs((kept == 0).mean() - p) < limit
    np.testing.assert_allclose(kept.max(), 1 / (1 - p), rtol=1e-6)
    drawn = paddle.bernoulli(paddle.full([COUNT], p)).numpy()
    assert set(np.unique(drawn)) == {0, 1} and abs(drawn.mean() - np.float32(p)) < limit


def test_runs_of_a_mask_are_as_long_as_chance_makes_them():
    kept = paddle.nn.functional.dropout(paddle.ones([COUNT]), 0.5).numpy() != 0
    changes = (kept[1:] != kept[:-1]).sum()
    assert abs(changes - COUNT / 2) < MEAN * math.sqrt(COUNT / 4)


def test_permutations_put_each_number_at_each_place():
    seen = np.array([paddle.randperm(6).numpy() for _ in range(6000)])
    for place in range(6):
        counts = np.bincount(seen[:, place], minlength=6)
        assert chi_squared(counts, 1000.0) < chi_squared_limit(5)
    orders = np.unique(seen[:, :4], axis=0, return_counts=True)[1]
    assert len(orders) == 360 and chi_squared(orders, 6000 / 360) < chi_squared_limit(359)
