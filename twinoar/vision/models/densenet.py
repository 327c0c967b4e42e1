"""DenseNet: each layer reads what all layers before it in its block have made."""

from __future__ import annotations

import math
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn import (
    AdaptiveAvgPool2D,
    AvgPool2D,
    BatchNorm,
    Conv2D,
    Dropout,
    Layer,
    Linear,
    MaxPool2D,
)
from twinoar.nn.initializer import Uniform
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not

# Channels of the first convolution, those that each layer adds, layers of each block, by depth.
CONFIGURATIONS = {
    121: (64, 32, (6, 12, 24, 16)),
    161: (96, 48, (6, 12, 36, 24)),
    169: (64, 32, (6, 12, 32, 32)),
    201: (64, 32, (6, 12, 48, 32)),
    264: (64, 32, (6, 12, 64, 48)),
}


class DenseNet(Layer):
    """A DenseNet.

    layers: 121, 161, 169, 201 or 264. bn_size: how many times wider a layer's 1x1 convolution is
    than what it adds. dropout: probability after each layer. num_classes: outputs; 0 leaves out
    the linear layer. with_pool: average over the image before it. x: [N,3,H,W], float. Returns
    scores [N,num_classes], or features [N,C,1,1], without the pool [N,C,H/32,W/32]. Raises
    ArgumentError for other layers. Source: G. Huang et al., arXiv 1608.06993.
    """

    def __init__(
        self,
        layers: int = 121,
        bn_size: int = 4,
        dropout: float = 0.0,
        num_classes: int = 1000,
        with_pool: bool = True,
    ) -> None:
        super().__init__()
        if layers not in CONFIGURATIONS:
            choices = ", ".join(map(str, CONFIGURATIONS))
            raise ArgumentError(f"a DenseNet has {choices} layers, received {layers}")
        self.num_classes, self.with_pool = num_classes, with_pool
        channels, growth, blocks = CONFIGURATIONS[layers]
        self.conv1_func = _ConvNorm(3, channels, 7, stride=2, padding=3)
        self.pool2d_max = MaxPool2D(3, stride=2, padding=1)
        self._blocks: list[str] = []
        for number, count in enumerate(blocks, 2):
            self._add(
                f"db_conv_{number}", _Block(number, count, channels, growth, bn_size, dropout)
            )
            channels += count * growth
            if number <= len(blocks):
                self._add(f"tr_conv{number}_blk", _Transition(channels))
                channels //= 2
        self.batch_norm = BatchNorm(channels, act="relu")
        if with_pool:
            self.pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            bound = 1 / math.sqrt(channels)
            self.out = Linear(channels, num_classes, weight_attr=Uniform(-bound, bound))

    def _add(self, name: str, layer: Layer) -> None:
        self._blocks.append(name)
        self.add_sublayer(name, layer)

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        x = self.pool2d_max(self.conv1_func(x))
        for name in self._blocks:
            x = getattr(self, name)(x)
        x = self.batch_norm(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.out(flatten(x, 1)) if self.num_classes > 0 else x


def densenet121(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 121 layers, arXiv 1608.06993.

    kwargs: options of DenseNet other than layers. Raises UnsupportedError for pretrained=True: no
    weights are served.

    >>> densenet121(num_classes=10)(twinoar.zeros([1, 3, 32, 32])).shape
    [1, 10]
    """
    return _densenet(121, pretrained, **kwargs)


def densenet161(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 161 layers; arguments and errors as of `densenet121`."""
    return _densenet(161, pretrained, **kwargs)


def densenet169(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 169 layers; arguments and errors as of `densenet121`."""
    return _densenet(169, pretrained, **kwargs)


def densenet201(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 201 layers; arguments and errors as of `densenet121`."""
    return _densenet(201, pretrained, **kwargs)


def densenet264(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 264 layers; arguments and errors as of `densenet121`."""
    return _densenet(264, pretrained, **kwargs)


def _densenet(layers: int, pretrained: bool, **options: Any) -> DenseNet:
    check_not(pretrained)
    return DenseNet(layers=layers, **options)


class _ConvNorm(Layer):
    """A convolution, normalization, ReLU."""

    def __init__(self, before: int, after: int, kernel_size: int, **options: Any) -> None:
        super().__init__()
        self._conv = Conv2D(before, after, kernel_size, bias_attr=False, **options)
        self._batch_norm = BatchNorm(after, act="relu")

    def forward(self, x: Any) -> Any:
        return self._batch_norm(self._conv(x))


class _NormConv(Layer):
    """Normalization, ReLU, a convolution."""

    def __init__(self, before: int, after: int, kernel_size: int) -> None:
        super().__init__()
        self._batch_norm = BatchNorm(before, act="relu")
        padding = kernel_size // 2
        self._conv = Conv2D(before, after, kernel_size, padding=padding, bias_attr=False)

    def forward(self, x: Any) -> Any:
        return self._conv(self._batch_norm(x))


class _Dense(Layer):
    """What comes in, and `growth` channels made of it."""

    def __init__(self, before: int, growth: int, bn_size: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.bn_ac_func1 = _NormConv(before, bn_size * growth, 1)
        self.bn_ac_func2 = _NormConv(bn_size * growth, growth, 3)
        if dropout:
            self.dropout_func = Dropout(dropout, mode="downscale_in_infer")

    def forward(self, x: Any) -> Any:
        made = self.bn_ac_func2(self.bn_ac_func1(x))
        if self.dropout:
            made = self.dropout_func(made)
        return concat([x, made], 1)


class _Block(Layer):
    """`count` dense layers; number: of the block, in the layers' names."""

    def __init__(
        self, number: int, count: int, before: int, growth: int, bn_size: int, dropout: float
    ) -> None:
        super().__init__()
        self._names = [f"conv{number}_{i}" for i in range(1, count + 1)]
        for i, name in enumerate(self._names):
            self.add_sublayer(name, _Dense(before + i * growth, growth, bn_size, dropout))

    def forward(self, x: Any) -> Any:
        for name in self._names:
            x = getattr(self, name)(x)
        return x


class _Transition(Layer):
    """Half as many channels, height and width."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv_ac_func = _NormConv(channels, channels // 2, 1)
        self.pool2d_avg = AvgPool2D(2, stride=2)

    def forward(self, x: Any) -> Any:
        return self.pool2d_avg(self.conv_ac_func(x))
