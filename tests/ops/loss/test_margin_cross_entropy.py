"""margin_cross_entropy: the margins of the right class, and what is left without them."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.nn import functional as F

# The example of Paddle's documentation, which only a GPU runs there.
COSINES = [
    [-0.59561850, 0.32797505, 0.80279214, 0.00144975],
    [-0.16265212, 0.84155098, 0.62008629, 0.79126072],
]


def cosines() -> paddle.Tensor:
    return paddle.to_tensor(COSINES, dtype="float64", stop_gradient=False)


def test_losses_and_likelihoods_are_those_that_paddle_prints() -> None:
    loss, shares = F.margin_cross_entropy(
        cosines(), paddle.to_tensor([1, 0]), return_softmax=True, reduction=None
    )
    np.testing.assert_allclose(loss.numpy(), [[61.94391901], [93.30853839]], rtol=1e-7)
    wanted = [[0, 0, 1, 0], [0, 0.96152676, 0.00000067, 0.03847257]]
    np.testing.assert_allclose(shares.numpy(), wanted, atol=1e-8)


@pytest.mark.parametrize("margins", [(1.0, 0.5, 0.0), (1.35, 0.0, 0.0), (0.9, 0.4, 0.15)])
def test_the_margins_move_the_right_class_alone(margins: tuple[float, float, float]) -> None:
    x, label = cosines(), [1, 3]
    scores = 10.0 * np.array(COSINES)
    for row, column in enumerate(label):
        angle = margins[0] * np.arccos(COSINES[row][column]) + margins[1]
        scores[row, column] = 10.0 * (np.cos(angle) - margins[2])
    wanted = np.log(np.exp(scores).sum(1)) - scores[[0, 1], label]
    loss = F.margin_cross_entropy(x, paddle.to_tensor(label), *margins, 10.0, reduction="none")
    np.testing.assert_allclose(loss.numpy()[:, 0], wanted, rtol=1e-10)


def test_without_margins_it_is_the_cross_entropy() -> None:
    x, label = cosines(), paddle.to_tensor([[2], [0]])
    loss = F.margin_cross_entropy(x, label, 1.0, 0.0, 0.0, 3.0)
    np.testing.assert_allclose(loss.item(), F.cross_entropy(x * 3.0, label).item(), rtol=1e-12)
    loss.backward()
    assert np.isfinite(x.grad.numpy()).all()


def test_a_reduction_that_there_is_not_is_refused() -> None:
    with pytest.raises(ArgumentError, match="reduction"):
        F.margin_cross_entropy(cosines(), paddle.to_tensor([1, 0]), reduction="max")


def test_a_group_of_processes_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="not divided among processes"):
        F.margin_cross_entropy(cosines(), paddle.to_tensor([1, 0]), group=3)
