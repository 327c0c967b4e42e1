"""Elastic layers without windows: fully connected ones, tables of vectors, normalization."""

from __future__ import annotations

from typing import Any, ClassVar

from twinoar import nn
from twinoar.autograd import no_grad
from twinoar.core.public import declared
from twinoar.errors import UnsupportedError
from twinoar.nn import functional
from twinoar.slim.nas.ofa.elastic import Elastic, checked_width, fill, first
from twinoar.slim.nas.ofa.layers.convolutions import Candidates, SuperConv2D, SuperDepthwiseConv2D


class SuperLinear(Elastic, nn.Linear):
    """A fully connected layer whose width is chosen in each call.

    Arguments as of Linear, with the sizes of the largest network; see `Elastic`.

    >>> layer = twinoar.slim.nas.ofa.SuperLinear(4, 8, {"expand_ratio": [0.5, 1.0]})
    >>> layer(twinoar.ones([3, 2]), expand_ratio=0.5).shape
    [3, 4]
    """

    sizes = ("in_features", "out_features")
    width_axis: ClassVar[int] = 1  # type: ignore[misc]  # a constant of the class in both

    def __init__(
        self,
        in_features: int,
        out_features: int,
        candidate_config: Candidates = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ):
        nn.Linear.__init__(self, in_features, out_features, weight_attr, bias_attr, name)
        self._offer(candidate_config, out_features)

    def forward(
        self, input: Any, expand_ratio: float | None = None, channel: int | None = None
    ) -> Any:
        """y = x W + b of as many columns as are chosen."""
        inner = checked_width(self.in_features, input.shape[-1], "the input")
        self._chosen = (inner, self.width(self.out_features, expand_ratio, channel))
        self.cur_config = {
            "expand_ratio": expand_ratio,
            "channel": channel,
            "prune_dim": list(self._chosen),
        }
        return functional.linear(input, *self._active())

    def _active(self) -> tuple[Any, Any]:
        return first(self.weight, *self._chosen), first(self.bias, self._chosen[1])

    def ordinary(self) -> nn.Layer:
        """A Linear of the sizes chosen last."""
        weight, bias = self._active()
        made = nn.Linear(*self._chosen, bias_attr=None if bias is not None else False)
        return fill(made, weight=weight, bias=bias)


class SuperEmbedding(Elastic, nn.Embedding):
    """A table of vectors whose length is chosen in each call.

    Arguments as of Embedding, with the size of the largest network; see `Elastic`.

    >>> layer = twinoar.slim.nas.ofa.SuperEmbedding(10, 8, {"channel": [4, 8]})
    >>> layer(twinoar.to_tensor([[1, 2]]), channel=4).shape
    [1, 2, 4]
    """

    sizes = ("_embedding_dim", "_size")
    width_axis: ClassVar[int] = 1  # type: ignore[misc]  # a constant of the class in both

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        candidate_config: Candidates = None,
        padding_idx: int | None = None,
        sparse: bool = False,
        weight_attr: Any = None,
        name: str | None = None,
    ):
        nn.Embedding.__init__(
            self, num_embeddings, embedding_dim, padding_idx, sparse, weight_attr, name
        )
        self._offer(candidate_config, embedding_dim)

    def forward(
        self, input: Any, expand_ratio: float | None = None, channel: int | None = None
    ) -> Any:
        """The first elements of the vectors of the ids x."""
        width = self.width(self._embedding_dim, expand_ratio, channel)
        self._chosen = (self._num_embeddings, width)
        self.cur_config = {"prune_dim": list(self._chosen)}
        weight = first(self.weight, *self._chosen)
        return functional.embedding(input, weight, padding_idx=self._padding_idx)

    def ordinary(self) -> nn.Layer:
        """An Embedding of the size chosen last."""
        made = nn.Embedding(*self._chosen, self._padding_idx, self._sparse)
        return fill(made, weight=first(self.weight, *self._chosen))


class _SuperFeatures(Elastic):
    """Normalization of as many channels as come in."""

    sizes = ("_num_features",)
    channel_axis: ClassVar[int] = 1
    _num_features: int

    def _follow(self, input: Any) -> int:
        """How many channels come in."""
        count = checked_width(self._num_features, input.shape[self.channel_axis], "the input")
        self.cur_config = {"prune_dim": count}
        return count

    @property
    def _count(self) -> int:
        return (self.cur_config or {})["prune_dim"]


class _SuperBatchNorm(_SuperFeatures):
    """Batch normalization of the first channels, whose running statistics alone move."""

    def _begin(self) -> None:
        self._offer(None, self._num_features)
        if not self._data_format.startswith("NC"):
            raise UnsupportedError("elastic normalization takes channels first")

    def forward(self, input: Any) -> Any:
        """The normalized x."""
        norm: Any = self
        count = self._follow(input)
        if count == self._num_features:
            return super().forward(input)
        mean, variance = (x[:count].detach() for x in (norm._mean, norm._variance))
        out = functional.batch_norm(
            input,
            mean,
            variance,
            first(norm.weight, count),
            first(norm.bias, count),
            training=self.training,
            momentum=norm._momentum,
            epsilon=norm._epsilon,
            data_format=norm._data_format,
            use_global_stats=norm._use_global_stats,
        )
        if self.training:
            with no_grad():
                norm._mean[:count], norm._variance[:count] = mean, variance
        return out

    def ordinary(self) -> nn.Layer:
        """A batch normalization of as many channels as came in last."""
        norm: Any = self
        made = nn.BatchNorm2D(
            self._count,
            norm._momentum,
            norm._epsilon,
            None if norm.weight is not None else False,
            None if norm.bias is not None else False,
        )
        names = ("weight", "bias", "_mean", "_variance")
        return fill(made, **{name: first(getattr(norm, name), self._count) for name in names})


