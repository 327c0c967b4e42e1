"""GoogLeNet: convolutions of several sizes beside each other, and two outputs on the way."""

from __future__ import annotations

import math
from typing import Any

from twinoar.nn import AdaptiveAvgPool2D, AvgPool2D, Conv2D, Dropout, Layer, Linear, MaxPool2D, ReLU
from twinoar.nn.initializer import Uniform
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not

# Channels of the 1x1, 3x3 and 5x5 convolutions, of those that narrow before the latter two, and of
# the one after the maxima: 1, narrow 3, 3, narrow 5, 5, maxima. Source: the paper's table 1.
INCEPTIONS = {
    "_ince3a": (64, 96, 128, 16, 32, 32),
    "_ince3b": (128, 128, 192, 32, 96, 64),
    "_ince4a": (192, 96, 208, 16, 48, 64),
    "_ince4b": (160, 112, 224, 24, 64, 64),
    "_ince4c": (128, 128, 256, 24, 64, 64),
    "_ince4d": (112, 144, 288, 32, 64, 64),
    "_ince4e": (256, 160, 320, 32, 128, 128),
    "_ince5a": (256, 160, 320, 32, 128, 128),
    "_ince5b": (384, 192, 384, 48, 128, 128),
}
POOLED_AFTER = ("_ince3b", "_ince4e")
OUTPUT_AFTER = ("_ince4a", "_ince4d")  # the two on the way


def _linear(inputs: int, outputs: int, fan_in: int) -> Linear:
    """A linear layer whose weights begin with the variance 1 / fan_in, as Paddle's do."""
    bound = math.sqrt(3.0 / fan_in)
    return Linear(inputs, outputs, weight_attr=ParamAttr(initializer=Uniform(-bound, bound)))


class GoogLeNet(Layer):
    """GoogLeNet.

    num_classes: outputs; 0 leaves out the linear layers. with_pool: average over the image before
    them. x: [N,3,224,224], float, other sizes without classes. Returns (out, out1, out2), scores
    [N,num_classes] each, at the end and on the way; or features.
    Source: C. Szegedy et al., arXiv 1409.4842.
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        self._conv = _Conv(3, 64, 7, stride=2)
        self._pool = MaxPool2D(3, stride=2)
        self._conv_1 = _Conv(64, 64, 1)
        self._conv_2 = _Conv(64, 192, 3)
        before = 192
        widths = {}
        for name, channels in INCEPTIONS.items():
            self.add_sublayer(name, _Inception(before, *channels))
            before = widths[name] = sum(channels[i] for i in (0, 2, 4, 5))
        if with_pool:
            self._pool_5 = AdaptiveAvgPool2D(1)
            self._pool_o1 = AvgPool2D(5, stride=3)
            self._pool_o2 = AvgPool2D(5, stride=3)
        if num_classes > 0:
            self._relu = ReLU()
            self._drop = Dropout(0.4, mode="downscale_in_infer")
            self._fc_out = _linear(before, num_classes, before)
            for i, name in enumerate(OUTPUT_AFTER, 1):
                self.add_sublayer(f"_conv_o{i}", _Conv(widths[name], 128, 1))
                self.add_sublayer(f"_fc_o{i}", _linear(128 * 3 * 3, 1024, 2048))
                self.add_sublayer(f"_drop_o{i}", Dropout(0.7, mode="downscale_in_infer"))
                self.add_sublayer(f"_out{i}", _linear(1024, num_classes, 1024))

    def forward(self, x: Any) -> Any:
        """Scores of the classes at the end and on the way, or features without classes."""
        x = self._pool(self._conv(x))
        x = self._pool(self._conv_2(self._conv_1(x)))
        ways = []
        for name in INCEPTIONS:
            x = getattr(self, name)(x)
            if name in OUTPUT_AFTER:
                ways.append(x)
            if name in POOLED_AFTER:
                x = self._pool(x)
        outs = [x, *ways]
        if self.with_pool:
            outs = [self._pool_5(x), self._pool_o1(ways[0]), self._pool_o2(ways[1])]
        if self.num_classes > 0:
            out = self._fc_out(flatten(self._drop(outs[0]), 1))
            first = self._relu(self._fc_o1(flatten(self._conv_o1(outs[1]), 1)))
            # Paddle has no ReLU here, and its weights are for that.
            second = self._fc_o2(flatten(self._conv_o2(outs[2]), 1))
            outs = [out, self._out1(self._drop_o1(first)), self._out2(self._drop_o2(second))]
        return outs


def googlenet(pretrained: bool = False, **kwargs: Any) -> GoogLeNet:
    """GoogLeNet, arXiv 1409.4842.

    kwargs: options of GoogLeNet. Raises UnsupportedError for pretrained=True: no weights are
    served.
    """
    check_not(pretrained)
    return GoogLeNet(**kwargs)


class _Conv(Layer):
    def __init__(self, before: int, after: int, kernel_size: int, stride: int = 1) -> None:
        super().__init__()
        padding = kernel_size // 2
        self._conv = Conv2D(before, after, kernel_size, stride, padding, bias_attr=False)

    def forward(self, x: Any) -> Any:
        return self._conv(x)


class _Inception(Layer):
    def __init__(
        self, before: int, one: int, narrow3: int, three: int, narrow5: int, five: int, maxima: int
    ) -> None:
        super().__init__()
        self._conv1 = _Conv(before, one, 1)
        self._conv3r = _Conv(before, narrow3, 1)
        self._conv3 = _Conv(narrow3, three, 3)
        self._conv5r = _Conv(before, narrow5, 1)
        self._conv5 = _Conv(narrow5, five, 5)
        self._pool = MaxPool2D(3, stride=1, padding=1)
        self._convprj = _Conv(before, maxima, 1)
        self._relu = ReLU()

    def forward(self, x: Any) -> Any:
        three, five = self._conv3(self._conv3r(x)), self._conv5(self._conv5r(x))
        parts = [self._conv1(x), three, five, self._convprj(self._pool(x))]
        return self._relu(concat(parts, 1))
