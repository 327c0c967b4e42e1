"""Requests become batches, and batches are run by the instances of a model.

Batches form while all instances are busy, and by waiting a little where the policy says so. Each
instance has a thread; a caller that waits anyway runs a batch itself where an instance is free, as
handing it over and back would cost more than most of what else is done. No protocol is known here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twinoar.errors import ServingError
from twinoar.serving.batch import split, stacked
from twinoar.serving.queue import RequestQueue
from twinoar.serving.request import Arrays, Request, Stage
from twinoar.serving.statistics import Execution, Statistics
from twinoar.serving.status import status_of

Execute = Callable[[Arrays], Arrays]
MOST_PADDING = 0.25  # of a batch's rows: on processors a row costs about the same in any batch
MOST_HELPERS = 8  # threads of callers that run batches: OpenMP keeps a team of threads for each


@dataclass(frozen=True, slots=True)
class BatchPolicy:
    """How batches are made.

    max_rows: the most in one, 0 for a model without a batch axis. delay_seconds: how long the
    oldest request may wait for others. preferred: sizes that are run without waiting further.
    sizes: those that are run; a batch is filled up to the next by its last row again, or where that
    would be many rows, has as many as the size below and leaves the others to the next batch. Empty
    for any size.
    """

    max_rows: int = 0
    delay_seconds: float = 0.0
    preferred: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()

    def goal(self, rows: int) -> int | None:
        """The size of the batch to be run at once where so many rows wait, or None."""
        wanted = self.preferred or (max(self.max_rows, 1),)
        reached = [size for size in wanted if size <= rows]
        return max(reached) if reached and max(reached) == max(wanted) else None

    def padded(self, rows: int) -> int:
        """The size with which so many rows are run."""
        return min((size for size in self.sizes if size >= rows), default=rows)

    def taken(self, rows: int) -> int:
        """How many rows to run at once where so many wait.

        >>> [BatchPolicy(8, sizes=(1, 2, 4, 8)).taken(n) for n in range(1, 10)]
        [1, 2, 2, 4, 4, 4, 7, 8, 8]
        """
        rows = min(rows, max(self.max_rows, 1))
        if self.padded(rows) - rows <= rows * MOST_PADDING:
            return rows
        return max((size for size in self.sizes if size < rows), default=rows)


class Scheduler:
    """Runs what is submitted, on one thread for each of `instances`, or those of callers that wait.

    moves: whether any thread may run an instance, as long as it is one at a time.

    >>> import numpy as np
    >>> scheduler = Scheduler([lambda inputs: {"y": inputs["x"] + 1}], BatchPolicy(max_rows=8))
    >>> request = Request({"x": np.zeros((1, 2))})
    >>> scheduler.submit(request)
    >>> request.result()
    {'y': array([[1., 1.]])}
    >>> scheduler.close()
    True
    """

    def __init__(
        self,
        instances: Sequence[Execute],
        policy: BatchPolicy,
        queue: RequestQueue | None = None,
        statistics: Statistics | None = None,
        *,
        name: str = "model",
        moves: bool = True,
    ):
        self.policy, self.name, self.moves = policy, name, moves
        stacks = policy.max_rows > 0
        self.queue = RequestQueue(stacks=stacks) if queue is None else queue
        self.statistics = statistics or Statistics()
        self.running = 0
        self._free = list(instances)
        self._helpers: set[int] = set()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)  # a request came, or the end
        self._idle = threading.Condition(self._lock)  # a batch has been run
        self._timed = threading.Condition(self._lock)  # the next deadline is another
        self._closes = False
        self._clock: threading.Thread | None = None
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{n}", daemon=True)
            for n in range(len(instances))
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, request: Request) -> None:
        """Let a request wait for its turn; its future has the outputs, or the error.

        One that `waits` may be run before this returns. Raises ServingError where the queue is full
        or the scheduler closes; the request may then be submitted elsewhere.
        """
        with self._lock:
            if self._closes:
                raise ServingError(f"{self.name} is being unloaded", "UNAVAILABLE")
            self.queue.add(request, time.monotonic())
            request.withdraw = self._withdraw
            taken = self._taken() if request.waits and self._may_help() else None
            if taken is None:
                self._changed.notify()
                if request.deadline is not None:
                    self._watch()
            elif request.deadline is not None:
                self.queue.next_deadline()  # which forgets those that are taken
        if taken is not None:
            self._run_taken(*taken)

    def _may_help(self) -> bool:
        """Whether this thread, of a caller, may run a batch; under the lock."""
        if not self.moves:
            return False
        thread = threading.get_ident()
        if thread not in self._helpers and len(self._helpers) < MOST_HELPERS:
            self._helpers.add(thread)
        return thread in self._helpers

    def pending(self) -> int:
        """How many requests wait."""
        with self._lock:
            return len(self.queue)

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Take no more, run what waits, and end the threads; whether all was done in time.

        What is not done by then is refused, so that nobody waits for ever.
        """
        with self._lock:
            self._closes = True
            self._changed.notify_all()
            self._timed.notify_all()
            finished = self._idle.wait_for(
                lambda: not len(self.queue) and not self.running, timeout_seconds
            )
            left = [] if finished else self.queue.take_all()
        for request in left:
            self._refuse(request, ServingError(f"{self.name} was unloaded", "UNAVAILABLE"))
        return finished

    def _withdraw(self, request: Request) -> None:
        with self._lock:
            waited = self.queue.remove(request)
            self._idle.notify_all()
        if waited:
            self.statistics.failed(time.monotonic() - request.arrival, "CANCELLED")

    # Threads of the instances.

    def _work(self) -> None:
        while True:
            with self._lock:
                taken = self._next_taken()
            if taken is None:
                return
            self._run_taken(*taken)

    def _next_taken(self) -> tuple[Execute, list[Request]] | None:
        """Wait for the next batch and an instance; None when the scheduler has closed."""
        while True:
            taken = self._taken()
            if taken is not None:
                return taken
            first = self.queue.oldest()
            if first is None and self._closes:
                return None
            late = first is not None and bool(self._free)
            self._changed.wait(self._left(first) if first is not None and late else None)

    def _taken(self) -> tuple[Execute, list[Request]] | None:
        """A free instance and the batch that is to be run now, None where there is none."""
        first = self.queue.oldest()
        if first is None or not self._free:
            return None
        waiting = self.queue.rows_beside(first)
        goal = self.policy.goal(waiting)
        whole = goal is not None or self._closes or not self.policy.max_rows
        if not whole and self._left(first) > 0:
            return None
        self.running += 1
        return self._free.pop(), self.queue.take(goal or self.policy.taken(waiting))

    def _left(self, first: Request) -> float:
        """The seconds that a batch may still wait for others."""
        return first.arrival + self.policy.delay_seconds - time.monotonic()

    def _run_taken(self, run: Execute, batch: list[Request]) -> None:
        """Run a batch, and give the instance back."""
        try:
            self._run(run, batch)
        finally:
            with self._lock:
                self.running -= 1
                self._free.append(run)
                if self._closes:
                    self._changed.notify_all()
                elif len(self.queue):
                    self._changed.notify()
                self._idle.notify_all()

    def _run(self, run: Execute, batch: list[Request]) -> None:
        """Run a batch; where it fails, each request by itself, so that only a bad one fails."""
        taken = time.monotonic()
        rows = sum(request.rows for request in batch)
        try:
            parts, seconds = self._outputs(run, batch, rows)
        except BaseException as error:
            if len(batch) == 1:
                self._refuse(batch[0], error)
                return
            for request in batch:
                self._run(run, [request])
            return
        self.statistics.executed(Execution(rows, len(batch), seconds))
        self._tell(batch, taken, seconds, rows)
        for request, outputs in zip(batch, parts, strict=True):
            now = time.monotonic()
            with self.statistics.lock:
                if request.succeed(outputs):
                    self.statistics.succeeded(now - request.arrival, taken - request.arrival)

    def _tell(
        self, batch: list[Request], taken: float, seconds: tuple[float, float, float], rows: int
    ) -> None:
        """Write into the stages of those that want it when they waited and ran."""
        ran = taken + seconds[0]
        ended = ran + seconds[1]
        told: dict[str, str | int] = {"model": self.name, "rows": rows, "requests": len(batch)}
        for request in batch:
            if request.stages is not None:
                request.stages += (
                    Stage("queue", request.arrival, taken, {"model": self.name}),
                    Stage("batch", taken, ran, told),
                    Stage("run", ran, ended, told),
                )

    def _outputs(
        self, run: Execute, batch: list[Request], rows: int
    ) -> tuple[list[Arrays], tuple[float, float, float]]:
        """The outputs of each request, and the seconds of stacking, running and splitting."""
        start = time.perf_counter()
        batches = self.policy.max_rows > 0
        size = self.policy.padded(rows) if batches else rows
        inputs = stacked(batch, size) if batches else batch[0].inputs
        stacking = time.perf_counter()
        outputs = run(inputs)
        ran = time.perf_counter()
        parts = split(outputs, batch, size) if batches else [outputs]
        return parts, (stacking - start, ran - stacking, time.perf_counter() - ran)

    def _refuse(self, request: Request, error: BaseException) -> None:
        with self.statistics.lock:
            if request.fail(error):
                self.statistics.failed(time.monotonic() - request.arrival, status_of(error).grpc)

    # Deadlines.

    def _watch(self) -> None:
        """See to deadlines, from the first request on that has one; under the lock."""
        if self._clock is None:
            self._clock = threading.Thread(
                target=self._expire, name=f"{self.name}-clock", daemon=True
            )
            self._clock.start()
        else:
            self._timed.notify()

    def _expire(self) -> None:
        while True:
            with self._lock:
                now = time.monotonic()
                late = self.queue.expire(now)
                if not late:
                    following = self.queue.next_deadline()
                    if self._closes and following is None:
                        return
                    self._timed.wait(None if following is None else following - now)
                    continue
                self._idle.notify_all()
            for request in late:
                waited = time.monotonic() - request.arrival
                message = f"the request waited {waited:.3f} s, longer than its timeout"
                self._refuse(request, ServingError(message, "DEADLINE_EXCEEDED"))
