"""MultiHeadAttention: several averages of values at once, each with shares of its own."""

from __future__ import annotations

from typing import Any, NamedTuple

from twinoar.core.dtype import DType
from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.attention_backend import SDPBackend as SDPBackend
from twinoar.nn.attention_backend import sdpa_kernel as sdpa_kernel
from twinoar.nn.layer import Layer
from twinoar.nn.linear import Linear
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.ops.math.cast import astype
from twinoar.ops.math.fill import fill
from twinoar.ops.random.uniform import generator
from twinoar.ops.sequence.attention import (
    HEADS_FIRST,
    attend,
    attention_shares,
    is_tiled,
)
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import reshape, transpose

UNWANTED = 1e9  # what a mask of truth values or integers subtracts where attention is not wanted


class Cache(NamedTuple):
    """Keys and values of the positions so far, [N,heads,T,D]; each call adds its own."""

    k: Any
    v: Any


class StaticCache(NamedTuple):
    """Keys and values to use as they are, [N,heads,T,D], in place of those a call is given."""

    k: Any
    v: Any


class MultiHeadAttention(Layer):
    """softmax(q k' / sqrt(head_dim) + mask) v for each head, projected before and after.

    embed_dim: size of queries and results, head_dim in each of num_heads. dropout: share of the
    attention that is left out in training. kdim, vdim: sizes of keys and values, None where they
    are embed_dim. need_weights: return the shares as well. weight_attr, bias_attr: of all four
    projections. Raises ArgumentError where num_heads does not divide embed_dim.
    Source: arXiv 1706.03762, section 3.2.2.

    >>> layer = twinoar.nn.MultiHeadAttention(8, 2, need_weights=True)
    >>> out, weights = layer(twinoar.rand([1, 3, 8]))
    >>> out.shape, weights.shape
    ([1, 3, 8], [1, 2, 3, 3])
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        kdim: int | None = None,
        vdim: int | None = None,
        need_weights: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
    ) -> None:
        super().__init__()
        if embed_dim < 1 or num_heads < 1 or embed_dim % num_heads:
            raise ArgumentError(
                f"num_heads must divide embed_dim, received {num_heads} and {embed_dim}",
                cure="choose an embed_dim that is a multiple of num_heads",
            )
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.dropout, self.need_weights = dropout, need_weights
        self.q_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)
        self.k_proj = Linear(self.kdim, embed_dim, weight_attr, bias_attr)
        self.v_proj = Linear(self.vdim, embed_dim, weight_attr, bias_attr)
        self.out_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)

    def forward(
        self,
        query: Any,
        key: Any = None,
        value: Any = None,
        attn_mask: Any = None,
        cache: Cache | StaticCache | None = None,
    ) -> Any:
        """The attention of `query` to `key` and `value`.

        query: [N,Q,embed_dim]. key: [N,K,kdim], value: [N,K,vdim]; None stands for `query`.
        attn_mask: broadcasts to [N,heads,Q,K]; added where it is floating, otherwise 0 or False
        where attention is not wanted. Returns [N,Q,embed_dim], or a tuple of it, with need_weights
        the shares [N,heads,Q,K], and with a cache the new one.
        """
        key = query if key is None else key
        value = query if value is None else value
        q = self._heads(self.q_proj(query))
        k, v = cache if isinstance(cache, StaticCache) else self.compute_kv(key, value)
        if isinstance(cache, Cache):
            k, v = concat([cache.k, k], 2), concat([cache.v, v], 2)
            cache = Cache(k, v)
        mask = additive_mask(attn_mask, q.dtype)
        if self.need_weights:
            merged, weights = attended_heads(q, k, v, mask, self.dropout, self.training)
            results = [self.out_proj(merged), weights]
        else:
            results = [self.out_proj(merged_heads(q, k, v, mask, self.dropout, self.training))]
        if cache is not None:
            results.append(cache)
        return results[0] if len(results) == 1 else tuple(results)

    def compute_kv(self, key: Any, value: Any) -> tuple[Any, Any]:
        """The projected keys and values, [N,heads,T,D] each."""
        return self._heads(self.k_proj(key)), self._heads(self.v_proj(value))

    def gen_cache(self, key: Any, value: Any = None, type: type = Cache) -> Any:
        """A cache to begin with.

        type: StaticCache, of the projected `key` and `value`; or Cache, of `key` and `value` as
        they are, or, without `value`, with no positions yet, for as many samples as `key` has.
        """
        if type is StaticCache:
            return StaticCache(*self.compute_kv(key, value))
        if value is not None:
            return Cache(key, value)
        shape = (key.spec.shape[0], self.num_heads, 0, self.head_dim)
        return Cache(fill(shape, 0.0, key.dtype), fill(shape, 0.0, key.dtype))

    def _heads(self, x: Any) -> Any:
        """x, [N,T,heads * D], as [N,heads,T,D]."""
        return transpose(reshape(x, [0, 0, self.num_heads, self.head_dim]), HEADS_FIRST)


# Paddle's names for them; set in the class they would hide the types of these names there.
MultiHeadAttention.Cache = Cache  # type: ignore[attr-defined]
MultiHeadAttention.StaticCache = StaticCache  # type: ignore[attr-defined]


def merged_heads(
    q: Any,
    k: Any,
    v: Any,
    mask: Any,
    dropout: float,
    training: bool,
    mode: str = "upscale_in_train",
) -> Any:
    """The first result of `attended_heads`; over long sequences without making the shares."""
    query, key, value = (transpose(x, HEADS_FIRST) for x in (q, k, v))
    is_long = is_tiled(query.spec, key.spec, value.spec)
    if not is_long or (dropout and mode != "upscale_in_train"):
        return attended_heads(q, k, v, mask, dropout, training, mode)[0]
    draw = generator.next_key() if dropout and training else None
    out = attend(query, key, value, mask, draw, dropout, False, None)
    return reshape(out, [0, 0, q.spec.shape[1] * v.spec.shape[3]])


def attended_heads(
    q: Any,
    k: Any,
    v: Any,
    mask: Any,
    dropout: float,
    training: bool,
    mode: str = "upscale_in_train",
) -> tuple[Any, Any]:
    """What all heads attend to, side by side, [N,Q,heads * D], and the shares, [N,heads,Q,K].

    q: [N,heads,Q,D], k, v: [N,heads,K,D]. mask: added. dropout: share of the attention that is left
    out, as `functional.dropout` does.
    """
    heads, size = q.spec.shape[1], q.spec.shape[3]
    weights = attention_shares(q, k, mask, size**-0.5)
    if dropout:
        weights = functional.dropout(weights, dropout, training=training, mode=mode)
    return reshape(transpose(matmul(weights, v), HEADS_FIRST), [0, 0, heads * size]), weights


def additive_mask(mask: Any, dtype: DType) -> Any:
    """A mask that is added: 0 where attention is wanted; None stays None."""
    if mask is None or mask.dtype == dtype:
        return mask
    given = astype(mask, dtype)
    return given if mask.dtype.is_floating else multiply(add(given, -1.0), UNWANTED)
