"""A job with parameter servers on this machine: its processes, and a watch over them.

Workers that fail end the job; a server that is killed is started again, and goes on from its last
snapshot. Each process has the environment that Paddle's launcher gives it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twinoar.errors import ArgumentError

LOOK_SECONDS = 0.1
PATIENCE_SECONDS = 10.0  # for servers to end when all workers have, and for processes to be ended
MAX_RESTARTS = 3
HERE = ("127.0.0.1", "localhost")
KEY, RESTARTS = "TWINOAR_SERVER_KEY", "TWINOAR_SERVER_RESTARTS"
SNAPSHOTS, EVERY = "TWINOAR_SERVER_SNAPSHOTS", "TWINOAR_SERVER_SNAPSHOT_STEPS"
# Options of the launcher that ask for such a job.
OPTIONS = ("server_num", "servers", "worker_num", "workers", "trainer_num", "trainers")
OWN = ("snapshots", "snapshot_steps")


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """What to start: servers at their addresses, workers that have names alike, of one command.

    Processes at addresses of other machines are started there, by the same command line. snapshots:
    where servers save what they keep after every so many steps.
    """

    command: Sequence[str]
    servers: Sequence[str]
    workers: Sequence[str]
    log_folder: Path | None = None
    snapshots: Path | None = None
    snapshot_steps: int | None = None
    max_restarts: int = MAX_RESTARTS


def is_asked(parsed: Any) -> bool:
    """Whether the options ask for servers."""
    return parsed.run_mode == "ps" or any(getattr(parsed, name) for name in OPTIONS)


def plan_of(parsed: Any, command: Sequence[str]) -> ServerPlan:
    """The job that the options ask for. Raises ArgumentError."""
    servers = _endpoints(parsed, ("servers",), ("server_num",))
    workers = _endpoints(parsed, ("workers", "trainers"), ("worker_num", "trainer_num"))
    steps = parsed.snapshot_steps
    return ServerPlan(
        command,
        servers,
        workers,
        Path(parsed.log_dir) if parsed.log_dir else None,
        Path(parsed.snapshots).absolute() if parsed.snapshots else None,
        None if steps is None else _count("snapshot_steps", steps),
        _count("max_restart", parsed.max_restart or str(MAX_RESTARTS), 0),
    )


def _endpoints(parsed: Any, lists: Sequence[str], counts: Sequence[str]) -> list[str]:
    """Addresses as they are listed, or as many as are asked for, on this machine."""
    listed = next((getattr(parsed, n) for n in lists if getattr(parsed, n)), "")
    name = next((n for n in counts if getattr(parsed, n)), counts[0])
    told = getattr(parsed, name)
    count = None if told is None else _count(name, told)
    if listed:
        found = [e.strip() for e in listed.split(",")]
        if count is not None and count != len(found):
            raise ArgumentError(f"--{name} {count}, and --{lists[0]} names {len(found)}")
        return found
    return list(_free_endpoints(1 if count is None else count))


def _count(name: str, text: str, least: int = 1) -> int:
    if not text.isdecimal() or int(text) < least:
        raise ArgumentError(f"--{name} {text}: expected a number of {least} or more")
    return int(text)


def _free_endpoints(count: int) -> Iterator[str]:
    with contextlib.ExitStack() as held:
        for _ in range(count):
            found = held.enter_context(socket.socket())
            found.bind((HERE[0], 0))
            yield f"{HERE[0]}:{found.getsockname()[1]}"


@dataclass(slots=True)
class Started:
    """A process of the job."""

    name: str
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes]
    restarts: int = 0
    is_ended: bool = field(default=False)

    @property
    def shown(self) -> str:
        """It as messages name it."""
        return f"{self.name} (process {self.process.pid})"


class ServerJob:
    """A job that runs: `wait` gives its exit code."""

    def __init__(self, plan: ServerPlan):
        self.plan = plan
        own = _own_addresses()
        self._logs: list[Any] = []
        common = self._common()
        count = len([e for e in (*plan.servers, *plan.workers) if _host(e) in own])
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        common.setdefault("OMP_NUM_THREADS", str(max(cores // max(count, 1), 1)))
        if not count:
            raise ArgumentError(
                f"no server and no worker is on this machine, which is {', '.join(sorted(own))}",
                cure="name its address in --servers or --workers, or set POD_IP",
            )
        self._stopped = threading.Event()
        self.servers = [
            self._start(f"server {n}", {**common, **_server(e, n)})
            for n, e in enumerate(plan.servers)
            if _host(e) in own
        ]
        self.workers = [
            self._start(f"worker {n}", {**common, **_worker(e, n)})
            for n, e in enumerate(plan.workers)
            if _host(e) in own
        ]

    def _common(self) -> dict[str, str]:
        plan = self.plan
        found = {
            KEY: secrets.token_hex(32),  # one that is set already is for other machines, too
            **os.environ,
            "PADDLE_PSERVERS_IP_PORT_LIST": ",".join(plan.servers),
            "PADDLE_TRAINER_ENDPOINTS": ",".join(plan.workers),
            "PADDLE_TRAINERS_NUM": str(len(plan.workers)),
            "PADDLE_WITH_GLOO": "0",
        }
        if KEY not in os.environ and not all(_host(e) in HERE for e in plan.servers):
            raise ArgumentError(
                "servers that other machines reach need a secret",
                cure=f"set the environment variable {KEY} to the same text on all machines",
            )
        if plan.snapshots is not None:
            found[SNAPSHOTS] = str(plan.snapshots)
        if plan.snapshot_steps is not None:
            found[EVERY] = str(plan.snapshot_steps)
        return found

    def _start(self, name: str, environment: Mapping[str, str]) -> Started:
        output = None
        if self.plan.log_folder is not None:
            self.plan.log_folder.mkdir(parents=True, exist_ok=True)
            kind, _, number = name.partition(" ")
            log = f"{kind}log.{number}"
            output = (self.plan.log_folder / log).open("ab")
            self._logs.append(output)
        process = subprocess.Popen(
            list(self.plan.command),
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            start_new_session=True,  # Ctrl-C comes by `stop`, once
        )
        return Started(name, environment, process)

    def wait(self) -> int:
        """The exit code: 0, or that of the first process that failed, which is named."""
        try:
            return self._watch()
        finally:
            self.stop()
            for log in self._logs:
                log.close()

    def _watch(self) -> int:
        while any(w.process.poll() is None for w in self.workers):
            for worker in self.workers:
                if worker.process.poll():
                    return self._failed(worker)
            for server in self.servers:
                if server.process.poll() and not self._is_replaced(server):
                    return self._failed(server)
            if self._stopped.wait(LOOK_SECONDS):
                return 128 + signal.SIGTERM
        failed = next((w for w in self.workers if w.process.poll()), None)
        if failed is not None:
            return self._failed(failed)
        end = time.monotonic() + PATIENCE_SECONDS
        while self.workers and any(s.process.poll() is None for s in self.servers):
            if time.monotonic() > end:
                self._say("all workers have ended without fleet.stop_worker(): servers end")
                return 0
            time.sleep(LOOK_SECONDS)
        for server in self.servers:  # on a machine without workers
            if server.process.wait():
                return self._failed(server)
        return 0

    def _is_replaced(self, server: Started) -> bool:
        """Start a server again that has ended; whether that may be."""
        if server.restarts >= self.plan.max_restarts:
            return False
        code = server.process.poll()
        server.restarts += 1
        self._say(f"{server.shown} has ended with {code}: it is started again")
        environment = {**server.environment, RESTARTS: str(server.restarts)}
        server.process = self._start(server.name, environment).process
        return True

    def _failed(self, one: Started) -> int:
        code = one.process.poll() or 1
        self._say(f"{one.shown} has ended with {code}: all others end")
        return 128 - code if code < 0 else code

    def _say(self, text: str) -> None:
        print(f"launch: {text}", file=sys.stderr, flush=True)

    def ask_to_stop(self) -> None:
        """Let `wait` end all processes soon."""
        self._stopped.set()

    def stop(self) -> None:
        """End all processes: by a signal, and by force if that does not help."""
        there = [p.process for p in (*self.workers, *self.servers) if p.process.poll() is None]
        for process in there:
            process.terminate()
        end = time.monotonic() + PATIENCE_SECONDS
        for process in there:
            try:
                process.wait(max(end - time.monotonic(), 0))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _host(endpoint: str) -> str:
    return endpoint.rpartition(":")[0]


def _own_addresses() -> set[str]:
    """What addresses of this machine may be called."""
    name = socket.gethostname()
    found = {*HERE, name}
    if os.environ.get("POD_IP"):
        found.add(os.environ["POD_IP"])
    with contextlib.suppress(OSError):
        found.update(socket.gethostbyname_ex(name)[2])
    return found


def _server(endpoint: str, number: int) -> dict[str, str]:
    host, _, port = endpoint.rpartition(":")
    return {"TRAINING_ROLE": "PSERVER", "POD_IP": host, "PADDLE_PORT": port,
            "PADDLE_SERVER_ID": str(number)}  # fmt: skip


def _worker(endpoint: str, number: int) -> dict[str, str]:
    host, _, port = endpoint.rpartition(":")
    return {"TRAINING_ROLE": "TRAINER", "POD_IP": host, "PADDLE_PORT": port,
            "PADDLE_TRAINER_ID": str(number), "PADDLE_CURRENT_ENDPOINT": endpoint}  # fmt: skip


def run(plan: ServerPlan) -> int:
    """The exit code of a job, whose processes end with this one."""
    job = ServerJob(plan)
    signal.signal(signal.SIGTERM, lambda number, frame: job.ask_to_stop())
    try:
        return job.wait()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
