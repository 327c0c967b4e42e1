"""GPUs by the names that PyTorch has for them: there are none in this version."""

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
    """Needs a GPU: raises ArgumentError."""
    def __init__(self, **kwargs: Any) -> None: ...
from twinoar import FloatTensor as FloatTensor
from twinoar import HalfTensor as HalfTensor
from twinoar import IntTensor as IntTensor
from twinoar import LongTensor as LongTensor
from twinoar import ShortTensor as ShortTensor
class Stream:
    """Needs a GPU: raises ArgumentError."""
    def __init__(self, **kwargs: Any) -> None: ...
def StreamContext(stream: Any = None) -> collections.abc.Iterator[None]:
    """Within the block operators run in `stream`: None, as the CPU has no streams."""
def check_error(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def cudart(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def current_device() -> builtins.int:
    """The number of the GPU that is used: 0."""
def current_stream(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
class device:
    """Within the block, `device` is the one of new tensors: 'cpu', a Place or None."""
    def __init__(self, device: Any = None) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *failure: Any) -> None: ...
    place: twinoar._Place
def device_count() -> builtins.int:
    """Number of GPUs: 0."""
def empty_cache() -> None:
    """Give back memory of GPUs that is not used: there is none."""
def get_device_capability(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def get_device_name(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def get_device_properties(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
from twinoar import get_rng_state as get_rng_state
def get_stream_from_external(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def ipc_collect(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def is_available() -> builtins.bool:
    """True if there is an accelerator: False."""
def is_bf16_supported(including_emulation: builtins.bool = True) -> builtins.bool:
    """True: bfloat16 is computed with, where the machine cannot by way of float32."""
def is_initialized() -> builtins.bool:
    """Whether a GPU is in use: False."""
def manual_seed(seed: Any) -> None:
    """Seed the random numbers, as `twinoar.seed` does."""
manual_seed_all = manual_seed
def max_memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def mem_get_info(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def memory_allocated(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def memory_reserved(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def reset_peak_memory_stats(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
def set_device(device: Any) -> None:
    """Use a GPU: raises ArgumentError, as there is none."""
def set_rng_state(new_state: Any, device: Any = None) -> None:
    """Go on from a state that `get_rng_state` gave, as `twinoar.set_rng_state` does."""
def set_stream(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU: raises ArgumentError."""
stream = StreamContext
def synchronize(device: Any = None) -> None:
    """Raise ArgumentError: there is no GPU to wait for."""
