"""Attention by the names of fused kernels: packed operands, sequences end to end, masks in columns.

Each is a composition over `attended`: the same numbers, in any floating dtype.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

from twinoar.core.dtype import bool_, float32, int64
from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.repeat import repeat_each
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import greater_equal, less_equal, less_than, not_equal
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_and, logical_not, logical_or
from twinoar.ops.math.select import select
from twinoar.ops.random.uniform import generator
from twinoar.ops.reduce.reduction import any as any_of
from twinoar.ops.reduce.reduction import logsumexp
from twinoar.ops.sequence.attention import HEADS_FIRST, attend, attended, not_later
from twinoar.ops.shape.concat import split
from twinoar.ops.shape.reshape import reshape, transpose, unsqueeze

BLOCK = 128  # queries and keys of one element of a block mask


@function
def flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout: float = 0.0,
    causal: bool = False,
    return_softmax: bool = False,
    *,
    fixed_seed_offset: Tensor | None = None,
    rng_name: str = "",
    training: bool = True,
    name: str | None = None,
    softmax_scale: float | None = None,
) -> tuple[Tensor, Tensor | None]:
    """`scaled_dot_product_attention`, and with return_softmax the shares, [N,heads,Q,K], else None.

    fixed_seed_offset: [2], int64, what dropout draws its numbers from; None draws anew. rng_name:
    accepted. causal: no query sees keys that stand later, both counted from their beginning.

    >>> q = twinoar.ones([1, 2, 1, 4])
    >>> attend = twinoar.nn.functional.flash_attention.flash_attention
    >>> attend(q, q, q, causal=True, return_softmax=True)[1].tolist()
    [[[[1.0, 0.0], [0.5, 0.5]]]]
    """
    draw = dropout_key(fixed_seed_offset, dropout, training)
    if not return_softmax:
        out = attend(query, key, value, None, draw, dropout, causal, softmax_scale, name=name)
        return out, None
    mask = not_later(query, key) if causal else None
    return attended(query, key, value, mask, softmax_scale, draw=draw, dropout_p=dropout)


@function
def flash_attn_qkvpacked(
    qkv: Tensor,
    dropout: float = 0.0,
    causal: bool = False,
    return_softmax: bool = False,
    *,
    fixed_seed_offset: Tensor | None = None,
    rng_name: str = "",
    training: bool = True,
) -> tuple[Tensor, Tensor | None]:
    """`flash_attention` of queries, keys and values in one tensor.

    qkv: [N,T,G + 2,heads,D]: G groups of heads of queries, and the heads of keys and of values,
    each for G heads of queries that follow each other. Returns [N,T,G * heads,D], and None or the
    shares.

    >>> qkv = twinoar.ones([2, 5, 4, 2, 8])
    >>> twinoar.nn.functional.flash_attn_qkvpacked(qkv)[0].shape
    [2, 5, 4, 8]
    """
    query, key, value = unpacked(qkv, 5)
    return flash_attention(
        query,
        key,
        value,
        dropout,
        causal,
        return_softmax,
        fixed_seed_offset=fixed_seed_offset,
        training=training,
    )


@function
def flashmask_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    startend_row_indices: Tensor | None = None,
    *,
    dropout: float = 0.0,
    causal: bool = False,
    window_size: Any = None,
    return_softmax_lse: bool = False,
    return_seed_offset: bool = False,
    fixed_seed_offset: Tensor | None = None,
    rng_name: str = "",
    training: bool = True,
    name: str | None = None,
    softmax_scale: float | None = None,
    block_mask: Tensor | None = None,
) -> Any:
    """`flash_attention` with a mask that says of each key which queries do not see it.

    query: [N,Q,heads,D]. key, value: [N,K,heads or fewer,D]. startend_row_indices: [N,heads of key
    or 1,K,n], integers. With causal a key is hidden from queries before it, and from those in
    [a, end) for n = 1, in [a, b) for n = 2; without it from those in [a, end) and [0, b) for n = 2,
    in [a, b) and [c, d) for n = 4. window_size: one number or two, how far before and behind itself
    a query sees, -1 without a limit. block_mask: [N,heads,Q / 128,K / 128], 0 where 128 queries do
    not see 128 keys. Returns [N,Q,heads,D], zeros for queries that see nothing; or a list of it,
    with return_softmax_lse the logarithms of what shares are divided by, [N,heads,Q], and with
    return_seed_offset what dropout drew from. The rest: see `flash_attention`. Raises ShapeError.
    Source: arXiv 2410.01359.

    >>> q = twinoar.ones([1, 4, 1, 4])
    >>> v = twinoar.to_tensor([1.0, 2.0, 3.0, 4.0]).reshape([1, 4, 1, 1])
    >>> documents = twinoar.to_tensor([2, 2, 4, 4]).reshape([1, 1, 4, 1])
    >>> attend = twinoar.nn.functional.flashmask_attention
    >>> attend(q, q, v, documents, causal=True).flatten().tolist()
    [1.0, 1.5, 3.0, 3.5]
    """
    queries, heads = query.spec.shape[1:3]
    masks = _near(queries, key.spec.shape[1], causal, window_size)
    if startend_row_indices is not None:
        hidden = _hidden(queries, startend_row_indices, causal)
        masks.append(_of_heads(logical_not(hidden), heads))
    if block_mask is not None:
        wide = repeat_each(repeat_each(block_mask, BLOCK, 2), BLOCK, 3)
        shown = wide[:, :, :queries, : key.spec.shape[1]]
        masks.append(_of_heads(not_equal(shown, 0), heads))
    draw = dropout_key(fixed_seed_offset, dropout, training, wanted=return_seed_offset)
    mask = reduce(logical_and, masks)
    dropout_p = dropout if training else 0.0
    out = masked_attention(query, key, value, mask, softmax_scale, draw=draw, dropout_p=dropout_p)
    results: list[Any] = [out]
    if return_softmax_lse:
        results.append(log_total(query, key, mask, softmax_scale))
    if return_seed_offset:
        results.append(draw)
    return results if len(results) > 1 else out


def masked_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor,
    scale: float | None,
    *,
    draw: Tensor | None = None,
    dropout_p: float = 0.0,
) -> Tensor:
    """The attention, zeros for queries that see nothing.

    mask: True where attention is wanted, broadcasts to [N,heads,Q,K] with its four dimensions.
    """
    sees = any_of(mask, -1, keepdim=True)
    anywhere = logical_or(mask, logical_not(sees))
    out = attend(query, key, value, anywhere, draw, dropout_p, False, scale)
    return select(transpose(sees, HEADS_FIRST), out, 0.0)


def masked_shares(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor,
    scale: float | None,
    *,
    draw: Tensor | None,
    dropout_p: float,
) -> Tensor:
    """The shares of `masked_attention`, [N,heads,Q,K]."""
    sees = any_of(mask, -1, keepdim=True)
    anywhere = logical_or(mask, logical_not(sees))
    _, shares = attended(query, key, value, anywhere, scale, draw=draw, dropout_p=dropout_p)
    return select(sees, shares, 0.0)


def log_total(query: Tensor, key: Tensor, mask: Tensor, scale: float | None) -> Tensor:
    """log(sum(exp(scores))) of the keys that a query sees, [N,heads,Q], float32, no gradient."""
    size: Any = query.spec.shape[-1]
    groups: Any = query.spec.shape[2] // key.spec.shape[2]
    key = repeat_each(key, groups, 2)
    rows, columns = (transpose(astype(x.detach(), float32), HEADS_FIRST) for x in (query, key))
    scores = matmul(rows * (size**-0.5 if scale is None else scale), columns, False, True)
    sees = any_of(mask, -1)
    anywhere = logical_or(mask, logical_not(unsqueeze(sees, -1)))
    return select(sees, logsumexp(select(anywhere, scores, -math.inf), -1), -math.inf)


def unpacked(qkv: Tensor, rank: int) -> tuple[Tensor, ...]:
    """Queries, keys and values of a tensor [...,G + 2,heads,D]."""
    shape: Any = qkv.spec.shape
    if qkv.ndim != rank or shape[-3] < 3:
        raise ShapeError(
            f"qkv must have {rank} dimensions, [...,groups + 2,heads,size], received {qkv.spec}",
            cure="stack queries, keys and values along the dimension before the heads",
        )
    parts = split(qkv, [shape[-3] - 2, 1, 1], axis=-3)
    heads = (x.spec.shape[-3] * shape[-2] for x in parts)
    return tuple(reshape(x, (*shape[:-3], n, shape[-1])) for x, n in zip(parts, heads, strict=True))


def dropout_key(
    given: Tensor | None, dropout: float, training: bool, wanted: bool = False
) -> Tensor | None:
    """What dropout draws its numbers from; None where there is no dropout."""
    if not wanted and (dropout <= 0 or not training):
        return None
    return generator.next_key() if given is None else reshape(astype(given, int64), (2,))


def _near(queries: Any, keys: Any, causal: bool, window: Any) -> list[Tensor]:
    """Masks of which keys stand near enough to each query, [1,1,Q,K]."""
    row, column = unsqueeze(iota(queries), 1), iota(keys)
    before, behind = window if isinstance(window, (list, tuple)) else (window, window)
    masks = [less_equal(column, row) if causal else fill((1, 1), True, bool_)]
    if before is not None and before >= 0:
        masks.append(greater_equal(column, row - before))
    if behind is not None and behind >= 0:
        masks.append(less_equal(column, row + behind))
    return [unsqueeze(mask, [0, 1]) for mask in masks]


def _hidden(queries: Any, rows: Tensor, causal: bool) -> Tensor:
    """Whether a key is hidden from a query by `startend_row_indices`, [N,heads,Q,K]."""
    count = rows.spec.shape[-1]
    if rows.ndim != 4 or count not in ((1, 2) if causal else (2, 4)):
        raise ShapeError(
            f"startend_row_indices must be [N,heads,K,{'1 or 2' if causal else '2 or 4'}] with "
            f"causal={causal}, received {rows.spec}"
        )
    row = unsqueeze(iota(queries, rows.dtype), 1)
    first, *more = (unsqueeze(rows[..., i], 2) for i in range(count))
    hidden = greater_equal(row, first)
    if causal:
        return logical_and(hidden, less_than(row, more[0])) if more else hidden
    if len(more) == 1:
        return logical_or(hidden, less_than(row, more[0]))
    above = logical_and(greater_equal(row, more[1]), less_than(row, more[2]))
    return logical_or(logical_and(hidden, less_than(row, more[0])), above)


def _of_heads(mask: Tensor, heads: Any) -> Tensor:
    """A mask of fewer heads for each of those of the queries; one for all stays as it is."""
    own = mask.spec.shape[1]
    return mask if own in (1, heads) else repeat_each(mask, heads // own, 1)
