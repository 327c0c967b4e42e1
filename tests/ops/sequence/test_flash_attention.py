"""Attention by the names of fused kernels is that of NumPy under masks written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.nn import functional as F
from twinoar.nn.functional.flash_attention import flash_attention, flash_attn_unpadded

RANDOM = np.random.RandomState(0)


def numbers(*shape: int) -> np.ndarray:
    return RANDOM.randn(*shape).astype("float32")


def tensors(*arrays: np.ndarray) -> list:
    return [paddle.to_tensor(a) for a in arrays]


def dense(q: Any, k: Any, v: Any, mask: Any = True, scale: float | None = None) -> tuple:
    """The attention, the shares, and log(sum(exp(scores))); nothing for rows that see nothing."""
    k, v = (np.repeat(x, q.shape[2] // x.shape[2], 2) for x in (k, v))
    scores = np.einsum("nqhd,nkhd->nhqk", q, k) * (scale or q.shape[-1] ** -0.5)
    weights = np.where(mask, np.exp(scores), 0.0)
    total = weights.sum(-1, keepdims=True)
    shares = weights / np.where(total == 0, 1.0, total)
    with np.errstate(divide="ignore"):
        return np.einsum("nhqk,nkhd->nqhd", shares, v), shares, np.log(total[..., 0])


def near(found: Any, wanted: np.ndarray) -> None:
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_flash_attention_is_that_of_the_formula(causal: bool) -> None:
    q, k, v = numbers(2, 3, 4, 8), numbers(2, 5, 2, 8), numbers(2, 5, 2, 6)
    mask = np.tri(3, 5, dtype=bool) if causal else True
    wanted, shares, _ = dense(q, k, v, mask, 0.3)
    options = {"causal": causal, "softmax_scale": 0.3}
    out, none = flash_attention(*tensors(q, k, v), **options)
    assert none is None
    near(out, wanted)
    out, found = flash_attention(*tensors(q, k, v), **options, return_softmax=True)
    near(out, wanted)
    near(found, shares)


def test_a_fixed_seed_gives_the_same_dropout() -> None:
    q = paddle.ones([1, 8, 2, 4])
    seed = paddle.to_tensor([7, 3])
    first, second = (
        flash_attention(q, q, q, 0.5, return_softmax=True, fixed_seed_offset=seed)[1]
        for _ in range(2)
    )
    assert first.tolist() == second.tolist()
    assert 0.2 < (first == 0).astype("float32").mean().item() < 0.8
    assert (flash_attention(q, q, q, 0.5, training=False)[0] == 1.0).all().item()


@pytest.mark.parametrize("groups", [1, 3])
def test_packed_operands_are_unpacked(groups: int) -> None:
    qkv = numbers(2, 5, groups + 2, 2, 8)
    q, k, v = qkv[:, :, :-2].reshape(2, 5, -1, 8), qkv[:, :, -2], qkv[:, :, -1]
    near(F.flash_attn_qkvpacked(*tensors(qkv))[0], dense(q, k, v)[0])


def sequences(*lengths: int) -> np.ndarray:
    return np.cumsum([0, *lengths]).astype("int32")


def apart(q: Any, k: Any, v: Any, ends: Any, ends_k: Any, mask: Any) -> np.ndarray:
    """The attention of each sequence to itself, end to end."""
    out = np.zeros((*q.shape[:2], v.shape[-1]), "float32")
    for a, b, c, d in zip(ends[:-1], ends[1:], ends_k[:-1], ends_k[1:], strict=True):
        one = q[None, a:b], k[None, c:d], v[None, c:d]
        out[a:b] = dense(*one, mask(b - a, d - c))[0][0]
    return out


@pytest.mark.parametrize("causal", [False, True])
def test_sequences_end_to_end_see_themselves_alone(causal: bool) -> None:
    ends, ends_k = sequences(3, 0, 4, 1), sequences(2, 5, 0, 3)
    q, k, v = numbers(10, 4, 8), numbers(10, 2, 8), numbers(10, 2, 6)
    mask = (lambda m, n: np.tri(m, n, dtype=bool)) if causal else (lambda m, n: True)
    wanted = apart(q, k, v, ends, ends_k, mask)
    given = [*tensors(q, k, v, ends, ends_k), 4, 6, 8**-0.5]
    out, shares = flash_attn_unpadded(*given, causal=causal, return_softmax=True)
    near(out, wanted)  # the last two queries are of no sequence
    assert shares.shape == [4, 4, 4, 6]


def test_sequences_end_to_end_have_gradients_in_programs_too() -> None:
    ends = paddle.to_tensor(sequences(3, 5))
    x = paddle.to_tensor(numbers(8, 2, 4), stop_gradient=False)

    def loss_of(x: Any) -> Any:
        out, _ = flash_attn_unpadded(x, x, x, ends, ends, 5, 5, 0.5, causal=True)
        return (out**2).sum()

    gradients = []
    for loss in (loss_of, paddle.jit.to_static(loss_of)):
        loss(x).backward()
        gradients.append(x.grad.numpy())
        x.clear_grad()
    np.testing.assert_allclose(*gradients, rtol=1e-4, atol=1e-5)
    assert np.abs(gradients[0]).max() > 0


def test_packed_sequences_are_padded_or_end_to_end() -> None:
    qkv, ends = numbers(8, 4, 2, 8), sequences(2, 4)
    rows = np.array([0, 1, 4, 5, 6, 7])
    q, k, v = qkv[rows, :-2].reshape(6, 4, 8), qkv[rows, -2], qkv[rows, -1]
    wanted = apart(q, k, v, ends, ends, lambda m, n: True)
    given = [paddle.to_tensor(ends), paddle.to_tensor(ends), 4, 4, 8**-0.5]
    padded = F.flash_attn_varlen_qkvpacked(paddle.to_tensor(qkv), *given)[0]
    near(padded[rows.tolist()], wanted)
    assert padded[2:4].abs().max().item() == 0.0
    tight = F.flash_attn_varlen_qkvpacked(paddle.to_tensor(qkv[rows]), *given, varlen_padded=False)
    near(tight[0], wanted)


def test_the_third_version_aligns_ends_and_gives_logarithms() -> None:
    ends, ends_k = sequences(2, 3), sequences(4, 3)
    q, k, v = numbers(5, 2, 8), numbers(7, 2, 8), numbers(7, 2, 8)
    wanted = apart(q, k, v, ends, ends_k, lambda m, n: np.tri(m, n, n - m, dtype=bool))
    out, totals = F.flash_attention_v3_varlen(*tensors(q, k, v, ends, ends_k), 3, 4, causal=True)
    near(out, wanted)
    first = dense(q[None, :2], k[None, :4], v[None, :4], np.tri(2, 4, 2, dtype=bool))
    near(totals[:, :2], first[2][0])


def mask_of(rows: np.ndarray, queries: int, causal: bool) -> np.ndarray:
    """The mask that the indices of rows stand for, key by key."""
    n, heads, keys, count = rows.shape
    mask = np.ones((n, heads, queries, keys), bool)
    for place in np.ndindex(n, heads, keys):
        column, bounds = mask[place[0], place[1], :, place[2]], [int(b) for b in rows[place]]
        if causal:
            column[: place[2]] = False
            column[bounds[0] : bounds[1] if count == 2 else None] = False
        elif count == 2:
            column[bounds[0] :] = False
            column[: bounds[1]] = False
        else:
            column[bounds[0] : bounds[1]] = False
            column[bounds[2] : bounds[3]] = False
    return mask


@pytest.mark.parametrize(("causal", "count"), [(True, 1), (True, 2), (False, 2), (False, 4)])
@pytest.mark.parametrize("heads", [1, 2])
def test_masks_in_columns_are_those_written_out(causal: bool, count: int, heads: int) -> None:
    q, k, v = numbers(2, 7, 4, 8), numbers(2, 7, 2, 8), numbers(2, 7, 2, 8)
    rows = np.sort(RANDOM.randint(0, 8, (2, heads, 7, count)), -1).astype("int32")
    if count == 2 and not causal:
        rows = rows[..., ::-1].copy()
    mask = np.repeat(mask_of(rows, 7, causal), 4 // heads, 1)
    wanted, _, totals = dense(q, k, v, mask)
    out, found = F.flashmask_attention(
        *tensors(q, k, v, rows), causal=causal, return_softmax_lse=True
    )
    near(out, wanted)
    near(found, totals)


@pytest.mark.parametrize(
    ("window", "causal", "before", "behind"),
    [(2, True, 2, 0), (2, False, 2, 2), ((1, 3), False, 1, 3), ((-1, 1), False, 9, 1)],
)
def test_a_window_limits_how_far_queries_see(
    window: Any, causal: bool, before: int, behind: int
) -> None:
    x = numbers(1, 6, 2, 4)
    distance = np.arange(6) - np.arange(6)[:, None]
    mask = (distance >= -before) & (distance <= behind)
    out = F.flashmask_attention(*tensors(x, x, x), causal=causal, window_size=window)
    near(out, dense(x, x, x, mask)[0])


def test_a_block_mask_hides_128_keys_from_128_queries() -> None:
    x = numbers(1, 200, 1, 4)
    block = np.array([[[[1, 0], [1, 1]]]], "int32")
    mask = np.kron(block[0, 0], np.ones((128, 128)))[:200, :200] > 0
    found = F.flashmask_attention(*tensors(x, x, x), block_mask=paddle.to_tensor(block))
    near(found, dense(x, x, x, mask)[0])


def test_what_dropout_drew_from_draws_the_same_again() -> None:
    q = paddle.ones([1, 8, 2, 4])
    v = paddle.randn([1, 8, 2, 4])
    out, drawn = F.flashmask_attention(q, q, v, dropout=0.5, return_seed_offset=True)
    again = F.flashmask_attention(q, q, v, dropout=0.5, fixed_seed_offset=drawn)
    assert out.tolist() == again.tolist()


def test_sparse_attention_sees_what_the_matrix_and_the_masks_have() -> None:
    x = paddle.to_tensor([[0.0, 1], [2, 3], [0, 1], [2, 3]]).reshape([1, 1, 4, 2])
    offset = paddle.to_tensor([[[0, 2, 4, 6, 8]]], "int32")
    columns = paddle.to_tensor([[[0, 1, 0, 1, 2, 3, 2, 3]]], "int32")
    # what Paddle's documentation prints
    a, b = [1.60885942, 2.60885954], [1.99830270, 2.99830270]
    near(F.sparse_attention(x, x, x, offset, columns), np.array([[[a, b, a, b]]]))
    padding = paddle.to_tensor([[1.0, 1, 1, 0]])
    mask = paddle.to_tensor([[1.0, 0, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]])
    found = F.sparse_attention(x, x, x, offset, columns, padding, mask)
    near(found, np.array([[[[0, 1], b, [0, 1], [0, 1]]]]))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x, ends: F.flash_attn_qkvpacked(x), ShapeError, "5 dimensions"),
        (
            lambda x, ends: flash_attn_unpadded(x[0], x[0], x[0], ends, ends, 2, 2, 1.0),
            ArgumentError,
            "from 0 to 2 elements",
        ),
        (
            lambda x, ends: F.flash_attention_v3_varlen(*[x[0]] * 3, ends, ends, 4, 4, softcap=1.0),
            UnsupportedError,
            "no attention with softcap",
        ),
        (
            lambda x, ends: F.flashmask_attention(x, x, x, paddle.ones([1, 1, 4, 1], "int32")),
            ShapeError,
            "2 or 4",
        ),
    ],
)
def test_what_cannot_be_is_refused(call: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        call(paddle.ones([1, 4, 2, 3]), paddle.to_tensor([0, 4]))
