"""Parts of a transformer, each in one layer with its normalization and residual."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import default_dtype
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.incubate.nn import functional
from twinoar.incubate.nn.functional._refused import refuse_ring
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer
from twinoar.nn.transformer import attr_of_parts

ONE = Constant(1.0)


class FusedMultiHeadAttention(Layer):
    """Attention of a sequence to itself, with dropout, residual and normalization.

    embed_dim: size of input and output, num_heads of which take an equal share. dropout_rate,
    attn_dropout_rate: of the result and of the shares. normalize_before: the normalization comes
    first, and has pre_ln_scale and pre_ln_bias; else last, with ln_scale and ln_bias. qkv_weight:
    [3,num_heads,head_dim,embed_dim], or with transpose_qkv_wb [embed_dim,3 * embed_dim];
    linear_weight: [embed_dim,embed_dim]. A bias is absent where its attribute is False. Raises
    ArgumentError, UnsupportedError for need_weights, other sizes of keys and values, and several
    devices.

    >>> layer = twinoar.incubate.nn.FusedMultiHeadAttention(8, 2)
    >>> layer(twinoar.rand([1, 3, 8])).shape
    [1, 3, 8]
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout_rate: float = 0.5,
        attn_dropout_rate: float = 0.5,
        kdim: int | None = None,
        vdim: int | None = None,
        normalize_before: bool = False,
        need_weights: bool = False,
        qkv_weight_attr: Any = None,
        qkv_bias_attr: Any = None,
        linear_weight_attr: Any = None,
        linear_bias_attr: Any = None,
        pre_ln_scale_attr: Any = None,
        pre_ln_bias_attr: Any = None,
        ln_scale_attr: Any = None,
        ln_bias_attr: Any = None,
        epsilon: float = 1e-5,
        nranks: int = 1,
        ring_id: int = -1,
        transpose_qkv_wb: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        refuse_ring(ring_id, nranks)
        _check_sizes(embed_dim, num_heads)
        if need_weights or kdim not in (None, embed_dim) or vdim not in (None, embed_dim):
            raise UnsupportedError(
                "FusedMultiHeadAttention attends to its input, and returns no shares",
                cure="use nn.MultiHeadAttention",
            )
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim, self.need_weights = kdim, vdim, need_weights
        self.dropout_rate, self.attn_dropout_rate = dropout_rate, attn_dropout_rate
        self.normalize_before, self.transpose_qkv_wb = normalize_before, transpose_qkv_wb
        self._epsilon, self._dtype, self.name = epsilon, default_dtype().name, name
        by_head = [3, num_heads, self.head_dim]
        weight_shape = [embed_dim, 3 * embed_dim] if transpose_qkv_wb else [*by_head, embed_dim]
        bias_shape = [3 * embed_dim] if transpose_qkv_wb else by_head
        self.qkv_weight = self.create_parameter(weight_shape, qkv_weight_attr)
        self.qkv_bias = self.create_parameter(bias_shape, qkv_bias_attr, is_bias=True)
        self.linear_weight = self.create_parameter([embed_dim, embed_dim], linear_weight_attr)
        self.linear_bias = self.create_parameter([embed_dim], linear_bias_attr, is_bias=True)
        self.pre_ln_scale = self.pre_ln_bias = self.ln_scale = self.ln_bias = None
        if normalize_before:
            self.pre_ln_scale, self.pre_ln_bias = _norm(
                self, embed_dim, pre_ln_scale_attr, pre_ln_bias_attr
            )
        else:
            self.ln_scale, self.ln_bias = _norm(self, embed_dim, ln_scale_attr, ln_bias_attr)

    def forward(
        self,
        query: Any,
        key: Any = None,
        value: Any = None,
        attn_mask: Any = None,
        cache: Any = None,
    ) -> Any:
        """The attention of `query`, [N,T,embed_dim], to itself; key and value may only be the same.

        attn_mask, cache: see `functional.fused_multi_head_attention`. Returns [N,T,embed_dim], with
        a cache a tuple of that and the longer cache. Raises UnsupportedError.
        """
        if not all(x is None or x is query for x in (key, value)):
            raise UnsupportedError(
                "FusedMultiHeadAttention attends to its input, received another key or value",
                cure="use nn.MultiHeadAttention",
            )
        return functional.fused_multi_head_attention(
            query,
            self.qkv_weight,
            self.linear_weight,
            pre_layer_norm=self.normalize_before,
            pre_ln_scale=self.pre_ln_scale,
            pre_ln_bias=self.pre_ln_bias,
            ln_scale=self.ln_scale,
            ln_bias=self.ln_bias,
            pre_ln_epsilon=self._epsilon,
            qkv_bias=self.qkv_bias,
            linear_bias=self.linear_bias,
            cache_kv=cache,
            attn_mask=attn_mask,
            dropout_rate=self.dropout_rate,
            attn_dropout_rate=self.attn_dropout_rate,
            ln_epsilon=self._epsilon,
            training=self.training,
            num_heads=self.num_heads,
            transpose_qkv_wb=self.transpose_qkv_wb,
        )

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self.name}" if self.name else ""
        return (
            f"embed_dim={self.embed_dim}, num_heads={self.num_heads}, "
            f"dropout_rate={self.dropout_rate}, attn_dropout_rate={self.attn_dropout_rate}, "
            f"epsilon={self._epsilon}, kdim={self.kdim}, vdim={self.vdim}, "
            f"normalize_before={self.normalize_before}, need_weights={self.need_weights}, "
            f"dtype={self._dtype}{name}"
        )


