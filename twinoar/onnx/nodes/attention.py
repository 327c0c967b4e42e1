"""Attention, in the forms of ONNX.

Source: https://github.com/onnx/onnx/blob/main/docs/Operators.md#Attention
"""

from __future__ import annotations

import math
from typing import Any

import twinoar as paddle
from twinoar.onnx.nodes.elementwise import held
from twinoar.onnx.table import node


@node("Attention", since=23)
def attention(
    q: Any,
    k: Any,
    v: Any,
    mask: Any = None,
    past_key: Any = None,
    past_value: Any = None,
    lengths: Any = None,
    *,
    is_causal: int = 0,
    kv_num_heads: int | None = None,
    left_window_size: int = -1,
    q_num_heads: int | None = None,
    qk_matmul_output_mode: int = 0,
    right_window_size: int = -1,
    scale: float | None = None,
    softcap: float = 0.0,
    softmax_precision: int | None = None,
    results: list,
) -> Any:
    is_packed = len(q.shape) == 3
    if is_packed:
        q, k, v = _heads(q, q_num_heads), _heads(k, kv_num_heads), _heads(v, kv_num_heads)
    if past_key is not None:
        k, v = paddle.concat([past_key, k], 2), paddle.concat([past_value, v], 2)
    keys, values = k, v
    times = q.shape[1] // k.shape[1]
    if times > 1:
        k, v = paddle.repeat_interleave(k, times, 1), paddle.repeat_interleave(v, times, 1)
    root = math.sqrt(1.0 / math.sqrt(q.shape[-1]) if scale is None else scale)
    raw = paddle.matmul(q * root, k * root, transpose_y=True)
    logits = softcap * paddle.tanh(raw / softcap) if softcap else raw
    capped = logits
    past = 0 if past_key is None else past_key.shape[2]
    allowed = _allowed(q, k, past, lengths, is_causal, left_window_size, right_window_size)
    if mask is not None:
        missing = k.shape[2] - mask.shape[-1]
        is_bool = mask.dtype == paddle.bool
        if missing:
            fill = paddle.full(
                [*mask.shape[:-1], missing], False if is_bool else -math.inf, mask.dtype
            )
            mask = paddle.concat([mask, fill], -1)
        if is_bool:
            allowed = mask if allowed is None else paddle.logical_and(allowed, mask)
        else:
            logits = logits + mask
    if allowed is not None:
        logits = paddle.where(allowed, logits, paddle.full([], -math.inf, logits.dtype))
    biased = logits
    wide = logits if softmax_precision is None else logits.astype(held(softmax_precision))
    share = _softmax(wide).astype(q.dtype)
    found = paddle.matmul(share, v)
    if is_packed:
        found = found.transpose([0, 2, 1, 3]).reshape([q.shape[0], q.shape[2], -1])
    told = (raw, capped, biased, share)[qk_matmul_output_mode]
    return found, keys, values, told


def _softmax(x: Any) -> Any:
    """Rows in which nothing is allowed are zero."""
    largest = paddle.max(x, -1, keepdim=True)
    is_empty = largest == -math.inf
    e = paddle.exp(x - paddle.where(is_empty, paddle.zeros_like(largest), largest))
    total = paddle.sum(e, -1, keepdim=True)
    return e / paddle.where(is_empty, paddle.ones_like(total), total)


