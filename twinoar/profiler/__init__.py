"""Where the time goes: operators, backward passes, Programs and events of your own."""

from twinoar.core.public import exported
from twinoar.inspection.chrome_trace import export_chrome_tracing, export_protobuf
from twinoar.inspection.profiler import Profiler, load_profiler_result
from twinoar.inspection.record import RecordEvent
from twinoar.inspection.schedule import ProfilerState, ProfilerTarget, make_scheduler
from twinoar.inspection.summary import SortedKeys, SummaryView

__all__ = exported(globals())
