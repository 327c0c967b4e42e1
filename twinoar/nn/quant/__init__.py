"""`paddle.nn.quant`: layers of rounded values, weights of few bits and products with them."""

from twinoar.core.public import exported
from twinoar.nn.quant import qat, quant_layers
from twinoar.nn.quant.functional_layers import (
    FloatFunctionalLayer,
    add,
    concat,
    divide,
    flatten,
    matmul,
    multiply,
    reshape,
    subtract,
    transpose,
)
from twinoar.nn.quant.quant_layers import QuantStub
from twinoar.nn.quant.stub import Stub
from twinoar.nn.quant.weight_only import (
    llm_int8_linear,
    weight_dequantize,
    weight_only_linear,
    weight_quantize,
)

__all__ = exported(globals(), "QuantStub", "qat", "quant_layers")
