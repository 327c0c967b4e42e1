"""The convolution of a layer, of images and filters that something has made of its own."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.layer import Layer


class ConvolutionOf(Layer):
    """What a layer that stands for a Conv2D takes from it."""

    bias: Any

    def _take(self, layer: Any) -> None:
        self._groups, self._stride, self._dilation = layer._groups, layer._stride, layer._dilation
        self._padding, self._padding_mode = layer._padding, layer._padding_mode
        self._data_format = layer._data_format
        if self._padding_mode != "zeros":
            self._updated_padding = layer._updated_padding

    def _convolved(self, input: Any, weight: Any) -> Any:
        padding = self._padding
        if self._padding_mode != "zeros":
            wider = self._updated_padding
            input = functional.pad(input, wider, self._padding_mode, data_format=self._data_format)
            padding = 0
        given = (self._stride, padding, self._dilation, self._groups, self._data_format)
        return functional.conv2d(input, weight, self.bias, *given)