def _heads(x: Any, count: int | None) -> Any:
    batch, steps, width = x.shape
    return x.reshape([batch, steps, count, width // count]).transpose([0, 2, 1, 3])


def _allowed(q: Any, k: Any, past: Any, lengths: Any, causal: int, left: int, right: int) -> Any:
    """Which keys each query may attend to: [batch or 1, 1, queries, keys]; None for all."""
    if causal:
        right = 0 if right < 0 else min(right, 0)
    key = paddle.arange(k.shape[2]).reshape([1, 1, 1, -1])
    query = paddle.arange(q.shape[2]).reshape([1, 1, -1, 1])
    own = None if lengths is None else lengths.astype("int64").reshape([-1, 1, 1, 1])
    place = query + past if own is None else query + (own - q.shape[2])
    rules = []
    if own is not None:
        rules.append(key < own)
    if right >= 0:
        rules.append(key <= place + right)
    if left >= 0:
        rules.append(key >= place - left)
    found = None
    for rule in rules:
        found = rule if found is None else paddle.logical_and(found, rule)
    return found


@node("RotaryEmbedding", since=23)
def rotary_embedding(
    x: Any,
    cosines: Any,
    sines: Any,
    places: Any = None,
    *,
    interleaved: int = 0,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
) -> Any:
    is_packed = len(x.shape) == 3
    shape = list(x.shape)
    y = x.reshape([shape[0], shape[1], num_heads, -1]) if is_packed else x.transpose([0, 2, 1, 3])
    width = rotary_embedding_dim or y.shape[3]
    if places is not None:
        index = places.astype("int64").reshape([-1])
        cosines, sines = (
            paddle.index_select(t, index, 0).reshape([*places.shape, -1]) for t in (cosines, sines)
        )
    cosines, sines = cosines.unsqueeze(2), sines.unsqueeze(2)
    turned, rest = y[..., :width], y[..., width:]
    if interleaved:
        a, b = turned[..., 0::2], turned[..., 1::2]
    else:
        a, b = paddle.split(turned, 2, -1)
    real, imaginary = cosines * a - sines * b, sines * a + cosines * b
    if interleaved:
        found = paddle.stack([real, imaginary], -1).reshape(turned.shape)
    else:
        found = paddle.concat([real, imaginary], -1)
    found = paddle.concat([found, rest], -1)
    return found.reshape(shape) if is_packed else found.transpose([0, 2, 1, 3])


@node("LinearAttention", since=27)
def linear_attention(
    q: Any,
    k: Any,
    v: Any,
    past: Any = None,
    decay: Any = None,
    beta: Any = None,
    *,
    chunk_size: int = 64,
    kv_num_heads: int,
    q_num_heads: int,
    scale: float = 0.0,
    update_rule: str = "gated_delta",
) -> Any:
    batch, steps = q.shape[:2]
    q, k, v = _heads(q, q_num_heads), _heads(k, kv_num_heads), _heads(v, kv_num_heads)
    factor = scale or 1.0 / math.sqrt(q.shape[-1])
    times = q_num_heads // kv_num_heads
    dtype = q.dtype
    wide = "float32" if dtype != paddle.float64 else "float64"
    q, k, v = (t.astype(wide) for t in (q, k, v))
    state = (
        paddle.zeros([batch, kv_num_heads, k.shape[3], v.shape[3]], wide)
        if past is None
        else past.astype(wide)
    )
    gates: Any = None if decay is None else _heads(decay, kv_num_heads).astype(wide)
    rates: Any = (
        None
        if beta is None
        else _heads(beta, kv_num_heads if beta.shape[2] != 1 else 1).astype(wide)
    )
    found = []
    for t in range(steps):
        key, value = k[:, :, t].unsqueeze(-1), v[:, :, t].unsqueeze(-2)
        if "gated" in update_rule:
            state = paddle.exp(gates[:, :, t]).unsqueeze(-1) * state
        if "delta" in update_rule:
            held_ = paddle.matmul(key, state, transpose_x=True)
            value = rates[:, :, t].unsqueeze(-1) * (value - held_)
        state = state + key * value
        memory = paddle.repeat_interleave(state, times, 1) if times > 1 else state
        found.append(factor * paddle.matmul(q[:, :, t].unsqueeze(-2), memory).squeeze(-2))
    y = paddle.stack(found, 1).reshape([batch, steps, -1]).astype(dtype)
    return y, state.astype(dtype if past is None else past.dtype)
