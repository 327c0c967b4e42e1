"""Distances and the losses by them: the numbers of Paddle 2.6.2."""

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
        lambda: F.cosine_embedding_loss(X, Y, paddle.to_tensor([1, -1, 1]), 0.1, "none"),
        [1.3695, 0.0, 1.5199],
    ),
    (
        lambda: F.triplet_margin_loss(X, Y, Z, 1.5, swap=True, reduction="none"),
        [2.0827, 1.7573, 2.4124],
    ),
    (lambda: F.npair_loss(X, Y, paddle.to_tensor([0.0, 1.0, 0.0])), [2.2666]),
]


@pytest.mark.parametrize(("compute", "expected"), RECORDED)
def test_a_loss_is_what_paddle_computes(compute, expected) -> None:
    np.testing.assert_allclose(compute().numpy().reshape(-1), expected, atol=2e-4)


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (1.0, [4.3758, 3.6069, 4.3731]),
        (2.0, [2.3029, 2.1234, 2.5223]),
        (3.0, [1.9176, 1.8552, 2.1018]),
        (float("inf"), [1.6661, 1.6159, 1.5334]),
        (0.0, [4.0, 4.0, 4.0]),
    ],
)
def test_distances_by_each_norm(p: float, expected) -> None:
    np.testing.assert_allclose(F.pairwise_distance(X, Y, p).numpy(), expected, atol=1e-4)
    assert F.pairwise_distance(X, Y, p, keepdim=True).shape == [3, 1]


def test_the_cosine_of_a_vector_without_length_is_zero() -> None:
    assert F.cosine_similarity(X * 0.0, Y).tolist() == [0.0, 0.0, 0.0]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"vectors \[N,D\] and labels \[N\]"):
        F.cosine_embedding_loss(X, Y, X)
    with pytest.raises(ArgumentError, match="margin must not be negative"):
        F.triplet_margin_with_distance_loss(X, Y, Z, margin=-1.0)


SIDE = paddle.to_tensor([[-1.0, 1.0]])


@pytest.mark.parametrize(
    "compute",
    [
        lambda x: F.triplet_margin_loss(x, x + 1.0, x + 1.0, margin=0.0),
        lambda x: F.triplet_margin_with_distance_loss(x, x + 1.0, x + 1.0, margin=0.0),
        lambda x: F.cosine_embedding_loss(x + 1.0, SIDE, paddle.to_tensor([-1]), margin=0.0),
        lambda x: F.multi_margin_loss(x, paddle.to_tensor([0]), margin=0.0),
    ],
)
def test_at_its_margin_a_loss_has_the_slope_from_above(compute) -> None:
    """So it is in Paddle, where these are cut off by `clip`."""
    slopes = []
    for more in (0.0, 1e-3):
        x = paddle.to_tensor([[0.0, 0.0]], stop_gradient=False)
        far = more * paddle.to_tensor([[0.0, 1.0]])
        compute(x + far).backward()
        slopes.append(x.grad.numpy())
    np.testing.assert_allclose(slopes[0], slopes[1], atol=1e-2)
