"""Choices at random with gradients."""

from __future__ import annotations

import numpy as np

import twinoar as paddle

F = paddle.nn.functional


def test_choices_follow_the_odds() -> None:
    paddle.seed(5)
    odds = np.array([0.2, 0.5, 0.3], "float32")
    x = paddle.to_tensor(np.log(np.tile(odds, (20000, 1))))
    hard = F.gumbel_softmax(x, hard=True).numpy()
    assert set(np.unique(hard)) == {0.0, 1.0}
    np.testing.assert_allclose(hard.mean(axis=0), odds, atol=0.02)


def test_the_hard_choice_has_the_gradient_of_the_soft_one() -> None:
    def slope(hard: bool) -> np.ndarray:
        paddle.seed(3)
        x = paddle.to_tensor([[1.0, 2.0, 0.5]], stop_gradient=False)
        weight = paddle.to_tensor([[1.0, -1.0, 3.0]])
        (F.gumbel_softmax(x, 0.7, hard) * weight).sum().backward()
        return x.grad.numpy()

    assert np.array_equal(slope(hard=True), slope(hard=False))
    assert np.abs(slope(hard=True)).max() > 0


def test_a_low_temperature_makes_soft_choices_hard() -> None:
    paddle.seed(1)
    soft = F.gumbel_softmax(paddle.zeros([50, 4]), temperature=1e-3).numpy()
    np.testing.assert_allclose(soft.max(axis=1), 1.0, atol=1e-2)
