"""What ran, from when to when: operators at once, backward passes, compiled Programs, own events.

While nothing is recorded nothing is watched: the methods that are timed are exchanged when the
first recording starts, and put back when the last one ends.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any, NamedTuple

from twinoar.backends.native.executable import NativeExecutable
from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.values import Value
from twinoar.eager.interpreter import Eager

OPERATOR, BACKWARD, PROGRAM = "Operator", "Backward", "Program"
STEP, USER = "ProfileStep", "PythonUserDefined"


class Event(NamedTuple):
    """Something that ran. start, end: nanoseconds. detail: what else is known, such as shapes."""

    name: str
    kind: str
    thread: int
    start: int
    end: int
    detail: dict[str, Any] | None = None

    @property
    def duration(self) -> int:
        """Nanoseconds."""
        return self.end - self.start


@dataclass
class Recording:
    """The events from `start` to `stop`. shapes: whether operators come with those of operands."""

    shapes: bool = False
    events: list[Event] = field(default_factory=list)

    def start(self) -> None:
        """Begin to record."""
        with _lock:
            if not _active:
                _exchange(_timed)
            _active.append(self)

    def stop(self) -> None:
        """Record no more."""
        with _lock:
            if self in _active:
                _active.remove(self)
                if not _active:
                    _exchange(lambda method, name_of, kind: method)


_lock = threading.Lock()
_active: list[Recording] = []


def record(name: str, kind: str, start: int, operands: tuple[Any, ...] = ()) -> None:
    """Note what ran from `start` until now, in every recording."""
    end, thread = perf_counter_ns(), threading.get_ident()
    for recording in list(_active):
        shapes = [x.shape for x in operands if isinstance(x, Value)] if recording.shapes else None
        detail = {"shapes": shapes} if shapes else None
        recording.events.append(Event(name, kind, thread, start, end, detail))


def _timed(method: Callable[..., Any], name_of: Callable[..., str], kind: str) -> Any:
    @functools.wraps(method)
    def timed(self: Any, *args: Any, **kwargs: Any) -> Any:
        start = perf_counter_ns()
        try:
            return method(self, *args, **kwargs)
        finally:
            operands = args[1] if kind == OPERATOR else ()
            record(name_of(self, *args), kind, start, operands)

    return timed


def _name_of_program(executable: Any, *args: Any) -> str:
    return str(executable.program.name)


METHODS = [
    (Eager, "apply", Eager.apply, lambda self, op, *rest: op.name, OPERATOR),
    (Eager, "backward", Eager.backward, lambda *args: "backward", BACKWARD),
    (Eager, "grad", Eager.grad, lambda *args: "grad", BACKWARD),
    (NumpyExecutable, "execute", NumpyExecutable.execute, _name_of_program, PROGRAM),
    (NativeExecutable, "execute", NativeExecutable.execute, _name_of_program, PROGRAM),
]


def _exchange(made_of: Callable[..., Any]) -> None:
    """Give each class what `made_of` makes of its plain method."""
    for owner, name, method, name_of, kind in METHODS:
        setattr(owner, name, made_of(method, name_of, kind))


class RecordEvent:
    """A block of your own in the profile: a context manager, or `begin()` and `end()`.

    name: what it is called. event_type: its kind, shown in the trace.

    >>> import twinoar
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
