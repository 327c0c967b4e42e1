"""When a server takes a step: each gradient as it comes, or one of all workers together.

A step of several workers is that of the mean of their gradients, added up in the order of the
workers, so it does not depend on who came first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from twinoar.distributed.ps.messages import Arrays
from twinoar.distributed.ps.rows import merged
from twinoar.distributed.ps.table import Parameter, Sparse
from twinoar.late import dataclass

Mode = Literal["sync", "async", "geo"]


@dataclass(frozen=True, slots=True)
class Push:
    """What one worker sends of one step: gradients by table, and the rate of each.

    Arrays are called as their table; of a sparse one `ids table` and `rows table`.
    """

    rates: Mapping[str, float]
    arrays: Arrays


class Rounds:
    """Gradients that wait for those of other workers. version: steps that are done."""

    def __init__(self) -> None:
        self.version = 0
        self._waiting: dict[int, dict[int, Push]] = {}

    def add(self, step: int, worker: int, push: Push) -> None:
        """Take what a worker sends; what it had sent before, and steps that are done, are not."""
        if step > self.version:
            self._waiting.setdefault(step, {}).setdefault(worker, push)

    def skip_to(self, version: int) -> None:
        """Count steps as done that workers know of, and this server has lost."""
        self.version = max(self.version, version)
        self._waiting = {s: p for s, p in self._waiting.items() if s > self.version}

    def next(self, expected: Sequence[int]) -> list[Push] | None:
        """The gradients of the next step in the order of workers, once all have come."""
        there = self._waiting.get(self.version + 1, {})
        if not there or any(w not in there for w in expected):
            return None
        self.version += 1
        del self._waiting[self.version]
        return [there[w] for w in sorted(there)]

    def missing(self, expected: Sequence[int]) -> list[int]:
        """Whose gradients the next step waits for."""
        there = self._waiting.get(self.version + 1, {})
        return [w for w in expected if w not in there]


def take_step(kept: Mapping[str, Any], pushes: Sequence[Push], is_mean: bool = True) -> None:
    """Update tables by the mean of what workers have pushed, or by the sum."""
    names = [n for n in kept if any(n in push.rates for push in pushes)]
    for name in names:
        given = [push for push in pushes if name in push.rates]
        rate, count = given[0].rates[name], len(pushes) if is_mean else 1
        table = kept[name]
        if isinstance(table, Parameter):
            for push in given:
                table.check(push.arrays[name], "gradient")
            table.push(_mean([p.arrays[name] for p in given], count), rate)
        else:
            assert isinstance(table, Sparse)
            ids, rows = (
                np.concatenate([p.arrays[f"{what} {name}"] for p in given])
                for what in ("ids", "rows")
            )
            if len(given) > 1:
                ids, rows = merged(ids, rows)
            table.push(ids, rows / rows.dtype.type(count) if count > 1 else rows, rate)


def _mean(arrays: list[np.ndarray], count: int) -> np.ndarray:
    total = arrays[0]
    for a in arrays[1:]:
        total = total + a
    return total / total.dtype.type(count) if count > 1 else total


def geo_changes(changed: dict[int, set[int]], ids: np.ndarray, worker: int) -> None:
    """Note for the other workers which rows one of them has changed."""
    for other, rows in changed.items():
        if other != worker:
            rows.update(ids.tolist())
