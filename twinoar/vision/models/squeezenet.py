"""SqueezeNet: few parameters, by 1x1 convolutions that narrow before others."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn import AdaptiveAvgPool2D, Conv2D, Dropout, Layer, MaxPool2D, ReLU
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import squeeze
from twinoar.vision.models.pretrained import check_not

# The first convolution's options, and the numbers of the blocks after which maxima are taken.
VERSIONS: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "1.0": ({"out_channels": 96, "kernel_size": 7, "padding": 0}, (3, 7)),
    "1.1": ({"out_channels": 64, "kernel_size": 3, "padding": 1}, (2, 4)),
}
# Channels squeezed to, of each of the two convolutions after it, of the eight blocks.
SQUEEZED = (16, 16, 32, 32, 48, 48, 64, 64)
EXPANDED = (64, 64, 128, 128, 192, 192, 256, 256)


class SqueezeNet(Layer):
    """SqueezeNet.

    version: "1.0" or "1.1". num_classes: outputs; 0 leaves out the last convolution. with_pool:
    average over the image. x: [N,3,H,W], float. Returns scores [N,num_classes], without the pool
    [N,num_classes,H,W], or features. Raises ArgumentError for another version.
    Source: F. Iandola et al., arXiv 1602.07360.

    >>> SqueezeNet("1.1", num_classes=10)(twinoar.zeros([1, 3, 32, 32])).shape
    [1, 10]
    """

    def __init__(self, version: str, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        if version not in VERSIONS:
            raise ArgumentError(f"expected version of {', '.join(VERSIONS)}, received {version!r}")
        self.version, self.num_classes, self.with_pool = version, num_classes, with_pool
        first, _ = VERSIONS[version]
        before = first["out_channels"]
        self._conv = Conv2D(3, stride=2, **first)
        self._relu = ReLU()
        self._pool = MaxPool2D(3, stride=2)
        for i, (squeezed, expanded) in enumerate(zip(SQUEEZED, EXPANDED, strict=True), 1):
            self.add_sublayer(f"_conv{i}", _Fire(before, squeezed, expanded))
            before = 2 * expanded
        if num_classes > 0:
            self._drop = Dropout(0.5, mode="downscale_in_infer")
            self._conv9 = Conv2D(before, num_classes, 1)
        self._avg_pool = AdaptiveAvgPool2D(1)

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        _, pooled = VERSIONS[self.version]
        x = self._pool(self._relu(self._conv(x)))
        for i in range(1, len(SQUEEZED) + 1):
            x = getattr(self, f"_conv{i}")(x)
            if i in pooled:
                x = self._pool(x)
        if self.num_classes > 0:
            x = self._conv9(self._drop(x))
        if self.with_pool:
            x = squeeze(self._avg_pool(self._relu(x)), [2, 3])
        return x


def squeezenet1_0(pretrained: bool = False, **kwargs: Any) -> SqueezeNet:
    """SqueezeNet 1.0, arXiv 1602.07360.

    kwargs: options of SqueezeNet other than version. Raises UnsupportedError for pretrained=True:
    no weights are served.
    """
    check_not(pretrained)
    return SqueezeNet("1.0", **kwargs)


def squeezenet1_1(pretrained: bool = False, **kwargs: Any) -> SqueezeNet:
    """SqueezeNet 1.1, of less computation; arguments and errors as of `squeezenet1_0`."""
    check_not(pretrained)
    return SqueezeNet("1.1", **kwargs)


class _Fire(Layer):
    """A 1x1 convolution that narrows, then one of 1x1 and one of 3x3 beside each other."""

    def __init__(self, before: int, squeezed: int, expanded: int) -> None:
        super().__init__()
        self._conv = _ConvReLU(before, squeezed, 1)
        self._conv_path1 = _ConvReLU(squeezed, expanded, 1)
        self._conv_path2 = _ConvReLU(squeezed, expanded, 3, padding=1)

    def forward(self, x: Any) -> Any:
        x = self._conv(x)
        return concat([self._conv_path1(x), self._conv_path2(x)], 1)


class _ConvReLU(Layer):
    def __init__(self, *channels_and_size: Any, **options: Any) -> None:
        super().__init__()
        self._conv = Conv2D(*channels_and_size, **options)
        self._relu = ReLU()

    def forward(self, x: Any) -> Any:
        return self._relu(self._conv(x))
