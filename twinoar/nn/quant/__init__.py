"""`paddle.nn.quant`: weights of 8 and 4 bits, and products with them."""

from twinoar.core.public import exported
from twinoar.nn.quant.weight_only import (
    llm_int8_linear,
    weight_dequantize,
    weight_only_linear,
    weight_quantize,
)

__all__ = exported(globals())
