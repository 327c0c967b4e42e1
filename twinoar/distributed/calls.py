"""Calls of functions in other processes: who takes them, and how they travel.

Each worker listens for connections, on which functions, arguments and what they gave travel as
pickles; both ends prove that they know a key first (`multiprocessing.connection`).
"""

from __future__ import annotations

import pickle
import socket
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Client, Connection, Listener
from typing import Any, NamedTuple

from twinoar.errors import DistributedError, TypeMismatchError, UnknownNameError
from twinoar.runtime.collective import World, in_world

BACKLOG = 128  # connections that wait to be taken
AT_ONCE = 16  # calls that go on at the same time from one process
LOOK_SECONDS = 0.05  # how often a worker that cannot be reached yet is tried again
CLOSED = (EOFError, ConnectionError, BrokenPipeError)


class WorkerInfo(NamedTuple):
    """A process that takes calls."""

    name: str
    rank: int
    ip: str
    port: int


class Worker:
    """This process as one that takes calls, and makes them.

    world: what functions that are called here find as theirs.
    """

    def __init__(self, name: str, rank: int, ip: str, key: bytes, world: World):
        self._listener = Listener((ip, 0), backlog=BACKLOG, authkey=key)
        self._key, self._world = key, world
        self.info = WorkerInfo(name, rank, ip, int(self._listener.address[1]))
        self.infos: dict[str, WorkerInfo] = {name: self.info}
        self._idle: dict[str, deque[Connection]] = {}
        self._pool = ThreadPoolExecutor(AT_ONCE, "rpc")
        self._is_open = True
        threading.Thread(target=self._listen, daemon=True).start()

    def know(self, infos: Sequence[WorkerInfo]) -> None:
        """Learn who takes calls. Raises DistributedError where two have one name."""
        self.infos = {info.name: info for info in sorted(infos, key=lambda info: info.rank)}
        if len(self.infos) < len(infos):
            names = sorted(info.name for info in infos)
            raise DistributedError(
                f"two workers have one name: {', '.join(names)}",
                cure="give each its own, such as f'worker{rank}'",
            )

    def called(self, name: str) -> WorkerInfo:
        """The worker of that name. Raises UnknownNameError."""
        if name not in self.infos:
            raise UnknownNameError(f"no worker {name!r}", cure=f"there are {', '.join(self.infos)}")
        return self.infos[name]

    def start(self, to: str, call: Callable[..., Any], args: Any, kwargs: Any, timeout: Any) -> Any:
        """Begin a call; returns its Future. Raises TypeMismatchError for what cannot travel."""
        info = self.called(to)
        try:
            message = pickle.dumps((call, tuple(args or ()), dict(kwargs or {})))
        except Exception as error:
            raise TypeMismatchError(
                f"the call of {getattr(call, '__qualname__', call)} cannot travel: {error}",
                cure="call a function that a module defines, with arguments that pickle takes",
            ) from None
        return self._pool.submit(self._ask, info, message, timeout)

    def _ask(self, info: WorkerInfo, message: bytes, timeout: float | None) -> Any:
        idle = self._idle.setdefault(info.name, deque())
        try:
            connection = idle.popleft() if idle else Client((info.ip, info.port), authkey=self._key)
            connection.send_bytes(message)
            if not connection.poll(timeout):
                connection.close()
                raise DistributedError(
                    f"the worker {info.name!r} has not answered within {timeout} seconds",
                    cure="pass a longer timeout, or none",
                )
            kind, value = pickle.loads(connection.recv_bytes())
        except CLOSED:
            raise DistributedError(
                f"the worker {info.name!r} (rank {info.rank}) cannot be reached: it has ended",
                cure="see what it wrote last, and start the job again",
            ) from None
        idle.append(connection)
        if kind == "raised":
            raise value
        return value

    def _listen(self) -> None:
        while self._is_open:
            try:
                connection = self._listener.accept()
            except Exception:  # who knocks does not know the key, or left; or this has closed
                continue
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: Connection) -> None:
        """Do what comes on a connection, until its other end is gone."""
        with connection, in_world(self._world), suppress(*CLOSED, OSError):
            while True:
                connection.send_bytes(_done(connection.recv_bytes()))

    def finish(self) -> None:
        """Make no more calls; returns when those that were begun have ended."""
        self._pool.shutdown()

    def close(self) -> None:
        """Take no more calls."""
        self._is_open = False
        for idle in self._idle.values():
            for connection in idle:
                connection.close()
        with suppress(OSError):  # wakes who waits in `accept`
            socket.create_connection((self.info.ip, self.info.port), 1).close()
        self._listener.close()


def _done(message: bytes) -> bytes:
    """What a call gives, or raises, as it travels back."""
    try:
        call, args, kwargs = pickle.loads(message)
        return pickle.dumps(("gave", call(*args, **kwargs)))
    except Exception as error:
        error.add_note(f"in another process:\n{traceback.format_exc()}")
        try:
            found = pickle.dumps(("raised", error))
            pickle.loads(found)  # some exceptions are written and cannot be read
        except Exception:
            found = pickle.dumps(("raised", DistributedError(traceback.format_exc())))
        return found


class Meeting:
    """How workers that nothing connects yet learn of each other: all meet at the first."""

    def __init__(self, address: tuple[str, int], rank: int, size: int, key: bytes, seconds: float):
        self._rank, self._there = rank, list[Connection]()
        if rank:
            self._there.append(_reached(address, key, seconds))
            return
        with Listener(address, backlog=BACKLOG, authkey=key) as listener:
            self._there += [listener.accept() for _ in range(size - 1)]

    def exchange(self, value: Any) -> list[Any]:
        """What each worker gives, in the order in which they came; the first's own first."""
        if self._rank:
            self._there[0].send(value)
            found: list[Any] = self._there[0].recv()
            return found
        everything = [value, *(c.recv() for c in self._there)]
        for connection in self._there:
            connection.send(everything)
        return everything

    def close(self) -> None:
        """Part."""
        for connection in self._there:
            connection.close()


def _reached(address: tuple[str, int], key: bytes, seconds: float) -> Connection:
    """A connection to where workers meet, which may not be there yet."""
    end = time.monotonic() + seconds
    while True:
        try:
            return Client(address, authkey=key)
        except OSError as error:
            if time.monotonic() > end:
                where = ":".join(map(str, address))
                raise DistributedError(
                    f"nobody is at master_endpoint {where}: {error}",
                    cure="start the worker of rank 0, and let all name its address",
                ) from None
            time.sleep(LOOK_SECONDS)


class Answer:
    """What `rpc_async` returns: `wait()` gives what the function returned, or raises as it did."""

    def __init__(self, future: Future[Any]):
        self._future = future

    def wait(self) -> Any:
        """What the function returned."""
        return self._future.result()

    def done(self) -> bool:
        """Whether the call has ended."""
        return self._future.done()