class FusedFeedForward(Layer):
    """Two linear layers with an activation between, dropout, residual and normalization.

    d_model: size of input and output; dim_feedforward: of the hidden layer. dropout_rate: at the
    end; act_dropout_rate: after the activation, the same where it is None. activation: see
    `functional.fused_feedforward`. normalize_before: the normalization comes first, else last. A
    bias is absent where its attribute is False. Raises ArgumentError, UnsupportedError for several
    devices.

    >>> twinoar.incubate.nn.FusedFeedForward(4, 8)(twinoar.rand([1, 3, 4])).shape
    [1, 3, 4]
    """

    def __init__(
        self,
        d_model: int,
        dim_feedforward: int,
        dropout_rate: float = 0.1,
        epsilon: float = 1e-05,
        activation: str = "relu",
        act_dropout_rate: float | None = None,
        normalize_before: bool = False,
        linear1_weight_attr: Any = None,
        linear1_bias_attr: Any = None,
        linear2_weight_attr: Any = None,
        linear2_bias_attr: Any = None,
        ln1_scale_attr: Any = None,
        ln1_bias_attr: Any = None,
        ln2_scale_attr: Any = None,
        ln2_bias_attr: Any = None,
        nranks: int = 1,
        ring_id: int = -1,
        name: str | None = None,
    ) -> None:
        super().__init__()
        refuse_ring(ring_id, nranks)
        if d_model < 1 or dim_feedforward < 1:
            raise ArgumentError(
                "d_model and dim_feedforward must be at least 1, received "
                f"{d_model} and {dim_feedforward}"
            )
        self._d_model, self._dim_feedforward = d_model, dim_feedforward
        self._dropout_rate, self._act_method = dropout_rate, activation
        self._act_dropout_rate = dropout_rate if act_dropout_rate is None else act_dropout_rate
        self._normalize_before, self._epsilon = normalize_before, epsilon
        self._dtype, self.name = default_dtype().name, name
        wide, narrow = [dim_feedforward], [d_model]
        self._linear1_weight = self.create_parameter([*narrow, *wide], linear1_weight_attr)
        self._linear1_bias = self.create_parameter(wide, linear1_bias_attr, is_bias=True)
        self._linear2_weight = self.create_parameter([*wide, *narrow], linear2_weight_attr)
        self._linear2_bias = self.create_parameter(narrow, linear2_bias_attr, is_bias=True)
        self._ln1_scale = self._ln1_bias = self._ln2_scale = self._ln2_bias = None
        if normalize_before:
            self._ln1_scale, self._ln1_bias = _norm(self, d_model, ln1_scale_attr, ln1_bias_attr)
        else:
            self._ln2_scale, self._ln2_bias = _norm(self, d_model, ln2_scale_attr, ln2_bias_attr)

    def forward(self, src: Any, cache: Any = None) -> Any:
        """What the network makes of src, [*,d_model]; the cache is without effect."""
        return functional.fused_feedforward(
            src,
            self._linear1_weight,
            self._linear2_weight,
            linear1_bias=self._linear1_bias,
            linear2_bias=self._linear2_bias,
            ln1_scale=self._ln1_scale,
            ln1_bias=self._ln1_bias,
            ln2_scale=self._ln2_scale,
            ln2_bias=self._ln2_bias,
            dropout1_rate=self._act_dropout_rate,
            dropout2_rate=self._dropout_rate,
            activation=self._act_method,
            ln1_epsilon=self._epsilon,
            ln2_epsilon=self._epsilon,
            pre_layer_norm=self._normalize_before,
            training=self.training,
        )

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self.name}" if self.name else ""
        return (
            f"d_model={self._d_model}, dim_feedforward={self._dim_feedforward}, "
            f"dropout_rate={self._dropout_rate}, epsilon={self._epsilon}, "
            f"activation={self._act_method}, act_dropout_rate={self._act_dropout_rate}, "
            f"normalize_before={self._normalize_before}, dtype={self._dtype}{name}"
        )


