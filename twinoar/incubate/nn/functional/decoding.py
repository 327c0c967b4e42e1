"""Attention of language models that decode: caches of a fixed length, and rows of other lengths."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.dtype import bool_, int32, int64
from twinoar.core.interpreter import current
from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from twinoar.incubate.nn.functional._refused import refuse_quantized
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, less_equal, less_than
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_and, logical_not, logical_or
from twinoar.ops.math.select import select
from twinoar.ops.reduce.extreme import max as greatest
from twinoar.ops.reduce.reduction import any as any_of
from twinoar.ops.sequence.attention import HEADS_FIRST, attended
from twinoar.ops.sequence.rotary import turned
from twinoar.ops.shape.concat import concat, split, stack
from twinoar.ops.shape.reshape import reshape, transpose, unsqueeze


@function(named=False)
def masked_multihead_attention(
    x: Tensor,
    cache_kv: Tensor | None = None,
    bias: Tensor | None = None,
    src_mask: Tensor | None = None,
    cum_offsets: Tensor | None = None,
    sequence_lengths: Tensor | None = None,
    rotary_tensor: Tensor | None = None,
    beam_cache_offset: Tensor | None = None,
    qkv_out_scale: Tensor | None = None,
    out_shift: Tensor | None = None,
    out_smooth: Tensor | None = None,
    seq_len: int = 1,
    rotary_emb_dims: int = 0,
    use_neox_rotary_style: bool = False,
    compute_dtype: str = "default",
    out_scale: float = -1,
    quant_round_type: int = 1,
    quant_max_bound: float = 127.0,
    quant_min_bound: float = -127.0,
) -> tuple[Tensor, Tensor]:
    """One step of decoding: the attention of one position to those in a cache, and itself.

    x: [N,(heads + 2 * G) * D], floating, its queries, keys and values. cache_kv: [2,N,G,S,D], keys
    and values; those of x are written into it, in place. bias: [heads + 2 * G,D], or with as many
    elements, added to x. sequence_lengths: [N,1], integers, how many positions are before x; None
    means K - 1. src_mask: [N,1,1,K], added to the scores of the first K positions. rotary_tensor:
    with rotary_emb_dims=1, cosines, then sines, [2,N,1,1,D]; use_neox_rotary_style: number i of one
    half goes with that of the other, else pairs are neighbours. cum_offsets, seq_len,
    compute_dtype: without effect. Returns [N,heads * D] and cache_kv. Raises ShapeError,
    ArgumentError, UnsupportedError for beams and 8 bits.

    >>> x, cache = twinoar.ones([1, 6]), twinoar.zeros([2, 1, 1, 4, 2])
    >>> attend = twinoar.incubate.nn.functional.masked_multihead_attention
    >>> out, cache = attend(x, cache, sequence_lengths=twinoar.to_tensor([[0]]))
    >>> out.tolist(), cache[0, 0, 0, :2].tolist()
    ([[1.0, 1.0]], [[1.0, 1.0], [0.0, 0.0]])
    """
    refuse_quantized(
        out_scale, qkv_out_scale=qkv_out_scale, out_shift=out_shift, out_smooth=out_smooth
    )
    if beam_cache_offset is not None or rotary_emb_dims > 1:
        raise UnsupportedError(
            "there are no beams in a cache, and one table of angles, received "
            f"beam_cache_offset={beam_cache_offset} and rotary_emb_dims={rotary_emb_dims}",
            cure="reorder the cache between steps by index_select",
        )
    if cache_kv is None or cache_kv.ndim != 5 or not may_equal(cache_kv.spec.shape[:1], (2,)):
        given = None if cache_kv is None else cache_kv.spec
        raise ShapeError(f"cache_kv must be [2,N,G,S,D], received {given}")
    groups, size = cache_kv.spec.shape[2], cache_kv.spec.shape[4]
    if x.ndim != 2:
        raise ShapeError(f"x must be [N,(heads + 2 * G) * D], received {x.spec}")
    q, k, v = heads_of(unsqueeze(x, 1), bias, groups, size, "x")
    if rotary_emb_dims:
        cos, sin = _angles_of_step(rotary_tensor, q)
        q, k = (turned(part, sin, cos, not use_neox_rotary_style) for part in (q, k))
    before = _positions_before(sequence_lengths, src_mask)
    out = decoded(q, k, v, cache_kv, before, src_mask)
    return reshape(out, (x.spec.shape[0], -1)), cache_kv


def decoded(
    q: Tensor, k: Tensor, v: Tensor, cache: Tensor, before: Tensor, mask: Tensor | None
) -> Tensor:
    """The attention of one position to those before it in a cache, into which it is written.

    q: [N,1,heads,D], k, v: [N,1,G,D]. cache: [2,N,G,S,D]. before: [N] or [1], how many positions
    are before. mask: broadcasts to [N,heads,1,K] of the first K positions. Returns [N,1,heads,D].
    """
    place = iota(cache.spec.shape[3])
    # A position that the cache lacks is out of range for `gather`, which says so.
    at = reshape(gather(place, before), (-1, 1, 1, 1))
    row = unsqueeze(place, 1)  # [S,1], as [N,G,S,D] has them
    new = transpose(stack([k, v]), [0, 1, 3, 2, 4])
    current().rebind(cache, select(equal(row, at), astype(new, cache.dtype), cache))
    seen = less_equal(place, at)
    # Others may hold anything, and nan times a share of 0 is nan.
    held = select(unsqueeze(less_equal(row, at), 0), cache, 0.0)
    keys, values = (astype(transpose(held[n], HEADS_FIRST), q.dtype) for n in range(2))
    return attended(q, keys, values, additive(seen, mask, q.dtype), None, draw=None, dropout_p=0.0)[
        0
    ]


def additive(seen: Tensor, mask: Tensor | None, dtype: Any) -> Tensor:
    """What is added to scores: the mask where a position is seen, and -inf elsewhere.

    seen: bool, [...,Q,K]. mask: [...,q,k], added, or, as truth values, where attention is wanted;
    what of it is missing up to [...,Q,K] counts as 0, and what is beyond is left out.
    """
    if mask is None:
        return select(seen, fill.function((), 0.0, dtype), -math.inf)
    if mask.dtype is bool_:
        mask = select(mask, fill.function((), 0.0, dtype), -math.inf)
    elif not mask.dtype.is_floating:
        raise DTypeError(f"a mask must be floating or bool, received {mask.spec}")
    sizes = seen.spec.shape[-2:]
    return select(seen, fitted(astype(mask, dtype), sizes), -math.inf)


def fitted(x: Tensor, sizes: tuple[Any, ...]) -> Tensor:
    """x with its last dimensions cut, or filled up with zeros, to sizes; a dimension of 1 stays."""
    for axis, size in enumerate(sizes, x.ndim - len(sizes)):
        given: Any = x.spec.shape[axis]
        if given == size or given == 1:
            continue
        if isinstance(given, int) and isinstance(size, int) and given > size:
            x = split(x, [size, given - size], axis)[0]
        else:
            missing = [*x.spec.shape]
            missing[axis] = size - given
            x = concat([x, fill.function(tuple(missing), 0.0, x.dtype)], axis)
    return x


def heads_of(
    x: Tensor, bias: Tensor | None, groups: Any, size: Any, name: str
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries [*,heads,D], keys and values [*,G,D], of x, [*,(heads + 2 * G) * D], and a bias."""
    *rows, width = x.spec.shape
    if width % size or width // size <= 2 * groups:
        raise ShapeError(
            f"{name} must be [*,(heads + 2 * {groups}) * {size}], received {x.spec}",
            cure="put queries, keys and values of all heads side by side, as the cache has them",
        )
    if bias is not None:
        if not may_equal((bias.spec.size,), (width,)):
            raise ShapeError(f"the bias of {name} must have {width} elements, received {bias.spec}")
        x = astype(x + reshape(bias, (-1,)), x.dtype)
    parts = [width // size - 2 * groups, groups, groups]
    q, k, v = split(reshape(x, (*rows, width // size, size)), parts, -2)
    return q, k, v


def _angles_of_step(table: Tensor | None, q: Tensor) -> list[Tensor]:
    """Cosines and sines of one position of each row, [N,1,1,D]."""
    rows, _, _, size = q.spec.shape
    if table is None or not may_equal((table.spec.size,), (2 * rows * size,)):
        given = None if table is None else table.spec
        raise ShapeError(f"rotary_tensor must be [2,N,1,1,{size}], received {given}")
    parts = reshape(table, (2, rows, 1, 1, size))
    return [parts[0], parts[1]]


def _positions_before(lengths: Tensor | None, mask: Tensor | None) -> Tensor:
    if lengths is not None:
        if not lengths.dtype.is_integer:
            raise DTypeError(f"sequence_lengths must be integers, received {lengths.spec}")
        return astype(reshape(lengths, (-1,)), int64)
    if mask is None:
        raise ArgumentError(
            "how many positions are before x is said by sequence_lengths or src_mask",
            cure="give sequence_lengths, [N,1]",
        )
    return fill.function((1,), mask.spec.shape[-1] - 1, int64)


@function(named=False)
def variable_length_memory_efficient_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    seq_lens: Tensor,
    kv_seq_lens: Tensor,
    mask: Tensor | None = None,
    scale: float | None = None,
    causal: bool = False,
    pre_cache_length: int = 0,
) -> Tensor:
    """Attention of rows of other lengths: queries and keys behind the end of a row do not count.

    query: [N,heads,Q,D], key, value: [N,G,K,D], floating. seq_lens, kv_seq_lens: [N,1] or [N],
    integers, of the queries, and of the keys behind the first pre_cache_length. mask: [N,1,Q,K],
    added to scores. scale: None means 1 / sqrt(D). causal: no query sees keys that stand later,
    behind the first pre_cache_length. Returns [N,heads,Q,D], zeros behind the end. Raises
    ShapeError, DTypeError.

    >>> x, length = twinoar.to_tensor([[[[1.0], [3.0], [9.0]]]]), twinoar.to_tensor([2])
    >>> attend = twinoar.incubate.nn.functional.variable_length_memory_efficient_attention
    >>> attend(x, x * 0, x, length, length).flatten().tolist()
    [2.0, 2.0, 0.0]
    """
    rows = query.spec.shape[0]
    queries, keys = (
        reshape(astype(_checked(x, name, rows), int64), (-1, 1, 1, 1))
        for x, name in ((seq_lens, "seq_lens"), (kv_seq_lens, "kv_seq_lens"))
    )
    at, of = unsqueeze(iota(query.spec.shape[2]), 1), iota(key.spec.shape[2])
    own = less_than(at, queries)  # [N,1,Q,1]
    there = less_than(of, keys + pre_cache_length)  # [N,1,1,K]
    seen = logical_and(own, there)
    if causal:
        seen = logical_and(seen, less_equal(of, at + pre_cache_length))
    # A query that sees nothing would have shares of nan, and gradients with them.
    sees = any_of(seen, -1, keepdim=True)
    added = additive(logical_or(seen, logical_not(sees)), mask, query.dtype)
    held = transpose(there, [0, 1, 3, 2])  # others may hold anything, such as nan
    key, value = (select(held, x, 0.0) for x in (key, value))
    q, k, v = (transpose(x, HEADS_FIRST) for x in (query, key, value))
    out, _ = attended(q, k, v, added, scale, draw=None, dropout_p=0.0)
    return select(sees, transpose(out, HEADS_FIRST), 0.0)


@function(named=False)
def blha_get_max_len(
    seq_lens_encoder: Tensor, seq_lens_decoder: Tensor, batch_size: Tensor
) -> tuple[Tensor, Tensor]:
    """The greatest of the lengths that `block_multihead_attention` is given.

    seq_lens_encoder, seq_lens_decoder: [N,1] or [N], integers. batch_size: without effect. Returns
    [1] and [1], int32.

    >>> lengths = twinoar.to_tensor([3, 5]), twinoar.to_tensor([0, 2])
    >>> found = twinoar.incubate.nn.functional.blha_get_max_len(*lengths, twinoar.ones([2]))
    >>> [x.tolist() for x in found]
    [[5], [2]]
    """
    one, other = (
        reshape(astype(greatest(_checked(x, name)), int32), (1,))
        for x, name in (
            (seq_lens_encoder, "seq_lens_encoder"),
            (seq_lens_decoder, "seq_lens_decoder"),
        )
    )
    return one, other


def _checked(x: Tensor, name: str, rows: Any = None) -> Tensor:
    if not x.dtype.is_integer:
        raise DTypeError(f"{name} must be integers, received {x.spec}")
    if rows is not None and not may_equal((x.spec.size,), (rows,)):
        raise ShapeError(f"{name} must be one for each of {rows} rows, received {x.spec}")
    return x
