"""moe_permute and moe_unpermute: where tokens go, and that they come back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.nn.functional import moe_permute, moe_unpermute

ROUTES = np.array([[-1, 0, 2], [1, -1, -1], [-1, 1, -1], [0, 2, 1]], "int32")
SHARES = np.array([[0, 0.6, 0.4], [1, 0, 0], [0, 1, 0], [0.2, 0.3, 0.5]], "float32")
COUNTS = [2, 3, 2]
X = np.arange(1, 9, dtype="float32").reshape(4, 2)


def permuted(x: Any = X, counts: list[int] = COUNTS, alignment: int = 2, **options: Any) -> tuple:
    given = [paddle.to_tensor(a) for a in (ROUTES, SHARES)]
    x = paddle.to_tensor(x) if isinstance(x, np.ndarray) else x
    scale = options.pop("scale", None)
    return moe_permute(x, scale, *given, 3, counts, alignment, **options)


def test_tokens_stand_expert_by_expert_with_room_between() -> None:
    tokens, rows, shares, scales = permuted()
    assert rows.tolist() == [[0, -1, 6], [-1, 2, -1], [-1, 3, -1], [1, 4, 7]]
    assert tokens[:, 0].tolist() == [1, 7, 3, 5, 7, 0, 1, 7]
    np.testing.assert_allclose(shares, [0.6, 0.2, 1, 1, 0.5, 0, 0.4, 0.3])
    assert (rows.dtype, scales.shape) == (paddle.int32, [0])


def test_scales_go_along_and_experts_are_told() -> None:
    scale = paddle.to_tensor(X * 10)
    *_, scales, experts = permuted(scale=scale, return_expert_indices=True)
    assert scales[:, 1].tolist() == [20, 80, 40, 60, 80, 0, 20, 80]
    assert experts.tolist() == [0, 0, 1, 1, 1, -1, 2, 2]


def test_a_larger_buffer_ends_in_zeros() -> None:
    tokens, *_ = permuted(override_buffer_size=11)
    assert tokens.shape == [11, 2]
    assert tokens[8:].abs().max().item() == 0.0


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("weighted", [False, True])
def test_tokens_come_back_as_the_sums_of_their_shares(dtype: str, weighted: bool) -> None:
    x = paddle.to_tensor(X).astype(dtype)
    tokens, rows, shares, _ = permuted(x)
    if not weighted:
        tokens = (tokens.astype("float32") * shares.unsqueeze(-1)).astype(dtype)
    back, found = moe_unpermute(
        tokens,
        rows,
        paddle.to_tensor(ROUTES),
        shares,
        4,
        3,
        using_weighted_combine=weighted,
    )
    assert back.dtype == x.dtype
    np.testing.assert_allclose(back.astype("float32"), X, rtol=1e-2)
    np.testing.assert_allclose(found, SHARES)


def test_gradients_flow_there_and_back_in_programs_too() -> None:
    def loss_of(x: Any) -> Any:
        tokens, rows, shares, _ = permuted(x)
        routes = paddle.to_tensor(ROUTES)
        return (moe_unpermute(tokens**2, rows, routes, shares, 4, 3)[0]).sum()

    times = (ROUTES >= 0).sum(1, keepdims=True)  # how many experts have a token
    for loss in (loss_of, paddle.jit.to_static(loss_of)):
        x = paddle.to_tensor(X, stop_gradient=False)
        loss(x).backward()
        np.testing.assert_allclose(x.grad, 2 * X * times)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"counts": [2, 2, 2]}, ArgumentError, r"found \[2, 3, 2\]"),
        ({"counts": [2, 3]}, ArgumentError, "must have 3 counts"),
        ({"override_buffer_size": 5}, ArgumentError, "take 8 rows"),
        ({"do_gather": False}, UnsupportedError, "do_gather"),
    ],
)
def test_what_does_not_fit_is_refused(options: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        permuted(**options)


def test_the_rows_are_those_of_all_tokens() -> None:
    tokens, rows, shares, _ = permuted()
    with pytest.raises(ShapeError, match=r"\[5,3\]"):
        moe_unpermute(tokens, rows, paddle.to_tensor(ROUTES), shares, 5, 3)
