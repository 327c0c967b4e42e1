"""Devices: the CPU, where everything is done when a call returns, and those that plug-ins serve."""

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
from twinoar.cuda import Event as Event
from twinoar import FloatTensor as FloatTensor
from twinoar import HalfTensor as HalfTensor
class IPUPlace(twinoar._Place):
    """An IPU: making one raises ArgumentError."""
    def __init__(self) -> None: ...
from twinoar import IntTensor as IntTensor
from twinoar import LongTensor as LongTensor
from twinoar import ShortTensor as ShortTensor
from twinoar.cuda import Stream as Stream
from twinoar.cuda import StreamContext as StreamContext
from twinoar import XPUPlace as XPUPlace
from . import cuda as cuda
def current_stream(device: Any = None) -> Any:
    """The stream that operators run in."""
from twinoar.cuda import device as device
def device_count() -> Any:
    """Number of devices; of accelerators where no kind is named."""
def device_guard(device: builtins.str | None = None) -> collections.abc.Iterator[None]:
    """Note on the operators of the block where they would run."""
def empty_cache() -> Any:
    """Give back memory that is kept for later."""
def get_all_custom_device_type() -> builtins.list[builtins.str]:
    """The kinds of devices that plug-ins have added under names of their own."""
def get_all_device_type() -> builtins.list[builtins.str]:
    """The kinds of devices that this installation knows."""
def get_available_custom_device() -> builtins.list[builtins.str]:
    """The devices of these kinds."""
def get_available_device() -> builtins.list[builtins.str]:
    """The devices that can be used now."""
from twinoar import get_cudnn_version as get_cudnn_version
from twinoar import get_device as get_device
def get_device_capability(device: Any = None) -> Any:
    """The version of a device: major, minor."""
def get_device_name(device: Any = None) -> Any:
    """The name of a device."""
def get_device_properties(device: Any = None) -> Any:
    """Name, memory and version of a device."""
from twinoar import get_rng_state as get_rng_state
def get_stream_from_external(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator's own runtime: raises ArgumentError."""
def ipc_collect(*args: Any, **kwargs: Any) -> Any:
    """Needs an accelerator's own runtime: raises ArgumentError."""
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
def max_memory_allocated(device: Any = None) -> Any:
    """The most bytes that tensors held."""
def max_memory_reserved(device: Any = None) -> Any:
    """The most bytes that were taken from the device."""
def memory_allocated(device: Any = None) -> Any:
    """Bytes that tensors hold now."""
def memory_reserved(device: Any = None) -> Any:
    """Bytes that are taken from the device now."""
def reset_max_memory_allocated(device: Any = None) -> Any:
    """Count the most bytes from now on."""
def reset_max_memory_reserved(device: Any = None) -> Any:
    """Count the most bytes from now on."""
def reset_peak_memory_stats(device: Any = None) -> None:
    """Count the most bytes that tensors hold from now on."""
from twinoar import set_device as set_device
from twinoar.cuda import set_rng_state as set_rng_state
from twinoar.cuda import set_stream as set_stream
from twinoar.cuda import StreamContext as stream_guard
def synchronize(device: Any = None) -> Any:
    """Wait until a device is done"""
from . import xpu as xpu
