"""What workers do together by way of a server: each gives something to each, and all wait."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinoar.distributed.ps.messages import Arrays
from twinoar.errors import DistributedError


class Exchanges:
    """Calls that some workers have made, and others not yet, by their number."""

    def __init__(self) -> None:
        self._given: dict[int, dict[int, tuple[str, Arrays]]] = {}
        self._senders: dict[int, list[int]] = {}  # of those that all have called
        self._done: dict[int, set[int]] = {}

    def give(self, worker: int, number: int, what: str, arrays: Arrays) -> None:
        """Take what a worker gives. Raises DistributedError where others call something else."""
        there = self._given.setdefault(number, {})
        for other, (called, _) in there.items():
            if called != what:
                raise DistributedError(
                    f"workers call different things: worker {other} {called}, worker {worker} "
                    f"{what}",
                    cure="let all workers call the same, in the same order",
                )
        there.setdefault(worker, (what, arrays))

    def taken(
        self, worker: int, number: int, expected: Sequence[int]
    ) -> tuple[list[int], Arrays] | None:
        """Who has given something, and what each has for this one; None while some are missing."""
        there = self._given[number]
        if number not in self._senders:
            if any(w not in there for w in expected):
                return None
            self._senders[number] = sorted(there)
        senders = self._senders[number]
        found: dict[str, np.ndarray] = {}
        for sender in senders:
            arrays = there[sender][1]
            key = str(worker) if str(worker) in arrays else "all"
            if key in arrays:
                found[str(sender)] = arrays[key]
        done = self._done.setdefault(number, set())
        done.add(worker)
        if done.issuperset(senders):
            for kept in (self._given, self._senders, self._done):
                kept.pop(number - 1, None)  # the last one stays, should an answer be lost
        return senders, found

    def missing(self, number: int, expected: Sequence[int]) -> list[int]:
        """Who has not called yet."""
        return [w for w in expected if w not in self._given.get(number, {})]
