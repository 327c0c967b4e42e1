"""GPUs, where a plug-in serves the kind 'gpu'; this version has none of its own."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.cuda import Event as Event
from twinoar.cuda import Stream as Stream
from twinoar.cuda import current_stream as current_stream
from twinoar.cuda import device_count as device_count
from twinoar.cuda import empty_cache as empty_cache
from twinoar.cuda import get_device_capability as get_device_capability
from twinoar.cuda import get_device_name as get_device_name
from twinoar.cuda import get_device_properties as get_device_properties
from twinoar.cuda import max_memory_allocated as max_memory_allocated
def max_memory_reserved(device: Any = None) -> Any:
    """The most bytes that were taken from the device."""
from twinoar.cuda import memory_allocated as memory_allocated
from twinoar.cuda import memory_reserved as memory_reserved
def memory_summary(device: Any = None) -> None:
    """Print how much memory of a GPU is in use"""
from twinoar.cuda import reset_peak_memory_stats as reset_max_memory_allocated
def reset_max_memory_reserved(device: Any = None) -> Any:
    """Count the most bytes from now on."""
from twinoar.cuda import StreamContext as stream_guard
from twinoar.cuda import synchronize as synchronize
def vmm_compact(*args: Any, **kwargs: Any) -> Any:
    """Needs NVIDIA's own memory manager: raises ArgumentError."""