class FusedTransformerEncoderLayer(Layer):
    """`FusedMultiHeadAttention`, then `FusedFeedForward`: what `nn.TransformerEncoderLayer` does.

    Arguments as of it; attributes are of the normalizations as well. Raises ArgumentError.

    >>> layer = twinoar.incubate.nn.FusedTransformerEncoderLayer(8, 2, 16)
    >>> layer(twinoar.rand([1, 3, 8])).shape
    [1, 3, 8]
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout_rate: float = 0.1,
        activation: str = "relu",
        attn_dropout_rate: float | None = None,
        act_dropout_rate: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
    ) -> None:
        super().__init__()
        weights, biases = attr_of_parts(weight_attr, 2), attr_of_parts(bias_attr, 2)
        self.normalize_before = normalize_before
        self.fused_attn = FusedMultiHeadAttention(
            d_model,
            nhead,
            dropout_rate,
            dropout_rate if attn_dropout_rate is None else attn_dropout_rate,
            normalize_before=normalize_before,
            **dict.fromkeys(_attrs("qkv_weight linear_weight pre_ln_scale ln_scale"), weights[0]),
            **dict.fromkeys(_attrs("qkv_bias linear_bias pre_ln_bias ln_bias"), biases[0]),
        )
        self.ffn = FusedFeedForward(
            d_model,
            dim_feedforward,
            dropout_rate,
            activation=activation,
            act_dropout_rate=act_dropout_rate,
            normalize_before=normalize_before,
            **dict.fromkeys(_attrs("linear1_weight linear2_weight"), weights[1]),
            **dict.fromkeys(_attrs("linear1_bias linear2_bias"), biases[1]),
        )

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """The encoded src, [N,T,d_model]; with a cache a tuple of that and the longer one.

        src_mask, cache: see `functional.fused_multi_head_attention`.
        """
        if cache is None:
            return self.ffn(self.fused_attn(src, attn_mask=src_mask))
        out, longer = self.fused_attn(src, attn_mask=src_mask, cache=cache)
        return self.ffn(out), longer


def _attrs(parts: str) -> list[str]:
    return [f"{part}_attr" for part in parts.split()]


def _norm(layer: Layer, size: int, scale_attr: Any, bias_attr: Any) -> tuple[Any, Any]:
    """The parameters of a normalization: a scale of one and a bias."""
    return (
        layer.create_parameter([size], scale_attr, default_initializer=ONE),
        layer.create_parameter([size], bias_attr, is_bias=True),
    )


def _check_sizes(embed_dim: int, num_heads: int) -> None:
    if embed_dim < 1 or num_heads < 1 or embed_dim % num_heads:
        raise ArgumentError(
            f"num_heads must divide embed_dim, received {num_heads} and {embed_dim}",
            cure="choose an embed_dim that is a multiple of num_heads",
        )
