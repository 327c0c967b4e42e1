"""Operators and layers for images and for objects in them."""

from twinoar.vision.ops.layer import ConvNormActivation as ConvNormActivation

__all__: list[str] = []
