"""`paddle.amp.debugging`: where numbers stop being finite, and which precision operators ran in."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import enum
import twinoar
import twinoar.amp.debugging
from typing import Any, Literal, overload

import numpy as _numpy

class DebugMode(enum.Enum):
    """What happens where a number is not finite, or is too large for float16."""
    CHECK_NAN_INF_AND_ABORT = 0
    CHECK_NAN_INF = 1
    CHECK_ALL_FOR_OVERFLOW = 2
    CHECK_ALL = 3
class TensorCheckerConfig:
    """What `enable_tensor_checker` checks."""
    current_step_id: builtins.int
    def __init__(self, enable: builtins.bool, debug_mode: twinoar.amp.debugging.DebugMode = ..., output_dir: builtins.str | None = None, checked_op_list: collections.abc.Sequence[builtins.str] | None = None, skipped_op_list: collections.abc.Sequence[builtins.str] | None = None, debug_step: collections.abc.Sequence[Any] | None = None, stack_height_limit: Any = 1) -> None: ...
    def update_and_check_step_id(self) -> builtins.bool:
        """Whether this call is one that checks; it is counted."""
    def start_check_nan_inf(self) -> None:
        """Look at results from now on, where this is enabled."""
    def stop_check_nan_inf(self) -> None:
        """Look no more."""
    start_step: Any
    end_step: Any
    enable: builtins.bool
    debug_mode: twinoar.amp.debugging.DebugMode
    output_dir: builtins.str | None
    debug_step: collections.abc.Sequence[builtins.int] | None
    checked_op_list: collections.abc.Sequence[builtins.str] | None
    skipped_op_list: collections.abc.Sequence[builtins.str] | None
    stack_height_limit: builtins.int
def check_layer_numerics(func: collections.abc.Callable[..., Any]) -> collections.abc.Callable[..., Any]:
    """A `forward` whose first input and outputs are checked: see `check_numerics`."""
def check_numerics(tensor: twinoar._TensorLike, op_type: builtins.str, var_name: builtins.str, debug_mode: twinoar.amp.debugging.DebugMode = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """How many elements are nan, inf and zero, [3], int64, and max, min and mean, [3], float32."""
def collect_operator_stats() -> collections.abc.Iterator[None]:
    """Count operators by precision within the block, and print a table at its end."""
def compare_accuracy(dump_path: builtins.str, another_dump_path: builtins.str, output_filename: builtins.str, loss_scale: Any = 1, dump_all_tensors: builtins.bool = False) -> None:
    """Write a table that compares what two runs have written of their tensors."""
def disable_operator_stats_collection() -> None:
    """Count no more, and print a table of what ran"""
def disable_tensor_checker() -> None:
    """Let results be what they are again."""
def enable_operator_stats_collection() -> None:
    """Count from now on how many operators run in which precision"""
def enable_tensor_checker(checker_config: twinoar.amp.debugging.TensorCheckerConfig) -> None:
    """Look at the results of operators from now on"""
