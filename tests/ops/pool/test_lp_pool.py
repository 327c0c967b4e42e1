"""Pooling by a norm: what its windows give, and which ways there are to cut them."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.nn.functional import lp_pool1d, lp_pool2d, max_pool2d

X = np.random.default_rng(0).uniform(0.5, 1, (1, 2, 7)).astype("float32")


@pytest.mark.parametrize("p", [1, 2.0, 3, 0.5])
def test_a_window_gives_its_norm(p: float) -> None:
    found = lp_pool1d(to_tensor(X), p, 3).numpy()
    expected = (X[:, :, :6].reshape(1, 2, 2, 3) ** p).sum(-1) ** (1 / p)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_a_window_that_is_not_whole_counts_where_ceil_mode_says_so() -> None:
    found = lp_pool1d(to_tensor(X), 2, 3, ceil_mode=True).numpy()
    np.testing.assert_allclose(found[:, :, 2], X[:, :, 6])


def test_the_norm_of_infinity_is_the_maximum() -> None:
    image = to_tensor(X[:, :, None].repeat(4, 2))
    found = lp_pool2d(image, float("inf"), 2, data_format="NCHW").numpy()
    np.testing.assert_array_equal(found, max_pool2d(image, 2).numpy())


def test_channels_may_come_last() -> None:
    x = to_tensor(X)
    last = lp_pool1d(x.transpose([0, 2, 1]), 2, 3, 2, 1, data_format="NLC")
    np.testing.assert_allclose(last.transpose([0, 2, 1]).numpy(), lp_pool1d(x, 2, 3, 2, 1).numpy())


def test_no_norm_is_of_0() -> None:
    with pytest.raises(ArgumentError, match="norm_type must not be 0"):
        lp_pool1d(to_tensor(X), 0, 3)
    with pytest.raises(ArgumentError, match="NCL or NLC"):
        lp_pool1d(to_tensor(X), 2, 3, data_format="NCHW")


@pytest.mark.parametrize("ceil_mode", [False, True])
def test_the_norm_of_infinity_rounds_as_the_others_do(ceil_mode: bool) -> None:
    found = lp_pool1d(to_tensor(X), float("inf"), 3, ceil_mode=ceil_mode)
    assert found.shape == lp_pool1d(to_tensor(X), 2.0, 3, ceil_mode=ceil_mode).shape
    expected = [X[0, 0, :3].max(), X[0, 0, 3:6].max(), X[0, 0, 6]][: found.shape[-1]]
    np.testing.assert_array_equal(found.numpy()[0, 0], expected)


def test_the_norm_of_minus_infinity_is_refused() -> None:
    with pytest.raises(ArgumentError, match="norm_type must not be -inf"):
        lp_pool1d(to_tensor(X), float("-inf"), 3)
