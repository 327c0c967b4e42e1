"""Attention tile by tile is that of all scores at once, in memory that is linear in the length.

What is compared with is computed by NumPy in float64, or by the operators' bodies.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.backends import native
from twinoar.nn import functional as F
from twinoar.nn.functional.flash_attention import flash_attn_unpadded
from twinoar.ops.random.dropout import drawn
from twinoar.ops.sequence import attention as module
from twinoar.ops.sequence.attention import attended, is_tiled, not_later
from twinoar.ops.sequence.tiled_attention import tiled_attention

RANDOM = np.random.RandomState(3)
Q, K = 130, 150  # more than two tiles, and no multiple of one
DRAW = np.array([5, 2])


def normal(*shape: int) -> np.ndarray:
    return RANDOM.randn(*shape).astype("float32")


def leaf(array: np.ndarray, dtype: str = "float32") -> Any:
    made = paddle.to_tensor(array).astype(dtype).detach()
    made.stop_gradient = False
    return made


MASKS = {
    "none": None,
    "added": normal(2, 4, Q, K),
    "of keys": RANDOM.rand(2, 1, 1, K) < 0.7,
    "truth": RANDOM.rand(Q, K) < 0.7,
}


def wanted(arrays: list, g: np.ndarray, mask: Any, causal: bool, dropout: float) -> list:
    """The result and the gradients by NumPy, in float64."""
    q, k, v = (np.float64(x).transpose(0, 2, 1, 3) for x in arrays)
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = q @ k.swapaxes(2, 3) * q.shape[3] ** -0.5
    if causal:
        scores = np.where(np.tri(Q, K, dtype=bool), scores, -np.inf)
    elif mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    kept = np.ones(shares.shape)
    if dropout:
        kept = drawn(DRAW, dropout, shares.shape) / (1 - dropout)
    slope = np.float64(g).transpose(0, 2, 1, 3)
    of_shares = slope @ v.swapaxes(2, 3) * kept
    of_scores = shares * (of_shares - (of_shares * shares).sum(-1, keepdims=True))
    of_scores *= q.shape[3] ** -0.5
    out, of_query = (shares * kept) @ v, of_scores @ k
    of_key, of_value = of_scores.swapaxes(2, 3) @ q, (shares * kept).swapaxes(2, 3) @ slope
    heads = arrays[1].shape[2]
    of_key, of_value = (
        x.reshape(len(x), heads, -1, *x.shape[2:]).sum(2) for x in (of_key, of_value)
    )
    return [x.transpose(0, 2, 1, 3) for x in (out, of_query, of_key, of_value)]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("dropout", [0.0, 0.25])
@pytest.mark.parametrize(("mask", "causal"), [*((m, False) for m in MASKS), ("none", True)])
def test_result_and_gradients_are_those_of_all_scores(
    mask: str, causal: bool, dropout: float, dtype: str
) -> None:
    arrays = [normal(2, Q, 4, 20), normal(2, K, 2, 20), normal(2, K, 2, 12)]
    g = normal(2, Q, 4, 12)
    operands = [leaf(a, dtype) for a in arrays]
    given = None if MASKS[mask] is None else paddle.to_tensor(MASKS[mask])
    draw = paddle.to_tensor(DRAW) if dropout else None
    out, _ = tiled_attention(*operands, given, draw, None, dropout, causal, 20**-0.5)
    out.backward(paddle.to_tensor(g).astype(dtype))
    found = [out, *(x.grad for x in operands)]
    rounded = [x.astype("float32").numpy() for x in operands]
    close = {"rtol": 1e-4, "atol": 1e-5} if dtype == "float32" else {"rtol": 0.02, "atol": 0.02}
    for x, y in zip(found, wanted(rounded, g, MASKS[mask], causal, dropout), strict=True):
        assert x.dtype == operands[0].dtype
        np.testing.assert_allclose(x.astype("float32").numpy(), y, **close)


def test_the_gradient_of_an_added_mask_is_that_of_all_scores() -> None:
    arrays, mask, g = [normal(1, 70, 2, 8) for _ in range(3)], normal(2, 1, 70), normal(1, 70, 2, 8)
    found = []
    for tiled in (True, False):
        operands, bias = [leaf(a) for a in arrays], leaf(mask)
        if tiled:
            out = tiled_attention(*operands, bias, scale=0.3)[0]
        else:
            out = attended(*operands, bias, 0.3, draw=None, dropout_p=0.0)[0]
        out.backward(paddle.to_tensor(g))
        found.append(bias.grad.numpy())
    np.testing.assert_allclose(*found, rtol=1e-4, atol=1e-6)


def test_a_sample_without_keys_gets_zeros_and_gives_no_gradient() -> None:
    q, k, v = leaf(normal(2, 5, 1, 4)), leaf(normal(2, 70, 1, 4)), leaf(normal(2, 70, 1, 4))
    bounds = paddle.to_tensor(np.array([[0, 0], [65, 0]]))
    out, _ = tiled_attention(q, k, v, None, None, bounds)
    out.sum().backward()
    assert not out.numpy()[0].any()
    assert not q.grad.numpy()[0].any()
    assert v.grad.numpy()[1, :65].all()
    assert not v.grad.numpy()[1, 65:].any()


def test_a_row_that_a_mask_hides_is_nan_as_a_softmax_of_nothing_is() -> None:
    q = paddle.to_tensor(normal(1, 3, 1, 4))
    mask = paddle.to_tensor(np.array([[True] * 3, [False] * 3, [True] * 3]))
    out = tiled_attention(q, q, q, mask)[0].numpy()
    assert np.isnan(out[0, 1]).all()
    assert np.isfinite(out[0, [0, 2]]).all()


def _long(length: int, heads: int = 2) -> list:
    return [leaf(normal(1, length, heads, 8)) for _ in range(3)]


@pytest.mark.parametrize("causal", [False, True])
def test_long_calls_of_users_are_tiled_and_equal_to_all_scores(causal: bool) -> None:
    q, k, v = _long(600)
    assert is_tiled(q.spec, k.spec, v.spec, causal)
    out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    again, _ = F.flash_attention.flash_attention(q, k, v, causal=causal)
    mask = not_later(q, k) if causal else None
    full, _ = attended(q, k, v, mask, None, draw=None, dropout_p=0.0)
    np.testing.assert_array_equal(out.numpy(), again.numpy())
    np.testing.assert_allclose(out.numpy(), full.numpy(), rtol=1e-4, atol=1e-5)


def test_short_calls_take_all_scores_at_once() -> None:
    q = paddle.ones([1, 64, 2, 8])
    assert not is_tiled(q.spec, q.spec, q.spec)
    assert not is_tiled(q.spec, q.spec, q.spec, is_causal=True)


def test_dropout_of_tiles_leaves_out_what_dropout_of_shares_does() -> None:
    q, k, v = _long(600, heads=1)
    draw = paddle.to_tensor(DRAW)
    out = module.attention_op(q, k, v, None, draw, 0.5)
    full, _ = attended(q, k, v, None, None, draw=draw, dropout_p=0.5)
    np.testing.assert_allclose(out.numpy(), full.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_sequences_end_to_end_are_tiled_within_each(causal: bool) -> None:
    lengths = [513, 3, 600]
    ends = np.cumsum([0, *lengths])
    q, k, v = (leaf(normal(ends[-1], 2, 8)) for _ in range(3))
    bounds = paddle.to_tensor(ends)
    out, _ = flash_attn_unpadded(q, k, v, bounds, bounds, 600, 600, 0.3, causal=causal)
    for a, b in pairwise(ends):
        parts = [x[int(a) : int(b)].unsqueeze(0) for x in (q, k, v)]
        mask = not_later(*parts[:2]) if causal else None
        alone, _ = attended(*parts, mask, 0.3, draw=None, dropout_p=0.0)
        np.testing.assert_allclose(out[int(a) : int(b)].numpy(), alone[0].numpy(), 1e-4, 1e-5)


def test_a_layer_is_tiled_and_gives_the_gradients_of_all_scores() -> None:
    paddle.seed(1)
    layer, x = nn.MultiHeadAttention(16, 2), normal(1, 600, 16)
    shown = nn.MultiHeadAttention(16, 2, need_weights=True)  # which needs all of them
    shown.set_state_dict(layer.state_dict())
    found = []
    for one in (layer, shown):
        given = leaf(x)
        out = one(given)
        (out[0] if isinstance(out, tuple) else out).square().sum().backward()
        found.append([given.grad.numpy(), *(p.grad.numpy() for p in one.parameters())])
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4)


def test_memory_is_linear_in_the_length() -> None:
    """8192 positions: all scores of one head would take 256 MiB."""
    arrays = [normal(1, 8192, 1, 8) for _ in range(3)]
    given = {"dropout_p": 0.0, "is_causal": True, "scale": None}
    made = native.make_operation(module.attention_op, (*arrays, None, None), given, native.host())
    assert made is not None
    assert made.arena_bytes < 1 << 20


BITS = """
import hashlib, numpy as np, twinoar as paddle
r = np.random.RandomState(0)
q, k, v = (paddle.to_tensor(r.randn(1, 600, 2, 8).astype("float32")) for _ in range(3))
for x in (q, k, v):
    x.stop_gradient = False
