"""`paddle.fluid.contrib`: mixed precision alone."""

from twinoar.fluid.absent import refusing
from twinoar.fluid.contrib import mixed_precision

__getattr__ = refusing(__name__, {"slim": "use the names of Paddle 2: paddle.quantization"})

__all__ = ["mixed_precision"]
