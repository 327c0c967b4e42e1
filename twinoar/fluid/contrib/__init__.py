"""`paddle.fluid.contrib`: mixed precision alone."""

from twinoar.fluid.absent import refusing
from twinoar.fluid.contrib import mixed_precision

__getattr__ = refusing(__name__, {"slim": "train and serve in float32 or bfloat16"})

__all__ = ["mixed_precision"]
