"""Convert: the layers of a network become elastic ones, as large as the largest candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar import nn
from twinoar.core.public import declared
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn import Layer
from twinoar.nn.param_attr import ParamAttr
from twinoar.slim.nas.ofa import layers
from twinoar.slim.nas.ofa.elastic import Elastic

CONVOLUTIONS = (nn.Conv2D, nn.Conv2DTranspose)
WEIGHTS = (*CONVOLUTIONS, nn.Linear, nn.Embedding)
NORMS: dict[type[Layer], type[Elastic]] = {
    nn.SyncBatchNorm: layers.SuperSyncBatchNorm,
    nn.BatchNorm2D: layers.SuperBatchNorm2D,
    nn.InstanceNorm2D: layers.SuperInstanceNorm2D,
    nn.LayerNorm: layers.SuperLayerNorm,
}


class supernet:  # PaddleSlim's name
    """Sizes to choose from in a network, and in a `with` block what converts layers to them.

    kernel_size: odd sizes of the kernels of convolutions that are larger than 1. expand_ratio:
    factors of the channels of each layer. channel: for each layer with a weight, in order, its
    numbers of channels; one of the two. Raises ArgumentError.

    >>> with supernet(expand_ratio=[0.5, 1.0]) as convert:
    ...     layers = convert.convert([twinoar.nn.Linear(4, 8), twinoar.nn.Linear(8, 2)])
    >>> layers[0].candidate_config
    {'expand_ratio': [0.5, 1.0]}
    """

    def __init__(
        self,
        kernel_size: Sequence[int] | None = None,
        expand_ratio: Sequence[float] | float | None = None,
        channel: Sequence[Sequence[int]] | None = None,
    ):
        if expand_ratio is not None and channel is not None:
            raise ArgumentError("expand_ratio and channel exclude each other", cure="give one")
        if isinstance(expand_ratio, (int, float)):
            expand_ratio = [expand_ratio]
        self.kernel_size, self.expand_ratio = kernel_size, expand_ratio
        self.channel = channel
        self.expand = None if expand_ratio is None else max(expand_ratio)

    def __enter__(self) -> Convert:
        return Convert(self)

    def __exit__(self, *error: object) -> None:
        """Nothing is left to end."""


class Convert:
    """Makes the layers of networks elastic.

    context: a `supernet`. Raises TypeMismatchError.

    >>> nn = twinoar.nn
    >>> net = nn.Sequential(nn.Conv2D(1, 4, 3, padding=1), nn.Conv2D(4, 2, 1))
    >>> net = Convert(supernet(kernel_size=(3, 5), expand_ratio=[1, 2])).convert(net)
    >>> net[0].fn.weight.shape, net[1].fn.weight.shape
    ([8, 1, 5, 5], [2, 8, 1, 1])
    """

    def __init__(self, context: supernet):
        if not isinstance(context, supernet):
            raise TypeMismatchError(f"expected a supernet, received {context!r}")
        self.context = context

    def convert(self, network: Any) -> Any:
        """The network, or the list of layers, with elastic layers in it, changed in place.

        The first layer with a weight reads what it did, and the last gives what it did; those
        between are the largest candidates. A parameter whose shape stays keeps its values, others
        begin anew. Raises ArgumentError for a list of channels of another length.
        """
        is_network = isinstance(network, Layer)
        places = (
            _places(network) if is_network else [(network, i, x) for i, x in enumerate(network)]
        )
        unique = {id(layer): layer for _, _, layer in places}
        weighted = [layer for layer in unique.values() if isinstance(layer, WEIGHTS)]
        channels = self.context.channel
        if channels is not None and len(channels) != len(weighted):
            raise ArgumentError(
                f"the network has {len(weighted)} layers with weights, and channel has candidates "
                f"for {len(channels)}"
            )
        growth = _Growth(self.context, len(weighted))
        new = [(parent, name, growth.instead(layer)) for parent, name, layer in places]
        for parent, name, layer in new:
            if layer is not None and is_network:
                parent.add_sublayer(name, layer)
            elif layer is not None:
                parent[name] = layer
        return network


class _Growth:
    """How wide each layer becomes, in the order of the network."""

    def __init__(self, context: supernet, count: int):
        self.context, self._count, self._done = context, count, 0
        self._queue = [sorted(set(x)) for x in context.channel or ()]
        # Of the layer before: its channels as they were, and the candidates of what they become.
        self._before: tuple[int, list[int]] | None = None
        self._made: dict[int, Layer | None] = {}

    @property
    def _is_wide(self) -> bool:
        return self.context.expand is not None or self.context.channel is not None

    def instead(self, layer: Layer) -> Layer | None:
        """The elastic layer that stands for one, which may be in several places."""
        if id(layer) not in self._made:
            self._made[id(layer)] = self._instead(layer)
        return self._made[id(layer)]

    def _instead(self, layer: Any) -> Layer | None:
        if isinstance(layer, WEIGHTS):
            made = self._of_weight(layer)
            return None if made is None else layers.Block(made, key=layer.full_name())
        kind = next((k for k in NORMS if isinstance(layer, k)), None)
        if kind is None or not self._is_wide or self._done == self._count:
            return None
        return _norm(layer, NORMS[kind], self._grown(_features(layer)))

    def _of_weight(self, layer: Any) -> Elastic | None:
        self._done += 1
        if not self._is_wide and not isinstance(layer, CONVOLUTIONS):
            return None
        inner, outer = _channels(layer)
        wide, candidates = self._candidates(layer, inner, outer)
        stays = self._done == 1 or isinstance(layer, nn.Embedding)
        deep = inner if stays else self._grown(inner)
        self._before = (outer, candidates.get("channel") or [wide])
        return _elastic(layer, deep, wide, candidates, self.context.kernel_size)

    def _candidates(self, layer: Any, inner: int, outer: int) -> tuple[int, dict[str, Any]]:
        """How many channels a layer has at most, and what may be chosen."""
        given = self._queue.pop(0) if self._queue else None
        if self._done == self._count:
            return outer, {}
        if self.context.expand is not None:
            ratios = list(self.context.expand_ratio or ())
            return int(self.context.expand * outer), {"expand_ratio": ratios}
        if given is None:
            return outer, {}
        is_by_channel = getattr(layer, "_groups", 1) == inner != 1
        chosen = self._before[1] if is_by_channel and self._before else given
        return max(chosen), {"channel": chosen}

    def _grown(self, count: int) -> int:
        """How many channels become of so many that the layer before made."""
        if self.context.expand is not None:
            return int(self.context.expand * count)
        if self.context.channel is None or self._before is None:
            return count
        # Of an image that was flattened each channel is several features.
        was, candidates = self._before
        return count * max(candidates) // was


def _places(network: Layer) -> list[tuple[Any, Any, Layer]]:
    """Each layer of a network with where it is, in order."""
    found = []
    for name, layer in network.named_children():
        found.append((network, name, layer))
        found += _places(layer)
    return found


def _channels(layer: Any) -> tuple[int, int]:
    if isinstance(layer, nn.Linear):
        return layer.in_features, layer.out_features
    if isinstance(layer, nn.Embedding):
        return layer._num_embeddings, layer._embedding_dim
    return layer._in_channels, layer._out_channels


def _features(layer: Any) -> int:
    return layer._normalized_shape[-1] if isinstance(layer, nn.LayerNorm) else layer._num_features


def _elastic(
    layer: Any, inner: int, outer: int, candidates: dict[str, Any], kernels: Any
) -> Elastic:
    if isinstance(layer, nn.Linear):
        return _keep(layers.SuperLinear(inner, outer, candidates, *_attrs(layer)), layer)
    if isinstance(layer, nn.Embedding):
        weight, _ = _attrs(layer)
        given = (candidates, layer._padding_idx, layer._sparse, weight)
        return _keep(layers.SuperEmbedding(inner, outer, *given), layer)
    size = layer._kernel_size
    is_elastic = kernels is not None and size[0] != 1
    if is_elastic:
        candidates["kernel_size"], size = list(kernels), max(kernels)
    is_by_channel = layer._groups == layer._in_channels != 1
    weight, bias = _attrs(layer)
    more = {"output_padding": layer.output_padding} if _is_transposed(layer) else {}
    made = _kind(layer, is_by_channel)(
        inner,
        inner * layer._out_channels // layer._in_channels if is_by_channel else outer,
        size,
        candidates,
        transform_kernel=is_elastic,
        stride=layer._stride,
        padding=layer._padding,
        dilation=layer._dilation,
        groups=inner if is_by_channel else layer._groups,
        weight_attr=weight,
        bias_attr=bias,
        data_format=layer._data_format,
        **more,
    )
    return _keep(made, layer)


def _is_transposed(layer: Layer) -> bool:
    return isinstance(layer, nn.Conv2DTranspose)


def _kind(layer: Any, is_by_channel: bool) -> Any:
    plain: Any
    transposed: Any
    if is_by_channel:
        plain, transposed = layers.SuperDepthwiseConv2D, layers.SuperDepthwiseConv2DTranspose
    elif layer._groups > 1:
        plain, transposed = layers.SuperGroupConv2D, layers.SuperGroupConv2DTranspose
    else:
        plain, transposed = layers.SuperConv2D, layers.SuperConv2DTranspose
    return transposed if _is_transposed(layer) else plain


def _norm(layer: Any, kind: Any, count: int) -> Elastic:
    scale = getattr(layer, "scale", None) if hasattr(layer, "scale") else layer.weight
    given: dict[str, Any] = {
        "epsilon": layer._epsilon,
        "weight_attr": _attr(scale),
        "bias_attr": _attr(layer.bias),
    }
    if not isinstance(layer, nn.LayerNorm):
        given["momentum"] = layer._momentum
    return _keep(kind(count, **given), layer)


def _attrs(layer: Any) -> tuple[Any, Any]:
    return _attr(layer.weight), _attr(getattr(layer, "bias", None))


def _attr(parameter: Any) -> Any:
    """How a parameter in the place of this one is trained; False for none."""
    if parameter is None:
        return False
    return ParamAttr(
        learning_rate=parameter.optimize_attr["learning_rate"],
        regularizer=parameter.regularizer,
        trainable=parameter.trainable,
        need_clip=parameter.need_clip,
    )


def _keep(made: Any, layer: Any) -> Any:
    """The new layer, with the values of all parameters whose shape is the same."""
    old = {**layer._parameters, **layer._buffers}
    for name, value in {**made._parameters, **made._buffers}.items():
        given = old.get(name)
        if given is not None and value is not None and given.shape == value.shape:
            value.set_value(given.detach())
    made.training = layer.training
    return made


__all__ = declared(globals())