draw = paddle.to_tensor([7, 3])
for causal in (False, True):
    out = paddle.nn.functional.flash_attention.flash_attention(
        q, k, v, 0.1, causal, fixed_seed_offset=draw)[0]
    out.square().sum().backward()
print(hashlib.sha256(b"".join(x.grad.numpy().tobytes() for x in (q, k, v))).hexdigest())
"""


def test_gradients_have_the_same_bits_in_one_and_two_threads_and_again() -> None:
    found = set()
    for threads in ("1", "2", "2"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads}
        done = subprocess.run(
            [sys.executable, "-c", BITS],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1


class Written(nn.Layer):
    """Attention as users write it."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout

    def forward(self, q: Any, k: Any, v: Any, mask: Any) -> Any:
        scores = paddle.matmul(q, k, transpose_y=True) * 0.25 + mask
        return paddle.matmul(F.dropout(F.softmax(scores), self.dropout), v)


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_what_users_write_out_is_tiled_with_its_gradients(dropout: float) -> None:
    arrays = [normal(1, 2, 600, 16) for _ in range(3)]
    mask = paddle.to_tensor(np.where(np.tri(600, dtype=bool), 0, -1e9).astype("float32"))
    layer = Written(dropout)
    compiled = paddle.jit.to_static(Written(dropout))
    found = []
    for one in (layer, compiled):
        operands = [leaf(a) for a in arrays]
        paddle.seed(5)
        out = one(*operands, mask)
        out.square().sum().backward()
        found.append([out.numpy(), *(x.grad.numpy() for x in operands)])
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4)
    assert "tiled_attention  #" in compiled.forward.explain()


