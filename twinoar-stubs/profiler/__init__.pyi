"""Where the time goes: operators, backward passes, Programs and events of your own."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import enum
import twinoar.profiler
from typing import Any, Literal, overload

import numpy as _numpy

class Profiler:
    """Measures what runs: a context manager, or `start()` and `stop()`; `step()` ends each step."""
    def __init__(self, *, targets: collections.abc.Iterable[twinoar.profiler.ProfilerTarget] | None = None, scheduler: collections.abc.Callable[[builtins.int], twinoar.profiler.ProfilerState] | builtins.tuple[Any, Any] | None = None, on_trace_ready: collections.abc.Callable[[twinoar.profiler.Profiler], Any] | None = None, record_shapes: builtins.bool = False, profile_memory: builtins.bool = False, timer_only: builtins.bool = False, emit_nvtx: builtins.bool = False, custom_device_types: collections.abc.Sequence[builtins.str] = ..., with_flops: builtins.bool = False) -> None: ...
    def __enter__(self) -> twinoar.profiler.Profiler: ...
    def __exit__(self, *error: Any) -> None: ...
    def start(self) -> None:
        """Begin with step 0"""
    def stop(self) -> None:
        """End the last step; a trace that was being recorded is handed over."""
    def step(self, num_samples: Any = None) -> None:
        """The next step begins"""
    def step_info(self, unit: builtins.str | None = None) -> builtins.str:
        """The average time of the steps since this was asked last, and samples in a second."""
    def export(self, path: builtins.str = '', format: Literal['json'] = 'json') -> None:
        """Write the last trace to the file `path`, in Chrome's format."""
    def summary(self, sorted_by: twinoar.profiler.SortedKeys = ..., op_detail: builtins.bool = True, thread_sep: builtins.bool = False, time_unit: Literal['s', 'ms', 'us', 'ns'] = 'ms', views: twinoar.profiler.SummaryView | builtins.list[twinoar.profiler.SummaryView] | None = None) -> None:
        """Print the tables of the last trace: kinds, operators, own events, lines of your source."""
    scheduler: Any
    on_trace_ready: Any
    record_shapes: builtins.bool
    timer_only: builtins.bool
    step_num: Any
    current_state: Any
    profiler_result: Any
class ProfilerState(enum.Enum):
    """What a profiler does in a step; after RECORD_AND_RETURN the trace is handed over."""
    CLOSED = 0
    READY = 1
    RECORD = 2
    RECORD_AND_RETURN = 3
class ProfilerTarget(enum.Enum):
    """What can be profiled; here the CPU is what there is."""
    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM_DEVICE = 3
class RecordEvent:
    """A block of your own in the profile: a context manager, or `begin()` and `end()`."""
    def __init__(self, name: builtins.str, event_type: Any = 'PythonUserDefined') -> None: ...
    def __enter__(self) -> twinoar.profiler.RecordEvent: ...
    def __exit__(self, *error: Any) -> None: ...
    def begin(self) -> None:
        """The event starts now."""
    def end(self) -> None:
        """The event ends now; without a begin nothing happens."""
    name: builtins.str
    event_type: Any
class SortedKeys(enum.Enum):
    """What the rows of a summary are sorted by; there is no GPU, so its times are the CPU's."""
    CPUTotal = 0
    CPUAvg = 1
    CPUMax = 2
    CPUMin = 3
    GPUTotal = 4
    GPUAvg = 5
    GPUMax = 6
    GPUMin = 7
class SummaryView(enum.Enum):
    """The parts of a summary; LineView, by lines of your source, is twinoar's own."""
    DeviceView = 0
    OverView = 1
    ModelView = 2
    DistributedView = 3
    KernelView = 4
    OperatorView = 5
    MemoryView = 6
    MemoryManipulationView = 7
    UDFView = 8
    LineView = 9
def export_chrome_tracing(dir_name: builtins.str, worker_name: builtins.str | None = None) -> collections.abc.Callable[[Any], None]:
    """What a profiler's `on_trace_ready` may be: writes each trace to a file of its own."""
def export_protobuf(dir_name: builtins.str, worker_name: builtins.str | None = None) -> collections.abc.Callable[[Any], None]:
    """Raises UnsupportedError: traces are written in Chrome's form alone."""
def load_profiler_result(filename: builtins.str) -> twinoar.profiler._ProfilerResult:
    """The trace in a file that `Profiler.export` wrote"""
def make_scheduler(*, closed: Any, ready: Any, record: Any, repeat: Any = 0, skip_first: Any = 0) -> collections.abc.Callable[[builtins.int], twinoar.profiler.ProfilerState]:
    """A function that gives the state of each step: closed, then ready, then recorded steps."""
class _ProfilerResult:
    """A trace: `events` in order of their end."""
    def __init__(self, events: collections.abc.Sequence[Any]) -> None: ...
    def save(self, path: builtins.str, format: builtins.str = 'json') -> None:
        """Write the trace to the file `path`."""
    events: Any
