"""The server as a process: ports, TLS, logs, the models' folder watched, and an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from twinoar.errors import FileError, UnsupportedError
from twinoar.serving import completions, large_body
from twinoar.serving.grpc_service import Service
from twinoar.serving.rest import MetricsApp, RestApp, Route
from twinoar.serving.state import State
from twinoar.serving.watching import watch

LOG = logging.getLogger("twinoar.serving")
BACKLOG = 2048  # connections that wait to be accepted, as a burst of clients makes them
MOST_CALLS = 1024  # of gRPC at once: each has a thread while it waits
CURE = "pip install 'twinoar[serving]'"
KEEP_ALIVE_SECONDS = 75  # longer than the idle time of usual balancers, which else meet a reset


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the server listens; 0 for any port, None for not at all."""

    host: str = "127.0.0.1"
    http: int | None = 8000
    grpc: int | None = 8001
    metrics: int | None = 8002


@dataclass(frozen=True, slots=True)
class Certificate:
    """The files of TLS, in PEM. authority: of the clients' certificates, which then are needed."""

    file: str
    key: str
    authority: str | None = None


@dataclass(slots=True)
class Server:
    """A server of a State. `bound` has the ports that are open, once `started` is set.

    exit_seconds: how long requests may take to finish at the end. poll_seconds: how often the
    folders are looked at for changes, 0 for never. connections: the most at once. more: further
    paths of HTTP. services: further ones of gRPC, each from the module `grpc` to its handler.
    reuse_port: whether other processes listen at the same ports.
    """

    state: State
    ports: Ports = field(default_factory=Ports)
    certificate: Certificate | None = None
    exit_seconds: float = 30.0
    poll_seconds: float = 0.0
    connections: int = 4096
    more: Mapping[tuple[str, ...], Route] = field(default_factory=dict)
    services: Sequence[Callable[[Any], Any]] = ()
    reuse_port: bool = False
    bound: dict[str, int] = field(default_factory=dict)
    started: threading.Event = field(default_factory=threading.Event)
    _stop: asyncio.Event | None = None
    _stops: bool = False
    _loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> bool:
        """Serve until SIGTERM, SIGINT or `stop`; whether all requests were finished.

        Raises FileError for a port that is taken, UnsupportedError without the packages.
        """
        return asyncio.run(self.serve())

    def stop(self) -> None:
        """End the server, from any thread: it takes no more, and finishes what it has.

        One that has not begun to serve ends when it does.
        """
        self._stops = True
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)

    async def serve(self) -> bool:
        """As `run`, in a loop that is there."""
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        if self._stops:
            self._stop.set()
        doors = []
        if self.ports.http is not None:
            app = RestApp(self.state, {**completions.routes(), **self.more})
            doors.append((self._host(app, self.certificate), self._socket("http", self.ports.http)))
        if self.ports.metrics is not None:
            metrics = MetricsApp(self.state)
            doors.append((self._host(metrics, None), self._socket("metrics", self.ports.metrics)))
        grpc = self._grpc() if self.ports.grpc is not None else None
        hosts = [host for host, _ in doors]
        with self._signals():
            tasks = [asyncio.create_task(host.serve(sockets=[door])) for host, door in doors]
            others: list[asyncio.Task[Any]] = [asyncio.create_task(self._stop.wait())]
            if self.poll_seconds:
                poll = watch(self.state.repository, self.poll_seconds)
                others.append(asyncio.create_task(poll))
            others.append(asyncio.create_task(_let_go(hosts, self.state.limits.read_seconds)))
            while not all(host.started for host in hosts):
                await asyncio.sleep(0.005)
            LOG.info("serving", extra={"ports": dict(self.bound), "host": self.ports.host})
            self.started.set()
            try:
                await asyncio.wait([*others, *tasks], return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in others:
                    task.cancel()
                finished = await self._end(hosts, tasks, grpc)
        return finished

    def _socket(self, what: str, port: int) -> socket.socket:
        try:
            made = _listening(self.ports.host, port, self.reuse_port and what != "metrics")
        except OSError as error:
            where = f"{self.ports.host}:{port}"
            raise FileError(
                f"cannot listen on {where}: {error.strerror}", cure=f"--{what}-port names another"
            ) from error
        self.bound[what] = made.getsockname()[1]
        return made

    def _host(self, app: Any, certificate: Certificate | None) -> Any:
        uvicorn = package("uvicorn")
        options: dict[str, Any] = {}
        if certificate is not None:
            options = {"ssl_certfile": certificate.file, "ssl_keyfile": certificate.key}
            if certificate.authority:
                options |= {"ssl_ca_certs": certificate.authority, "ssl_cert_reqs": 2}
        config = uvicorn.Config(
            app,
            http=large_body.protocol(),
            log_config=None,
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            limit_concurrency=self.connections,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=max(int(self.exit_seconds), 1),
            **options,
        )

        class Host(uvicorn.Server):  # type: ignore[misc, name-defined]
            def capture_signals(self) -> Any:
                return contextlib.nullcontext()  # the server above has them

        return Host(config)

    def _grpc(self) -> Any:
        grpc = package("grpc")
        longest = self.state.limits.body_bytes
        calls = min(self.connections, MOST_CALLS)
        server = grpc.server(
            ThreadPoolExecutor(calls, thread_name_prefix="grpc"),
            maximum_concurrent_rpcs=calls,
            options=[
                ("grpc.max_receive_message_length", longest),
                ("grpc.max_send_message_length", -1),
                ("grpc.so_reuseport", int(self.reuse_port)),
            ],
        )
        own = Service(self.state, grpc).handlers()
        server.add_generic_rpc_handlers((*own, *(service(grpc) for service in self.services)))
        address = f"{self.ports.host}:{self.ports.grpc}"
        try:
            if self.certificate is None:
                port = server.add_insecure_port(address)
            else:
                port = server.add_secure_port(address, self._credentials(grpc))
        except RuntimeError as error:
            raise FileError(f"cannot listen on {address}: {error}") from error
        server.start()
        self.bound["grpc"] = port
        return server

    def _credentials(self, grpc: Any) -> Any:
        certificate = self.certificate
        assert certificate is not None
        try:
            pair = Path(certificate.key).read_bytes(), Path(certificate.file).read_bytes()
            authority = certificate.authority and Path(certificate.authority).read_bytes()
        except OSError as error:
            raise FileError(f"cannot read {error.filename}: {error.strerror}") from error
        required = authority is not None
        return grpc.ssl_server_credentials([pair], authority, required)

    async def _end(self, hosts: list[Any], tasks: list[asyncio.Task[None]], grpc: Any) -> bool:
        """Say that it is not ready, finish what is under way, and close the ports."""
        self.state.drains = True
        LOG.info("shutting down", extra={"pending": self.state.repository.pending()})
        start = time.monotonic()
        for host in hosts:
            host.should_exit = True
        if grpc is not None:
            stopping = asyncio.to_thread(grpc.stop(self.exit_seconds).wait)
            tasks = [*tasks, asyncio.create_task(stopping)]
        # First the clients that are connected have their answers, then the models go.
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        left = max(self.exit_seconds - (time.monotonic() - start), 0.1)
        finished = await asyncio.to_thread(self.state.repository.close, left)
        for error in ended:
            if isinstance(error, BaseException):
                LOG.error("a port did not close well: %r", error)
        if self.state.tracing is not None:
            await asyncio.to_thread(self.state.tracing.close)
        took = round(time.monotonic() - start, 3)
        LOG.info("stopped", extra={"seconds": took, "finished": finished})
        return finished

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """SIGTERM and SIGINT end the server; in another thread than the main one they do not."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        assert self._loop is not None and self._stop is not None
        kinds = (signal.SIGTERM, signal.SIGINT)
        before = [signal.getsignal(kind) for kind in kinds]
        for kind in kinds:
            signal.signal(kind, lambda *_: self.stop())
        try:
            yield
        finally:
            for kind, handler in zip(kinds, before, strict=True):
                signal.signal(kind, handler)


def _listening(host: str, port: int, reuse: bool) -> socket.socket:
    """A socket that listens.

    It says that it is TCP, which `socket.create_server` does not: only then does asyncio turn
    Nagle's algorithm off, which else holds the body of an answer back for 40 ms.
    """
    found = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
    )
    family, kind, protocol, _, address = found[0]
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made


async def _let_go(hosts: list[Any], seconds: float) -> None:
    """Close connections on which no whole head of a request comes in so many seconds.

    uvicorn has a time limit between requests alone: a client that sends nothing, or a byte now and
    then, would hold one of the connections for ever.
    """
    waiting: dict[Any, float] = {}
    while True:
        await asyncio.sleep(seconds / 2)
        now = time.monotonic()
        there = [c for host in hosts for c in host.server_state.connections if _reads_head(c)]
        waiting = {connection: waiting.get(connection, now) for connection in there}
        for connection, since in waiting.items():
            if now - since >= seconds and connection.transport is not None:
                connection.transport.close()


def _reads_head(connection: Any) -> bool:
    """Whether a connection of uvicorn has neither a request nor its own time limit."""
    cycle = connection.cycle
    between = cycle is not None and cycle.response_complete
    return cycle is None or (between and connection.timeout_keep_alive_task is None)


class JsonLines(logging.Formatter):
    """Log records as lines of JSON, with what `extra` says."""

    USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        told = {k: v for k, v in vars(record).items() if k not in self.USUAL}
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **told,
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def start_logs(*, access: bool, stream: Any = None) -> None:
    """Write the server's logs as JSON to a stream, standard error without one."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("twinoar.serving", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name == "twinoar.serving" else logging.WARNING)
    logging.getLogger("twinoar.serving.access").setLevel(
        logging.INFO if access else logging.WARNING
    )


def package(name: str) -> Any:
    """The module `uvicorn` or `grpc`. Raises UnsupportedError where it is not installed."""
    try:
        return import_module("uvicorn") if name == "uvicorn" else import_module("grpc")
    except ImportError as error:
        raise UnsupportedError(
            f"serving needs {name}, which is not installed", cure=CURE
        ) from error
