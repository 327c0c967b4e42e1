"""Attention with caches in blocks, which a table gives to sequences: what servers decode with.

Source: arXiv 2309.06180, section 4.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import int64
from twinoar.core.interpreter import current
from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import DTypeError, ShapeError, UnsupportedError
from twinoar.incubate.nn.functional._refused import refuse_quantized
from twinoar.incubate.nn.functional.decoding import additive, heads_of
from twinoar.ops.create.fill import zeros
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather, scatter_op
from twinoar.ops.index.unique import searchsorted
from twinoar.ops.math.arithmetic import floor_divide, remainder
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import greater_than, less_equal, less_than
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import minimum, select
from twinoar.ops.sequence.attention import HEADS_FIRST, attended
from twinoar.ops.sequence.rotary import turned
from twinoar.ops.sequence.unpadded_attention import Sequences
from twinoar.ops.shape.concat import concat, stack
from twinoar.ops.shape.reshape import reshape, transpose, unsqueeze


@function(named=False)
def block_multihead_attention(
    qkv: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    seq_lens_encoder: Tensor,
    seq_lens_decoder: Tensor,
    seq_lens_this_time: Tensor,
    padding_offsets: Tensor | None,
    cum_offsets: Tensor | None,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor | None,
    block_tables: Tensor,
    pre_key_cache: Tensor | None = None,
    pre_value_cache: Tensor | None = None,
    cache_k_quant_scales: Tensor | None = None,
    cache_v_quant_scales: Tensor | None = None,
    cache_k_dequant_scales: Tensor | None = None,
    cache_v_dequant_scales: Tensor | None = None,
    qkv_out_scale: Tensor | None = None,
    qkv_bias: Tensor | None = None,
    out_shift: Tensor | None = None,
    out_smooth: Tensor | None = None,
    max_enc_len_this_time: Tensor | None = None,
    max_dec_len_this_time: Tensor | None = None,
    rope_emb: Tensor | None = None,
    mask: Tensor | None = None,
    tgt_mask: Tensor | None = None,
    max_seq_len: int = -1,
    block_size: int = 64,
    use_neox_style: bool = False,
    use_dynamic_cachekv_quant: bool = False,
    quant_round_type: int = 1,
    quant_max_bound: float = 127.0,
    quant_min_bound: float = -127.0,
    out_scale: float = -1,
    compute_dtype: str = "default",
    rope_theta: float = 10000.0,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Attention of several sequences' next tokens, end to end, to those before them in a cache.

    qkv: [all,(heads + 2 * G) * D], floating, queries, keys and values of the tokens. key_cache,
    value_cache: [blocks,G,block_size,D]; keys and values of the tokens are written into them, in
    place. seq_lens_encoder, seq_lens_decoder, seq_lens_this_time: [N,1] or [N], integers: how many
    tokens of a sequence are its beginning, how many are in the cache, how many it has now.
    cu_seqlens_q: [N + 1], where sequences begin, and the end. block_tables: [N,B], integers, the
    blocks of a sequence, in order. qkv_bias: as long as a row of qkv. rope_emb: cosines, then
    sines, [2,N or 1,P,1,D / 2], by position; use_neox_style: number i of one half goes with that
    of the other, else pairs are neighbours. mask: [N,1,Q,K], added to the scores of sequences that
    begin, which then see all of their tokens, else no later ones. tgt_mask: [N,1,1,K], to those of
    others. max_seq_len: no sequence has more tokens now; less memory is needed where it is given.
    The other arguments are accepted, or refused below. Returns [all,heads * D], qkv as it was
    given, and both caches. Raises ShapeError, DTypeError, ArgumentError where a sequence has more
    than max_seq_len tokens, UnsupportedError for caches of a prefix and 8 bits.

    >>> cache, one = twinoar.zeros([2, 1, 2, 2]), twinoar.ones([1], "int32")
    >>> table, ends = twinoar.to_tensor([[1, 0]]), twinoar.to_tensor([0, 1])
    >>> attend = twinoar.incubate.nn.functional.block_multihead_attention
    >>> out, *_ = attend(twinoar.ones([1, 6]), cache, cache.clone(), one, one * 0, one, None,
    ...     None, ends, ends, table, block_size=2)
    >>> out.tolist(), cache[1, 0].tolist()
    ([[1.0, 1.0]], [[1.0, 1.0], [0.0, 0.0]])
    """
    refuse_quantized(
        out_scale,
        cache_k_quant_scales=cache_k_quant_scales,
        cache_v_quant_scales=cache_v_quant_scales,
        cache_k_dequant_scales=cache_k_dequant_scales,
        cache_v_dequant_scales=cache_v_dequant_scales,
        qkv_out_scale=qkv_out_scale,
        out_shift=out_shift,
        out_smooth=out_smooth,
    )
    if pre_key_cache is not None or pre_value_cache is not None:
        raise UnsupportedError(
            "there are no caches of a prefix beside the blocks",
            cure="write the prefix into the first blocks, and count it in seq_lens_decoder",
        )
    pages = Pages(key_cache, value_cache, block_tables, block_size)
    tokens = Tokens(cu_seqlens_q, seq_lens_decoder, qkv.spec.shape[0], max_seq_len)
    q, k, v = heads_of(qkv, qkv_bias, pages.groups, pages.width, "qkv")
    if rope_emb is not None:
        q, k = tokens.turned((q, k), rope_emb, not use_neox_style)
    pages.write((k, v), tokens)
    begins = unsqueeze(greater_than(_flat(seq_lens_encoder), 0), [1, 2, 3])
    lengths = _flat(seq_lens_this_time) + tokens.before
    added = _added(tokens, pages.room, lengths, (begins, mask, tgt_mask), q.dtype)
    keys, values = pages.read(lengths, q.dtype)
    padded = tokens.among.padded(q, 0)
    out, _ = attended(padded, keys, values, added, None, draw=None, dropout_p=0.0)
    out = reshape(tokens.among.end_to_end(out, qkv.spec.shape[0]), (qkv.spec.shape[0], -1))
    return out, qkv, key_cache, value_cache


