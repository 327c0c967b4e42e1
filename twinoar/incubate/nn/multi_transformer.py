"""A stack of a language model's layers as one layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import default_dtype
from twinoar.errors import ArgumentError
from twinoar.incubate.nn import functional
from twinoar.incubate.nn.functional._refused import refuse_ring
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer


class FusedMultiTransformer(Layer):
    """Several layers of attention and feed-forward networks, with caches to decode with.

    embed_dim, num_heads, dim_feedforward: sizes, as of `nn.TransformerEncoderLayer`. The attributes
    are for all layers, or one for each; without one of its own there is no bias. num_layers: how
    many, where qkv_weight_attrs is not a list. The others: see
    `functional.fused_multi_transformer`. Parameters are in `state_dict` by their names. Raises
    ArgumentError, UnsupportedError for several devices.

    >>> model = twinoar.incubate.nn.FusedMultiTransformer(8, 2, 16, num_layers=2)
    >>> model(twinoar.rand([1, 3, 8])).shape
    [1, 3, 8]
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dim_feedforward: int,
        dropout_rate: float = 0.0,
        activation: str = "gelu",
        normalize_before: bool = True,
        ln_scale_attrs: Any = None,
        ln_bias_attrs: Any = None,
        qkv_weight_attrs: Any = None,
        qkv_bias_attrs: Any = None,
        linear_weight_attrs: Any = None,
        linear_bias_attrs: Any = None,
        ffn_ln_scale_attrs: Any = None,
        ffn_ln_bias_attrs: Any = None,
        ffn1_weight_attrs: Any = None,
        ffn1_bias_attrs: Any = None,
        ffn2_weight_attrs: Any = None,
        ffn2_bias_attrs: Any = None,
        epsilon: float = 1e-5,
        residual_alpha: float = 1.0,
        num_layers: int = -1,
        nranks: int = 1,
        trans_qkvw: bool = True,
        ring_id: int = -1,
        norm_type: str = "layernorm",
        use_neox_rotary_style: bool = False,
        gqa_group_size: int = -1,
        name: str | None = None,
    ) -> None:
        super().__init__()
        refuse_ring(ring_id, nranks)
        if isinstance(qkv_weight_attrs, (list, tuple)):
            num_layers = len(qkv_weight_attrs)
        if min(embed_dim, num_heads, dim_feedforward, num_layers) < 1 or embed_dim % num_heads:
            raise ArgumentError(
                "sizes and num_layers must be positive and num_heads divide embed_dim, received "
                f"{embed_dim}, {num_heads}, {dim_feedforward} and {num_layers}",
                cure="give num_layers, or a list of attributes as qkv_weight_attrs",
            )
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.normalize_before, self.activation, self.name = normalize_before, activation, name
        self.dropout_rate, self._dim_feedforward = dropout_rate, dim_feedforward
        self._epsilon, self._residual_alpha, self._dtype = (
            epsilon,
            residual_alpha,
            default_dtype().name,
        )
        self._trans_qkvw, self._norm_type = trans_qkvw, norm_type
        self._use_neox_rotary_style, self._gqa_group_size = use_neox_rotary_style, gqa_group_size
        self._num_layers = num_layers
        norm = {"dtype": "float32" if norm_type == "layernorm" else self._dtype}
        scale, bias = {"default_initializer": Constant(1.0), **norm}, {"is_bias": True}
        heads = [3, num_heads] if gqa_group_size < 1 else [num_heads + 2 * gqa_group_size]
        by_head, size = [*heads, self.head_dim], [embed_dim]
        wide = [dim_feedforward * (2 if activation.endswith("glu") else 1)]
        projection = [*by_head, *size] if trans_qkvw else [*size, *by_head]
        self.ln_scales = self._made(size, ln_scale_attrs, **scale)
        self.ln_biases = self._made(size, ln_bias_attrs, **bias, **norm)
        self.qkv_weights = self._made(projection, qkv_weight_attrs)
        self.qkv_biases = self._made(by_head, qkv_bias_attrs, **bias)
        self.linear_weights = self._made([embed_dim, embed_dim], linear_weight_attrs)
        self.linear_biases = self._made(size, linear_bias_attrs, **bias)
        self.ffn_ln_scales = self._made(size, ffn_ln_scale_attrs, **scale)
        self.ffn_ln_biases = self._made(size, ffn_ln_bias_attrs, **bias, **norm)
        self.ffn1_weights = self._made([*size, *wide], ffn1_weight_attrs)
        self.ffn1_biases = self._made(wide, ffn1_bias_attrs, **bias)
        self.ffn2_weights = self._made([dim_feedforward, embed_dim], ffn2_weight_attrs)
        self.ffn2_biases = self._made(size, ffn2_bias_attrs, **bias)

    def _made(self, shape: list[int], attrs: Any, **settings: Any) -> Any:
        """A parameter of each layer, members by their names; None for biases without attributes."""
        own = list(attrs) if isinstance(attrs, (list, tuple)) else [attrs] * self._num_layers
        if len(own) != self._num_layers:
            raise ArgumentError(
                f"there are {self._num_layers} layers, received {len(own)} attributes",
                cure="give one for each layer, or one for all",
            )
        if settings.get("is_bias") and not own[0]:
            return None
        made = [self.create_parameter(shape, attr or None, **settings) for attr in own]
        for parameter in made:
            self._own("_parameters", parameter.name, parameter)
        return made

    def forward(
        self,
        src: Any,
        attn_mask: Any = None,
        caches: Sequence[Any] | None = None,
        pre_caches: Sequence[Any] | None = None,
        rotary_embs: Any = None,
        rotary_emb_dims: int = 0,
        beam_offset: Any = None,
        seq_lens: Any = None,
        time_step: Any = None,
    ) -> Any:
        """What the layers make of src, [N,T,embed_dim]; with caches a tuple of that and them."""
        return functional.fused_multi_transformer(
            src,
            ln_scales=self.ln_scales,
            ln_biases=self.ln_biases,
            qkv_weights=self.qkv_weights,
            qkv_biases=self.qkv_biases,
            linear_weights=self.linear_weights,
            linear_biases=self.linear_biases,
            ffn_ln_scales=self.ffn_ln_scales,
            ffn_ln_biases=self.ffn_ln_biases,
            ffn1_weights=self.ffn1_weights,
            ffn1_biases=self.ffn1_biases,
            ffn2_weights=self.ffn2_weights,
            ffn2_biases=self.ffn2_biases,
            pre_layer_norm=self.normalize_before,
            epsilon=self._epsilon,
            residual_alpha=self._residual_alpha,
            cache_kvs=caches,
            beam_offset=beam_offset,
            pre_caches=pre_caches,
            seq_lens=seq_lens,
            rotary_embs=rotary_embs,
            time_step=time_step,
            attn_mask=attn_mask,
            dropout_rate=self.dropout_rate,
            rotary_emb_dims=rotary_emb_dims,
            activation=self.activation,
            training=self.training,
            trans_qkvw=self._trans_qkvw,
            norm_type=self._norm_type,
            use_neox_rotary_style=self._use_neox_rotary_style,
            gqa_group_size=self._gqa_group_size,
        )
