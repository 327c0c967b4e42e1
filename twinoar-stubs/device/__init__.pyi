"""Devices: this version computes on the CPU, where everything is done when a call returns."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import BFloat16Tensor as BFloat16Tensor
from twinoar import BoolTensor as BoolTensor
from twinoar import ByteTensor as ByteTensor
from twinoar import CharTensor as CharTensor
from twinoar import DoubleTensor as DoubleTensor
class Event:
    """Needs an accelerator: raises ArgumentError."""
    def __init__(self, **kwargs: Any) -> None: ...
from twinoar import FloatTensor as FloatTensor
from twinoar import HalfTensor as HalfTensor
class IPUPlace(twinoar._Place):
    """An IPU: making one raises ArgumentError."""
    def __init__(self) -> None: ...
from twinoar import IntTensor as IntTensor
from twinoar import LongTensor as LongTensor
from twinoar import ShortTensor as ShortTensor
class Stream:
    """Needs an accelerator: raises ArgumentError."""
    def __init__(self, **kwargs: Any) -> None: ...
from twinoar.cuda import StreamContext as StreamContext
from twinoar import XPUPlace as XPUPlace
from . import cuda as cuda
def current_stream(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
from twinoar.cuda import device as device
def device_count() -> builtins.int:
    """Number of accelerators: 0."""
def device_guard(device: builtins.str | None = None) -> collections.abc.Iterator[None]:
    """Note on the operators of the block where they would run; here they run on the CPU."""
def empty_cache() -> None:
    """Give back memory of accelerators that is not used: there is none."""
def get_all_custom_device_type() -> builtins.list[builtins.str]:
    """The kinds of devices that plug-ins have added: none."""
def get_all_device_type() -> builtins.list[builtins.str]:
    """The kinds of devices that this installation knows."""
def get_available_custom_device() -> builtins.list[builtins.str]:
    """The devices that plug-ins have added: none."""
def get_available_device() -> builtins.list[builtins.str]:
    """The devices that can be used now."""
from twinoar import get_cudnn_version as get_cudnn_version
from twinoar import get_device as get_device
def get_device_capability(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
def get_device_name(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
def get_device_properties(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
from twinoar import get_rng_state as get_rng_state
def get_stream_from_external(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
def ipc_collect(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
from twinoar.cuda import is_available as is_available
from twinoar.cuda import is_bf16_supported as is_bf16_supported
from twinoar import is_compiled_with_cinn as is_compiled_with_cinn
from twinoar import is_compiled_with_cuda as is_compiled_with_cuda
from twinoar import is_compiled_with_custom_device as is_compiled_with_custom_device
from twinoar import is_compiled_with_distribute as is_compiled_with_distribute
from twinoar import is_compiled_with_ipu as is_compiled_with_ipu
from twinoar import is_compiled_with_rocm as is_compiled_with_rocm
from twinoar import is_compiled_with_xpu as is_compiled_with_xpu
def is_current_stream_capturing() -> builtins.bool:
    """False: there are no streams on the CPU."""
from twinoar.cuda import manual_seed as manual_seed
def max_memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
def max_memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
def memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
def memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
def reset_max_memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
def reset_max_memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
def reset_peak_memory_stats(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
from twinoar import set_device as set_device
from twinoar.cuda import set_rng_state as set_rng_state
def set_stream(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator: raises ArgumentError."""
from twinoar.cuda import StreamContext as stream_guard
def synchronize(device: Any = None) -> None:
    """Wait until all is computed: on the CPU it is when a call returns."""
from . import xpu as xpu
