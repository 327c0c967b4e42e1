"""Workers that train alone, and meet at servers after every so many steps.

Each sends what its parameters have changed by since the last meeting, divided by the number of
workers; servers add that up. Then it takes what the others have changed, and keeps its own change
as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.distributed.ps.communicator import Communicator
from twinoar.distributed.ps.table import Table
from twinoar.static.program import Program
from twinoar.static.scope import Scope

ROWS_AT_ONCE = 1 << 16  # that a worker asks for when it begins


class Geo:
    """What an Executor calls after each step of a Program. steps: how many between meetings."""

    def __init__(
        self, program: Program, tables: Sequence[Table], communicator: Communicator, steps: int
    ):
        self._states = {t.name: program.states[t.name] for t in tables}
        self._tables, self._there, self._steps = list(tables), communicator, steps
        self._old: dict[str, np.ndarray] = {}
        self._restarts = 0
        self._count = 0

    def __call__(self, scope: Scope) -> None:
        """Count a step, and meet where it is time to."""
        self._count += 1
        if self._count % self._steps == 0:
            self.meet(scope)

    def begin(self, scope: Scope) -> None:
        """Let tables begin as servers have them, and remember how all begin."""
        for link in self._there.links:  # what others change from now on is told
            for table in self._tables:
                if table.is_sparse:
                    link.ask("changed", table=table.name, all=False)
        for table in self._tables:
            state = self._states[table.name]
            value = np.array(scope.read(state))
            if table.is_sparse:
                for start in range(0, table.height, ROWS_AT_ONCE):
                    ids = np.arange(start, min(start + ROWS_AT_ONCE, table.height))
                    value[ids] = self._there.rows(table.name, ids, True)
                scope.write(state, value)
            self._old[table.name] = value

    def meet(self, scope: Scope) -> None:
        """Send what has changed here, and take what has changed elsewhere."""
        changes = {t.name: self._send(t, scope.read(self._states[t.name])) for t in self._tables}
        self._there.flush()
        self._there.settle()
        restarts = sum(link.restarts for link in self._there.links)
        for table in self._tables:
            state = self._states[table.name]
            value, old = np.array(scope.read(state)), self._old[table.name]
            own, change = changes[table.name]
            ids: Any
            if table.is_sparse:
                ids, rows = self._changed(table, own, restarts > self._restarts)
                sent = np.zeros_like(rows)
                sent[np.searchsorted(ids, own)] = change
                value[ids] += rows - old[ids] - sent
            else:
                ids, rows, sent = slice(None), self._there.pull(table.name), change
                value += rows - old - sent
            old[ids] = rows
            scope.write(state, value)
        self._restarts = restarts

    def _send(self, table: Table, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Stage what a parameter has changed by; which rows, and by what."""
        workers = value.dtype.type(self._there.workers)
        change = (value - self._old[table.name]) / workers
        if not table.is_sparse:
            self._there.push(table.name, change, 0.0)
            return np.zeros(0, np.int64), change
        ids = np.flatnonzero(change.any(1))
        self._there.push_rows(table.name, ids, change[ids], 0.0)
        return ids, change[ids]

    def _changed(
        self, table: Table, own: np.ndarray, all_rows: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows as servers have them: those that others or this worker have changed."""
        links = self._there.links
        found = [link.ask("changed", table=table.name, all=all_rows)[1] for link in links]
        ids = np.concatenate([own, *(f["ids"] for f in found)])
        ids = np.unique(ids[ids < table.height])
        return ids, self._there.rows(table.name, ids, False)