class Attend(nn.Layer):
    """Causal attention to itself."""

    def forward(self, x: Any) -> Any:
        return F.scaled_dot_product_attention(x, x, x, is_causal=True)


def test_one_plan_serves_lengths_and_batches_that_a_program_leaves_open() -> None:
    spec = paddle.static.InputSpec([None, None, 2, 8], "float32")
    compiled = paddle.jit.to_static(Attend(), input_spec=[spec])
    for batch, length in ((2, 200), (3, 260), (1, 30)):
        x = leaf(normal(batch, length, 2, 8))
        out = compiled(x)
        out.square().sum().backward()
        found, x.grad = x.grad, None
        full, _ = attended(x, x, x, not_later(x, x), None, draw=None, dropout_p=0.0)
        full.square().sum().backward()
        np.testing.assert_allclose(out.numpy(), full.numpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(found.numpy(), x.grad.numpy(), rtol=1e-3, atol=1e-4)


def test_short_written_out_attention_stays_as_it_is() -> None:
    arrays = [paddle.to_tensor(normal(1, 2, 40, 16)) for _ in range(3)]
    compiled = paddle.jit.to_static(Written(0.0))
    compiled(*arrays, paddle.zeros([40, 40]))
    assert "tiled_attention  #" not in compiled.forward.explain()
