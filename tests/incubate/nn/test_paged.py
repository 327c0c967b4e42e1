"""Attention with caches in blocks, against a loop over sequences in NumPy."""

import numpy as np
import pytest

import twinoar as paddle
from tests.incubate.nn.test_decoding import attention, normal, rotated, t
from twinoar.errors import ArgumentError, AxisError, ShapeError, UnsupportedError
from twinoar.incubate.nn import functional as F

HEADS, SIZE, BLOCK = 4, 6, 4
TABLE = np.array([[5, 2, 7], [0, 3, -1], [6, 1, 4]], "int32")
COSINES, SINES = normal(2, 12, SIZE // 2)


class Server:
    """Sequences of which each has the keys and values so far, as the cache should hold them."""

    def __init__(self, groups):
        self.groups = groups
        self.caches = [t(np.full((8, groups, BLOCK, SIZE), np.nan, "float32")) for _ in range(2)]
        self.held = [[np.zeros((groups, 0, SIZE))] * 2 for _ in TABLE]

    def arguments(self, now, begins):
        lengths = np.array([h[0].shape[1] for h in self.held], "int32")[:, None]
        now = np.array(now, "int32")[:, None]
        ends = np.concatenate([[0], np.cumsum(now)]).astype("int32")
        encoder = np.where(np.array(begins)[:, None], now, 0).astype("int32")
        qkv = normal(now.sum(), HEADS + 2 * self.groups, SIZE)
        flat = t(qkv.reshape(len(qkv), -1))
        given = [flat, *self.caches, t(encoder), t(lengths), t(now), None, None, t(ends), t(ends)]
        return qkv, [*given, t(TABLE)]

    def wanted(self, qkv, now, rotary, masks):
        start, found = 0, []
        for n, count in enumerate(now):
            row = qkv[start : start + count].swapaxes(0, 1)
            start += count
            q, k, v = np.split(row, [HEADS, HEADS + self.groups])
            before = self.held[n][0].shape[1]
            at = before + np.arange(count)
            if rotary is not None:
                repeat = (
                    (lambda x: np.concatenate([x, x], -1))
                    if rotary
                    else (lambda x: np.repeat(x, 2, -1))
                )
                angle = repeat(COSINES[at]), repeat(SINES[at])
                q, k = (rotated(x, *angle, rotary) for x in (q, k))
            self.held[n] = [np.concatenate(x, 1) for x in zip(self.held[n], (k, v), strict=True)]
            mask = np.where(np.arange(before + count) > at[:, None], -np.inf, 0.0)
            if masks is not None and masks[n] is not None:
                mask = masks[n][:count, : before + count]
            if count:
                found.append(attention(q, *self.held[n], mask).swapaxes(0, 1).reshape(count, -1))
        return np.concatenate(found)

    def check_caches(self):
        for n, held in enumerate(self.held):
            for cache, wanted in zip(self.caches, held, strict=True):
                for k in range(wanted.shape[1]):
                    found = cache.numpy()[TABLE[n, k // BLOCK], :, k % BLOCK]
                    np.testing.assert_allclose(found, wanted[:, k], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("groups", [4, 2])
@pytest.mark.parametrize("rotary", [None, False, True])
@pytest.mark.parametrize("longest", [-1, 7])
def test_sequences_begin_and_go_on(groups, rotary, longest):
    server = Server(groups)
    table = np.stack([COSINES, SINES])[:, None, :, None]
    settings = {"rope_emb": None if rotary is None else t(table)}
    settings |= {"use_neox_style": bool(rotary), "block_size": BLOCK, "max_seq_len": longest}
    for now, begins in (([5, 7, 0], [1, 1, 0]), ([1, 1, 3], [0, 0, 1]), ([1, 0, 1], [0, 0, 0])):
        qkv, given = server.arguments(now, begins)
        out, same, *caches = F.block_multihead_attention(*given, **settings)
        wanted = server.wanted(qkv, now, rotary, None)
        np.testing.assert_allclose(out, wanted, rtol=1e-4, atol=1e-5)
        assert same is given[0] and caches[0] is given[1] and caches[1] is given[2]
        server.check_caches()


def test_masks_are_of_those_that_begin_and_of_the_others():
    server, size = Server(4), 6
    qkv, given = server.arguments([3, 2, 0], [1, 1, 0])
    first = normal(3, 1, size, size)
    out, *_ = F.block_multihead_attention(*given, mask=t(first), block_size=BLOCK)
    wanted = server.wanted(qkv, [3, 2, 0], None, first[:, 0])
    np.testing.assert_allclose(out, wanted, rtol=1e-4, atol=1e-5)
    qkv, given = server.arguments([1, 1, 2], [0, 0, 1])
    later = normal(3, 1, 1, size)
    out, *_ = F.block_multihead_attention(*given, tgt_mask=t(later), block_size=BLOCK)
    wanted = server.wanted(qkv, [1, 1, 2], None, [later[0, 0], later[1, 0], None])
    np.testing.assert_allclose(out, wanted, rtol=1e-4, atol=1e-5)


def test_a_bias_is_added_first():
    bias, (one, other) = normal(12 * SIZE), (Server(4), Server(4))
    _, given = one.arguments([2, 1, 1], [1, 1, 1])
    plain = [given[0] + t(bias), *other.caches, *given[3:]]
    found = F.block_multihead_attention(*given, qkv_bias=t(bias), block_size=BLOCK)[0]
    wanted = F.block_multihead_attention(*plain, block_size=BLOCK)[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_a_converted_call_writes_into_its_caches():
    one, other = Server(4), Server(4)
    qkv, given = one.arguments([4, 2, 1], [1, 1, 1])

    @paddle.jit.to_static
    def call(qkv, keys, values, encoder, decoder, now, ends, table):
        return F.block_multihead_attention(
            *(qkv, keys, values, encoder, decoder, now, None, None, ends, ends, table),
            block_size=BLOCK,
        )[0]

    out = call(*given[:6], given[8], given[10])
    wanted = F.block_multihead_attention(given[0], *other.caches, *given[3:], block_size=BLOCK)[0]
    np.testing.assert_allclose(out, wanted, rtol=1e-5, atol=1e-6)
    one.wanted(qkv, [4, 2, 1], None, None)
    one.check_caches()


def test_a_sequence_longer_than_its_blocks_is_refused():
    _, given = Server(4).arguments([13, 1, 1], [1, 1, 1])
    with pytest.raises(AxisError):
        F.block_multihead_attention(*given, block_size=BLOCK)


def test_a_sequence_longer_than_said_is_refused():
    _, given = Server(4).arguments([5, 1, 1], [1, 1, 1])
    with pytest.raises(ArgumentError, match="from 0 to 4"):
        F.block_multihead_attention(*given, block_size=BLOCK, max_seq_len=4)


def test_what_is_not_served_is_refused():
    _, given = Server(4).arguments([2, 1, 1], [1, 1, 1])
    with pytest.raises(UnsupportedError, match="cache_k_quant_scales"):
        F.block_multihead_attention(*given, cache_k_quant_scales=paddle.ones([4]))
    with pytest.raises(UnsupportedError, match="a prefix"):
        F.block_multihead_attention(*given, pre_key_cache=paddle.ones([4]), block_size=BLOCK)
    with pytest.raises(ShapeError, match="blocks must have 64 positions"):
        F.block_multihead_attention(*given)
    with pytest.raises(ShapeError, match="qkv must be"):
        F.block_multihead_attention(given[0][:, 1:], *given[1:], block_size=BLOCK)
    with pytest.raises(ShapeError, match="rope_emb must be"):
        F.block_multihead_attention(*given, rope_emb=paddle.ones([2, 1, 9, 1, 2]), block_size=BLOCK)
