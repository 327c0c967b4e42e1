"""Where the time goes: a table of calls and times, by the names of Paddle 1.8.

Measured are the operators that run at once, and the runs of Programs; `Program.explain` tells more
of these.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.observer import OPERATOR, Call, announce, withdraw
from twinoar.errors import ArgumentError, ProgramError
from twinoar.fluid.absent import refusing
from twinoar.formats.atomic import StrPath, path_text

DEFAULT_PATH = str(Path(tempfile.gettempdir(), "profile"))
STATES = ("CPU", "GPU", "All")
OPTIONS = ("Default", "OpDetail", "AllOpDetail")
SORTS = {"calls": 1, "total": 2, "min": 3, "max": 4, "ave": 5}
HEADER = f"{'Event':<32}{'Calls':>8}{'Total ms':>12}{'Min ms':>10}{'Max ms':>10}{'Ave ms':>10}"


class _Session:
    """The times of a profile, by event: those of operators as it is told of them."""

    by_operator = False

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    def started(self, call: Call) -> float:
        return perf_counter()

    def ended(self, call: Call, results: Any, began: float) -> None:
        if call.kind == OPERATOR:
            self.add(call.name, perf_counter() - began)

    def add(self, event: str, seconds: float) -> None:
        self.times.setdefault(event, []).append(seconds * 1e3)

    def table(self, sorted_key: str | None) -> str:
        rows = [
            (name, len(t), sum(t), min(t), max(t), sum(t) / len(t))
            for name, t in self.times.items()
        ]
        if sorted_key not in (None, "default"):
            rows.sort(key=lambda row: row[SORTS[str(sorted_key)]], reverse=True)
        lines = [
            f"{n:<32}{c:>8}{total:>12.4f}{least:>10.4f}{most:>10.4f}{mean:>10.4f}"
            for n, c, total, least, most, mean in rows
        ]
        return "\n".join([HEADER, *lines])


_running: _Session | None = None


@contextmanager
def measured(event: str) -> Iterator[None]:
    """Note the time of the block under `event`, where a profile is running."""
    started = perf_counter()
    try:
        yield
    finally:
        if _running is not None:
            _running.add(event, perf_counter() - started)


def start_profiler(state: str, tracer_option: str = "Default") -> None:
    """Begin to measure. state: "CPU", "GPU" or "All", which all mean the CPU here.

    Raises ArgumentError for another state or tracer_option.
    """
    global _running
    if state not in STATES:
        raise ArgumentError(f"state must be one of {', '.join(STATES)}, received {state!r}")
    if tracer_option not in OPTIONS:
        raise ArgumentError(
            f"tracer_option must be one of {', '.join(OPTIONS)}, received {tracer_option!r}"
        )
    if _running is not None:
        return
    current().python_effect("a profiler")
    _running = _Session()
    announce(_running)


def stop_profiler(sorted_key: str | None = None, profile_path: StrPath = DEFAULT_PATH) -> None:
    """Print the table, and write it to the file `profile_path`.

    sorted_key: "calls", "total", "max", "min", "ave", or None for the order of the first calls.
    Raises ProgramError where nothing is measured, ArgumentError for another key.
    """
    global _running
    if sorted_key not in (None, "default", *SORTS):
        raise ArgumentError(
            f"sorted_key must be one of {', '.join(SORTS)}, received {sorted_key!r}"
        )
    if _running is None:
        raise ProgramError("no profile is running", cure="call start_profiler first")
    session, _running = _running, None
    withdraw(session)
    table = session.table(sorted_key)
    print(table)
    Path(path_text(profile_path)).write_text(table + "\n")


def reset_profiler() -> None:
    """Forget what was measured so far."""
    if _running is not None:
        _running.times.clear()


@contextmanager
def profiler(
    state: str,
    sorted_key: str | None = None,
    profile_path: StrPath = DEFAULT_PATH,
    tracer_option: str = "Default",
) -> Iterator[None]:
    """Measure the block, then print the table; see `start_profiler` and `stop_profiler`."""
    start_profiler(state, tracer_option)
    try:
        yield
    finally:
        stop_profiler(sorted_key, profile_path)


__getattr__ = refusing(
    __name__, {"cuda_profiler": "use fluid.profiler.profiler('CPU'): there is no GPU"}
)

__all__ = ["profiler", "reset_profiler", "start_profiler", "stop_profiler"]
