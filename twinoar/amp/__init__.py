"""Mixed precision: the names of `paddle.amp`, with what is off truly off.

`auto_cast(enable=False)`, level "O0" and disabled scalers do what Paddle's do: nothing. What would
compute in lower precision is refused when it is switched on.
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
