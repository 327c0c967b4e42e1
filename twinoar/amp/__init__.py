"""Mixed precision: operators in bfloat16 or float16, and losses scaled so that gradients stay.

`choice` has the value that a Policy carries, by which operators get their operands cast.
"""

from twinoar.amp import debugging
from twinoar.amp.auto_casting import (
    amp_decorate,
    amp_guard,
    auto_cast,
    autocast,
    decorate,
    get_autocast_cpu_dtype,
    get_autocast_dtype,
    get_autocast_gpu_dtype,
    is_autocast_enabled,
    is_bfloat16_supported,
    is_float16_supported,
)
from twinoar.amp.grad_scaler import AmpScaler, GradScaler, OptimizerState
from twinoar.core.public import exported

__all__ = exported(globals(), "debugging")
