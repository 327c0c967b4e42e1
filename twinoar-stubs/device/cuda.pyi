"""GPUs: there are none in this version."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

class Event:
    """Needs a GPU: raises ArgumentError."""
    def __init__(self, **kwargs: Any) -> None: ...
class Stream:
    """Needs a GPU: raises ArgumentError."""
    def __init__(self, **kwargs: Any) -> None: ...
def current_stream(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
from twinoar.cuda import device_count as device_count
from twinoar.cuda import empty_cache as empty_cache
def get_device_capability(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def get_device_name(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def get_device_properties(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def max_memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def max_memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def memory_summary(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def reset_max_memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def reset_max_memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
from twinoar.cuda import StreamContext as stream_guard
from twinoar.cuda import synchronize as synchronize
def vmm_compact(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
