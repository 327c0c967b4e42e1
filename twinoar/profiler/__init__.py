"""Where the time goes: operators, backward passes, Programs and events of your own."""

from twinoar.profiler.profiler import Profiler, load_profiler_result
from twinoar.profiler.record import RecordEvent
from twinoar.profiler.schedule import ProfilerState, ProfilerTarget, make_scheduler
from twinoar.profiler.summary import SortedKeys, SummaryView
from twinoar.profiler.trace import export_chrome_tracing, export_protobuf

__all__ = [
    "Profiler",
    "ProfilerState",
    "ProfilerTarget",
    "RecordEvent",
    "SortedKeys",
    "SummaryView",
    "export_chrome_tracing",
    "export_protobuf",
    "load_profiler_result",
    "make_scheduler",
]
