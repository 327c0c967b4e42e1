"""Losses by margins and likelihoods: the numbers of Paddle 2.6.2."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError

F = paddle.nn.functional


def waves(*shape: int, offset: float = 0.0) -> paddle.Tensor:
    numbers = np.sin(np.arange(np.prod(shape)) + offset).reshape(shape)
    return paddle.to_tensor(numbers.astype("float32"))


X, Y, Z = waves(3, 4), waves(3, 4, offset=2.0), waves(3, 4, offset=5.0)

RECORDED = [
    (
        lambda: F.soft_margin_loss(X, paddle.sign(Y), "none"),
        [
            0.6931,
            0.3584,
            1.2478,
            0.7662,
            0.3847,
            1.2834,
            0.8426,
            0.4177,
            1.3055,
            0.9203,
            0.4577,
            1.3133,
        ],
    ),
    (
        lambda: F.multi_label_soft_margin_loss(X, (Y > 0).astype("float32"), reduction="none"),
        [0.7664, 0.7321, 0.9992],
    ),
    (
        lambda: F.multi_margin_loss(X, paddle.to_tensor([0, 3, 1]), 2, 0.5, reduction="none"),
        [1.0492, 0.0, 0.2901],
    ),
    (
        lambda: F.poisson_nll_loss(X, paddle.abs(Y) * 3.0, full=True, reduction="none"),
        [
            2.4303,
            1.9635,
            1.3383,
            2.3559,
            1.1036,
            2.8979,
            3.3094,
            1.1677,
            1.4061,
            2.0377,
            1.7697,
            1.6944,
        ],
    ),
    (
        lambda: F.gaussian_nll_loss(X, Y, paddle.abs(Z) + 0.1, full=True, reduction="none"),
        [
            1.338,
            1.0808,
            2.6132,
            1.5172,
            0.8068,
            2.7262,
            1.6983,
            0.7402,
            2.8522,
            1.8765,
            0.7753,
            3.0451,
        ],
    ),
    (
        lambda: F.dice_loss(paddle.abs(X).unsqueeze(1), paddle.to_tensor([[[0]], [[3]], [[1]]])),
        [0.8104],
    ),
]


@pytest.mark.parametrize(("compute", "expected"), RECORDED)
def test_a_loss_is_what_paddle_computes(compute, expected) -> None:
    np.testing.assert_allclose(compute().numpy().reshape(-1), expected, atol=2e-4)


def test_weights_count_after_the_power() -> None:
    label, weight = paddle.to_tensor([0, 3, 1]), paddle.to_tensor([1.0, 2.0, 3.0, 4.0])
    plain = F.multi_margin_loss(X, label, 2, reduction="none")
    weighed = F.multi_margin_loss(X, label, 2, weight=weight, reduction="none")
    np.testing.assert_allclose(weighed.numpy(), plain.numpy() * [1.0, 4.0, 2.0], rtol=1e-5)


def test_labels_of_a_sample_end_at_the_first_minus_one() -> None:
    def expected(scores: np.ndarray, labels: list[int]) -> float:
        rest = [i for i in range(4) if i not in labels]
        return sum(max(0.0, 1 - scores[j] + scores[i]) for j in labels for i in rest) / 4

    labels = [[0, 2, -1, 1], [3, -1, 0, 1], [-1, 2, 2, 2]]
    found = F.multi_label_margin_loss(X, paddle.to_tensor(labels), "none").numpy()
    given = [x[: x.index(-1)] for x in labels]
    wanted = [expected(row, y) for row, y in zip(X.numpy(), given, strict=True)]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize(
    ("compute", "error", "message"),
    [
        (lambda: F.soft_margin_loss(X, Y[0]), ShapeError, "must have one shape"),
        (lambda: F.multi_label_margin_loss(X[0], Y[0]), ShapeError, "input must be"),
        (lambda: F.multi_margin_loss(X, Y), ShapeError, "input .N,C. and label .N."),
        (lambda: F.poisson_nll_loss(X, Y, epsilon=0.0), ArgumentError, "epsilon must be positive"),
        (lambda: F.gaussian_nll_loss(X, Y, Z[0, 0]), ShapeError, "variance must have"),
        (lambda: F.dice_loss(X, Y), ShapeError, "label .N,.,1."),
        (lambda: F.soft_margin_loss(X, Y, "most"), ArgumentError, "reduction"),
    ],
)
def test_what_does_not_fit_is_refused(compute, error, message: str) -> None:
    with pytest.raises(error, match=message):
        compute()
