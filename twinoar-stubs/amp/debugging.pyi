"""`paddle.amp.debugging`: where numbers stop being finite."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import enum
import twinoar
import twinoar.amp.debugging
from typing import Any, Literal, overload

import numpy as _numpy

class DebugMode(enum.Enum):
    """What happens where a number is not finite."""
    CHECK_NAN_INF_AND_ABORT = 0
    CHECK_NAN_INF = 1
    CHECK_ALL_FOR_OVERFLOW = 2
    CHECK_ALL = 3
class TensorCheckerConfig:
    """What `enable_tensor_checker` checks: all results of all operators."""
    def __init__(self, enable: builtins.bool, debug_mode: twinoar.amp.debugging.DebugMode = ..., output_dir: builtins.str | None = None, checked_op_list: collections.abc.Sequence[builtins.str] | None = None, skipped_op_list: collections.abc.Sequence[builtins.str] | None = None, debug_step: collections.abc.Sequence[Any] | None = None, stack_height_limit: Any = 1) -> None: ...
    enable: builtins.bool
    debug_mode: twinoar.amp.debugging.DebugMode
def check_layer_numerics(func: collections.abc.Callable[..., Any]) -> collections.abc.Callable[..., Any]:
    """A `forward` whose first input and outputs are checked: see `check_numerics`."""
def check_numerics(tensor: twinoar._TensorLike, op_type: builtins.str, var_name: builtins.str, debug_mode: twinoar.amp.debugging.DebugMode = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """How many elements are nan, inf and zero, [3], int64, and max, min and mean, [3], float32."""
def collect_operator_stats() -> collections.abc.Iterator[None]:
    """Count operators by precision within the block: raises UnsupportedError."""
def compare_accuracy(dump_path: builtins.str, another_dump_path: builtins.str, output_filename: builtins.str, loss_scale: Any = 1, dump_all_tensors: builtins.bool = False) -> None:
    """Compare what two runs have written of their tensors: raises UnsupportedError."""
def disable_operator_stats_collection() -> None:
    """Stop counting operators by precision, which raises UnsupportedError from the start."""
def disable_tensor_checker() -> None:
    """Let results be what they are again."""
def enable_operator_stats_collection() -> None:
    """Count operators by precision: raises UnsupportedError."""
def enable_tensor_checker(checker_config: twinoar.amp.debugging.TensorCheckerConfig) -> None:
    """Make a result that is not finite an error from now on: FLAGS_check_nan_inf."""
