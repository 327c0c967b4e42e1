"""`Layer`, where Paddle 1.8 has it."""

from twinoar.nn.layer import Layer

__all__ = ["Layer"]
