"""`paddle.static.amp`: mixed precision in Programs, which is refused when it is switched on."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.static.amp
from typing import Any, Literal, overload

import numpy as _numpy

class AutoMixedPrecisionLists:
    """Names of operators that `decorate` would give lower precision, or full."""
    def __init__(self, custom_white_list: collections.abc.Iterable[builtins.str] | None = None, custom_black_list: collections.abc.Iterable[builtins.str] | None = None, custom_black_varnames: collections.abc.Iterable[builtins.str] | None = None, dtype: builtins.str = 'float16') -> None: ...
    amp_dtype: builtins.str
    white_list: Any
    black_list: Any
    black_varnames: Any
CustomOpLists = AutoMixedPrecisionLists
def cast_model_to_fp16(program: Any, *args: Any, **kwargs: Any) -> Any:
    """Make a Program compute in float16: raises UnsupportedError."""
def cast_parameters_to_fp16(place: Any, program: Any, *args: Any, **kwargs: Any) -> Any:
    """Make the parameters of a Program float16: raises UnsupportedError."""
from twinoar.amp import debugging as debugging
def decorate(optimizer: Any, amp_lists: twinoar.static.amp.AutoMixedPrecisionLists | None = None, init_loss_scaling: Any = ..., incr_every_n_steps: Any = 1000, decr_every_n_nan_or_inf: Any = 2, incr_ratio: Any = ..., decr_ratio: Any = ..., use_dynamic_loss_scaling: builtins.bool | None = None, use_pure_fp16: builtins.bool = False, use_fp16_guard: builtins.bool | None = None, use_bf16: builtins.bool = False, use_promote: builtins.bool = False, **kwargs: Any) -> Any:
    """An optimizer that trains in lower precision: raises UnsupportedError."""
def fp16_guard() -> collections.abc.Iterator[None]:
    """Operators that `decorate` would give lower precision: without it, the block as it is."""
