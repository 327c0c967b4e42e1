"""The worker processes of a loader, seen from the loader."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import secrets
import signal
import sys
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import connection, resource_tracker
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.io.seeding import worker_seeds
from twinoar.io.slots import Files
from twinoar.io.source import End, Source
from twinoar.io.transport import FORK_LOCK, Inbox, receive, send, slots_of
from twinoar.io.worker import (
    Answer,
    Epoch,
    Failure,
    Stop,
    Task,
    WorkerError,
    WorkerSetup,
    WorkerTimeoutError,
    work,
)
from twinoar.late import dataclass
from twinoar.runtime.collective import has_joined, this_job

STOP_SECONDS = 1.0  # how long a worker may go on with its sample before it is ended
ENDED_EARLY = "an iteration over the loader was ended by a newer one"


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """How a pool works: `DataLoader` says what each of these is."""

    workers: int
    prefetch: int
    shared: bool
    timeout_seconds: float
    init: Callable[[int], None] | None


@dataclass(slots=True)
class Worker:
    """One process, and the loader's ends of its pipes."""

    process: BaseProcess
    tasks: connection.Connection
    answers: connection.Connection
    inbox: Inbox


class WorkerPool:
    """Processes that fetch batches of one source, in order.

    epoch: the number of the seeds. The processes end with `close()`, with the pool, or with the
    program, whichever comes first.
    """

    def __init__(self, source: Source, options: PoolOptions, epoch: int):
        self._options = options
        self._epoch = 0
        self._workers: list[Worker] = []
        self._close = weakref.finalize(self, _close, self._workers, os.getpid())
        prefix = f"twinoar-{os.getpid():x}-{secrets.token_hex(2)}"
        seeds = worker_seeds(epoch, options.workers)
        self._slots = slots_of(options.prefetch) if options.shared else 0
        for number, seed in enumerate(seeds):
            setup = WorkerSetup(
                id=number,
                workers=options.workers,
                seed=seed,
                source=source,
                init=options.init,
                prefix=f"{prefix}-{number}",
                shared=options.shared,
                parent_pid=os.getpid(),
                files=Files.of(f"{prefix}-{number}", self._slots),
            )
            with FORK_LOCK:
                self._start(setup)

    @property
    def closed(self) -> bool:
        """True once the processes have been told to end."""
        return not self._close.alive

    def close(self) -> None:
        """End the processes and remove their shared memory."""
        self._close()

    def batches(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """The batches of one epoch, in the order of the tasks; a stream ends by itself.

        Task i goes to worker i modulo their number; each has `prefetch` tasks in hand.
        Raises WorkerError where a worker failed or died, WorkerTimeoutError where one is late.
        """
        epoch = self._begin()
        remaining = iter(tasks)
        turns = itertools.cycle(range(len(self._workers)))
        pending: deque[int] = deque()
        first = itertools.islice(remaining, len(self._workers) * self._options.prefetch)
        for turn, task in zip(turns, first, strict=False):
            self._send(turn, task)
            pending.append(turn)
        while pending:
            turn = pending.popleft()
            batch = self._receive(turn, epoch)
            if batch is End:
                continue
            for task in itertools.islice(remaining, 1):
                self._send(turn, task)
                pending.append(turn)
            yield batch
            if self._epoch != epoch:
                raise ArgumentError(
                    f"{ENDED_EARLY}: with persistent_workers one iteration runs at a time",
                    cure="finish the first one, or use two loaders",
                )

    def _start(self, setup: WorkerSetup) -> None:
        context = _context()
        if setup.shared and not setup.files.descriptors:
            resource_tracker.ensure_running()  # one for all: a worker's own would end with it
        theirs, tasks = context.Pipe(duplex=False)
        answers, answering = context.Pipe(duplex=False)
        inherited = []
        if context.get_start_method() == "fork":
            others = [(other.tasks, other.answers) for other in self._workers]
            inherited = [tasks, answers, *itertools.chain.from_iterable(others)]
        process = context.Process(  # type: ignore[attr-defined]
            target=work,
            args=(setup, theirs, answering, inherited),
            name=f"twinoar-worker-{setup.id}",
            daemon=True,
        )
        _launch(process)
        theirs.close()
        answering.close()
        inbox = Inbox(setup.prefix, self._slots, setup.files)
        self._workers.append(Worker(process, tasks, answers, inbox))

    def _begin(self) -> int:
        """Start an epoch in all workers; answers to older ones are dropped from now on."""
        self._epoch += 1
        for number, worker in enumerate(self._workers):
            worker.inbox.forget()
            self._tell(number, Epoch(self._epoch))
        return self._epoch

    def _send(self, number: int, content: Any) -> None:
        self._tell(number, Task(content, self._workers[number].inbox.take()))

    def _tell(self, number: int, message: Any) -> None:
        try:
            send(self._workers[number].tasks, message)
        except (BrokenPipeError, ConnectionResetError):
            death = self._death(number)
            self.close()
            raise death from None

    def _receive(self, number: int, epoch: int) -> Any:
        """What worker `number` gives for its oldest task of this epoch: a batch, or `End`.

        The pool is closed where this does not come to its end: a message may be half read.
        """
        late = self._options.timeout_seconds
        deadline = time.monotonic() + late if late else None
        try:
            answer = self._next_answer(number, deadline)
            while answer.epoch != epoch:
                answer = self._next_answer(number, deadline)
            if isinstance(answer.content, Failure):
                raise _failed(number, answer.content)
            if answer.content is None:
                return End
            return self._workers[number].inbox.unpack(answer.content)
        except BaseException:
            self.close()
            raise

    def _next_answer(self, number: int, deadline: float | None) -> Answer:
        worker = self._workers[number]
        patience = None if deadline is None else max(deadline - time.monotonic(), 0.0)
        ready = connection.wait([worker.answers, worker.process.sentinel], patience)
        if not ready:
            raise WorkerTimeoutError(
                f"worker {number} gave no batch within {self._options.timeout_seconds:g} seconds",
                cure="a larger timeout (0: no limit), faster samples, smaller batches",
            )
        try:
            if worker.answers in ready or worker.answers.poll():
                answer: Answer = receive(worker.answers)
                worker.inbox.answered()
                return answer
        except (EOFError, OSError):
            raise self._death(number) from None
        raise self._death(number)

    def _death(self, number: int) -> WorkerError:
        process = self._workers[number].process
        process.join(STOP_SECONDS)
        how, cure = _cause(process.exitcode)
        return WorkerError(f"worker {number} (process {process.pid}) {how}", cure=cure)


def _close(workers: list[Worker], owner: int) -> None:
    """End `workers`, by asking, then by force; a forked copy of the owner does nothing."""
    if os.getpid() != owner:
        return
    for worker in workers:
        _ask_to_stop(worker)
    for by_force in (None, BaseProcess.terminate, BaseProcess.kill):
        deadline = time.monotonic() + STOP_SECONDS
        for worker in workers:
            if by_force is not None and worker.process.is_alive():
                by_force(worker.process)
        for worker in workers:
            worker.process.join(max(deadline - time.monotonic(), 0.0))
        if not any(worker.process.is_alive() for worker in workers):
            break
    for worker in workers:
        worker.inbox.remove()
        if not worker.process.is_alive():
            worker.process.close()  # its handle in this process
    workers.clear()


def _ask_to_stop(worker: Worker) -> None:
    try:
        send(worker.tasks, Stop())
    except OSError:
        worker.process.join(0)  # it has ended before
    worker.tasks.close()
    worker.answers.close()


def _launch(process: BaseProcess) -> None:
    try:
        process.start()
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ArgumentError(
            f"the dataset, collate_fn or worker_init_fn cannot be sent to a worker: {error}",
            cure="define their classes and functions at the top of a module, or num_workers=0",
        ) from error


def _context() -> BaseContext:
    """How processes are started: as the user has set, else forked where that is safe.

    Apple's libraries do not work in forked processes, and a process of an MPI job must not fork:
    the copy would have its connections.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    if chosen is None and has_joined() and this_job().started_by:
        chosen = "forkserver"
    can_fork = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    return multiprocessing.get_context(chosen or ("fork" if can_fork else "spawn"))


def _failed(number: int, failure: Failure) -> WorkerError:
    return WorkerError(
        f"{failure.name} in worker {number}: {failure.message}\n\n{failure.traceback.rstrip()}"
    )


def _cause(exitcode: int | None) -> tuple[str, str | None]:
    """How a process with this exit code ended, and the cure where one is known."""
    if exitcode is None or exitcode >= 0:
        return f"ended unexpectedly, with exit code {exitcode}", None
    name = signal.Signals(-exitcode).name
    cures = {
        "SIGKILL": "often the system ran out of memory: fewer workers or smaller batches",
        "SIGBUS": "shared memory is full: use_shared_memory=False, or give more (--shm-size)",
    }
    return f"was killed by {name}", cures.get(name)
