"""Transformer: stacks of attention and of networks that see each position by itself.

Every part of a layer has a residual connection around it. Its normalization follows the addition
or, with `normalize_before`, comes first in the part. Source: arXiv 1706.03762, section 3.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from typing import Any

from twinoar.core.dtype import default_dtype
from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.attention import Cache, MultiHeadAttention, StaticCache, additive_mask
from twinoar.nn.container import LayerList
from twinoar.nn.dropout import Dropout
from twinoar.nn.layer import Layer
from twinoar.nn.linear import Linear
from twinoar.nn.norm import LayerNorm
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.create.fill import full
from twinoar.ops.index.diagonal import triu


class _TransformerLayer(Layer):
    """What the layers of encoders and decoders have in common."""

    def __init__(self, activation: str, normalize_before: bool) -> None:
        super().__init__()
        self.normalize_before = normalize_before
        if not hasattr(functional, activation):
            raise ArgumentError(
                f"activation must be a name in nn.functional, received {activation!r}",
                cure="use 'relu' or 'gelu'",
            )
        self.activation = getattr(functional, activation)

    def _create_network(
        self, d_model: int, dim_feedforward: int, dropout: float, weight_attr: Any, bias_attr: Any
    ) -> None:
        if d_model < 1 or dim_feedforward < 1:
            raise ArgumentError(
                "d_model and dim_feedforward must be at least 1, received "
                f"{d_model} and {dim_feedforward}",
                cure="give the sizes of the input and of the hidden layer",
            )
        self.linear1 = Linear(d_model, dim_feedforward, weight_attr, bias_attr)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, weight_attr, bias_attr)

    def _network(self, x: Any) -> Any:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

    def _entering(self, x: Any, norm: Layer) -> Any:
        """What a part is given."""
        return norm(x) if self.normalize_before else x

    def _leaving(self, x: Any, part: Any, dropout: Layer, norm: Layer) -> Any:
        """What comes after a part, from its input and its result."""
        out = x + dropout(part)
        return out if self.normalize_before else norm(out)


class TransformerEncoderLayer(_TransformerLayer):
    """Attention of a sequence to itself, and a network of two linear layers.

    d_model: size of the input and the output. nhead: heads of the attention. dim_feedforward: size
    of the hidden layer. dropout: share left out at the end of each part; attn_dropout, of the
    attention, and act_dropout, after the activation, are the same where they are None.
    activation: a name in nn.functional. weight_attr, bias_attr: for all linear layers, or one for
    the attention and one for the network. Raises ArgumentError.

    >>> layer = twinoar.nn.TransformerEncoderLayer(8, 2, 16)
    >>> layer(twinoar.rand([1, 3, 8])).shape
    [1, 3, 8]
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
        layer_norm_eps: float = 1e-5,
    ) -> None:
        config = _arguments(locals())
        super().__init__(activation, normalize_before)
        self._config = config
        attn_dropout = dropout if attn_dropout is None else attn_dropout
        act_dropout = dropout if act_dropout is None else act_dropout
        weights, biases = attr_of_parts(weight_attr, 2), attr_of_parts(bias_attr, 2)
        self.self_attn = MultiHeadAttention(
            d_model, nhead, attn_dropout, weight_attr=weights[0], bias_attr=biases[0]
        )
        self._create_network(d_model, dim_feedforward, act_dropout, weights[1], biases[1])
        self.norm1 = LayerNorm(d_model, layer_norm_eps)
        self.norm2 = LayerNorm(d_model, layer_norm_eps)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)

    def forward(self, src: Any, src_mask: Any = None, cache: Cache | None = None) -> Any:
        """The encoded src, [N,T,d_model]; with a cache a tuple of that and the new cache.

        src_mask: see MultiHeadAttention.
        """
        x = self._entering(src, self.norm1)
        if cache is None:
            x = self.self_attn(x, x, x, src_mask)
        else:
            x, cache = self.self_attn(x, x, x, src_mask, cache)
        src = self._leaving(src, x, self.dropout1, self.norm1)
        x = self._network(self._entering(src, self.norm2))
        src = self._leaving(src, x, self.dropout2, self.norm2)
        return src if cache is None else (src, cache)

    def gen_cache(self, src: Any) -> Cache:
        """An empty cache for as many samples as `src` has."""
        return self.self_attn.gen_cache(src, type=Cache)


