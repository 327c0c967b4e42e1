"""AlexNet: five convolutions and three linear layers, for images of 224 by 224."""

from __future__ import annotations

import math
from typing import Any

from twinoar.nn import Conv2D, Dropout, Layer, Linear, MaxPool2D, ReLU
from twinoar.nn.initializer import Uniform
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not


class AlexNet(Layer):
    """AlexNet on one device.

    num_classes: outputs; 0 leaves out the linear layers. x: [N,3,224,224], float. Returns scores
    [N,num_classes], or features [N,256,6,6]. Source: A. Krizhevsky, arXiv 1404.5997.

    >>> AlexNet(num_classes=0)(twinoar.zeros([1, 3, 224, 224])).shape
    [1, 256, 6, 6]
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.num_classes = num_classes
        self._conv1 = _ConvPool(3, 64, 11, stride=4, padding=2)  # [N,64,27,27]
        self._conv2 = _ConvPool(64, 192, 5, padding=2)  # [N,192,13,13]
        self._conv3 = _conv(192, 384, 3, padding=1)
        self._conv4 = _conv(384, 256, 3, padding=1)
        self._conv5 = _ConvPool(256, 256, 3, padding=1)  # [N,256,6,6]
        self._relu = ReLU()
        if num_classes > 0:
            bound = _bound(256 * 6 * 6)
            self._drop1 = Dropout(0.5, mode="downscale_in_infer")
            self._fc6 = Linear(256 * 6 * 6, 4096, **bound)
            self._drop2 = Dropout(0.5, mode="downscale_in_infer")
            self._fc7 = Linear(4096, 4096, **bound)
            self._fc8 = Linear(4096, num_classes, **bound)

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        x = self._relu(self._conv3(self._conv2(self._conv1(x))))
        x = self._conv5(self._relu(self._conv4(x)))
        if self.num_classes <= 0:
            return x
        x = self._relu(self._fc6(self._drop1(flatten(x, 1))))
        x = self._relu(self._fc7(self._drop2(x)))
        return self._fc8(x)


def alexnet(pretrained: bool = False, **kwargs: Any) -> AlexNet:
    """AlexNet, arXiv 1404.5997.

    kwargs: options of AlexNet. Raises UnsupportedError for pretrained=True: no weights are served.
    """
    check_not(pretrained)
    return AlexNet(**kwargs)


class _ConvPool(Layer):
    """A convolution, ReLU, and maxima of 3 by 3 at every second place."""

    def __init__(self, *channels_and_size: int, **options: Any) -> None:
        super().__init__()
        self._conv = _conv(*channels_and_size, **options)
        self.relu = ReLU()
        self._pool = MaxPool2D(3, stride=2)

    def forward(self, x: Any) -> Any:
        return self._pool(self.relu(self._conv(x)))


def _conv(in_channels: int, out_channels: int, kernel_size: int, **options: Any) -> Conv2D:
    bound = _bound(in_channels * kernel_size**2)
    return Conv2D(in_channels, out_channels, kernel_size, **options, **bound)


def _bound(inputs: int) -> dict[str, Any]:
    """Initial values of weight and bias for sums of so many products."""
    initializer = Uniform(-1 / math.sqrt(inputs), 1 / math.sqrt(inputs))
    return {"weight_attr": initializer, "bias_attr": initializer}