class SuperBatchNorm2D(_SuperBatchNorm, nn.BatchNorm2D):
    """Batch normalization of images with as many channels as come in. Arguments as of BatchNorm2D.

    >>> layer = twinoar.slim.nas.ofa.SuperBatchNorm2D(8)
    >>> layer(twinoar.ones([2, 3, 4, 4])).shape
    [2, 3, 4, 4]
    """

    def __init__(self, num_features: int, *arguments: Any, **named: Any):
        nn.BatchNorm2D.__init__(self, num_features, *arguments, **named)
        self._begin()


class SuperSyncBatchNorm(_SuperBatchNorm, nn.SyncBatchNorm):
    """SuperBatchNorm2D over all processes where all channels come in. Arguments: SyncBatchNorm."""

    def __init__(self, num_features: int, *arguments: Any, **named: Any):
        nn.SyncBatchNorm.__init__(self, num_features, *arguments, **named)
        self._begin()


class SuperInstanceNorm2D(_SuperFeatures, nn.InstanceNorm2D):
    """Instance normalization with as many channels as come in. Arguments as of InstanceNorm2D."""

    def __init__(self, num_features: int, *arguments: Any, **named: Any):
        nn.InstanceNorm2D.__init__(self, num_features, *arguments, **named)
        self._offer(None, num_features)

    def forward(self, input: Any) -> Any:
        """The normalized x."""
        count = self._follow(input)
        scale, bias = first(self.scale, count), first(self.bias, count)
        return functional.instance_norm(input, weight=scale, bias=bias, eps=self._epsilon)

    def ordinary(self) -> nn.Layer:
        """An instance normalization of as many channels as came in last."""
        attrs = _attrs(self.scale, self.bias)
        made = nn.InstanceNorm2D(self._count, self._epsilon, self._momentum, *attrs)
        scale, bias = first(self.scale, self._count), first(self.bias, self._count)
        return fill(made, scale=scale, bias=bias)


class SuperLayerNorm(_SuperFeatures, nn.LayerNorm):
    """Layer normalization over as many last elements as come in. Arguments as of LayerNorm."""

    sizes = ("_normalized_shape",)
    channel_axis: ClassVar[int] = -1

    def __init__(self, normalized_shape: Any, *arguments: Any, **named: Any):
        nn.LayerNorm.__init__(self, normalized_shape, *arguments, **named)
        if len(self._normalized_shape) != 1:
            raise UnsupportedError("elastic layer normalization is over the last dimension")
        self._num_features = self._normalized_shape[0]
        self._offer(None, self._num_features)

    def forward(self, input: Any) -> Any:
        """The normalized x."""
        count = self._follow(input)
        weight, bias = first(self.weight, count), first(self.bias, count)
        return functional.layer_norm(input, [count], weight, bias, self._epsilon)

    def ordinary(self) -> nn.Layer:
        """A layer normalization over as many elements as came in last."""
        attrs = _attrs(self.weight, self.bias)
        made = nn.LayerNorm(self._count, self._epsilon, *attrs)
        weight, bias = first(self.weight, self._count), first(self.bias, self._count)
        return fill(made, weight=weight, bias=bias)


class SuperSeparableConv2D(Elastic):
    """A convolution of each channel, normalization, and a product over channels of elastic width.

    scale_factor: how many channels the first makes of each. norm_layer: makes the normalization.
    Other arguments as of SuperConv2D.

    >>> layer = twinoar.slim.nas.ofa.SuperSeparableConv2D(4, 8, 3, {"channel": [2, 8]})
    >>> layer(twinoar.ones([1, 4, 5, 5]), channel=2).shape
    [1, 2, 3, 3]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        candidate_config: Candidates = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        norm_layer: Any = nn.InstanceNorm2D,
        bias_attr: Any = None,
        scale_factor: int = 1,
    ):
        super().__init__()
        elastic = {nn.InstanceNorm2D: SuperInstanceNorm2D, nn.BatchNorm2D: SuperBatchNorm2D}
        norm = elastic.get(norm_layer, norm_layer)(in_channels * scale_factor)
        between = in_channels * scale_factor
        by_channel = SuperDepthwiseConv2D(
            in_channels,
            between,
            kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=in_channels,
            bias_attr=bias_attr,
        )
        product = SuperConv2D(between, out_channels, 1, candidate_config, bias_attr=bias_attr)
        self.conv = nn.LayerList([by_channel, norm, product])
        self.candidate_config = product.candidate_config
        self.base_channel, self._out_channels = product.base_channel, out_channels

    @property
    def weight(self) -> Any:
        """That of the product."""
        return self.conv[2].weight

    def forward(
        self, input: Any, expand_ratio: float | None = None, channel: int | None = None
    ) -> Any:
        """What the three make of x, in as many channels as are chosen."""
        between = self.conv[1](self.conv[0](input))
        out = self.conv[2](between, expand_ratio=expand_ratio, channel=channel)
        self.cur_config = self.conv[2].cur_config
        return out

    def ordinary(self) -> nn.Layer:
        """The three, each ordinary."""
        parts = [x.ordinary() if isinstance(x, Elastic) else x for x in self.conv]
        return nn.Sequential(*parts)


def _attrs(*parameters: Any) -> list[Any]:
    """Attributes of parameters: False for those that there are not."""
    return [False if parameter is None else None for parameter in parameters]


__all__ = declared(globals())
