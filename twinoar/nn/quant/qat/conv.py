"""QuantedConv2D: the convolution of rounded images."""

from __future__ import annotations

from typing import Any

from twinoar.nn.quant.convolution import ConvolutionOf
from twinoar.nn.quant.qat.quanted import Quanted


class QuantedConv2D(Quanted, ConvolutionOf):
    """`nn.Conv2D` whose weight and input pass through quanters.

    layer: the Conv2D that it stands for, whose parameters it takes. q_config: factories of quanters
    as `weight` and `activation`, each may be None.

    >>> quanter = twinoar.quantization.quanters.FakeQuanterWithAbsMaxObserver()
    >>> config = twinoar.quantization.QuantConfig(activation=quanter, weight=quanter)
    >>> layer = QuantedConv2D(twinoar.nn.Conv2D(1, 2, 3), config.global_config)
    >>> layer(twinoar.ones([1, 1, 4, 4])).shape
    [1, 2, 2, 2]
    """

    def __init__(self, layer: Any, q_config: Any):
        super().__init__(layer, q_config)
        self._take(layer)

    def forward(self, input: Any) -> Any:
        """The convolution of rounded images with rounded filters."""
        return self._convolved(*self._rounded(input))
