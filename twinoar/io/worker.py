"""What runs in a loader's worker process, and the messages between the two."""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from twinoar.core.op.explain import told
from twinoar.errors import TwinoarError
from twinoar.io import collate
from twinoar.io.seeding import seed_worker
from twinoar.io.slots import Files
from twinoar.io.source import End, Source
from twinoar.io.transport import Outbox, Parcel, receive, send
from twinoar.late import dataclass

PARENT_CHECK_SECONDS = 1.0  # how long a worker may outlive a loader that was killed


class WorkerError(TwinoarError, RuntimeError):
    """A worker process of a DataLoader raised an exception, or died."""


class WorkerTimeoutError(WorkerError, TimeoutError):
    """A worker process of a DataLoader did not give a batch in time."""

    __str__ = TwinoarError.__str__


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """Which worker this process is.

    id: 0 to num_workers - 1. dataset: this worker's copy. seed: what `np.random`, `random` and
    twinoar's operators were seeded with.
    """

    id: int
    num_workers: int
    dataset: Any
    seed: int


class Epoch(NamedTuple):
    """To a worker: start epoch `number`."""

    number: int


class Task(NamedTuple):
    """To a worker: fetch a batch, and pack it in `slot`."""

    content: Any
    slot: int


class Stop(NamedTuple):
    """To a worker: end."""


class Failure(NamedTuple):
    """From a worker: an exception."""

    name: str
    message: str
    traceback: str


class Answer(NamedTuple):
    """From a worker: what a task of epoch `epoch` gave; None for the end of a stream."""

    epoch: int
    content: Parcel | Failure | None


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """What a worker is started with."""

    id: int
    workers: int
    seed: int
    source: Source
    init: Callable[[int], None] | None
    prefix: str
    shared: bool
    parent_pid: int
    files: Files


_info: WorkerInfo | None = None


@told
def get_worker_info() -> WorkerInfo | None:
    """The WorkerInfo of this process, or None outside of a DataLoader's workers.

    >>> get_worker_info() is None
    True
    """
    return _info


def work(
    setup: WorkerSetup, tasks: Connection, answers: Connection, inherited: list[Connection]
) -> None:
    """Answer tasks until told to stop. `inherited`: the loader's ends of pipes, closed here."""
    global _info
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the loader, which stops workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for connection in inherited:
        connection.close()
    _info = WorkerInfo(setup.id, setup.workers, setup.source.dataset, setup.seed)
    messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks, messages, setup.parent_pid), daemon=True).start()
    try:
        _answer_all(setup, messages, answers)
    except (BrokenPipeError, ConnectionResetError):
        return  # the loader has gone, nobody waits for the answer


def _answer_all(setup: WorkerSetup, messages: queue.SimpleQueue[Any], answers: Connection) -> None:
    outbox = Outbox(setup.prefix, setup.shared, setup.files)
    collate.place_by(outbox.empty)
    failure = _prepare(setup)
    epoch, fetch = 0, None
    while not isinstance(message := messages.get(), Stop):
        if isinstance(message, Epoch):
            epoch, fetch = message.number, None
            continue
        content: Parcel | Failure | None = failure
        if failure is None:
            outbox.begin(message.slot)
            try:
                fetch = fetch or setup.source.fetcher()
                content = _packed(outbox, fetch(message.content))
                outbox.settle()
            except Exception as error:
                content = _failure(error)
        send(answers, Answer(epoch, content))


def _packed(outbox: Outbox, batch: Any) -> Parcel | None:
    return None if batch is End else outbox.pack(batch)


def _prepare(setup: WorkerSetup) -> Failure | None:
    """Seed, and call the user's init; what that raises is the answer to every task."""
    seed_worker(setup.seed)
    try:
        if setup.init is not None:
            setup.init(setup.id)
    except Exception as error:
        return _failure(error)
    return None


def _failure(error: Exception) -> Failure:
    kind = type(error)
    module = "" if kind.__module__ == "builtins" else kind.__module__ + "."
    text = "".join(traceback.format_exception(error))
    return Failure(module + kind.__qualname__, str(error), text)


def _listen(tasks: Connection, messages: queue.SimpleQueue[Any], parent_pid: int) -> None:
    """Pass messages on, so that the loader never waits to send; end the process when it is gone."""
    try:
        while True:
            if tasks.poll(PARENT_CHECK_SECONDS):
                messages.put(receive(tasks))
            elif os.getppid() != parent_pid:
                break
    except (EOFError, OSError):
        messages.put(Stop())
    while os.getppid() == parent_pid:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(1)
