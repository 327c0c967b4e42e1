"""What ran, from when to when: operators, backward passes, compiled Programs, own events."""

from __future__ import annotations

import threading
from dataclasses import field
from time import perf_counter_ns
from typing import Any, NamedTuple

from twinoar.core.observer import Call, announce, withdraw
from twinoar.core.values import Value
from twinoar.errors import user_line
from twinoar.late import dataclass

STEP, USER = "ProfileStep", "PythonUserDefined"


class Event(NamedTuple):
    """Something that ran. start, end: nanoseconds. detail: what else is known, such as shapes.

    line: the user's line that called it, `folder/model.py:31`; "" where there is none.
    """

    name: str
    kind: str
    thread: int
    start: int
    end: int
    detail: dict[str, Any] | None = None
    line: str = ""

    @property
    def duration(self) -> int:
        """Nanoseconds."""
        return self.end - self.start


@dataclass(eq=False)
class Recording:
    """The events from `start` to `stop`. shapes: whether operators come with those of operands."""

    shapes: bool = False
    events: list[Event] = field(default_factory=list)
    by_operator: bool = field(default=False, init=False)

    def start(self) -> None:
        """Begin to record, in all threads."""
        _active.append(self)
        announce(self)

    def stop(self) -> None:
        """Record no more."""
        withdraw(self)
        if self in _active:
            _active.remove(self)

    def started(self, call: Call) -> tuple[str, int]:
        """A call starts; its line is looked for before its time begins."""
        source = user_line()
        line = "" if source is None else f"{source.file}:{source.line}"
        return line, perf_counter_ns()

    def ended(self, call: Call, results: Any, began: tuple[str, int]) -> None:
        """It has run, or failed."""
        line, start = began
        shapes = [x.shape for x in call.operands if isinstance(x, Value)] if self.shapes else None
        self.add(call.name, call.kind, start, {"shapes": shapes} if shapes else None, line)

    def add(
        self,
        name: str,
        kind: str,
        start: int,
        detail: dict[str, Any] | None = None,
        line: str = "",
    ) -> None:
        """Note what ran from `start` until now."""
        end, thread = perf_counter_ns(), threading.get_ident()
        self.events.append(Event(name, kind, thread, start, end, detail, line))


_active: list[Recording] = []


def record(name: str, kind: str, start: int) -> None:
    """Note what ran from `start` until now, in every recording."""
    for recording in list(_active):
        recording.add(name, kind, start)


class RecordEvent:
    """A block of your own in the profile: a context manager, or `begin()` and `end()`.

    name: what it is called. event_type: its kind, shown in the trace.

    >>> with twinoar.profiler.RecordEvent("reading"):
    ...     x = twinoar.ones([2])
    """

    def __init__(self, name: str, event_type: Any = USER):
        self.name = name
        self.event_type = event_type
        self._start: int | None = None

    def __enter__(self) -> RecordEvent:
        self.begin()
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def begin(self) -> None:
        """The event starts now."""
        self._start = perf_counter_ns()

    def end(self) -> None:
        """The event ends now; without a begin nothing happens."""
        if self._start is not None:
            record(self.name, str(self.event_type), self._start)
            self._start = None
