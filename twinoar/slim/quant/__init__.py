"""Quantization of networks that are trained already, by PaddleSlim's names where it has them."""

from twinoar.core.public import exported
from twinoar.slim.quant import advanced, observers, quanters
from twinoar.slim.quant.bias_correction import correct_biases
from twinoar.slim.quant.embedding import quant_embedding
from twinoar.slim.quant.equalization import equalize, fold_batch_norms
from twinoar.slim.quant.hpo import quant_post_hpo
from twinoar.slim.quant.joint import Joint, joints
from twinoar.slim.quant.saved import (
    SlimQAT,
    SlimQuantConfig,
    export_quant_infermodel,
    pact,
    quant_aware_with_infermodel,
    quant_post,
    quant_post_dynamic,
    quant_post_only_weight,
    quant_post_static,
    quant_recon_static,
)
from twinoar.slim.quant.weight_only import Quantized, WeightOnlyLinear, quantize_weights
from twinoar.static.quantization import convert, quant_aware

__all__ = exported(globals(), "advanced", "observers", "quanters")
