"""QuantedConv2D: the convolution of rounded images."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.quant.qat.quanted import Quanted


class QuantedConv2D(Quanted):
    """`nn.Conv2D` whose weight and input pass through quanters.

    layer: the Conv2D that it stands for, whose parameters it takes. q_config: factories of quanters
    as `weight` and `activation`, each may be None.

    >>> import twinoar as paddle
    >>> quanter = paddle.quantization.quanters.FakeQuanterWithAbsMaxObserver()
    >>> config = paddle.quantization.QuantConfig(activation=quanter, weight=quanter)
    >>> layer = QuantedConv2D(paddle.nn.Conv2D(1, 2, 3), config.global_config)
    >>> layer(paddle.ones([1, 1, 4, 4])).shape
    [1, 2, 2, 2]
    """

    def __init__(self, layer: Any, q_config: Any):
        super().__init__(layer, q_config)
        self._groups, self._stride, self._dilation = layer._groups, layer._stride, layer._dilation
        self._padding, self._padding_mode = layer._padding, layer._padding_mode
        self._data_format = layer._data_format
        if self._padding_mode != "zeros":
            self._updated_padding = layer._updated_padding

    def forward(self, input: Any) -> Any:
        """The convolution of rounded images with rounded filters."""
        input, weight = self._rounded(input)
        padding = self._padding
        if self._padding_mode != "zeros":
            wider = self._updated_padding
            input = functional.pad(input, wider, self._padding_mode, data_format=self._data_format)
            padding = 0
        return functional.conv2d(
            input,
            weight,
            self.bias,
            self._stride,
            padding,
            self._dilation,
            self._groups,
            self._data_format,
        )
