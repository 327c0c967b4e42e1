"""`paddle.fluid.contrib.mixed_precision`: see `twinoar.static.amp`."""

# ruff: noqa: F401  # what is imported is what is exported

from twinoar.core.public import exported
from twinoar.static.amp import (
    AutoMixedPrecisionLists,
    cast_model_to_fp16,
    cast_parameters_to_fp16,
    decorate,
    fp16_guard,
)

__all__ = exported(globals())
