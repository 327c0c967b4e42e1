"""The profiler: records chosen steps, hands traces over, prints tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter, perf_counter_ns
from typing import Any, Literal

from twinoar.core.interpreter import current
from twinoar.core.op.explain import Told
from twinoar.errors import ArgumentError, ProgramError, UnsupportedError
from twinoar.inspection.chrome_trace import export_chrome_tracing, read_trace, write_trace
from twinoar.inspection.record import STEP, Event, Recording, record
from twinoar.inspection.schedule import RECORDING, ProfilerState, ProfilerTarget, scheduler_of
from twinoar.inspection.summary import UNITS, SortedKeys, SummaryView, summary_of

LOG_FOLDER = "./profiler_log/"


class ProfilerResult:
    """A trace: `events` in order of their end."""

    def __init__(self, events: Sequence[Event]):
        self.events = list(events)

    def save(self, path: str, format: str = "json") -> None:
        """Write the trace to the file `path`."""
        if format != "json":
            raise ArgumentError(f"format must be 'json', received {format!r}")
        write_trace(self.events, path)


def load_profiler_result(filename: str) -> ProfilerResult:
    """The trace in a file that `Profiler.export` wrote. Raises FileError for another file."""
    return ProfilerResult(read_trace(filename))


class Profiler(Told):
    """Measures what runs: a context manager, or `start()` and `stop()`; `step()` ends each step.

    targets: what to measure; the CPU is, whatever else is named. scheduler: a function from the
    step to its ProfilerState (see make_scheduler), or (start, end): the steps to record; None for
    all. on_trace_ready: called with the profiler when a trace is complete; None writes it to
    ./profiler_log/. record_shapes: note the shapes of operands. timer_only: measure the steps
    alone, for `step_info`.

    >>> profiler = twinoar.profiler.Profiler(on_trace_ready=lambda profiler: None)
    >>> with profiler:
    ...     x = twinoar.ones([2]) + 1.0
    >>> "add" in [event.name for event in profiler.profiler_result.events]
    True
    """

    def __init__(
        self,
        *,
        targets: Iterable[ProfilerTarget] | None = None,
        scheduler: Callable[[int], ProfilerState] | tuple[int, int] | None = None,
        on_trace_ready: Callable[[Profiler], Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        timer_only: bool = False,
        emit_nvtx: bool = False,
        custom_device_types: Sequence[str] = (),
        with_flops: bool = False,
    ):
        for asked, name in ((profile_memory, "profile_memory"), (emit_nvtx, "emit_nvtx")):
            if asked:
                raise UnsupportedError(f"{name} is not served", cure=f"leave {name} out")
        if with_flops:
            raise UnsupportedError("with_flops is not served", cure="count them with twinoar.flops")
        if targets is not None and ProfilerTarget.CPU not in (chosen := list(targets)):
            raise ArgumentError(f"targets must have ProfilerTarget.CPU, received {chosen}")
        self.scheduler = scheduler_of(scheduler)
        self.on_trace_ready = on_trace_ready or export_chrome_tracing(LOG_FOLDER)
        self.record_shapes, self.timer_only = record_shapes, timer_only
        self.step_num = 0
        self.current_state = ProfilerState.CLOSED
        self.profiler_result: ProfilerResult | None = None
        self._recording: Recording | None = None
        self._timer = StepTimer()
        self._step_start = 0

    def __enter__(self) -> Profiler:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin with step 0. Raises ConversionError while a function is converted."""
        current().python_effect("a profiler")
        self._timer.begin()
        self._step_start = perf_counter_ns()
        if not self.timer_only:
            self._enter(self.scheduler(self.step_num))

    def stop(self) -> None:
        """End the last step; a trace that was being recorded is handed over."""
        if self.timer_only:
            return
        was_recording = self.current_state in RECORDING
        self._end_step()
        if was_recording:
            self._hand_over()
        self.current_state = ProfilerState.CLOSED

    def step(self, num_samples: int | None = None) -> None:
        """The next step begins. num_samples: how many samples the last one worked on."""
        self._timer.step(num_samples)
        self.step_num += 1
        if self.timer_only:
            return
        before, now = self.current_state, self.scheduler(self.step_num)
        self._end_step()
        if before is ProfilerState.RECORD_AND_RETURN or (
            before in RECORDING and now not in RECORDING
        ):
            self._hand_over()
        self._enter(now)

    def step_info(self, unit: str | None = None) -> str:
        """The average time of the steps since this was asked last, and samples in a second.

        unit: what is counted; "samples" or, where no step said how many, "steps".
        """
        return self._timer.info(unit)

    def export(self, path: str = "", format: Literal["json"] = "json") -> None:
        """Write the last trace to the file `path`, in Chrome's format.

        Raises ProgramError before there is one, ArgumentError for another format.
        """
        self._result().save(path, format)

    def summary(
        self,
        sorted_by: SortedKeys = SortedKeys.CPUTotal,
        op_detail: bool = True,
        thread_sep: bool = False,
        time_unit: Literal["s", "ms", "us", "ns"] = "ms",
        views: SummaryView | list[SummaryView] | None = None,
    ) -> None:
        """Print the tables of the last trace: kinds, operators, own events, lines of your source.

        views: the parts to show; None for all. Raises ProgramError before there is a trace.
        """
        if time_unit not in UNITS:
            raise ArgumentError(
                f"time_unit must be one of {', '.join(UNITS)}, received {time_unit!r}"
            )
        shown = [views] if isinstance(views, SummaryView) else views
        print(summary_of(self._result().events, sorted_by, time_unit, shown))

    def _enter(self, state: ProfilerState) -> None:
        self.current_state = state
        if state in RECORDING and self._recording is None:
            self._recording = Recording(self.record_shapes)
            self._recording.start()

    def _end_step(self) -> None:
        if self._recording is not None:
            record(f"ProfileStep#{self.step_num}", STEP, self._step_start)
        self._step_start = perf_counter_ns()

    def _hand_over(self) -> None:
        recording, self._recording = self._recording, None
        if recording is not None:
            recording.stop()
            self.profiler_result = ProfilerResult(recording.events)
            self.on_trace_ready(self)

    def _result(self) -> ProfilerResult:
        if self.profiler_result is None:
            raise ProgramError(
                "there is no trace yet", cure="ask after stop(), or in on_trace_ready"
            )
        return self.profiler_result


class StepTimer:
    """The times of steps since they were asked for."""

    _samples: int | None

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """A step starts now, the first one."""
        self._last = perf_counter()
        self._forget()

    def step(self, samples: int | None) -> None:
        """The step ends, of so many samples, and the next one starts."""
        now = perf_counter()
        self._seconds += now - self._last
        self._last = now
        self._steps += 1
        if samples is not None:
            self._samples = (self._samples or 0) + samples

    def info(self, unit: str | None) -> str:
        """What `Profiler.step_info` says."""
        steps, seconds, samples = self._steps, self._seconds, self._samples
        self._forget()
        if not steps:
            return " batch_cost: 0.00000 s"
        count, counted = (steps, "steps") if samples is None else (samples, "samples")
        speed = count / seconds if seconds else 0.0
        return f" batch_cost: {seconds / steps:.5f} s ips: {speed:.3f} {unit or counted}/s"

    def _forget(self) -> None:
        self._steps, self._seconds = 0, 0.0
        self._samples = None
