"""MobileNetV1: convolutions of single channels, and 1x1 convolutions over them."""

from __future__ import annotations

from typing import Any

from twinoar.nn import AdaptiveAvgPool2D, Layer, Linear
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not
from twinoar.vision.ops.layer import ConvNormActivation

# Name: channels that come in and go out, stride.
BLOCKS = {
    "conv2_1": (32, 64, 1),
    "conv2_2": (64, 128, 2),
    "conv3_1": (128, 128, 1),
    "conv3_2": (128, 256, 2),
    "conv4_1": (256, 256, 1),
    "conv4_2": (256, 512, 2),
    **{f"conv5_{i}": (512, 512, 1) for i in range(1, 6)},
    "conv5_6": (512, 1024, 2),
    "conv6": (1024, 1024, 1),
}


class MobileNetV1(Layer):
    """MobileNet, the first.

    scale: of all widths. num_classes: outputs; 0 leaves out the linear layer. with_pool: average
    over the image before it. x: [N,3,H,W], float. Returns scores [N,num_classes], or features
    [N,C,1,1], without the pool [N,C,H/32,W/32]. Source: A. Howard et al., arXiv 1704.04861.

    >>> MobileNetV1(scale=0.25, num_classes=10)(twinoar.zeros([1, 3, 32, 32])).shape
    [1, 10]
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        self.conv1 = ConvNormActivation(3, int(32 * scale), stride=2)
        for name, (before, after, stride) in BLOCKS.items():
            block = _Separable(int(before * scale), int(after * scale), stride)
            self.add_sublayer(name, block)
        if with_pool:
            self.pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.fc = Linear(int(1024 * scale), num_classes)

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        x = self.conv1(x)
        for name in BLOCKS:
            x = getattr(self, name)(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.fc(flatten(x, 1)) if self.num_classes > 0 else x


def mobilenet_v1(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV1:
    """MobileNet, the first, arXiv 1704.04861.

    scale, kwargs: options of MobileNetV1. Raises UnsupportedError for pretrained=True: no weights
    are served.
    """
    check_not(pretrained)
    return MobileNetV1(scale=scale, **kwargs)


class _Separable(Layer):
    """A 3x3 convolution of each channel by itself, and a 1x1 convolution."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self._depthwise_conv = ConvNormActivation(before, before, stride=stride, groups=before)
        self._pointwise_conv = ConvNormActivation(before, after, 1)

    def forward(self, x: Any) -> Any:
        return self._pointwise_conv(self._depthwise_conv(x))
