"""Scores of networks by a Gaussian process: PaddleSlim's numbers, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from twinoar.errors import ArgumentError, ShapeError
from twinoar.slim.nas import GPNAS

RANDOM = np.random.default_rng(0)
X = RANDOM.integers(0, 4, (6, 3)).astype(float)
Y = X @ [1.0, -2.0, 0.5] + 0.3 * np.sin(X).sum(1)

# Weights after X and Y, the diagonal of their covariance, and scores of X[:2] + 0.5, of
# PaddleSlim 2.6 by kernel and form of the mean.
NARROW = [0.00871634, 0.00722979, 0.00949822, 0.0095577]
WIDE = [0.00925586, 0.00829061, 0.00967031, 0.00969807]
MEASURED = {
    (1, 1): ([1.049857, -1.525274, 0.279876, 0.00521], NARROW, [0.388383, -0.504466]),
    (1, 2): ([0.998123, -1.526956, 0.278985, -0.003372], NARROW, [0.374783, -0.506004]),
    (2, 1): ([1.052275, -1.523147, 0.282081, 0.006946], WIDE, [0.477256, -0.535841]),
    (2, 2): ([1.025253, -1.526231, 0.280875, 0.000248], WIDE, [0.461156, -0.538182]),
}  # fmt: skip


def begun(c_flag: int = 2, m_flag: int = 2) -> GPNAS:
    search = GPNAS(c_flag, m_flag)
    search.get_initial_mean(X[:4], Y[:4])
    search.get_initial_cov(X)
    return search


@pytest.mark.parametrize("flags", MEASURED, ids=str)
def test_numbers_are_those_of_paddleslim(flags: tuple[int, int]) -> None:
    search = begun(*flags)
    weights, covariance, scores = MEASURED[flags]
    np.testing.assert_allclose(search.get_posterior_mean(X, Y).ravel(), weights, atol=2e-6)
    np.testing.assert_allclose(search.get_posterior_cov(X, Y).diagonal(), covariance, atol=2e-8)
    found = search.get_predict_jiont(X[:2] + 0.5, X, Y)
    assert found.shape == (2, 1)
    np.testing.assert_allclose(found.ravel(), scores, atol=2e-6)


def test_networks_that_were_measured_are_known() -> None:
    search = begun()
    search.get_posterior_mean(X, Y)
    np.testing.assert_allclose(search.get_predict_jiont(X, X, Y).ravel(), Y, atol=1e-4)


@pytest.mark.parametrize(
    ("error", "message", "make"),
    [
        (ArgumentError, "1 or 2", lambda: GPNAS(c_flag=3)),
        (ArgumentError, "no mean", lambda: GPNAS().get_predict(X)),
        (ArgumentError, "no covariance", lambda: GPNAS().get_posterior_cov(X, Y)),
        (ShapeError, "6 descriptions and 5 scores", lambda: GPNAS().get_initial_mean(X, Y[:5])),
        (ShapeError, r"\[N,F\]", lambda: GPNAS().get_initial_mean(X[0], Y)),
        (ArgumentError, "finite", lambda: begun().get_posterior_mean(X, Y * np.nan)),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(error: type[Exception], message: str, make: Any) -> None:
    with pytest.raises(error, match=message):
        make()
