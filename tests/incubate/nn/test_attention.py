"""Gated attention, against the formula in NumPy."""

import numpy as np
import pytest

import twinoar as paddle
from tests.incubate.nn.test_decoding import attention, normal, t
from twinoar.errors import ArgumentError, ShapeError
from twinoar.incubate.nn import functional as F

N, M, Q, K, A, B, HEADS, SIZE = 2, 3, 4, 5, 6, 7, 2, 3


def projected(x, weight):
    return np.einsum("...ta,ahd->...htd", x, weight)


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_a_gate_multiplies_what_heads_attend_to(merged, gated, masked):
    query, count = normal(N, M, Q, A), Q if merged else K
    key = query if merged else normal(N, M, K, B)
    of_key = key.shape[-1]
    weights = [normal(A, HEADS, SIZE), normal(of_key, HEADS, SIZE), normal(of_key, HEADS, SIZE)]
    gate, gate_bias = normal(A, HEADS, SIZE), normal(HEADS, SIZE)
    last, last_bias = normal(HEADS, SIZE, A), normal(A)
    bias, mask = normal(N, 1, HEADS, Q, count), normal(N, M, 1, 1, count)
    given = {"out_linear_weight": t(last), "out_linear_bias": t(last_bias)}
    if merged:
        given["qkv_weight"] = t(np.stack([w.transpose(1, 2, 0) for w in weights]))
    else:
        names = ("query_weight", "key_weight", "value_weight")
        given |= {"key": t(key), **dict(zip(names, map(t, weights), strict=True))}
    if gated:
        given |= {"gate_linear_weight": t(gate), "gate_linear_bias": t(gate_bias)}
    if masked:
        given |= {"nonbatched_bias": t(bias), "attn_mask": t(mask)}
    found = F.fused_gate_attention(t(query), **given, merge_qkv=merged, has_gating=gated)
    q, k, v = (projected(x, w) for x, w in zip((query, key, key), weights, strict=True))
    added = bias + mask if masked else np.zeros((N, M, 1, 1, count))
    out = np.stack(
        [[attention(q[n, m], k[n, m], v[n, m], added[n, m]) for m in range(M)] for n in range(N)]
    ).swapaxes(2, 3)
    if gated:
        raw = np.einsum("nmta,ahd->nmthd", query, gate) + gate_bias
        out = out / (1 + np.exp(-raw))
    wanted = np.einsum("nmthd,hdc->nmtc", out, last) + last_bias
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)


def test_what_a_gated_attention_lacks_is_told():
    query, last = t(normal(N, M, Q, A)), t(normal(HEADS, SIZE, A))
    with pytest.raises(ArgumentError, match="qkv_weight, gate_linear_weight must be given"):
        F.fused_gate_attention(query, out_linear_weight=last)
    with pytest.raises(ShapeError, match="query must be"):
        weight = t(normal(3, HEADS, SIZE, A))
        F.fused_gate_attention(
            query[0], qkv_weight=weight, out_linear_weight=last, has_gating=False
        )


def test_dot_product_attention_is_that_of_nn():
    q, mask = t(normal(N, Q, HEADS, SIZE)), t(normal(N, 1, Q, Q))
    plain = paddle.nn.functional.scaled_dot_product_attention
    for found, wanted in (
        (F.fused_dot_product_attention(q, q, q, mask), plain(q, q, q, mask)),
        (F.fused_dot_product_attention(q, q, q, is_causal=True), plain(q, q, q, is_causal=True)),
        (F.fused_dot_product_attention(q, q, q, scaling_factor=0.1), plain(q, q, q, scale=0.1)),
    ):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
    with pytest.raises(ArgumentError, match="is_causal False with it"):
        F.fused_dot_product_attention(q, q, q, mask, is_causal=True)
