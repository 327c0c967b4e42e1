"""Work that goes on beside the caller: a task for each collective that nobody waits for at once."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from twinoar.errors import DistributedError

HEARD_SECONDS = 0.1  # a wait of a lock is so short that Ctrl-C is heard


class Task:
    """Work that was begun. `wait` is where its errors are raised.

    >>> Task.done().wait()
    True
    """

    def __init__(self, finish: Callable[[], None] | None = None):
        self._finish = finish
        self._ended = threading.Event()
        self._error: BaseException | None = None
        self._lock = threading.Lock()
        self.is_told = False  # its error has been raised where somebody waited

    @classmethod
    def done(cls) -> Task:
        """A task that has ended."""
        task = cls()
        task.end()
        return task

    def finishes(self, finish: Callable[[], None]) -> None:
        """Let `wait` call this once the work has ended."""
        self._finish = finish

    def end(self, error: BaseException | None = None) -> None:
        """Say that the work has ended, or failed."""
        self._error = error
        self._ended.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the work has ended, and what it brings is where it belongs.

        timeout: seconds. Returns True. Raises what the work raised, DistributedError after timeout.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while not self._ended.wait(HEARD_SECONDS):
            if end is None or time.monotonic() < end:
                continue
            raise DistributedError(f"a task has not ended after {timeout} seconds")
        with self._lock:  # two threads may wait for one task
            finish, self._finish = self._finish, None
            if self._error is None and finish is not None:
                finish()
        if self._error is not None:
            self.is_told = True
            raise self._error
        return True

    def is_completed(self) -> bool:
        """Whether the work has ended; `wait` is still what brings its result."""
        return self._ended.is_set()

    def synchronize(self) -> None:
        """As `wait`."""
        self.wait()


class Queue:
    """Works of one communicator, done one after the other by a thread that is there while needed.

    Collectives of one group must start in the same order on all ranks, so one thread it is.
    """

    def __init__(self) -> None:
        self._works: deque[tuple[Callable[[], Any], Task]] = deque()
        self._unfinished: deque[Task] = deque()  # whose results nobody has waited for
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def put(self, work: Callable[[], Any], task: Task) -> None:
        """Do `work` after what was put before it, and end `task` with it."""
        with self._changed:
            self._works.append((work, task))
            self._unfinished.append(task)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()

    def drain(self) -> None:
        """Wait until all works are done, and what they bring is where it belongs.

        Returns at once where the thread itself asks. Raises what a work raised, if no wait has.
        """
        if self._thread is None and not self._unfinished:
            return  # as nearly always: no lock for it
        if self._thread is threading.current_thread():
            return
        with self._changed:
            while self._thread is not None:
                self._changed.wait(HEARD_SECONDS)
        while self._unfinished:
            task = self._unfinished.popleft()
            if not task.is_told:
                task.wait()

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._works:
                    self._thread = None
                    self._changed.notify_all()
                    return
                work, task = self._works.popleft()
            try:
                work()
            except BaseException as error:  # it is raised where somebody waits
                task.end(error)
            else:
                task.end()
