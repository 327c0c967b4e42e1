"""`paddle.static.quantization`: Programs that are quantized, in training and after it."""

from twinoar.core.public import exported
from twinoar.static.quantization.post_training_quantization import (
    PostTrainingQuantization,
    PostTrainingQuantizationProgram,
)
from twinoar.static.quantization.quanter import convert, quant_aware
from twinoar.static.quantization.quantization_pass import (
    AddQuantDequantPass,
    AddQuantDequantPassV2,
    ConvertToInt8Pass,
    QuantizationFreezePass,
    QuantizationTransformPass,
    QuantizationTransformPassV2,
    QuantWeightPass,
    ReplaceFakeQuantDequantPass,
)
from twinoar.static.quantization.refused import (
    AddQuantDequantForInferencePass,
    OutScaleForInferencePass,
    OutScaleForTrainingPass,
    Quant2Int8MkldnnPass,
    Quant2Int8OnednnPass,
    QuantInt8MkldnnPass,
    QuantInt8OnednnPass,
    TransformForMobilePass,
)
from twinoar.static.quantization.weights import WeightQuantization

__all__ = exported(globals())
