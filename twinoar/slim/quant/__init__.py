"""Quantization of networks that are trained already, by PaddleSlim's names where it has them."""

from twinoar.core.public import exported
from twinoar.quantization import observers
from twinoar.slim.quant import advanced
from twinoar.slim.quant.bias_correction import correct_biases
from twinoar.slim.quant.equalization import equalize, fold_batch_norms
from twinoar.slim.quant.joint import Joint, joints
from twinoar.slim.quant.weight_only import Quantized, WeightOnlyLinear, quantize_weights

__all__ = exported(globals(), "advanced", "observers")
