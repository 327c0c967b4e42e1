"""MobileNetV3: MobileNetV2's blocks with gates for channels, found by search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from twinoar.nn import (
    AdaptiveAvgPool2D,
    BatchNorm2D,
    Conv2D,
    Dropout,
    Hardsigmoid,
    Hardswish,
    Layer,
    Linear,
    ReLU,
    Sequential,
)
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not
from twinoar.vision.models.width import rounded
from twinoar.vision.ops.layer import ConvNormActivation


class Block(NamedTuple):
    """A row of the paper's tables 1 and 2; channels: inside, and those that go out."""

    kernel_size: int
    inside: int
    channels: int
    gated: bool
    activation: type[Layer]
    stride: int


LARGE = tuple(
    Block(*row)
    for row in (
        (3, 16, 16, False, ReLU, 1),
        (3, 64, 24, False, ReLU, 2),
        (3, 72, 24, False, ReLU, 1),
        (5, 72, 40, True, ReLU, 2),
        (5, 120, 40, True, ReLU, 1),
        (5, 120, 40, True, ReLU, 1),
        (3, 240, 80, False, Hardswish, 2),
        (3, 200, 80, False, Hardswish, 1),
        (3, 184, 80, False, Hardswish, 1),
        (3, 184, 80, False, Hardswish, 1),
        (3, 480, 112, True, Hardswish, 1),
        (3, 672, 112, True, Hardswish, 1),
        (5, 672, 160, True, Hardswish, 2),
        (5, 960, 160, True, Hardswish, 1),
        (5, 960, 160, True, Hardswish, 1),
    )
)
SMALL = tuple(
    Block(*row)
    for row in (
        (3, 16, 16, True, ReLU, 2),
        (3, 72, 24, False, ReLU, 2),
        (3, 88, 24, False, ReLU, 1),
        (5, 96, 40, True, Hardswish, 2),
        (5, 240, 40, True, Hardswish, 1),
        (5, 240, 40, True, Hardswish, 1),
        (5, 120, 48, True, Hardswish, 1),
        (5, 144, 48, True, Hardswish, 1),
        (5, 288, 96, True, Hardswish, 2),
        (5, 576, 96, True, Hardswish, 1),
        (5, 576, 96, True, Hardswish, 1),
    )
)
FIRST_CHANNELS = 16

_conv = partial(ConvNormActivation, norm_layer=partial(BatchNorm2D, epsilon=0.001, momentum=0.99))


class MobileNetV3(Layer):
    """MobileNet, the third.

    config: its blocks, LARGE or SMALL. last_channel: of the layer before the last. scale: of all
    widths. num_classes: outputs; 0 leaves out the linear layers. with_pool: average over the image
    before them. x: [N,3,H,W], float. Returns scores [N,num_classes], or features [N,C,1,1],
    without the pool [N,C,H/32,W/32]. Source: A. Howard et al., arXiv 1905.02244.
    """

    def __init__(
        self,
        config: Sequence[Block],
        last_channel: int,
        scale: float = 1.0,
        num_classes: int = 1000,
        with_pool: bool = True,
    ) -> None:
        super().__init__()
        self.config, self.scale, self.last_channel = config, scale, last_channel
        self.num_classes, self.with_pool = num_classes, with_pool
        widths = [
            rounded(width * scale) for width in (FIRST_CHANNELS, *(b.channels for b in config))
        ]
        last = widths[-1] * 6
        self.conv = _conv(3, widths[0], stride=2, activation_layer=Hardswish)
        self.blocks = Sequential(
            *(InvertedResidual(width, b, scale) for width, b in zip(widths, config, strict=False))
        )
        self.lastconv = _conv(widths[-1], last, 1, activation_layer=Hardswish)
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = Sequential(
                Linear(last, last_channel),
                Hardswish(),
                Dropout(0.2),
                Linear(last_channel, num_classes),
            )

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        x = self.lastconv(self.blocks(self.conv(x)))
        if self.with_pool:
            x = self.avgpool(x)
        return self.classifier(flatten(x, 1)) if self.num_classes > 0 else x


class InvertedResidual(Layer):
    """One Block, with the input added where the shapes are the same."""

    def __init__(self, before: int, block: Block, scale: float) -> None:
        super().__init__()
        inside, after = rounded(block.inside * scale), rounded(block.channels * scale)
        self.use_res_connect = block.stride == 1 and before == after
        self.expand = before != inside
        self.use_se = block.gated
        if self.expand:
            self.expand_conv = _conv(before, inside, 1, activation_layer=block.activation)
        self.bottleneck_conv = _conv(
            inside,
            inside,
            block.kernel_size,
            block.stride,
            groups=inside,
            activation_layer=block.activation,
        )
        if self.use_se:
            self.mid_se = SqueezeExcitation(inside, rounded(inside // 4))
        self.linear_conv = _conv(inside, after, 1, activation_layer=None)

    def forward(self, x: Any) -> Any:
        y = self.expand_conv(x) if self.expand else x
        y = self.bottleneck_conv(y)
        if self.use_se:
            y = self.mid_se(y)
        y = self.linear_conv(y)
        return x + y if self.use_res_connect else y


class SqueezeExcitation(Layer):
    """Channels times gates that depend on the averages of all channels. x: [N,C,H,W].

    Source: J. Hu et al., arXiv 1709.01507.
    """

    def __init__(self, channels: int, squeezed: int) -> None:
        super().__init__()
        self.avgpool = AdaptiveAvgPool2D(1)
        self.fc1 = Conv2D(channels, squeezed, 1)
        self.activation = ReLU()
        self.fc2 = Conv2D(squeezed, channels, 1)
        self.scale_activation = Hardsigmoid()

    def forward(self, x: Any) -> Any:
        gates = self.fc2(self.activation(self.fc1(self.avgpool(x))))
        return x * self.scale_activation(gates)


class MobileNetV3Small(MobileNetV3):
    """MobileNetV3 of eleven blocks; scale, num_classes, with_pool as of MobileNetV3.

    >>> MobileNetV3Small(scale=0.5, num_classes=10)(twinoar.zeros([1, 3, 32, 32])).shape
    [1, 10]
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__(SMALL, rounded(1024 * scale), scale, num_classes, with_pool)


class MobileNetV3Large(MobileNetV3):
    """MobileNetV3 of fifteen blocks; scale, num_classes, with_pool as of MobileNetV3."""

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__(LARGE, rounded(1280 * scale), scale, num_classes, with_pool)


def mobilenet_v3_small(
    pretrained: bool = False, scale: float = 1.0, **kwargs: Any
) -> MobileNetV3Small:
    """MobileNetV3 of eleven blocks, arXiv 1905.02244.

    scale, kwargs: options of MobileNetV3Small. Raises UnsupportedError for pretrained=True: no
    weights are served.
    """
    check_not(pretrained)
    return MobileNetV3Small(scale=scale, **kwargs)


def mobilenet_v3_large(
    pretrained: bool = False, scale: float = 1.0, **kwargs: Any
) -> MobileNetV3Large:
    """MobileNetV3 of fifteen blocks; arguments and errors as of `mobilenet_v3_small`."""
    check_not(pretrained)
    return MobileNetV3Large(scale=scale, **kwargs)
