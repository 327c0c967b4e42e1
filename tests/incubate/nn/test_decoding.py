"""Attention with caches, and of rows of other lengths, against loops in NumPy."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError, UnsupportedError
from twinoar.incubate.nn import functional as F

RANDOM = np.random.default_rng(13)
N, HEADS, SIZE, ROOM = 2, 4, 6, 9


def normal(*shape):
    return RANDOM.standard_normal(shape).astype("float32")


def t(x):
    return paddle.to_tensor(np.asarray(x))


def attention(q, k, v, mask=0.0, scale=None):
    """q: [heads,Q,D], k, v: [G,K,D], mask: added, broadcasts to [heads,Q,K]."""
    k, v = (np.repeat(x, q.shape[0] // x.shape[0], 0) for x in (k, v))
    scores = q @ k.swapaxes(1, 2) * (q.shape[-1] ** -0.5 if scale is None else scale) + mask
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    return shares / shares.sum(-1, keepdims=True) @ v


def rotated(x, cos, sin, halves):
    if halves:
        one, other = np.split(x, 2, -1)
        return x * cos + np.concatenate([-other, one], -1) * sin
    turned = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    return x * cos + turned * sin


@pytest.mark.parametrize("groups", [4, 2, 1])
@pytest.mark.parametrize("rotary", [None, False, True])
def test_a_step_attends_to_what_is_before_it(groups, rotary):
    x, bias = normal(N, HEADS + 2 * groups, SIZE), normal(HEADS + 2 * groups, SIZE)
    cache, before = normal(2, N, groups, ROOM, SIZE), np.array([[5], [0]])
    for n in range(N):  # a cache holds anything behind the end
        cache[:, n, :, before[n, 0] :] = np.nan
    mask, table = normal(N, 1, 1, 6), normal(2, N, 1, 1, SIZE)
    given = t(cache)
    out, same = F.masked_multihead_attention(
        t(x.reshape(N, -1)),
        given,
        t(bias),
        t(mask),
        sequence_lengths=t(before),
        rotary_tensor=None if rotary is None else t(table),
        rotary_emb_dims=0 if rotary is None else 1,
        use_neox_rotary_style=bool(rotary),
    )
    assert same is given
    for n in range(N):
        row, at = x[n] + bias, before[n, 0]
        q, k, v = np.split(row, [HEADS, HEADS + groups])
        if rotary is not None:
            q, k = (rotated(part, table[0, n, 0], table[1, n, 0], rotary) for part in (q, k))
        cache[0, n, :, at], cache[1, n, :, at] = k, v
        wanted = attention(
            q[:, None], cache[0, n, :, : at + 1], cache[1, n, :, : at + 1], mask[n, :, :, : at + 1]
        )
        np.testing.assert_allclose(out[n], wanted.ravel(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(given, cache, rtol=1e-5)


@pytest.mark.parametrize("converted", [False, True])
def test_a_position_behind_the_cache_is_refused(converted):
    def step(x, cache, before):
        return F.masked_multihead_attention(x, cache, sequence_lengths=before)[0]

    step = paddle.jit.to_static(step) if converted else step
    x, cache = t(normal(N, 3 * HEADS * SIZE)), t(normal(2, N, HEADS, ROOM, SIZE))
    step(x, cache, t([[0], [ROOM - 1]]))
    with pytest.raises(AxisError):
        step(x, cache, t([[0], [ROOM]]))


@pytest.mark.parametrize("queries, keys", [(0, 3), (3, 0), (1, 1)])
def test_few_queries_and_keys_are_attended(queries, keys):
    q, k, one = t(normal(1, 2, queries, SIZE)), t(normal(1, 2, keys, SIZE)), t([[1]])
    out = F.variable_length_memory_efficient_attention(q, k, k, one, one, causal=True)
    assert out.shape == [1, 2, queries, SIZE] and np.isfinite(out.numpy()).all()


def test_the_mask_tells_the_position_where_lengths_do_not():
    x, cache, mask = (
        normal(N, 3 * HEADS * SIZE),
        normal(2, N, HEADS, ROOM, SIZE),
        normal(N, 1, 1, 4),
    )
    found = F.masked_multihead_attention(t(x), t(cache), src_mask=t(mask))
    lengths = t([[3], [3]])
    wanted = F.masked_multihead_attention(
        t(x), t(cache), src_mask=t(mask), sequence_lengths=lengths
    )
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other)


def test_a_converted_step_writes_into_its_cache():
    x = t(normal(N, 3 * HEADS * SIZE))

    def step(x, cache, before):
        out, _ = F.masked_multihead_attention(x, cache, sequence_lengths=before)
        return out

    one, other = (paddle.zeros([2, N, HEADS, ROOM, SIZE]) for _ in range(2))
    converted = paddle.jit.to_static(step)
    for k in range(3):
        before = paddle.full([N, 1], k, "int64")
        np.testing.assert_allclose(
            converted(x * k, one, before), step(x * k, other, before), rtol=1e-5, atol=1e-6
        )
    np.testing.assert_allclose(one, other, rtol=1e-6)
    assert one.abs().sum().item() > 0


@pytest.mark.parametrize("groups", [4, 2])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("prefix", [0, 2])
@pytest.mark.parametrize("masked", [False, True])
def test_rows_end_where_their_lengths_say(groups, causal, prefix, masked):
    q, k, v = normal(3, HEADS, 5, SIZE), normal(3, groups, 7, SIZE), normal(3, groups, 7, 4)
    lengths, of_keys = np.array([[5], [2], [0]]), np.array([[5], [3], [0]])
    mask = normal(3, 1, 5, 7) if masked else None
    for n in range(3):
        k[n, :, of_keys[n, 0] + prefix :] = np.nan
    found = F.variable_length_memory_efficient_attention(
        *map(t, (q, k, v, lengths, of_keys)), None if mask is None else t(mask), 0.3, causal, prefix
    )
    wanted = np.zeros((3, HEADS, 5, 4))
    for n in range(3):
        rows, keys = lengths[n, 0], of_keys[n, 0] + prefix
        added = 0.0 if mask is None else mask[n, :, :rows, :keys]
        if causal:
            hidden = np.arange(keys) > np.arange(rows)[:, None] + prefix
            added = added + np.where(hidden, -np.inf, 0.0)
        if rows:
            wanted[n, :, :rows] = attention(
                q[n, :, :rows], k[n, :, :keys], v[n, :, :keys], added, 0.3
            )
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_gradients_of_rows_without_keys_are_numbers():
    q, k = (paddle.to_tensor(normal(2, 1, 3, 2), stop_gradient=False) for _ in range(2))
    none = t([[2], [0]])
    F.variable_length_memory_efficient_attention(q, k, k, none, none, causal=True).sum().backward()
    assert np.isfinite(q.grad.numpy()).all() and np.isfinite(k.grad.numpy()).all()
    assert not k.grad[1].numpy().any()


@pytest.mark.parametrize("shape", [(3,), (3, 1)])
def test_the_greatest_lengths_are_found(shape):
    one, other = (np.array(x, "int32").reshape(shape) for x in ([3, 9, 1], [0, 0, 4]))
    found = F.blha_get_max_len(t(one), t(other), paddle.ones([3]))
    assert [x.tolist() for x in found] == [[9], [4]]
    assert found[0].dtype == paddle.int32


def test_what_is_not_served_is_refused():
    x, cache = t(normal(N, 3 * HEADS * SIZE)), t(normal(2, N, HEADS, ROOM, SIZE))
    before = t([[0], [1]])
    with pytest.raises(UnsupportedError, match="no beams"):
        F.masked_multihead_attention(x, cache, sequence_lengths=before, beam_cache_offset=before)
    with pytest.raises(UnsupportedError, match="a scale of 3"):
        F.masked_multihead_attention(x, cache, sequence_lengths=before, out_scale=3)


def test_what_does_not_fit_is_told():
    x, cache = t(normal(N, 3 * HEADS * SIZE)), t(normal(2, N, HEADS, ROOM, SIZE))
    with pytest.raises(ArgumentError, match="how many positions"):
        F.masked_multihead_attention(x, cache)
    with pytest.raises(ShapeError, match="cache_kv must be"):
        F.masked_multihead_attention(x)
    with pytest.raises(ShapeError, match="x must be"):
        F.masked_multihead_attention(x[:, :-1], cache, sequence_lengths=t([[0], [1]]))
    with pytest.raises(DTypeError, match="must be integers"):
        F.masked_multihead_attention(x, cache, sequence_lengths=t([[0.0], [1.0]]))
    with pytest.raises(ShapeError, match="rotary_tensor must be"):
        F.masked_multihead_attention(x, cache, sequence_lengths=t([[0], [1]]), rotary_emb_dims=1)
    q = t(normal(2, 1, 3, 2))
    with pytest.raises(ShapeError, match="seq_lens must be one for each of 2 rows"):
        F.variable_length_memory_efficient_attention(q, q, q, t([1]), t([1, 1]))
