"""GPUs by the names that PyTorch has for them, where a plug-in serves the kind 'gpu'."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.cuda
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import BFloat16Tensor as BFloat16Tensor
from twinoar import BoolTensor as BoolTensor
from twinoar import ByteTensor as ByteTensor
from twinoar import CharTensor as CharTensor
from twinoar import DoubleTensor as DoubleTensor
class Event:
    """A moment in the work of an accelerator"""
    def __init__(self, device: Any = None, enable_timing: builtins.bool = False, blocking: builtins.bool = False, interprocess: builtins.bool = False) -> None: ...
    def record(self, stream: twinoar.cuda.Stream | None = None) -> None:
        """Happen when the work of now in `stream`, or the current one, is done."""
    def query(self) -> builtins.bool:
        """Whether it has happened; True before it is recorded."""
    def synchronize(self) -> None:
        """Wait until it has happened."""
    def elapsed_time(self, end_event: twinoar.cuda.Event) -> builtins.float:
        """Milliseconds to another event"""
from twinoar import FloatTensor as FloatTensor
from twinoar import HalfTensor as HalfTensor
from twinoar import IntTensor as IntTensor
from twinoar import LongTensor as LongTensor
from twinoar import ShortTensor as ShortTensor
class Stream:
    """An order of work on an accelerator"""
    def __init__(self, device: Any = None, priority: Any = 2, stream_base: Any = None) -> None: ...
    @property
    def device(self) -> twinoar._Place:
        """Where it is."""
    def synchronize(self) -> None:
        """Wait until the work is done"""
    def query(self) -> builtins.bool:
        """Whether the work is done."""
    def record_event(self, event: twinoar.cuda.Event | None = None) -> twinoar.cuda.Event:
        """An event that happens when the work of now is done."""
    def wait_event(self, event: twinoar.cuda.Event) -> None:
        """Let later work wait for an event, which on the same device it does in any case."""
    def wait_stream(self, stream: twinoar.cuda.Stream) -> None:
        """Let later work wait for that of another stream."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
def StreamContext(stream: twinoar.cuda.Stream | None = None) -> collections.abc.Iterator[None]:
    """Within the block operators run in `stream`; None changes nothing."""
def check_error(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU's own runtime: raises ArgumentError."""
def cudart(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU's own runtime: raises ArgumentError."""
def current_device() -> builtins.int:
    """The number of the GPU that is used: 0."""
def current_stream(device: Any = None) -> Any:
    """The stream that operators run in."""
class device:
    """Within the block, `device` is the one of new tensors: 'cpu', 'gpu:0', a Place or None."""
    def __init__(self, device: Any = None) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *failure: Any) -> None: ...
    place: twinoar._Place
def device_count() -> Any:
    """Number of devices; of accelerators where no kind is named."""
def empty_cache() -> Any:
    """Give back memory that is kept for later."""
def get_device_capability(device: Any = None) -> Any:
    """The version of a device: major, minor."""
def get_device_name(device: Any = None) -> Any:
    """The name of a device."""
def get_device_properties(device: Any = None) -> Any:
    """Name, memory and version of a device."""
from twinoar import get_rng_state as get_rng_state
def get_stream_from_external(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU's own runtime: raises ArgumentError."""
def ipc_collect(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU's own runtime: raises ArgumentError."""
def is_available() -> builtins.bool:
    """True if there is an accelerator."""
def is_bf16_supported(including_emulation: builtins.bool = True) -> builtins.bool:
    """True: bfloat16 is computed with, where the machine cannot by way of float32."""
def is_initialized() -> builtins.bool:
    """Whether a GPU is in use: False."""
def manual_seed(seed: Any) -> None:
    """Seed the random numbers, as `twinoar.seed` does."""
manual_seed_all = manual_seed
def max_memory_allocated(device: Any = None) -> Any:
    """The most bytes that tensors held."""
def mem_get_info(*args: Any, **kwargs: Any) -> Any:
    """Needs a GPU's own runtime: raises ArgumentError."""
def memory_allocated(device: Any = None) -> Any:
    """Bytes that tensors hold now."""
def memory_reserved(device: Any = None) -> Any:
    """Bytes that are taken from the device now."""
def reset_peak_memory_stats(device: Any = None) -> Any:
    """Count the most bytes from now on."""
def set_device(device: Any) -> None:
    """Use a GPU: raises ArgumentError, as there is none."""
def set_rng_state(new_state: Any, device: Any = None) -> None:
    """Go on from a state that `get_rng_state` gave, as `twinoar.set_rng_state` does."""
def set_stream(stream: twinoar.cuda.Stream) -> twinoar.cuda.Stream:
    """Let operators run in `stream`; returns the stream of before."""
stream = StreamContext
def synchronize(device: Any = None) -> Any:
    """Wait until a device is done"""
