"""ShuffleNetV2: blocks that work on half of the channels, shuffled after each."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn import AdaptiveAvgPool2D, ChannelShuffle, Layer, Linear, MaxPool2D, ReLU, Swish
from twinoar.ops.shape.concat import chunk, concat
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not
from twinoar.vision.ops.layer import ConvNormActivation

# Channels of the first convolution, of the three stages, of the last convolution, by scale.
CHANNELS = {
    0.25: (24, 24, 48, 96, 512),
    0.33: (24, 32, 64, 128, 512),
    0.5: (24, 48, 96, 192, 1024),
    1.0: (24, 116, 232, 464, 1024),
    1.5: (24, 176, 352, 704, 1024),
    2.0: (24, 224, 488, 976, 2048),
}
BLOCKS = {2: 4, 3: 8, 4: 4}  # in each stage, by its number in names
ACTIVATIONS: dict[str | None, type[Layer] | None] = {"relu": ReLU, "swish": Swish, None: None}


class ShuffleNetV2(Layer):
    """ShuffleNet, the second.

    scale: of widths, one of CHANNELS. act: "relu", "swish" or None. num_classes: outputs; 0 leaves
    out the linear layer. with_pool: average over the image before it. x: [N,3,H,W], float. Returns
    scores [N,num_classes], or features [N,C,1,1], without the pool [N,C,H/32,W/32]. Raises
    ArgumentError for another scale or activation. Source: N. Ma et al., arXiv 1807.11164.

    >>> ShuffleNetV2(scale=0.25, num_classes=10)(twinoar.zeros([1, 3, 32, 32])).shape
    [1, 10]
    """

    def __init__(
        self,
        scale: float = 1.0,
        act: str | None = "relu",
        num_classes: int = 1000,
        with_pool: bool = True,
    ) -> None:
        super().__init__()
        for name, value, table in (("scale", scale, CHANNELS), ("act", act, ACTIVATIONS)):
            if value not in table:
                choices = ", ".join(map(repr, table))
                raise ArgumentError(f"expected {name} of {choices}, received {value!r}")
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        before, *stages, last = CHANNELS[scale]
        activation = ACTIVATIONS[act]
        self._conv1 = ConvNormActivation(3, before, stride=2, activation_layer=activation)
        self._max_pool = MaxPool2D(3, stride=2, padding=1)
        self._blocks: list[str] = []
        for (number, blocks), channels in zip(BLOCKS.items(), stages, strict=True):
            for i in range(1, blocks + 1):
                self._blocks.append(f"{number}_{i}")
                first = i == 1
                self.add_sublayer(
                    self._blocks[-1],
                    _Shrinking(before, channels, activation)
                    if first
                    else _Keeping(channels, activation),
                )
            before = channels
        self._last_conv = ConvNormActivation(before, last, 1, activation_layer=activation)
        if with_pool:
            self._pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self._fc = Linear(last, num_classes)

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        x = self._max_pool(self._conv1(x))
        for name in self._blocks:
            x = getattr(self, name)(x)
        x = self._last_conv(x)
        if self.with_pool:
            x = self._pool2d_avg(x)
        return self._fc(flatten(x, 1)) if self.num_classes > 0 else x


def shufflenet_v2_x0_25(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNetV2 of a quarter of the width, arXiv 1807.11164.

    kwargs: options of ShuffleNetV2 other than scale. Raises UnsupportedError for pretrained=True:
    no weights are served.
    """
    return _shufflenet(0.25, pretrained, **kwargs)


def shufflenet_v2_x0_33(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNetV2 of a third of the width; the rest as `shufflenet_v2_x0_25`."""
    return _shufflenet(0.33, pretrained, **kwargs)


def shufflenet_v2_x0_5(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNetV2 of half the width; the rest as `shufflenet_v2_x0_25`."""
    return _shufflenet(0.5, pretrained, **kwargs)


def shufflenet_v2_x1_0(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNetV2 of the paper's width; the rest as `shufflenet_v2_x0_25`."""
    return _shufflenet(1.0, pretrained, **kwargs)


def shufflenet_v2_x1_5(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNetV2 half as wide again; the rest as `shufflenet_v2_x0_25`."""
    return _shufflenet(1.5, pretrained, **kwargs)


def shufflenet_v2_x2_0(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNetV2 twice as wide; the rest as `shufflenet_v2_x0_25`."""
    return _shufflenet(2.0, pretrained, **kwargs)


def shufflenet_v2_swish(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNetV2 of the paper's width with Swish; the rest as `shufflenet_v2_x0_25`."""
    return _shufflenet(1.0, pretrained, act="swish", **kwargs)


def _shufflenet(scale: float, pretrained: bool, **options: Any) -> ShuffleNetV2:
    check_not(pretrained)
    return ShuffleNetV2(scale=scale, **options)


class _Keeping(Layer):
    """Half of the channels as they are, half through three convolutions."""

    def __init__(self, channels: int, activation: type[Layer] | None) -> None:
        super().__init__()
        half = channels // 2
        self._conv_pw = ConvNormActivation(half, half, 1, activation_layer=activation)
        self._conv_dw = ConvNormActivation(half, half, groups=half, activation_layer=None)
        self._conv_linear = ConvNormActivation(half, half, 1, activation_layer=activation)
        self._shuffle = ChannelShuffle(2)

    def forward(self, x: Any) -> Any:
        kept, changed = chunk(x, 2, 1)
        changed = self._conv_linear(self._conv_dw(self._conv_pw(changed)))
        return self._shuffle(concat([kept, changed], 1))


class _Shrinking(Layer):
    """All channels through two convolutions and through three, which halve height and width."""

    def __init__(self, before: int, after: int, activation: type[Layer] | None) -> None:
        super().__init__()
        half = after // 2
        wise: dict[str, Any] = {"stride": 2, "activation_layer": None}
        linear: dict[str, Any] = {"kernel_size": 1, "activation_layer": activation}
        self._conv_dw_1 = ConvNormActivation(before, before, groups=before, **wise)
        self._conv_linear_1 = ConvNormActivation(before, half, **linear)
        self._conv_pw_2 = ConvNormActivation(before, half, **linear)
        self._conv_dw_2 = ConvNormActivation(half, half, groups=half, **wise)
        self._conv_linear_2 = ConvNormActivation(half, half, **linear)
        self._shuffle = ChannelShuffle(2)

    def forward(self, x: Any) -> Any:
        first = self._conv_linear_1(self._conv_dw_1(x))
        second = self._conv_linear_2(self._conv_dw_2(self._conv_pw_2(x)))
        return self._shuffle(concat([first, second], 1))
