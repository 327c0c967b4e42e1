"""`paddle.fluid.contrib.mixed_precision`: see `twinoar.static.amp`."""

from twinoar.static.amp import (
    AutoMixedPrecisionLists,
    cast_model_to_fp16,
    cast_parameters_to_fp16,
    decorate,
    fp16_guard,
)

__all__ = [
    "AutoMixedPrecisionLists",
    "cast_model_to_fp16",
    "cast_parameters_to_fp16",
    "decorate",
    "fp16_guard",
]
