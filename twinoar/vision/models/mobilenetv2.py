"""MobileNetV2: residual blocks that are wide inside and narrow between."""

from __future__ import annotations

from typing import Any

from twinoar.nn import (
    AdaptiveAvgPool2D,
    BatchNorm2D,
    Conv2D,
    Dropout,
    Layer,
    Linear,
    ReLU6,
    Sequential,
)
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not
from twinoar.vision.models.width import rounded
from twinoar.vision.ops.layer import ConvNormActivation

# How much wider inside, channels, blocks, stride of the first one.
STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


class MobileNetV2(Layer):
    """MobileNet, the second.

    scale: of all widths. num_classes: outputs; 0 leaves out the linear layer. with_pool: average
    over the image before it. x: [N,3,H,W], float. Returns scores [N,num_classes], or features
    [N,C,1,1], without the pool [N,C,H/32,W/32]. Source: M. Sandler et al., arXiv 1801.04381.

    >>> MobileNetV2(scale=0.25, num_classes=10)(twinoar.zeros([1, 3, 32, 32])).shape
    [1, 10]
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        before = rounded(32 * scale)
        self.last_channel = rounded(1280 * max(1.0, scale))
        layers: list[Layer] = [_conv(3, before, stride=2)]
        for wider, channels, blocks, stride in STAGES:
            after = rounded(channels * scale)
            for i in range(blocks):
                layers.append(InvertedResidual(before, after, stride if i == 0 else 1, wider))
                before = after
        layers.append(_conv(before, self.last_channel, 1))
        self.features = Sequential(*layers)
        if with_pool:
            self.pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = Sequential(Dropout(0.2), Linear(self.last_channel, num_classes))

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        x = self.features(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.classifier(flatten(x, 1)) if self.num_classes > 0 else x


class InvertedResidual(Layer):
    """A 1x1 convolution that widens, a 3x3 one of single channels, and a 1x1 one that narrows.

    wider: how much; 1 leaves out the first. The input is added where the shapes are the same.
    """

    def __init__(self, before: int, after: int, stride: int, wider: int) -> None:
        super().__init__()
        self.use_res_connect = stride == 1 and before == after
        inside = before * wider
        widen = [_conv(before, inside, 1)] if wider != 1 else []
        self.conv = Sequential(
            *widen,
            _conv(inside, inside, stride=stride, groups=inside),
            Conv2D(inside, after, 1, bias_attr=False),
            BatchNorm2D(after),
        )

    def forward(self, x: Any) -> Any:
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


def mobilenet_v2(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV2:
    """MobileNet, the second, arXiv 1801.04381.

    scale, kwargs: options of MobileNetV2. Raises UnsupportedError for pretrained=True: no weights
    are served.
    """
    check_not(pretrained)
    return MobileNetV2(scale=scale, **kwargs)


def _conv(before: int, after: int, kernel_size: int = 3, **options: Any) -> ConvNormActivation:
    return ConvNormActivation(before, after, kernel_size, activation_layer=ReLU6, **options)
