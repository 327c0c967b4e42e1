"""When a profiler records: states, and the steps that have them."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from twinoar.errors import ArgumentError


class ProfilerState(Enum):
    """What a profiler does in a step; after RECORD_AND_RETURN the trace is handed over."""

    CLOSED = 0
    READY = 1
    RECORD = 2
    RECORD_AND_RETURN = 3


class ProfilerTarget(Enum):
    """What can be profiled; here the CPU is what there is."""

    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM_DEVICE = 3


RECORDING = (ProfilerState.RECORD, ProfilerState.RECORD_AND_RETURN)


def make_scheduler(
    *, closed: int, ready: int, record: int, repeat: int = 0, skip_first: int = 0
) -> Callable[[int], ProfilerState]:
    """A function that gives the state of each step: closed, then ready, then recorded steps.

    skip_first: steps that are closed before all others. repeat: how often this happens; 0 for
    without end. Raises ArgumentError for negative numbers, and where nothing is recorded.

    >>> scheduler = twinoar.profiler.make_scheduler(closed=1, ready=1, record=2, repeat=1)
    >>> [scheduler(step).name for step in range(5)]
    ['CLOSED', 'READY', 'RECORD', 'RECORD_AND_RETURN', 'CLOSED']
    """
    if min(closed, ready, repeat, skip_first) < 0 or record < 1:
        raise ArgumentError(
            "the numbers of steps must not be negative, and record at least 1, received "
            f"closed={closed}, ready={ready}, record={record}, repeat={repeat}, "
            f"skip_first={skip_first}"
        )
    period = closed + ready + record

    def state_of(step: int) -> ProfilerState:
        if step < 0:
            raise ArgumentError(f"a step must be at least 0, received {step}")
        turn, place = divmod(step - skip_first, period)
        if turn < 0 or (repeat and turn >= repeat) or place < closed:
            return ProfilerState.CLOSED
        if place < closed + ready:
            return ProfilerState.READY
        return ProfilerState.RECORD if place < period - 1 else ProfilerState.RECORD_AND_RETURN

    return state_of


def scheduler_of(given: object) -> Callable[[int], ProfilerState]:
    """What a profiler's `scheduler` means: None records all, (start, end) those steps."""
    if given is None:
        return lambda step: ProfilerState.RECORD
    if callable(given):
        return given
    if not isinstance(given, (list, tuple)) or len(given) != 2 or not 0 <= given[0] < given[1]:
        raise ArgumentError(
            f"scheduler must be a function of the step, or (start, end), received {given!r}",
            cure="see make_scheduler",
        )
    start, end = given
    ready = min(start, 1)
    return make_scheduler(closed=start - ready, ready=ready, record=end - start, repeat=1)
