"""Attention tile by tile, in memory that is linear in the length, and its gradients.

What the operators are is written out in their bodies, over all scores at once: the oracle, and
where second gradients come from. How they run is `_tiles`; `attention` says which calls they take.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import bool_
from twinoar.core.loop.language import compute_dtype
from twinoar.core.op.declare import Spec, Tensor, op
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.repeat import repeat_each
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import add, multiply, subtract
from twinoar.ops.math.cast import astype, sum_to_shape
from twinoar.ops.math.compare import equal, less_equal, less_than
from twinoar.ops.math.exponential import exp
from twinoar.ops.math.select import select
from twinoar.ops.random.dropout import dropout_op
from twinoar.ops.reduce.reduction import logsumexp
from twinoar.ops.reduce.reduction import sum as total_of
from twinoar.ops.sequence import _tiles
from twinoar.ops.shape.reshape import reshape, transpose_op, unsqueeze

HEADS_FIRST = (0, 2, 1, 3)  # [N,T,heads,D] <-> [N,heads,T,D]
LARGEST = 256  # numbers of a head that tiles are made for: they lie on a thread's stack
PARTS = 8  # rows of work that gradients are cut into at least, in each of which sums are apart


def checked(query: Spec, key: Spec, value: Spec) -> tuple[int, int]:
    """Heads of query for each one of key, and their size. Raises ShapeError, DTypeError."""
    for name, x in (("query", query), ("key", key), ("value", value)):
        if x.ndim != 4:
            raise ShapeError(
                f"{name} must be [batch, length, heads, size], received {x}",
                cure="split the last dimension into heads with reshape",
            )
        if not x.dtype.is_floating:
            raise DTypeError(
                f"{name} must be floating, received {x}", cure="convert it: x.astype('float32')"
            )
    heads, size = query.shape[2:]
    key_heads, key_size = key.shape[2:]
    if not isinstance(size, int) or size != key_size:
        raise ShapeError(
            f"query has {size} numbers in each head, key {key_size}",
            cure="project both to one size",
        )
    if is_known(*key.shape[:3], *value.shape[:3]) and key.shape[:3] != value.shape[:3]:
        raise ShapeError(
            f"key and value must agree in all but the last dimension, received {key} and {value}",
            cure="take both from the same sequence",
        )
    if not isinstance(heads, int) or not isinstance(key_heads, int) or heads % max(key_heads, 1):
        raise ShapeError(
            f"{heads} heads of query do not divide into groups for {key_heads} of key",
            cure="give key and value as many heads as query, or one for each group of them",
        )
    return heads // max(key_heads, 1), size


def _results(
    query: Spec, key: Spec, value: Spec, mask: Spec | None = None, draw: Spec | None = None,
    bounds: Spec | None = None, dropout_p: float = 0.0, is_causal: bool = False, scale: float = 1.0,
) -> tuple[Spec, Spec]:  # fmt: skip
    checked(query, key, value)
    if not query.dtype is key.dtype is value.dtype:
        raise DTypeError(
            f"query, key and value must have one dtype, received {query}, {key} and {value}",
            cure="convert them to one",
        )
    n, queries, heads, size = query.shape
    for sized in (size, value.shape[3]):
        if not 0 < sized <= LARGEST:
            raise ShapeError(
                f"tiles are made for heads of 1 to {LARGEST} numbers, received {sized}",
                cure="call scaled_dot_product_attention, which takes all scores at once then",
            )
    out = Spec((n, queries, heads, value.shape[3]), query.dtype)
    return out, Spec((n, heads, queries), compute_dtype(query.dtype))


def _work(query: Spec, key: Spec, value: Spec, products: int) -> int:
    n, queries, heads, _ = query.shape
    sizes: Any = (n, queries, heads, key.shape[1], query.shape[3] + value.shape[3])
    return products * math.prod(sizes)


def _cut(query: Spec, key: Spec, value: Spec, mask: Spec | None, draw: Any, bounds: Any) -> Any:
    """How an attention's query, key, value, mask, draw and bounds are cut: by samples, or heads.

    Each time with where [N,heads,*] is cut then. Random numbers are drawn for all together.
    """
    if draw is not None:
        return
    masks = (None, None) if mask is None else (mask.shape[0] > 1, mask.shape[1] > 1)
    yield (0, 0, 0, 0 if masks[0] else None, None, None if bounds is None else 0), 0
    yield (2, 2, 2, 1 if masks[1] else None, None, None), 1


def _cut_forward(query: Spec, key: Spec, value: Spec, *rest: Any, specs: Any, **attrs: Any) -> Any:
    return [(takes, (takes[0], at)) for takes, at in _cut(query, key, value, *rest)]


def _cut_backward(slope: Spec, *rest: Any, specs: Any, **attrs: Any) -> Any:
    ways = _cut(*rest[:6])
    return [((takes[0], *takes, at, at), takes[:3]) for takes, at in ways]


@op(
    infer=_results,
    shard=_cut_forward,
    flops=lambda query, key, value, *_, **__: _work(query, key, value, 2),
)
def tiled_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    draw: Tensor | None = None,
    bounds: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float = 1.0,
) -> tuple[Tensor, Tensor]:
    """softmax(scale * query key' + mask) value, and the logarithms of what shares are divided by.

    query: [N,Q,heads,D], key, value: [N,K,heads or fewer,D or E], of one dtype. mask: broadcasts to
    [N,heads,Q,K]; added, or, as truth values, where attention is wanted. draw: the key of the
    dropout. bounds: [N,2], int64: how many keys a sample has; how far a query sees beyond its own
    place where is_causal. Queries for which bounds leave nothing get zeros. Returns [N,Q,heads,E],
    and [N,heads,Q] in the dtype that is computed in. Raises ShapeError, DTypeError.
    Source: arXiv 2205.14135, algorithm 1.
    """
    _results(query.spec, key.spec, value.spec)
    scores, value = _scores_of(query, key, value, mask, bounds, is_causal, scale)
    totals = logsumexp(scores, -1)
    shares = _shares(scores, totals, bounds is not None)
    if draw is not None:
        shares = dropout_op(shares, draw, dropout_p)
    return astype(transpose_op(matmul(shares, value), HEADS_FIRST), query.spec.dtype), totals


@tiled_attention.samples
def _(s):
    draw = np.array([5, 2])
    q, k, v = s.randn(2, 3, 2, 4), s.randn(2, 5, 2, 4), s.randn(2, 5, 2, 6)
    yield s(q, k, v)
    yield s(q, k, v, s.randn(3, 5), scale=0.3)
    yield s(q, k, v, s.ints(0, 5, 2, 1, 3, 5) > 0)
    yield s(q, k, v, None, draw, None, 0.5, True)
    yield s(q, k, v, None, None, np.array([[5, 2], [3, 0]]), is_causal=True)
    yield s(q, k, v, None, None, np.array([[0, 0], [4, 0]]), gradient=False)
    yield s(s.randn(1, 3, 4, 2), s.randn(1, 3, 2, 2), s.randn(1, 3, 2, 2))
    yield s(s.randn(1, 70, 1, 3), s.randn(1, 66, 1, 3), s.randn(1, 66, 1, 2), is_causal=True)
    yield s(s.zeros(0, 3, 2, 4), s.zeros(0, 3, 2, 4), s.zeros(0, 3, 2, 4))
    yield s.bad(ShapeError, "must be [batch, length, heads, size]", s.randn(3, 4), k, v)
    yield s.bad(ShapeError, "4 numbers in each head, key 3", q, s.randn(2, 5, 2, 3), v)
    yield s.bad(
        ShapeError, "tiles are made for heads of 1 to 256 numbers", *[s.zeros(1, 3, 2, 0)] * 3
    )
    yield s.bad(ShapeError, "must agree", q, k, s.randn(2, 4, 2, 4))
    yield s.bad(ShapeError, "do not divide", s.randn(2, 3, 3, 4), k, v)
    yield s.bad(DTypeError, "must be floating", s.ints(0, 5, 2, 3, 2, 4), k, v)
    yield s.bad(DTypeError, "must have one dtype", q, k, v.astype("float64"))


def _scores_of(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, bounds: Tensor | None,
    is_causal: bool, scale: float,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """All scores, [N,heads,Q,K], -inf where a key is not seen; and the values, [N,heads,K,E]."""
    q, k, v = _heads_first(query, key, value)
    scores = matmul(multiply(q, scale), k, False, True)
    if mask is not None and mask.spec.dtype is bool_:
        scores = select(mask, scores, -math.inf)
    elif mask is not None:
        scores = add(scores, astype(mask, scores.spec.dtype))
    seen = _seen(query, key, bounds, is_causal)
    return scores if seen is None else select(seen, scores, -math.inf), v


def _heads_first(*given: Tensor) -> list[Tensor]:
    """Each as [N,heads,T,D], with as many heads as the first, in the dtype that is computed in."""
    heads: Any = given[0].spec.shape[2]
    found = []
    for x in given:
        own: Any = x.spec.shape[2]
        wide = astype(x, compute_dtype(x.spec.dtype))
        each = wide if own == heads else repeat_each(wide, heads // own, 2)
        found.append(transpose_op(each, HEADS_FIRST))
    return found


def _seen(query: Tensor, key: Tensor, bounds: Tensor | None, is_causal: bool) -> Tensor | None:
    """Where keys stand that are seen, which broadcasts to [N,heads,Q,K]; None for everywhere."""
    at, of = unsqueeze(iota(query.spec.shape[1]), 1), iota(key.spec.shape[1])
    if bounds is None:
        return less_equal(of, at) if is_causal else None
    count, shift = (reshape(bounds[:, k], (-1, 1, 1, 1)) for k in (0, 1))
    inside = less_than(of, count)
    return select(inside, less_equal(of, add(at, shift)), False) if is_causal else inside


def _shares(scores: Tensor, totals: Tensor, bounded: bool) -> Tensor:
    """exp(scores - totals): what share each key has; 0 where bounds leave nothing."""
    shares = exp(subtract(scores, unsqueeze(totals, -1)))
    return select(equal(scores, -math.inf), 0.0, shares) if bounded else shares


@tiled_attention.procedure
def _(p, query, key, value, mask, draw, bounds, dropout_p, is_causal, scale):
    n, queries, heads, _ = query.shape
    out, totals = _written(p, query, value)
    given, known = _arguments(query, key, value, mask, draw, bounds, dropout_p, is_causal)
    numbers, tiles = _numbers(dropout_p, scale), _packed(p, key, value, known["dtype"])
    rows = n * heads * -(-queries // _tiles.QUERIES)
    p.launch(
        _tiles.attended, rows, query, *tiles, *given, out, totals, *numbers,
        work=n * heads * queries * key.shape[1], **known,
    )  # fmt: skip
    return True


def _packed(p: Any, key: Any, value: Any, dtype: Any) -> tuple[Any, ...]:
    """Keys and values in tiles; how many there are, and of how many heads."""
    n, keys, heads, _ = key.shape
    tiles, found = -(-keys // _tiles.KEYS), []
    for x in (key, value):
        size = _tiles.KEYS * _tiles.padded(x.shape[3])
        made = p.scratch((n * heads, tiles, size), dtype)
        p.launch(_tiles.packed, n * heads * tiles, x, made, work=made.size, size=x.shape[3])
        found.append(made)
    return *found, keys, heads


def _written(p: Any, query: Any, value: Any) -> tuple[Any, Any]:
    """The results; scratch for those that nobody wants."""
    n, queries, heads, _ = query.shape
    out, totals = p.results
    if out is None:
        out = p.scratch((n, queries, heads, value.shape[3]), query.dtype)
    if totals is None:
        totals = p.scratch((n, heads, queries), compute_dtype(query.dtype))
    return out, totals


def _arguments(
    query: Any, key: Any, value: Any, mask: Any, draw: Any, bounds: Any,
    dropout_p: float, is_causal: bool,
) -> tuple[list[Any], dict[str, Any]]:  # fmt: skip
    """Mask, draw and bounds, something in place of those that are not there; and what is known."""
    steps: tuple[int, ...] = (1, 1, 1, 1)
    if mask is not None:
        shape = (1,) * (4 - len(mask.shape)) + tuple(mask.shape)
        mask, steps = mask.reshape(*shape), tuple(0 if n == 1 else 1 for n in shape)
    known = {
        "dtype": compute_dtype(query.dtype),
        "size": query.shape[3],
        "width": value.shape[3],
        "masked": mask is not None,
        "steps": steps,
        "causal": is_causal,
        "bounded": bounds is not None,
        "drops": draw is not None and dropout_p > 0,
        "aligned": key.shape[1] % 4 == 0,
    }
    return [query if x is None else x for x in (mask, draw, bounds)], known


def _numbers(dropout_p: float, scale: float) -> tuple[float, int, float]:
    """What queries are multiplied by; the least word that stays, and what its share is times."""
    return scale, round(dropout_p * 2**32), 1 / (1 - dropout_p) if dropout_p < 1 else 1.0


@tiled_attention.grad
def _(gs, outs, query, key, value, mask, draw, bounds, dropout_p, is_causal, scale, wanted):
    (slope, of_totals), (out, totals) = gs, outs
    wide = compute_dtype(out.spec.dtype)
    products = total_of(multiply(astype(slope, wide), astype(out, wide)), -1)
    delta = subtract(transpose_op(products, (0, 2, 1)), of_totals)
    operands = (slope, query, key, value, mask, draw, bounds, totals, delta)
    found = tiled_attention_gradients(*operands, dropout_p, is_causal, scale)
    of_mask = None
    if wanted[3]:
        of_scores, *_ = _slopes(*operands, dropout_p, is_causal, scale)
        of_mask = astype(sum_to_shape(of_scores, mask.spec.shape), mask.spec.dtype)
    return *found, of_mask, None, None


@op(
    infer=lambda slope, query, key, value, *_, **__: (query, key, value),
    shard=_cut_backward,
    flops=lambda slope, query, key, value, *_, **__: _work(query, key, value, 5),
)
def tiled_attention_gradients(
    slope: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    draw: Tensor | None,
    bounds: Tensor | None,
    totals: Tensor,
    delta: Tensor,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float = 1.0,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of query, key and value of `tiled_attention`.

    slope: of its result, [N,Q,heads,E]. totals: its other result, [N,heads,Q]. delta: the sums of
    slope times the result, less the gradient of totals, [N,heads,Q].
    Source: arXiv 2307.08691, algorithm 2.
    """
    operands = (slope, query, key, value, mask, draw, bounds, totals, delta)
    slopes, shares = _slopes(*operands, dropout_p, is_causal, scale)
    q, k, g = _heads_first(query, key, slope)
    of_query = multiply(matmul(slopes, k), scale)
    of_key = multiply(matmul(slopes, q, True), scale)
    of_value = matmul(shares, g, True)
    return (
        astype(transpose_op(of_query, HEADS_FIRST), query.spec.dtype),
        _of_groups(of_key, key.spec),
        _of_groups(of_value, value.spec),
    )


def _of_groups(x: Tensor, spec: Spec) -> Tensor:
    """Gradients [N,heads,K,D] of keys, each added up over the heads of queries that see it."""
    _, keys, heads, size = spec.shape
    groups = x.spec.shape[1] // heads
    if groups != 1:
        x = total_of(reshape(x, (-1, heads, groups, keys, size)), 2)
    return astype(transpose_op(x, HEADS_FIRST), spec.dtype)


def _slopes(
    slope: Tensor, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None,
    draw: Tensor | None, bounds: Tensor | None, totals: Tensor, delta: Tensor,
    dropout_p: float, is_causal: bool, scale: float,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The gradients of the scores, and the shares without those left out, [N,heads,Q,K]."""
    scores, v = _scores_of(query, key, value, mask, bounds, is_causal, scale)
    shares = _shares(scores, totals, bounds is not None)
    (g,) = _heads_first(slope)
    of_shares = matmul(g, v, False, True)
    kept = shares
    if draw is not None:
        kept, of_shares = (dropout_op(x, draw, dropout_p) for x in (shares, of_shares))
    return multiply(shares, subtract(of_shares, unsqueeze(delta, -1))), kept


@tiled_attention_gradients.procedure
def _(
    p, slope, query, key, value, mask, draw, bounds, totals, delta, dropout_p, is_causal, scale
):  # fmt: skip
    (n, queries, heads, size), (_, keys, key_heads, width) = query.shape, value.shape
    results = [
        p.scratch(x.shape, x.dtype) if r is None else r
        for r, x in zip(p.results, (query, key, value), strict=True)
    ]
    given, known = _arguments(query, key, value, mask, draw, bounds, dropout_p, is_causal)
    chunks = _chunks(n * key_heads, -(-queries // _tiles.QUERIES))
    rows, tiles, dtype = n * key_heads * chunks, -(-keys // _tiles.KEYS), known["dtype"]
    operands = _packed(p, key, value, dtype)
    parts = [p.scratch((rows, tiles, _tiles.KEYS * _tiles.padded(s)), dtype) for s in (size, width)]
    p.launch(
        _tiles.gradients, rows, slope, query, *operands, *given, totals, delta, results[0], *parts,
        chunks, *_numbers(dropout_p, scale), work=3 * n * heads * queries * keys, **known,
    )  # fmt: skip
    for part, out, own in zip(parts, results[1:], (size, width), strict=True):
        p.launch(_tiles.summed, n * keys, part, out, chunks, work=part.size, dtype=dtype, size=own)
    return True


def _chunks(rows: int, blocks: int) -> int:
    """Into how many parts the queries of each of `rows` heads of keys are divided."""
    if rows >= PARTS or blocks <= 1:
        return 1
    return min(blocks, -(-PARTS // max(rows, 1)))


@tiled_attention_gradients.samples
def _(s):
    q, k, v = s.randn(2, 3, 4, 4), s.randn(2, 5, 2, 4), s.randn(2, 5, 2, 6)
    slope, totals, delta = s.randn(2, 3, 4, 6), s.randn(2, 4, 3) + 2.0, s.randn(2, 4, 3)
    yield s(slope, q, k, v, None, None, None, totals, delta)
    yield s(slope, q, k, v, s.randn(4, 1, 5), np.array([5, 2]), None, totals, delta, 0.5, True, 0.3)
    yield s(slope, q, k, v, None, None, np.array([[5, 2], [3, 0]]), totals, delta, is_causal=True)
    long = s.randn(1, 70, 1, 2)
    rest = s.randn(1, 1, 70) + 2.0, s.randn(1, 1, 70)
    yield s(long, s.randn(1, 70, 1, 2), long, long, None, None, None, *rest)
