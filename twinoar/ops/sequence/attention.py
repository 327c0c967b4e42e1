"""Attention: averages of values, with shares that queries and keys decide."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import bool_
from twinoar.core.op.declare import Spec, Tensor, function, op
from twinoar.errors import DTypeError, ShapeError, UnsupportedError
from twinoar.ops.activation.softmax import softmax_op
from twinoar.ops.create.range import iota
from twinoar.ops.index.repeat import repeat_each
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.ops.math.compare import greater_equal
from twinoar.ops.math.select import select
from twinoar.ops.random.dropout import dropout_op
from twinoar.ops.random.uniform import generator
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.sequence.tiled_attention import HEADS_FIRST, LARGEST, checked, tiled_attention
from twinoar.ops.shape.reshape import squeeze, transpose_op, unsqueeze

LEAST_QUERIES = 64  # they fill a tile
# Scores of a head from which tiles beat all scores at once, by whether later keys are seen, and
# whether elements have 16 bits. Where they are not seen half of the tiles are left out. A training
# step goes through the products of scores twice, which costs as much as writing scores down does
# at these sizes; with 16 bits the library's products are twice as fast, and those of tiles not, so
# tiles are for lengths at which scores would take a gigabyte.
LEAST_SCORES = {
    (True, False): 128 * 128,
    (False, False): 512 * 512,
    (True, True): 512 * 512,
    (False, True): 4096 * 4096,
}


def attention_shares(query: Tensor, key: Tensor, mask: Tensor | None, scale: float) -> Tensor:
    """What share of each key a query takes: softmax(scale * query key' + mask), [N,heads,Q,K].

    query: [N,heads,Q,D], key: [N,heads,K,D]. mask: added, or, as truth values, where a share is
    wanted; broadcasts to the result.
    """
    return masked_shares(matmul(multiply(query, scale), key, False, True), mask)


def masked_shares(scores: Tensor, mask: Tensor | None) -> Tensor:
    """softmax(scores + mask), or of the scores where a mask of truth values is true."""
    if mask is not None and mask.spec.dtype is bool_:
        scores = select(mask, scores, -math.inf)
    elif mask is not None:
        scores = add(scores, mask)
    return softmax_op(scores, -1)


def not_later(queries: Tensor, keys: Tensor) -> Tensor:
    """True where a key stands no later than the query, [Q,K]; both [N,T,heads,D]."""
    at, of = iota(queries.spec.shape[1]), iota(keys.spec.shape[1])
    return greater_equal(unsqueeze(at, 1), of)


@op(name="scaled_dot_product_attention")
def attention_op(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    draw: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """The operator under `scaled_dot_product_attention`; draw: the key of the dropout, or None."""
    if is_tiled(query.spec, key.spec, value.spec, is_causal):
        return tiled(query, key, value, attn_mask, draw, dropout_p, is_causal, scale)
    mask = not_later(query, key) if is_causal else attn_mask
    return attended(query, key, value, mask, scale, draw=draw, dropout_p=dropout_p)[0]


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    draw: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    name: str | None = None,
) -> Tensor:
    """`attention_op`; over long sequences what it amounts to, whose gradient needs its results."""
    operands, how = (query, key, value, mask, draw), (dropout_p, is_causal, scale)
    is_long = is_tiled(query.spec, key.spec, value.spec, is_causal)
    way = tiled if is_long else attention_op.function
    return way(*operands, *how, name=name)


def tiled(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    draw: Tensor | None,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
    name: str | None = None,
) -> Tensor:
    """The attention, tile by tile. Causal calls ignore the mask."""
    size: Any = query.spec.shape[3]
    out, _ = tiled_attention(
        query, key, value, None if is_causal else mask, draw, None, dropout_p, is_causal,
        size**-0.5 if scale is None else scale,
    )  # fmt: skip
    if name is not None:
        out.rename(name)
    return out


def is_tiled(query: Spec, key: Spec, value: Spec, is_causal: bool = False) -> bool:
    """True for lengths at which attention is computed tile by tile, without all scores at once.

    query, key, value: [N,T,heads,D], of one dtype.
    """
    if any(x.ndim != 4 or x.dtype is not query.dtype for x in (query, key, value)):
        return False
    queries, keys, sizes = query.shape[1], key.shape[1], (query.shape[3], value.shape[3])
    if not is_known(queries, keys, *sizes) or not all(0 < n <= LARGEST for n in sizes):
        return False
    least = LEAST_SCORES[is_causal, query.dtype.itemsize == 2]
    is_long: bool = queries >= LEAST_QUERIES and queries * keys >= least
    return is_long


def attended(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scale: float | None,
    *,
    draw: Tensor | None,
    dropout_p: float,
) -> tuple[Tensor, Tensor]:
    """The attention, [N,Q,heads,E], and the shares that it is made of, [N,heads,Q,K]."""
    groups, size = checked(query.spec, key.spec, value.spec)
    if groups != 1:
        key, value = repeat_each(key, groups, 2), repeat_each(value, groups, 2)
    query, key, value = (transpose_op(x, HEADS_FIRST) for x in (query, key, value))
    shares = attention_shares(query, key, mask, max(size, 1) ** -0.5 if scale is None else scale)
    if draw is not None:
        shares = dropout_op(shares, draw, dropout_p)
    return transpose_op(matmul(shares, value), HEADS_FIRST), shares


def _of_one_query(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, draw: Tensor | None,
    dropout_p: float, is_causal: bool, scale: float | None,
) -> Tensor | None:  # fmt: skip
    """Attention to what a text keeps of the words before, [N,1,heads,E], as loops alone."""
    is_one = query.ndim == 4 and query.spec.shape[1].__class__ is int and query.spec.shape[1] == 1
    if not is_one or is_causal or draw is not None or query.dtype.itemsize < 4:
        return None
    groups, size = checked(query.spec, key.spec, value.spec)
    if not size:
        return None
    if groups != 1:
        key, value = repeat_each(key, groups, 2), repeat_each(value, groups, 2)
    scaled = multiply(query, size**-0.5 if scale is None else scale)
    scores = sum_op(multiply(scaled, key), (-1,), False)  # [N,K,heads]
    shares = masked_shares(unsqueeze(transpose_op(scores, (0, 2, 1)), 2), attn_mask)
    return sum_op(multiply(transpose_op(shares, (0, 3, 1, 2)), value), (1,), True)


attention_op.attach("open", _of_one_query)


@attention_op.samples
def _(s):
    draw = np.array([5, 2])
    q, k, v = s.randn(2, 3, 2, 4), s.randn(2, 5, 2, 4), s.randn(2, 5, 2, 6)
    yield s(q, k, v)
    yield s(q, k, v, s.randn(3, 5), scale=0.3)
    yield s(q, k, v, s.ints(0, 5, 2, 1, 3, 5) > 0)
    yield s(q, k, v, is_causal=True)
    yield s(q, k, v, None, draw, 0.5)
    yield s(s.randn(1, 3, 4, 2), s.randn(1, 3, 2, 2), s.randn(1, 3, 2, 2))
    yield s(s.zeros(0, 3, 2, 4), s.zeros(0, 3, 2, 4), s.zeros(0, 3, 2, 4))
    yield s(s.zeros(1, 3, 2, 0), s.zeros(1, 3, 2, 0), s.zeros(1, 3, 2, 1))
    yield s.bad(ShapeError, "must be [batch, length, heads, size]", s.randn(3, 4), k, v)
    yield s.bad(ShapeError, "4 numbers in each head, key 3", q, s.randn(2, 5, 2, 3), v)
    yield s.bad(ShapeError, "must agree", q, k, s.randn(2, 4, 2, 4))
    yield s.bad(ShapeError, "do not divide", s.randn(2, 3, 3, 4), k, v)
    yield s.bad(DTypeError, "must be floating", s.ints(0, 5, 2, 3, 2, 4), k, v)


@function
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    training: bool = True,
    backend: str | None = None,
    scale: float | None = None,
    enable_gqa: bool = True,
    name: str | None = None,
) -> Tensor:
    """softmax(scale * query key' + attn_mask) value, for each head.

    query: [N,Q,heads,D], key: [N,K,heads,D], value: [N,K,heads,E], or all without N; key and value
    may have fewer heads, each for a group of those of query, unless enable_gqa is False.
    attn_mask: broadcasts to [N,heads,Q,K]; added, or, as truth values, where attention is wanted.
    is_causal: no query sees later keys; attn_mask is then ignored. scale: None means 1 / sqrt(D).
    dropout_p: share of the attention that is left out in training. Returns [N,Q,heads,E]. Raises
    ShapeError, DTypeError, UnsupportedError for a backend. Source: arXiv 1706.03762, eq. 1.

    >>> q = twinoar.ones([1, 2, 1, 4])
    >>> v = twinoar.to_tensor([[[[1.0]], [[3.0]]]])
    >>> attend = twinoar.nn.functional.scaled_dot_product_attention
    >>> attend(q, q, v).flatten().tolist(), attend(q, q, v, is_causal=True).flatten().tolist()
    ([2.0, 2.0], [1.0, 2.0])
    """
    if backend is not None:
        raise UnsupportedError(
            f"there is one way to compute attention, received backend={backend!r}",
            cure="leave out backend",
        )
    if not enable_gqa and query.spec.shape[-2] != key.spec.shape[-2]:
        raise ShapeError(
            f"query has {query.spec.shape[-2]} heads, key {key.spec.shape[-2]}",
            cure="make them equal, or set enable_gqa=True",
        )
    is_single = query.ndim == 3
    if is_single:
        query, key, value = (unsqueeze(x, 0) for x in (query, key, value))
    draw = generator.next_key() if training and dropout_p > 0 else None
    if is_causal:
        attn_mask = None
    own_name = None if is_single else name
    out = attend(query, key, value, attn_mask, draw, dropout_p, is_causal, scale, own_name)
    return squeeze(out, 0, name=name) if is_single else out
