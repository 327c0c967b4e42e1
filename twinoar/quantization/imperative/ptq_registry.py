"""PTQRegistry: which layers ImperativePTQ knows, and which it quantizes."""

from __future__ import annotations

from typing import Any

from twinoar import nn
from twinoar.core.public import declared

KNOWN = (
    nn.Conv2D,
    nn.Linear,
    nn.BatchNorm2D,
    nn.AdaptiveMaxPool2D,
    nn.AdaptiveAvgPool2D,
    nn.AvgPool2D,
    nn.MaxPool2D,
    nn.ReLU,
    nn.ReLU6,
    nn.Hardswish,
    nn.Swish,
    nn.Sigmoid,
    nn.Softmax,
    nn.Tanh,
    nn.quant.add,
)
QUANTIZED = (nn.Conv2D, nn.Linear)


class PTQRegistry:
    """Questions about a layer, or a class of layers.

    >>> layers = (twinoar.nn.Linear(2, 2), twinoar.nn.ReLU, twinoar.nn.Dropout)
    >>> [PTQRegistry.is_supported_layer(layer) for layer in layers]
    [True, True, False]
    >>> [PTQRegistry.is_simulated_quant_layer(layer) for layer in layers]
    [True, False, False]
    """

    @classmethod
    def is_supported_layer(cls, layer: Any) -> bool:
        """True for a layer that can stand in a network that is quantized."""
        return _class_of(layer) in KNOWN

    is_registered_layer = is_supported_layer

    @classmethod
    def is_simulated_quant_layer(cls, layer: Any) -> bool:
        """True for a layer whose weight and input are quantized."""
        return _class_of(layer) in QUANTIZED


def _class_of(layer: Any) -> type:
    return layer if isinstance(layer, type) else type(layer)


__all__ = declared(globals())
