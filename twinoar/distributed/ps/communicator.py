"""What the operators of a worker's Program call: its connections to all servers.

A step stages gradients, `flush` sends each server its part in one message, and the next lookups and
pulls are answered by the servers when that step is taken.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import dtype_of
from twinoar.distributed.ps.client import Link, ask_all
from twinoar.distributed.ps.messages import EMPTY, Arrays
from twinoar.distributed.ps.rounds import Mode
from twinoar.distributed.ps.rows import as_ids, merged, server_of
from twinoar.distributed.ps.settings import Settings
from twinoar.distributed.ps.table import Table
from twinoar.errors import DistributedError, ShapeError

QUEUE = 16  # pushes that need not be answered before the next, where workers do not wait


class Communicator:
    """Worker number `worker` of `workers`, and the tables on the servers at `endpoints`.

    Raises DistributedError where a server is not there in time, or belongs to another job.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        endpoints: Sequence[str],
        worker: int = 0,
        workers: int = 1,
        mode: Mode = "sync",
        settings: Settings | None = None,
        queue: int = QUEUE,
    ):
        self.tables = {t.name: t for t in tables}
        self.worker, self.workers, self.mode = worker, workers, mode
        about = {
            "worker": worker,
            "workers": workers,
            "servers": len(endpoints),
            "mode": mode,
            "tables": [t.described() for t in tables],
        }
        seconds = (settings or Settings.of_environment()).timeout_seconds
        self.links: list[Link] = []
        self._lock = threading.RLock()
        try:
            for number, endpoint in enumerate(endpoints):
                self.links.append(Link(endpoint, number, about, seconds))
            for link in self.links:
                link.greet()
        except BaseException:
            self.close()
            raise
        self.step = max(link.version for link in self.links) if mode == "sync" else 0
        self._queue = 0 if mode == "sync" else queue
        self._sent: deque[tuple[Link, int]] = deque()
        self._number = 0  # of exchanges
        self._clear()
        self._whole: Arrays | None = None

    def _clear(self) -> None:
        self._rates: dict[str, float] = {}
        self._dense: Arrays = {}
        self._sparse: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}

    # What operators call.

    def lookup(
        self,
        table: str,
        ids: np.ndarray,
        weights: tuple[np.ndarray, np.ndarray] | None,
        training: bool,
    ) -> np.ndarray:
        """Rows by number, [*ids,width]. Raises ArgumentError for one below 0."""
        width = self.tables[table].shape[0]
        unique, inverse, counts = np.unique(as_ids(ids).ravel(), return_inverse=True,
                                            return_counts=True)  # fmt: skip
        extra: Arrays = {"counts": counts}
        if weights is not None:
            extra |= _sums(weights, ids.shape, inverse, len(unique))
        rows = self.rows(table, unique, training, extra)
        return rows[inverse].reshape(*ids.shape, width)

    def rows(
        self, table: str, ids: np.ndarray, training: bool, extra: Mapping[str, np.ndarray] = EMPTY
    ) -> np.ndarray:
        """Rows of different numbers, [n,width]. ids: [n]. extra: [n] each, what goes along."""
        own = self.tables[table]
        found = np.empty((len(ids), own.shape[0]), dtype_of(own.dtype).numpy)
        with self._lock:
            asked = []
            for link, places in self._parts(ids):
                arrays = {"ids": ids[places], **{n: a[places] for n, a in extra.items()}}
                number = link.start("lookup", arrays, table=table, training=training,
                                    after=self.step)  # fmt: skip
                asked.append((link, places, number))
            for link, places, number in asked:
                found[places] = link.wait(number)[1]["rows"]
        return found

    def _parts(self, ids: np.ndarray) -> list[tuple[Link, np.ndarray]]:
        """Which of `ids` each server keeps, by place; all servers in sync mode, to wait for all."""
        if len(self.links) == 1:
            return [(self.links[0], np.arange(len(ids)))]
        servers = server_of(ids, len(self.links))
        parts = [(link, np.flatnonzero(servers == n)) for n, link in enumerate(self.links)]
        return [(link, places) for link, places in parts if places.size]

    def push_rows(
        self, table: str, positions: np.ndarray, vectors: np.ndarray, rate: float
    ) -> None:
        """Stage the gradient of some rows."""
        self._sparse.setdefault(table, []).append((np.array(positions), np.array(vectors)))
        self._rates[table] = rate

    def push(self, table: str, gradient: np.ndarray, rate: float) -> None:
        """Stage the gradient of a whole parameter."""
        self._dense[table] = np.array(gradient)
        self._rates[table] = rate

    def flush(self) -> None:
        """Send what is staged: each server its part of one step."""
        with self._lock:
            self.step += 1
            for link, (rates, arrays) in zip(self.links, self._divided(), strict=True):
                number = link.start("push", arrays, rates=rates, step=self.step)
                self._sent.append((link, number))
            self._clear()
            self._whole = None
            while len(self._sent) > self._queue * len(self.links):
                link, number = self._sent.popleft()
                link.wait(number)

    def _divided(self) -> list[tuple[dict[str, float], Arrays]]:
        found: list[tuple[dict[str, float], Arrays]] = [({}, {}) for _ in self.links]
        for name, gradient in self._dense.items():
            rates, arrays = found[self.tables[name].server]
            rates[name], arrays[name] = self._rates[name], gradient
        for name, parts in self._sparse.items():
            ids, rows = merged(*(np.concatenate(x) for x in zip(*parts, strict=True)))
            servers = server_of(ids, len(self.links))
            for number, (rates, arrays) in enumerate(found):
                own = servers == number
                rates[name] = self._rates[name]
                arrays[f"ids {name}"], arrays[f"rows {name}"] = ids[own], rows[own]
        return found

    def pull(self, table: str) -> np.ndarray:
        """A whole parameter after what this worker has sent."""
        with self._lock:
            if self._whole is None:
                keeping = {t.server for t in self.tables.values() if not t.is_sparse}
                links = [link for n, link in enumerate(self.links) if n in keeping]
                numbers = [link.start("pull", after=self.step) for link in links]
                self._whole = {}
                for link, number in zip(links, numbers, strict=True):
                    self._whole |= link.wait(number)[1]
            if table not in self._whole:
                raise DistributedError(
                    f"no server has a value of {table}",
                    cure="run the startup Program on every worker before the first step",
                )
            return self._whole[table]

    def begin(self, table: str, value: np.ndarray) -> np.ndarray:
        """What a whole parameter begins as: the value of worker 0, or what servers have already."""
        link = self.links[self.tables[table].server]
        with self._lock:
            given = {"value": value} if self.worker == 0 else EMPTY
            return np.array(link.ask("begin", given, table=table)[1]["value"])

    # What workers do together.

    def exchange(self, what: str, arrays: Mapping[str, np.ndarray]) -> dict[int, np.ndarray | None]:
        """What each worker gives this one, by its number: `arrays` has "all", or one by number.

        Raises DistributedError where one is gone, does not come in time, or calls something else.
        """
        with self._lock:
            self._number += 1
            header, found = self.links[0].ask("exchange", arrays, number=self._number, what=what)
        return {w: found.get(str(w)) for w in header["from"]}

    def barrier(self) -> None:
        """Wait for the other workers."""
        self.exchange("barrier", EMPTY)

    # What one worker has servers do.

    def on_all(self, call: str, **header: Any) -> list[Any]:
        """The answers of all servers to a call, after all that this worker has sent."""
        with self._lock:
            self.settle()
            return ask_all(self.links, call, lambda n: header)

    def settle(self) -> None:
        """Wait until servers have all that was sent."""
        with self._lock:
            while self._sent:
                link, number = self._sent.popleft()
                link.wait(number)

    def forget(self) -> None:
        """Ask servers anew for what they have: it may be another checkpoint."""
        self._whole = None

    def leave(self) -> None:
        """Say goodbye to all servers, and part."""
        try:
            self.on_all("bye")
        finally:
            self.close()

    def close(self) -> None:
        """Part, without a goodbye."""
        for link in self.links:
            link.close()


def _sums(
    weights: tuple[np.ndarray, np.ndarray], shape: tuple[int, ...], inverse: np.ndarray, count: int
) -> Arrays:
    """Shows and clicks of each unique number. weights: one number for each line of ids."""
    found = {}
    for name, given in zip(("shown", "clicked"), weights, strict=True):
        lines = shape[0] if shape else 1
        if given.size != lines:
            raise ShapeError(f"{name}: expected {lines} numbers, one a line, received {given.size}")
        each = np.repeat(given.ravel().astype(np.float64), inverse.size // lines if lines else 0)
        found[name] = np.bincount(inverse.ravel(), each, count)
    return found
