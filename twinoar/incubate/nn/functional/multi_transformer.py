"""A stack of a language model's layers as one function, with caches that it writes into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import int64
from twinoar.core.interpreter import current
from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.incubate.nn.functional._refused import refuse_ring
from twinoar.incubate.nn.functional.decoding import decoded, heads_of
from twinoar.incubate.nn.functional.linear import activated, fused_linear
from twinoar.incubate.nn.functional.norm import fused_layer_norm, fused_rms_norm
from twinoar.late import dataclass
from twinoar.nn.attention import additive_mask, merged_heads
from twinoar.ops.index.along_axis import take_along_axis
from twinoar.ops.index.repeat import repeat_each
from twinoar.ops.math.cast import astype
from twinoar.ops.random.dropout import dropout
from twinoar.ops.sequence.attention import HEADS_FIRST
from twinoar.ops.sequence.rotary import turned
from twinoar.ops.shape.concat import concat, split, stack
from twinoar.ops.shape.reshape import reshape, transpose

NORMS: dict[str, Any] = {"layernorm": fused_layer_norm, "rmsnorm": fused_rms_norm}
Several = Sequence[Tensor] | None


@function
def fused_multi_transformer(
    x: Tensor,
    ln_scales: Sequence[Tensor],
    ln_biases: Several,
    qkv_weights: Sequence[Tensor],
    qkv_biases: Several,
    linear_weights: Sequence[Tensor],
    linear_biases: Several,
    ffn_ln_scales: Sequence[Tensor],
    ffn_ln_biases: Several,
    ffn1_weights: Sequence[Tensor],
    ffn1_biases: Several,
    ffn2_weights: Sequence[Tensor],
    ffn2_biases: Several,
    pre_layer_norm: bool = True,
    epsilon: float = 1e-05,
    residual_alpha: float = 1.0,
    cache_kvs: Several = None,
    beam_offset: Any = None,
    pre_caches: Several = None,
    seq_lens: Tensor | None = None,
    rotary_embs: Tensor | None = None,
    time_step: Tensor | None = None,
    attn_mask: Tensor | None = None,
    dropout_rate: float = 0.0,
    rotary_emb_dims: int = 0,
    activation: str = "gelu",
    training: bool = False,
    mode: str = "upscale_in_train",
    trans_qkvw: bool = True,
    ring_id: int = -1,
    norm_type: str = "layernorm",
    use_neox_rotary_style: bool = False,
    gqa_group_size: int = -1,
) -> Any:
    """x through layers of attention and feed-forward networks: of a prompt, or of one step.

    x: [N,T,E], floating. The others have one tensor for each layer, biases may be None: ln_scales,
    ln_biases, ffn_ln_scales, ffn_ln_biases: [E]; qkv_weights: [3,heads,D,E], without trans_qkvw
    [E,3,heads,D], with a gqa_group_size G [heads + 2 * G,D,E]; qkv_biases the same without E;
    linear_weights: [heads * D,E]; ffn1_weights: [E,F], twice as wide for a gate; ffn2_weights:
    [F,E]. pre_layer_norm: normalizations come first in their part, else last; norm_type:
    "layernorm" or "rmsnorm". residual_alpha: what residuals are times. cache_kvs: [2,N,G,S,D],
    keys and values, written into in place; pre_caches: [2,N,G,P,D], those of a prefix. time_step:
    [1], integers, with a T of 1: how many positions are in the caches, where seq_lens, [N], does
    not say so for each row. rotary_embs, with rotary_emb_dims=1: cosines, then sines, of the
    positions, [2,N,1,T,D]; use_neox_rotary_style: number i of one half goes with that of the other,
    else pairs are neighbours. attn_mask: broadcasts to [N,heads,T,P + T], or in a step
    [N,heads,1,K]; as of `nn.MultiHeadAttention`. activation: see `fused_bias_act`. dropout_rate,
    mode: of each `dropout`. Returns [N,T,E], with caches a tuple of that and them. Raises
    ShapeError, ArgumentError, UnsupportedError for beams and a ring_id.

    >>> one, qkv, square = twinoar.ones([4]), twinoar.rand([3, 2, 2, 4]), twinoar.rand([4, 4])
    >>> layers = [one], None, [qkv], None, [square], None, [one], None
    >>> run = twinoar.incubate.nn.functional.fused_multi_transformer
    >>> run(twinoar.rand([1, 3, 4]), *layers, [square], None, [square], None).shape
    [1, 3, 4]
    """
    refuse_ring(ring_id)
    if beam_offset is not None or rotary_emb_dims > 1:
        raise UnsupportedError(
            "there are no beams in a cache, and one table of angles, received "
            f"beam_offset={beam_offset} and rotary_emb_dims={rotary_emb_dims}",
            cure="reorder the caches between steps by index_select",
        )
    if norm_type not in NORMS:
        raise ArgumentError(f"norm_type must be 'layernorm' or 'rmsnorm', received {norm_type!r}")
    if time_step is not None and (cache_kvs is None or not may_equal(x.spec.shape[1:2], (1,))):
        raise ArgumentError(
            "a step, as time_step says, is of one position and has caches",
            cure="give x as [N,1,E], and cache_kvs",
        )
    before = time_step if seq_lens is None or time_step is None else seq_lens
    attention = Attention(
        mask=attn_mask if time_step is not None else additive_mask(attn_mask, x.dtype),
        before=None if before is None else astype(reshape(before, (-1,)), int64),
        rotary=rotary_embs if rotary_emb_dims else None,
        neighbours=not use_neox_rotary_style,
        dropout=(dropout_rate, training, mode),
        groups=gqa_group_size,
        turned_weight=trans_qkvw,
    )
    frame = Frame(NORMS[norm_type], epsilon, pre_layer_norm, residual_alpha, attention.dropout)
    given = {
        "ln_scales": ln_scales,
        "ln_biases": ln_biases,
        "qkv_weights": qkv_weights,
        "qkv_biases": qkv_biases,
        "linear_weights": linear_weights,
        "linear_biases": linear_biases,
        "ffn_ln_scales": ffn_ln_scales,
        "ffn_ln_biases": ffn_ln_biases,
        "ffn1_weights": ffn1_weights,
        "ffn1_biases": ffn1_biases,
        "ffn2_weights": ffn2_weights,
        "ffn2_biases": ffn2_biases,
        "cache_kvs": cache_kvs,
        "pre_caches": pre_caches,
    }
    for layer in _layers(given, len(qkv_weights)):
        normed = frame.entering(x, layer["ln_scales"], layer["ln_biases"])
        merged = attention(normed, layer)
        out = fused_linear(merged, layer["linear_weights"], layer["linear_biases"])
        x = frame.leaving(x, out, layer["ln_scales"], layer["ln_biases"])
        normed = frame.entering(x, layer["ffn_ln_scales"], layer["ffn_ln_biases"])
        hidden = fused_linear(normed, layer["ffn1_weights"], layer["ffn1_biases"])
        hidden = frame.thinned(activated(activation, hidden))
        out = fused_linear(hidden, layer["ffn2_weights"], layer["ffn2_biases"])
        x = frame.leaving(x, out, layer["ffn_ln_scales"], layer["ffn_ln_biases"])
    return x if cache_kvs is None else (x, list(cache_kvs))


@dataclass(frozen=True)
class Frame:
    """What is around a part of a layer: its normalization, before or after, and its residual.

    norm: of `NORMS`. alpha: what the residual is times. dropout: share, training and mode.
    """

    norm: Any
    epsilon: float
    before: bool
    alpha: float
    dropout: tuple[float, bool, str]

    def entering(self, x: Tensor, scale: Tensor, bias: Tensor | None) -> Tensor:
        """What the part is given."""
        return self._normed(x, scale, bias) if self.before else x

    def leaving(self, x: Tensor, out: Tensor, scale: Tensor, bias: Tensor | None) -> Tensor:
        """What comes after the part, from what came in and what the part made."""
        out = (x if self.alpha == 1 else x * self.alpha) + self.thinned(out)
        return out if self.before else self._normed(out, scale, bias)

    def thinned(self, x: Tensor) -> Tensor:
        rate, training, mode = self.dropout
        return dropout(x, rate, training=training, mode=mode) if rate else x

    def _normed(self, x: Tensor, scale: Tensor, bias: Tensor | None) -> Tensor:
        return self.norm(x, scale, bias, self.epsilon, begin_norm_axis=x.ndim - 1)[0]


@dataclass(frozen=True)
class Attention:
    """What the attention of all layers has in common.

    mask: added. before: [N] or [1], positions in the caches, or None for a prompt. rotary: cosines
    and sines. dropout: share, training and mode. groups: heads of keys, or -1 for as many as of
    queries. turned_weight: the weight has E last.
    """

    mask: Tensor | None
    before: Tensor | None
    rotary: Tensor | None
    neighbours: bool
    dropout: tuple[float, bool, str]
    groups: int
    turned_weight: bool

    def __call__(self, x: Tensor, layer: dict[str, Any]) -> Tensor:
        """What the heads of one layer attend to, side by side, [N,T,heads * D]."""
        q, k, v = self._projected(x, layer["qkv_weights"], layer["qkv_biases"])
        if self.rotary is not None:
            cos, sin = self._angles(q)
            q, k = (turned(part, sin, cos, self.neighbours) for part in (q, k))
        cache = layer["cache_kvs"]
        if self.before is not None:
            return self._step(q, k, v, cache)
        k, v = (transpose(part, HEADS_FIRST) for part in (k, v))
        if layer["pre_caches"] is not None:
            prefix = layer["pre_caches"]
            k, v = concat([prefix[0], k], 2), concat([prefix[1], v], 2)
        if cache is not None:
            _begin(cache, k, v)
        times: Any = q.spec.shape[2] // k.spec.shape[1]
        k, v = (repeat_each(part, times, 1) if times != 1 else part for part in (k, v))
        return merged_heads(transpose(q, HEADS_FIRST), k, v, self.mask, *self.dropout)

    def _projected(self, x: Tensor, weight: Tensor, bias: Tensor | None) -> Any:
        size, shape = x.spec.shape[-1], weight.spec.shape
        inner: Any = shape[:-1] if self.turned_weight else shape[1:]
        own = shape[-1] if self.turned_weight else shape[0]
        rank, first = (3, inner[:1]) if self.groups < 1 else (2, (3,))
        if len(inner) != rank or not may_equal(first, (3,)) or not may_equal((own,), (size,)):
            heads = "3,heads" if self.groups < 1 else f"heads + 2 * {self.groups}"
            form = f"[{heads},D,{size}]" if self.turned_weight else f"[{size},{heads},D]"
            raise ShapeError(f"the weight of an attention must be {form}, received {weight.spec}")
        flat = reshape(weight, (-1, own) if self.turned_weight else (own, -1))
        out = fused_linear(x, flat, transpose_weight=self.turned_weight)
        groups = inner[1] if self.groups < 1 else self.groups
        return heads_of(out, bias, groups, inner[-1], "the projection")

    def _angles(self, q: Tensor) -> list[Tensor]:
        """Cosines and sines of the positions of q, [N,T,heads,D], as [N,T,1,D]."""
        _, length, _, size = q.spec.shape
        table = self.rotary
        assert table is not None
        if table.ndim != 5 or not may_equal(table.spec.shape[2:5:2], (1, size)):
            raise ShapeError(f"rotary_embs must be [2,N,1,T,{size}], received {table.spec}")
        given: Any = table.spec.shape[3]
        if given != length and self.before is not None:
            at = reshape(self.before, (1, -1, 1, 1, 1))
            table = take_along_axis(table, at, 3)
        elif given != length:
            table = split(table, [length, given - length], 3)[0]
        return [transpose(table[n], HEADS_FIRST) for n in range(2)]

    def _step(self, q: Tensor, k: Tensor, v: Tensor, cache: Tensor) -> Tensor:
        rate, training, mode = self.dropout
        if rate and (training or mode != "upscale_in_train"):
            raise UnsupportedError(
                "a step of decoding has no dropout",
                cure="leave out training, mode and dropout_rate",
            )
        assert self.before is not None
        out = decoded(q, k, v, cache, self.before, self.mask)
        rows, heads, size = q.spec.shape[0], q.spec.shape[2], q.spec.shape[3]
        return reshape(out, (rows, 1, heads * size))


def _begin(cache: Tensor, k: Tensor, v: Tensor) -> None:
    """Write keys and values, [N,G,T,D], into the first positions of a cache."""
    room, length = cache.spec.shape[3], k.spec.shape[2]
    if isinstance(room, int) and isinstance(length, int) and room < length:
        raise ShapeError(
            f"the cache has {room} positions, {length} are written", cure="make a longer cache"
        )
    rest: Any = room - length
    new = concat([astype(stack([k, v]), cache.dtype), split(cache, [length, rest], 3)[1]], 3)
    current().rebind(cache, new)


def _layers(given: dict[str, Several], count: int) -> list[dict[str, Any]]:
    """The tensors of each layer, None where there are none."""
    for name, tensors in given.items():
        if tensors is not None and len(tensors) != count:
            raise ArgumentError(
                f"there are {count} layers, received {len(tensors)} tensors as {name}",
                cure="give one for each layer",
            )
    return [
        {name: None if tensors is None else tensors[n] for name, tensors in given.items()}
        for n in range(count)
    ]
