"""Layers that shift and scale what others read or give, where no layer before or after can."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.nn import Layer
from twinoar.nn.initializer import Constant


class ShiftSmoothHelpLayer(Layer):
    """A Linear whose input is shifted and scaled first, which starts as the Linear alone.

    layer: a Linear; it gets a bias where it has none.

    >>> layer, x = twinoar.nn.Linear(3, 2), twinoar.randn([4, 3])
    >>> before, helped = layer(x), ShiftSmoothHelpLayer(layer)
    >>> helped.convert_weight(twinoar.ones([3]), twinoar.full([1, 3], 4.0))
    >>> bool(twinoar.allclose(helped(x), before, atol=1e-5))
    True
    """

    def __init__(self, layer: Any):
        super().__init__()
        if layer.bias is None:
            layer.bias = layer.create_parameter([layer.weight.shape[1]], is_bias=True)
        self.layer = layer
        size, dtype = [layer.weight.shape[0]], layer.weight.dtype
        self.shift_bias = self.create_parameter(size, None, dtype, False, Constant(0.0))
        self.smooth_weight = self.create_parameter(size, None, dtype, False, Constant(1.0))

    @property
    def weight(self) -> Any:
        """The weight of the Linear."""
        return self.layer.weight

    @property
    def bias(self) -> Any:
        """The bias of the Linear."""
        return self.layer.bias

    def forward(self, input: Any) -> Any:  # Paddle's name
        """The Linear of (input + shift_bias) * smooth_weight."""
        return self.layer((input + self.shift_bias) * self.smooth_weight)

    def convert_weight(self, shift_bias: Any = None, smooth_weight: Any = None) -> None:
        """Take `shift_bias` from inputs and divide them; weight and bias make up for both.

        Both have as many elements as the input has channels. A shift comes before the scaling, so
        it is given first, or together with it.
        """
        weight, bias = self.layer.weight, self.layer.bias
        numbers, kind = weight.numpy().astype(np.float64), weight.numpy().dtype
        if shift_bias is not None:
            shift = shift_bias.numpy().reshape(-1).astype(np.float64)
            scaled = shift * self.smooth_weight.numpy()
            self.shift_bias.set_value((self.shift_bias.numpy() - shift).astype(kind))
            bias.set_value((bias.numpy() + scaled @ numbers).astype(kind))
        if smooth_weight is not None:
            factors = smooth_weight.numpy().reshape(-1).astype(np.float64)
            self.smooth_weight.set_value((self.smooth_weight.numpy() / factors).astype(kind))
            weight.set_value((numbers * factors[:, None]).astype(kind))
