"""Work that another thread begins and that whoever needs its result waits for, or does.

What is done when depends on no clock: a result is used from the moment at which it is asked for,
whether or not the thread was there first.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from twinoar.runtime.allocator import hold_at_fork


class Job:
    """A call that runs once, on the thread that comes to it first."""

    __slots__ = ("_call", "_error", "_result")

    def __init__(self, call: Callable[[], Any]):
        self._call: Callable[[], Any] | None = call
        self._result: Any = None
        self._error: Exception | None = None

    def run(self) -> None:
        """Make the call, if nobody has."""
        call, self._call = self._call, None
        if call is None:
            return
        try:
            self._result = call()
        except Exception as error:  # raised where the result is asked for
            self._error = error

    @property
    def result(self) -> Any:
        """What the call gave. Raises what it raised."""
        if self._error is not None:
            raise self._error
        return self._result


class Behind:
    """Jobs that run one at a time, on a thread that is there while there are any."""

    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()
        self._thread: threading.Thread | None = None
        self._running = threading.Lock()  # also held by who forks: no child begins inside of a job
        hold_at_fork(self._running)

    def begin(self, call: Callable[[], Any]) -> Job:
        """A job, which another thread will come to."""
        job = Job(call)
        self._waiting.append(job)
        if self._thread is None or not self._thread.is_alive():
            # No daemon: Python, when it ends, waits for what LLVM is in the middle of.
            self._thread = threading.Thread(target=self._run, name="twinoar compiles")
            self._thread.start()
        return job

    def finished(self, call: Job | Callable[[], Any]) -> Any:
        """The result of a job, or of a call that was not begun. Raises what it raises."""
        job = call if isinstance(call, Job) else Job(call)
        with self._running:
            job.run()
        return job.result

    def _run(self) -> None:
        while self._waiting:
            try:
                job = self._waiting.popleft()
            except IndexError:
                return
            with self._running:
                job.run()
