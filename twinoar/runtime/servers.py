"""Who asks parameter servers for this process: what operators on their tables call.

The operators know tables by name alone; what connects to servers, and stages what is sent, is put
here by `twinoar.distributed.ps`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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


class _Current:
    tables: Tables | None = None


def current_tables() -> Tables:
    """What asks servers for this process. Raises DistributedError where nothing does."""
    if _Current.tables is None:
        raise DistributedError("this process is connected to no parameter servers", cure=CURE)
    return _Current.tables


def ask_by(tables: Tables | None) -> None:
    """Let operators ask `tables` from now on, or nobody."""
    _Current.tables = tables


@contextmanager
def asked_by(tables: Tables) -> Iterator[None]:
    """Let operators ask `tables` within the block."""
    before = _Current.tables
    ask_by(tables)
    try:
        yield
    finally:
        ask_by(before)
