"""Several processes that serve the same ports: one that dies is begun again, the others go on.

Each is a whole server, which listens at the same port; the system spreads connections over them
(SO_REUSEPORT). What clients load and register is agreed on (`agreement`). Nothing else is shared
between them, so sequences with state, which need one process for all requests, are refused.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from twinoar.errors import FileError, UnsupportedError
from twinoar.serving.agreement import Agreement, SharedControl

LOG = logging.getLogger("twinoar.serving")
LOOK_SECONDS = 0.2
PAUSE_SECONDS, RETRY_SECONDS = 0.2, 5.0  # before one is begun again; that could not start
CANNOT_START = 1  # the code of one that could not; where none could, there is no server
MARGIN_SECONDS = 5.0  # beyond the time that requests may take to finish
Serve = Callable[[argparse.Namespace, Connection], int]


@dataclass
class Processes:
    """So many servers of the same options. serve: what each runs; it ends when its pipe does."""

    options: argparse.Namespace
    serve: Serve
    agreement: Agreement = field(default_factory=Agreement)
    running: list[tuple[BaseProcess, Connection, int]] = field(default_factory=list)
    later: list[tuple[float, int]] = field(default_factory=list)
    stops: bool = False
    failed: bool = False

    def run(self) -> int:
        """Serve until SIGTERM or SIGINT; the worst of the processes' codes.

        Raises UnsupportedError where the system cannot share ports, FileError for a port that is
        taken.
        """
        _check()
        with reserved(self.options) as ports, self._signals():
            for number in range(self.options.processes):
                self._begin(number, ports)
            LOG.info("supervising", extra={"ports": ports, "processes": self._numbers()})
            while not self.stops and not self.failed:
                self._look(ports)
            return self._end()

    def _begin(self, number: int, ports: dict[str, int]) -> None:
        """Start a process; its metrics have the port after that of the one before."""
        told = copy.copy(self.options)
        told.http_port, told.grpc_port = ports.get("http", 0), ports.get("grpc", 0)
        told.metrics_port += number if told.metrics_port else 0
        told.threads = told.threads or max((os.cpu_count() or 1) // told.processes, 1)
        told.reuse_port, told.standing = True, self.agreement.standing()
        spawning = multiprocessing.get_context("spawn")
        inside, outside = spawning.Pipe()
        process = spawning.Process(target=self.serve_and_exit, args=(told, inside), daemon=True)
        process.start()
        inside.close()
        self.running.append((process, outside, number))
        self.agreement.join(outside)

    def serve_and_exit(self, told: argparse.Namespace, alive: Connection) -> None:
        """What a process does."""
        raise SystemExit(self.serve(told, alive))

    def __getstate__(self) -> dict[str, Any]:
        """What a process takes along: nothing of the others."""
        return {**vars(self), "running": [], "agreement": Agreement()}

    def _look(self, ports: dict[str, int]) -> None:
        """Hear what processes say, and begin anew what has ended, a moment later, as it may end at
        once again.
        """
        pipes = [pipe for _, pipe, _ in self.running if not pipe.closed]
        for said in wait([*pipes, *(p.sentinel for p, *_ in self.running)], LOOK_SECONDS):
            if isinstance(said, Connection):
                self._hear(said)
        now = time.monotonic()
        for one in [one for one in self.running if not one[0].is_alive() and not self.stops]:
            process, pipe, number = one
            self.running.remove(one)
            self.agreement.leave(pipe)
            pipe.close()
            code = process.exitcode or 0
            LOG.error("a process ended with code %d", code, extra={"pid": process.pid})
            could_not_start = code == CANNOT_START
            self.later.append((now + (RETRY_SECONDS if could_not_start else PAUSE_SECONDS), number))
            self.failed = could_not_start and not self.running
        due = [number for when, number in self.later if when <= now]
        self.later = [(when, number) for when, number in self.later if when > now]
        for number in due:
            self._begin(number, ports)
        if due:
            LOG.info("supervising", extra={"ports": ports, "processes": self._numbers()})

    def _hear(self, pipe: Connection) -> None:
        try:
            self.agreement.hear(pipe, pipe.recv())
        except (EOFError, OSError):  # it ends, and its last word is heard
            self.agreement.leave(pipe)
            pipe.close()

    def _numbers(self) -> list[int | None]:
        return [process.pid for process, *_ in self.running]

    def _end(self) -> int:
        """Let all finish what they have, and end those that do not."""
        codes = [CANNOT_START if self.failed else 0]
        for process, *_ in self.running:
            process.terminate()
        self.agreement.close()
        end = time.monotonic() + self.options.exit_timeout_secs + MARGIN_SECONDS
        for process, *_ in self.running:
            process.join(max(end - time.monotonic(), 0))
            if process.is_alive():
                process.kill()
                process.join()
            codes.append(abs(process.exitcode or 0))
        return max(codes)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        def stop(*_: object) -> None:
            self.stops = True

        kinds = (signal.SIGTERM, signal.SIGINT)
        before = [signal.signal(kind, stop) for kind in kinds]
        try:
            yield
        finally:
            for kind, handler in zip(kinds, before, strict=True):
                signal.signal(kind, handler)


def listen(pipe: Connection, control: SharedControl, stop: Callable[[], None]) -> None:
    """Hear who began this process, until it is gone, which ends this one by `stop`."""

    def watch() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                control.hear(pipe.recv())
        control.close()
        stop()

    threading.Thread(target=watch, name="supervisor", daemon=True).start()


@contextlib.contextmanager
def reserved(options: argparse.Namespace) -> Iterator[dict[str, int]]:
    """The ports, held so that nobody else takes them while a process is begun anew."""
    with contextlib.ExitStack() as stack:
        ports = {}
        for what in ("http", "grpc"):
            if not getattr(options, f"allow_{what}"):
                continue
            port = getattr(options, f"{what}_port")
            held = stack.enter_context(socket.socket(_family(options.host), socket.SOCK_STREAM))
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            try:
                held.bind((options.host, port))
            except OSError as error:
                raise FileError(
                    f"cannot listen on {options.host}:{port}: {error.strerror}",
                    cure=f"--{what}-port names another",
                ) from error
            ports[what] = held.getsockname()[1]
        yield ports


def _family(host: str) -> socket.AddressFamily:
    return socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]


def _check() -> None:
    if not hasattr(socket, "SO_REUSEPORT"):
        raise UnsupportedError(
            "processes of this system cannot share a port", cure="several servers, and a balancer"
        )
