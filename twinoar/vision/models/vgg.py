"""VGG: stacks of 3x3 convolutions with maxima between, and three linear layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.nn import (
    AdaptiveAvgPool2D,
    BatchNorm2D,
    Conv2D,
    Dropout,
    Layer,
    Linear,
    MaxPool2D,
    ReLU,
    Sequential,
)
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not

# Convolutions in each of the five stages, by the number of layers.
CONVOLUTIONS = {11: (1, 1, 2, 2, 2), 13: (2,) * 5, 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
CHANNELS = (64, 128, 256, 512, 512)


class VGG(Layer):
    """A network of `features`, a layer that makes [N,512,H,W], and three linear layers.

    num_classes: outputs; 0 leaves out the linear layers. with_pool: average to 7 by 7 before them.
    x: [N,3,H,W], float. Returns scores [N,num_classes], or features.
    Source: K. Simonyan, A. Zisserman, arXiv 1409.1556.
    """

    def __init__(self, features: Layer, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.features = features
        self.num_classes, self.with_pool = num_classes, with_pool
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D((7, 7))
        if num_classes > 0:
            self.classifier = Sequential(
                Linear(512 * 7 * 7, 4096),
                ReLU(),
                Dropout(),
                Linear(4096, 4096),
                ReLU(),
                Dropout(),
                Linear(4096, num_classes),
            )

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        x = self.features(x)
        if self.with_pool:
            x = self.avgpool(x)
        return self.classifier(flatten(x, 1)) if self.num_classes > 0 else x


def vgg11(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """VGG of 11 layers, arXiv 1409.1556.

    batch_norm: normalize after each convolution. kwargs: options of VGG. Raises UnsupportedError
    for pretrained=True: no weights are served.

    >>> vgg11(num_classes=0)(twinoar.zeros([1, 3, 32, 32])).shape
    [1, 512, 7, 7]
    """
    return _vgg(11, pretrained, batch_norm, **kwargs)


def vgg13(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """VGG of 13 layers; arguments and errors as of `vgg11`."""
    return _vgg(13, pretrained, batch_norm, **kwargs)


def vgg16(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """VGG of 16 layers; arguments and errors as of `vgg11`."""
    return _vgg(16, pretrained, batch_norm, **kwargs)


def vgg19(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """VGG of 19 layers; arguments and errors as of `vgg11`."""
    return _vgg(19, pretrained, batch_norm, **kwargs)


def _vgg(depth: int, pretrained: bool, batch_norm: bool, **options: Any) -> VGG:
    check_not(pretrained)
    return VGG(_features(CONVOLUTIONS[depth], batch_norm), **options)


def _features(convolutions: Sequence[int], batch_norm: bool) -> Sequential:
    layers: list[Layer] = []
    before = 3
    for channels, count in zip(CHANNELS, convolutions, strict=True):
        for _ in range(count):
            layers.append(Conv2D(before, channels, 3, padding=1))
            layers += [BatchNorm2D(channels)] if batch_norm else []
            layers.append(ReLU())
            before = channels
        layers.append(MaxPool2D(2, 2))
    return Sequential(*layers)