class TransformerEncoder(Layer):
    """`num_layers` layers made like `encoder_layer`, which is the first, and at last `norm`.

    >>> layer = twinoar.nn.TransformerEncoderLayer(8, 2, 16)
    >>> twinoar.nn.TransformerEncoder(layer, 2)(twinoar.rand([1, 3, 8])).shape
    [1, 3, 8]
    """

    def __init__(self, encoder_layer: Layer, num_layers: int, norm: Layer | None = None) -> None:
        super().__init__()
        self.layers = _stack(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(self, src: Any, src_mask: Any = None, cache: Sequence[Cache] | None = None) -> Any:
        """The encoded src, [N,T,d_model]; with caches a tuple of that and the new ones."""
        src_mask = additive_mask(src_mask, src.dtype)
        caches = []
        for number, layer in enumerate(self.layers):
            if cache is None:
                src = layer(src, src_mask=src_mask)
            else:
                src, new = layer(src, src_mask=src_mask, cache=cache[number])
                caches.append(new)
        if self.norm is not None:
            src = self.norm(src)
        return src if cache is None else (src, caches)

    def gen_cache(self, src: Any) -> list[Cache]:
        """An empty cache for each layer."""
        return [layer.gen_cache(src) for layer in self.layers]


class TransformerDecoderLayer(_TransformerLayer):
    """Attention of a sequence to itself, to what an encoder gave, and a network.

    Arguments as of TransformerEncoderLayer; weight_attr, bias_attr: for all linear layers, or one
    for each of the two attentions and the network. Raises ArgumentError.

    >>> layer = twinoar.nn.TransformerDecoderLayer(8, 2, 16)
    >>> layer(twinoar.rand([1, 3, 8]), twinoar.rand([1, 5, 8])).shape
    [1, 3, 8]
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
        layer_norm_eps: float = 1e-5,
    ) -> None:
        config = _arguments(locals())
        super().__init__(activation, normalize_before)
        self._config = config
        attn_dropout = dropout if attn_dropout is None else attn_dropout
        act_dropout = dropout if act_dropout is None else act_dropout
        weights, biases = attr_of_parts(weight_attr, 3), attr_of_parts(bias_attr, 3)
        self.self_attn = MultiHeadAttention(
            d_model, nhead, attn_dropout, weight_attr=weights[0], bias_attr=biases[0]
        )
        self.cross_attn = MultiHeadAttention(
            d_model, nhead, attn_dropout, weight_attr=weights[1], bias_attr=biases[1]
        )
        self._create_network(d_model, dim_feedforward, act_dropout, weights[2], biases[2])
        self.norm1 = LayerNorm(d_model, layer_norm_eps)
        self.norm2 = LayerNorm(d_model, layer_norm_eps)
        self.norm3 = LayerNorm(d_model, layer_norm_eps)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        cache: tuple[Cache, StaticCache] | None = None,
    ) -> Any:
        """The decoded tgt, [N,T,d_model]; with a cache a tuple of that and the new cache.

        memory: what the encoder gave, [N,S,d_model]. tgt_mask, memory_mask: of the attention to
        `tgt` and to `memory`, see MultiHeadAttention.
        """
        x = self._entering(tgt, self.norm1)
        if cache is None:
            x = self.self_attn(x, x, x, tgt_mask)
        else:
            x, own = self.self_attn(x, x, x, tgt_mask, cache[0])
        tgt = self._leaving(tgt, x, self.dropout1, self.norm1)
        x = self._entering(tgt, self.norm2)
        if cache is None:
            x = self.cross_attn(x, memory, memory, memory_mask)
        else:
            x, static = self.cross_attn(x, memory, memory, memory_mask, cache[1])
        tgt = self._leaving(tgt, x, self.dropout2, self.norm2)
        x = self._network(self._entering(tgt, self.norm3))
        tgt = self._leaving(tgt, x, self.dropout3, self.norm3)
        return tgt if cache is None else (tgt, (own, static))

    def gen_cache(self, memory: Any) -> tuple[Cache, StaticCache]:
        """An empty cache for the attention to itself, and that of `memory`."""
        own = self.self_attn.gen_cache(memory, type=Cache)
        return own, self.cross_attn.gen_cache(memory, memory, type=StaticCache)


class TransformerDecoder(Layer):
    """`num_layers` layers made like `decoder_layer`, which is the first, and at last `norm`.

    >>> layer = twinoar.nn.TransformerDecoderLayer(8, 2, 16)
    >>> decoder = twinoar.nn.TransformerDecoder(layer, 2)
    >>> decoder(twinoar.rand([1, 3, 8]), twinoar.rand([1, 5, 8])).shape
    [1, 3, 8]
    """

    def __init__(self, decoder_layer: Layer, num_layers: int, norm: Layer | None = None) -> None:
        super().__init__()
        self.layers = _stack(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        cache: Sequence[tuple[Cache, StaticCache]] | None = None,
    ) -> Any:
        """The decoded tgt, [N,T,d_model]; with caches a tuple of that and the new ones."""
        tgt_mask = additive_mask(tgt_mask, tgt.dtype)
        memory_mask = additive_mask(memory_mask, memory.dtype)
        masks = {"tgt_mask": tgt_mask, "memory_mask": memory_mask}
        caches = []
        for number, layer in enumerate(self.layers):
            if cache is None:
                tgt = layer(tgt, memory, **masks)
            else:
                tgt, new = layer(tgt, memory, **masks, cache=cache[number])
                caches.append(new)
        if self.norm is not None:
            tgt = self.norm(tgt)
        return tgt if cache is None else (tgt, caches)

    def gen_cache(self, memory: Any, do_zip: bool = False) -> list:
        """The two caches of each layer; with do_zip the first of all layers, then the second."""
        caches = [layer.gen_cache(memory) for layer in self.layers]
        return list(zip(*caches, strict=True)) if do_zip else caches


class Transformer(Layer):
    """An encoder, and a decoder that attends to what it gives; embeddings are not part of it.

    d_model, nhead, dim_feedforward to normalize_before: of all layers, see TransformerEncoderLayer;
    both stacks end with a normalization. weight_attr, bias_attr: for all linear layers; or two, for
    attention and networks; or three, for attention to itself, to the memory, and networks.
    custom_encoder, custom_decoder: take the places of the stacks. Raises ArgumentError.

    >>> model = twinoar.nn.Transformer(8, 2, 1, 1, 16)
    >>> model(twinoar.rand([1, 5, 8]), twinoar.rand([1, 3, 8])).shape
    [1, 3, 8]
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
        custom_encoder: Layer | None = None,
        custom_decoder: Layer | None = None,
    ) -> None:
        super().__init__()
        self.d_model, self.nhead = d_model, nhead
        weights, biases = _attr_of_stacks(weight_attr), _attr_of_stacks(bias_attr)
        settings = (dim_feedforward, dropout, activation, attn_dropout, act_dropout)
        if custom_encoder is None:
            encoder_layer = TransformerEncoderLayer(
                d_model, nhead, *settings, normalize_before, weights[0], biases[0]
            )
            norm = LayerNorm(d_model)
            custom_encoder = TransformerEncoder(encoder_layer, num_encoder_layers, norm)
        self.encoder = custom_encoder
        if custom_decoder is None:
            decoder_layer = TransformerDecoderLayer(
                d_model, nhead, *settings, normalize_before, weights[1], biases[1]
            )
            norm = LayerNorm(d_model)
            custom_decoder = TransformerDecoder(decoder_layer, num_decoder_layers, norm)
        self.decoder = custom_decoder

    def forward(
        self,
        src: Any,
        tgt: Any,
        src_mask: Any = None,
        tgt_mask: Any = None,
        memory_mask: Any = None,
    ) -> Any:
        """The decoded tgt, [N,T,d_model].

        src: [N,S,d_model]. tgt: [N,T,d_model]. Masks: of the attention of `src` and of `tgt` to
        itself, and of `tgt` to `src`; see MultiHeadAttention.
        """
        memory = self.encoder(src, src_mask=additive_mask(src_mask, src.dtype))
        return self.decoder(
            tgt,
            memory,
            tgt_mask=additive_mask(tgt_mask, tgt.dtype),
            memory_mask=additive_mask(memory_mask, memory.dtype),
        )

    def generate_square_subsequent_mask(self, length: int) -> Any:
        """A mask under which no position sees later ones, [length,length]: 0 and -inf.

        >>> Transformer(8, 2, 1, 1, 16).generate_square_subsequent_mask(2).tolist()
        [[0.0, -inf], [0.0, 0.0]]
        """
        return triu(full([length, length], -math.inf, default_dtype()), 1)


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    """What a constructor was called with, from its local names: to make another like it."""
    return {name: value for name, value in given.items() if name not in ("self", "__class__")}


