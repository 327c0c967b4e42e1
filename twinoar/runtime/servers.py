"""Who asks parameter servers for this process: what operators on their tables call.

The operators know tables by name alone; what connects to servers, and stages what is sent, is put
here by `twinoar.distributed.ps`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

import numpy as np

from twinoar.errors import DistributedError

CURE = "call fleet.init and fleet.init_worker first, in a job that twinoar launch --server_num made"


class Tables(Protocol):
    """What a worker does with tables on servers. Arrays are those of its Program."""

    def lookup(
        self,
        table: str,
        ids: np.ndarray,
        weights: tuple[np.ndarray, np.ndarray] | None,
        training: bool,
    ) -> np.ndarray:
        """Rows by number, [*ids,width]. weights: how often each was shown, and clicked."""

    def push_rows(
        self, table: str, positions: np.ndarray, vectors: np.ndarray, rate: float
    ) -> None:
        """Stage the gradient of some rows."""

    def push(self, table: str, gradient: np.ndarray, rate: float) -> None:
        """Stage the gradient of a whole parameter."""

    def flush(self) -> None:
        """Send what is staged."""

    def pull(self, table: str) -> np.ndarray:
        """A whole parameter as the servers have it after what this worker has sent."""

    def begin(self, table: str, value: np.ndarray) -> np.ndarray:
        """What a whole parameter begins as: the value of the first worker."""


_of_thread: ContextVar[Tables | None] = ContextVar("tables", default=None)
_of_process: list[Tables | None] = [None]


def current_tables() -> Tables:
    """What asks servers for this thread, or process. Raises DistributedError where nothing does."""
    found = _of_thread.get() or _of_process[0]
    if found is None:
        raise DistributedError("this process is connected to no parameter servers", cure=CURE)
    return found


def ask_by(tables: Tables | None) -> None:
    """Let operators ask `tables` in this process from now on, or nobody."""
    _of_process[0] = tables


@contextmanager
def asked_by(tables: Tables) -> Iterator[None]:
    """Let operators of this thread ask `tables` within the block."""
    token = _of_thread.set(tables)
    try:
        yield
    finally:
        _of_thread.reset(token)


_serving: dict[str, Callable[[], None]] = {}
_closing: list[Callable[[], None]] = []


def serve_at(endpoint: str, serve: Callable[[], None]) -> None:
    """Let the operator `listen_and_serv` at an endpoint be `serve`, which returns at the end."""
    _serving[endpoint] = serve


def serve(endpoint: str) -> None:
    """Be the server at an endpoint. Raises DistributedError where none is made."""
    if endpoint not in _serving:
        raise DistributedError(
            f"no server of this process is at {endpoint}",
            cure="make its Program in this process: DistributeTranspiler.get_pserver_program",
        )
    _serving[endpoint]()


def at_close(leave: Callable[[], None]) -> None:
    """Let a closed Executor leave the servers."""
    _closing.append(leave)


def close() -> None:
    """Leave the servers, as a closed Executor does."""
    while _closing:
        _closing.pop()()
