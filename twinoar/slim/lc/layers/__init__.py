"""Fully connected layers with weights of 4 bits."""

from twinoar.core.public import exported
from twinoar.slim.lc.layers.linear import FP4Linear, NF4Linear

__all__ = exported(globals())