class Tokens:
    """The tokens of several sequences, end to end: their sequence and their position in it.

    bounds: [N + 1]. before: [N], how many tokens of a sequence are in the cache.
    """

    def __init__(self, bounds: Tensor, before: Tensor, count: Any, longest: int):
        bounds, self.before = reshape(bounds, (-1,)), _flat(before)
        self.longest = min(longest, count) if longest > 0 and isinstance(count, int) else count
        self.among = Sequences((bounds, bounds), (self.longest, self.longest))
        starts, token = self.among.bounds[0], iota(count)
        last = self.before.spec.shape[0] - 1
        self.sequence = minimum(searchsorted(starts[1:], token, right=True), last)
        self.offset = token - gather(starts, self.sequence)
        self.position = self.offset + gather(self.before, self.sequence)
        self.counts = less_than(token, starts[-1])  # others stand behind the last sequence

    def turned(self, parts: Any, table: Tensor, neighbours: bool) -> list[Tensor]:
        """Queries and keys, [all,heads,D], turned by the angles of their positions."""
        shape, size = table.spec.shape, parts[0].spec.shape[-1]
        if table.ndim != 5 or not may_equal((shape[0], shape[3], shape[4]), (2, 1, size // 2)):
            raise ShapeError(
                f"rope_emb must be [2,N,P,1,{size // 2}], received {table.spec}",
                cure="give cosines and sines of each pair of numbers",
            )
        rows = self.position
        if shape[1] != 1:
            rows = rows + self.sequence * shape[2]
        both = [gather(reshape(table[n], (-1, size // 2)), rows) for n in range(2)]
        joined = [_twice(x, neighbours) for x in both]
        cos, sin = (unsqueeze(x, 1) for x in joined)
        return [turned(x, sin, cos, neighbours) for x in parts]


class Pages:
    """A cache in blocks. room: how many positions a sequence has in its table."""

    def __init__(self, keys: Tensor, values: Tensor, table: Tensor, size: int):
        shape = keys.spec.shape
        if keys.ndim != 4 or not may_equal(values.spec.shape, shape):
            raise ShapeError(
                "key_cache and value_cache must be [blocks,G,block_size,D], received "
                f"{keys.spec} and {values.spec}"
            )
        if not may_equal((shape[2],), (size,)):
            raise ShapeError(f"blocks must have {size} positions, received {keys.spec}")
        if table.ndim != 2 or not table.dtype.is_integer:
            raise ShapeError(f"block_tables must be integers, [N,B], received {table.spec}")
        self.caches, self.size = (keys, values), size
        self.groups, self.width = shape[1], shape[3]
        self.table = astype(table, int64)
        self.room: Any = table.spec.shape[1] * size

    def write(self, parts: tuple[Tensor, Tensor], tokens: Tokens) -> None:
        """Keys and values of tokens, [all,G,D], at their places."""
        per_row: Any = self.table.spec.shape[1]
        block = floor_divide(tokens.position, self.size) + tokens.sequence * per_row
        # One that the table lacks is out of range for `gather`, which says so.
        block = select(less_than(tokens.position, self.room), block, self.table.spec.size)
        block = select(tokens.counts, block, 0)
        slot = gather(reshape(self.table, (-1,)), block) * self.size
        slot = slot + remainder(tokens.position, self.size)
        for cache, new in zip(self.caches, parts, strict=True):
            blocks = cache.spec.shape[0]
            flat = self._rows(cache)
            end: Any = flat.spec.shape[0]
            flat = concat([flat, zeros([1, *flat.spec.shape[1:]], flat.dtype)])
            place = select(tokens.counts, slot, end)
            flat = scatter_op(flat, place, astype(new, flat.dtype))[:-1]
            by_block = reshape(flat, (blocks, self.size, self.groups, self.width))
            current().rebind(cache, transpose(by_block, HEADS_FIRST))

    def read(self, lengths: Tensor, dtype: Any) -> list[Tensor]:
        """Keys and values of each sequence, [N,room,G,D], zeros behind its length."""
        slots = unsqueeze(self.table, 2) * self.size + iota(self.size)
        flat = reshape(slots, (-1,))
        shape = (self.table.spec.shape[0], self.room, self.groups, self.width)
        own = unsqueeze(less_than(iota(self.room), unsqueeze(lengths, 1)), [2, 3])
        rows = [reshape(gather(self._rows(cache), flat), shape) for cache in self.caches]
        return [select(own, astype(x, dtype), 0.0) for x in rows]

    def _rows(self, cache: Tensor) -> Tensor:
        return reshape(transpose(cache, HEADS_FIRST), (-1, self.groups, self.width))


def _added(tokens: Tokens, room: Any, lengths: Tensor, masks: Any, dtype: Any) -> Tensor:
    """What is added to the scores of [N,longest] queries and `room` keys: -inf where unseen.

    lengths: [N], tokens of a sequence so far. masks: which sequences begin, the mask of those, and
    that of others.
    """
    begins, first, later = masks
    at, of = unsqueeze(iota(tokens.longest), 1), iota(room)
    seen = less_equal(of, unsqueeze(tokens.before, [1, 2, 3]) + at)
    other = additive(seen, later, dtype)
    if first is None:
        return other if later is None else select(begins, additive(seen, None, dtype), other)
    # At least one is seen, as the shares of a query that sees nothing are nan.
    ends = select(greater_than(lengths, 1), lengths, 1)
    own = logical_and(less_than(of, unsqueeze(ends, [1, 2, 3])), less_equal(at, tokens.longest))
    return select(begins, additive(own, first, dtype), other)


def _twice(x: Tensor, neighbours: bool) -> Tensor:
    """A number of each pair, [all,D / 2], for both of it, [all,D]."""
    if neighbours:
        return reshape(stack([x, x], -1), (x.spec.shape[0], -1))
    return concat([x, x], -1)


def _flat(x: Tensor) -> Tensor:
    if not x.dtype.is_integer:
        raise DTypeError(f"lengths must be integers, received {x.spec}")
    return astype(reshape(x, (-1,)), int64)
