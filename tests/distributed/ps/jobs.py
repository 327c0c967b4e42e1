"""Jobs with parameter servers in one process: servers and workers are threads, sockets are real."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import static
from twinoar.distributed.ps.communicator import Communicator
from twinoar.distributed.ps.geo import Geo
from twinoar.distributed.ps.program import ask_servers, begin_with_servers, tables_of
from twinoar.distributed.ps.server import Server
from twinoar.distributed.ps.settings import Settings
from twinoar.runtime.servers import asked_by

ROWS, WIDTH = 50, 4
QUICK = Settings(timeout_seconds=20.0)


def free_endpoint() -> str:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{found.getsockname()[1]}"


@dataclass
class Network:
    """A small network of a table and a layer, built in Programs of its own."""

    main: Any
    startup: Any
    loss: Any
    test: Any = None


def network(rule: Callable[[], Any] | None = None, entry: Any = None, clip: Any = None) -> Network:
    paddle.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        with paddle.utils.unique_name.guard(), static.program_guard(main, startup):
            ids = static.data("ids", [None, 3], "int64")
            y = static.data("y", [None, 1])
            attr = paddle.ParamAttr("emb", initializer=paddle.nn.initializer.Uniform(-0.1, 0.1))
            rows = static.nn.sparse_embedding(ids, [ROWS, WIDTH], entry=entry, param_attr=attr)
            weight = paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(0.3))
            out = static.nn.fc(rows.sum(1), 1, weight_attr=weight, name="fc")
            loss = ((out - y) ** 2).mean()
            made = paddle.optimizer.SGD(0.1) if rule is None else rule()
            made.minimize(loss)
        return Network(main, startup, loss)
    finally:
        paddle.disable_static()


def batch(step: int, size: int = 16) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.random.default_rng(step)
    ids = numbers.integers(0, ROWS, (size, 3))
    return ids, (ids.sum(1, keepdims=True) / 75 - 1).astype("float32")


@dataclass
class Job:
    """Servers that run, and how workers come to them."""

    tables: list[Any]
    endpoints: list[str]
    workers: int
    mode: Any
    settings: Settings
    servers: list[Server] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)
    raised: list[BaseException] = field(default_factory=list)

    def start(self, index: int, restore: bool = False) -> Server:
        server = Server(
            self.tables, self.endpoints[index], index, len(self.endpoints), self.workers,
            self.mode, self.settings,
        )  # fmt: skip
        if restore:
            assert server.restore()
        server.bind()

        def run() -> None:
            try:
                server.run()
            except BaseException as error:
                self.raised.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        self.threads.append(thread)
        if index < len(self.servers):
            self.servers[index], self.threads[index] = server, self.threads.pop()
        else:
            self.servers.append(server)
        return server

    def kill(self, index: int) -> None:
        """End a server without a word: what was not answered is lost."""
        self.servers[index].stop()
        self.threads[index].join()

    def connect(self, worker: int = 0, **changed: Any) -> Communicator:
        told = {"worker": worker, "workers": self.workers, "mode": self.mode,
                "tables": self.tables, "settings": self.settings, **changed}  # fmt: skip
        return Communicator(told.pop("tables"), self.endpoints, **told)

    def work(self, function: Callable[[int, Communicator], Any]) -> list[Any]:
        """What each worker, a thread, makes of its connection; the first error is raised."""
        found: list[Any] = [None] * self.workers
        errors: list[BaseException] = []

        def one(worker: int) -> None:
            try:
                there = self.connect(worker)
                with asked_by(there):
                    found[worker] = function(worker, there)
                there.leave()
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=one, args=(w,)) for w in range(self.workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        return found


@contextmanager
def job(
    tables: list[Any],
    servers: int = 2,
    workers: int = 2,
    mode: Any = "sync",
    settings: Settings = QUICK,
) -> Iterator[Job]:
    """Servers for the block. At its end those that still run are ended."""
    made = Job(tables, [free_endpoint() for _ in range(servers)], workers, mode, settings)
    for index in range(servers):
        made.start(index)
    try:
        yield made
    finally:
        for server in made.servers:
            server.stop()
        for thread in made.threads:
            thread.join()


def tables(made: Network, servers: int = 2, mode: Any = "sync") -> list[Any]:
    return tables_of(made.main, made.startup, servers, mode)


def trained(
    rule: Callable[[], Any] | None = None,
    mode: Any = "sync",
    workers: int = 2,
    servers: int = 2,
    steps: int = 12,
    every: int = 3,
    **about: Any,
) -> dict[str, np.ndarray]:
    """The parameters after steps of workers that have parts of each batch, and the losses."""
    made = [network(rule, **about) for _ in range(workers)]
    kept = tables(made[0], servers, mode)

    def train(worker: int, there: Communicator) -> Any:
        own, scope, executor = made[worker], static.Scope(), static.Executor()
        if mode == "geo":
            begin_with_servers(own.startup, kept)
            own.main.after_run = geo = Geo(own.main, kept, there, every)
            own.startup.after_run = geo.begin
        else:
            ask_servers(own.main, own.startup, kept)
        executor.run(own.startup, scope=scope)
        losses = []
        for step in range(steps):
            ids, y = batch(step)
            feed = {"ids": ids[worker::workers], "y": y[worker::workers]}
            losses.append(executor.run(own.main, feed, [own.loss], scope=scope)[0])
        there.settle()
        there.barrier()
        found = {"losses": np.array(losses), "emb": there.rows("emb", np.arange(ROWS), False)}
        for name in ("fc.w_0", "fc.b_0"):
            found[name] = there.pull(name)
        there.barrier()
        return found

    with job(kept, servers, workers, mode) as there:
        found = there.work(train)
    return {**found[0], "losses": np.mean([f["losses"] for f in found], 0)}


def alone(rule: Callable[[], Any] | None = None, steps: int = 12, **about: Any) -> Any:
    """The same of one process without servers, from the same rows."""
    made, scope, executor = network(rule, **about), static.Scope(), static.Executor()
    beginning = tables(made, 1)[0].beginning
    executor.run(made.startup, scope=scope)
    rows = beginning.rows(np.arange(ROWS), WIDTH, np.float32)
    scope.write(made.main.states["emb"], rows)
    losses = []
    for step in range(steps):
        ids, y = batch(step)
        losses.append(executor.run(made.main, {"ids": ids, "y": y}, [made.loss], scope=scope)[0])
    names = ("emb", "fc.w_0", "fc.b_0")
    return {"losses": np.array(losses), **{n: np.array(scope.find_var(n)) for n in names}}