def _stack(layer: Layer, count: int) -> LayerList:
    """`layer`, and others made with the arguments that it was made with."""
    return LayerList(type(layer)(**layer._config) if i else layer for i in range(count))


def attr_of_parts(attr: Any, count: int) -> list[Any]:
    """The attribute of the parameters of each part; a name is numbered where parts share it."""
    if isinstance(attr, (list, tuple)):
        if len(attr) != count:
            raise ArgumentError(
                f"expected {count} attributes, one for each part, received {len(attr)}",
                cure="give one for each part, or one for all",
            )
        return list(attr)
    shared = ParamAttr._to_attr(attr)
    if not isinstance(shared, ParamAttr) or shared.name is None:
        return [shared] * count
    numbered = [copy(shared) for _ in range(count)]
    for number, one in enumerate(numbered):
        one.name = f"{shared.name}_{number}"
    return numbered


def _attr_of_stacks(attr: Any) -> tuple[Any, Any]:
    """The attributes for the layers of the encoder and for those of the decoder."""
    if not isinstance(attr, (list, tuple)):
        return attr, attr
    if len(attr) not in (1, 2, 3):
        raise ArgumentError(
            f"expected 1, 2 or 3 attributes, received {len(attr)}",
            cure="give one for all, or one for attention and one for networks",
        )
    own, memory, network = attr[0], attr[0] if len(attr) < 3 else attr[1], attr[-1]
    return [own, network], [own, memory, network]
