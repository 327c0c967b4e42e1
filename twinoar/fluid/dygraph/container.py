"""Layers that hold layers or parameters, where Paddle 1.8 has them."""

from twinoar.nn.container import LayerList, ParameterList, Sequential

__all__ = ["LayerList", "ParameterList", "Sequential"]
