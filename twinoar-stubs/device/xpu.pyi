"""XPUs, where a plug-in serves the kind 'xpu'; this version has none of its own."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.cuda import Event as Event
from twinoar.cuda import Stream as Stream
def device_count() -> Any:
    """Number of devices; of accelerators where no kind is named."""
def empty_cache() -> Any:
    """Give back memory that is kept for later."""
def max_memory_allocated(device: Any = None) -> Any:
    """The most bytes that tensors held."""
def max_memory_reserved(device: Any = None) -> Any:
    """The most bytes that were taken from the device."""
def memory_allocated(device: Any = None) -> Any:
    """Bytes that tensors hold now."""
def memory_reserved(device: Any = None) -> Any:
    """Bytes that are taken from the device now."""
def memory_total(device: Any = None) -> builtins.int:
    """Bytes that an XPU has"""
def memory_used(device: Any = None) -> builtins.int:
    """Bytes that are taken from an XPU now"""
def reset_max_memory_allocated(device: Any = None) -> Any:
    """Count the most bytes from now on."""
def reset_max_memory_reserved(device: Any = None) -> Any:
    """Count the most bytes from now on."""
def set_debug_level(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU's own runtime: raises ArgumentError."""
def synchronize(device: Any = None) -> Any:
    """Wait until a device is done"""
