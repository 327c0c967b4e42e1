"""XPUs: there are none in this version."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

class Event:
    """Needs an XPU: raises ArgumentError."""
    def __init__(self, **kwargs: Any) -> None: ...
class Stream:
    """Needs an XPU: raises ArgumentError."""
    def __init__(self, **kwargs: Any) -> None: ...
def device_count() -> builtins.int:
    """Number of XPUs: 0."""
def empty_cache() -> None:
    """Give back memory of XPUs that is not used: there is none."""
def max_memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU: raises ArgumentError."""
def max_memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU: raises ArgumentError."""
def memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU: raises ArgumentError."""
def memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU: raises ArgumentError."""
def memory_total(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU: raises ArgumentError."""
def memory_used(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU: raises ArgumentError."""
def reset_max_memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU: raises ArgumentError."""
def reset_max_memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU: raises ArgumentError."""
def set_debug_level(*args: Any, **kwargs: Any) -> Any:
    """Needs an XPU: raises ArgumentError."""
def synchronize(device: Any = None) -> None:
    """Raise ArgumentError: there is no XPU to wait for."""
