"""What one server keeps: parameters whole, and rows of sparse tables that it makes on first sight.

A table knows no other process. Arrays of a sparse table have a line for each row that was seen, in
the order of first sight; they grow by doubling.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

import numpy as np

from twinoar.core.dtype import dtype_of
from twinoar.distributed.ps.entry import DECAY, LEAST_SCORE, SHOW_CLICK, Entry, score
from twinoar.distributed.ps.rows import Beginning, Places
from twinoar.distributed.ps.rule import Rule
from twinoar.errors import DistributedError
from twinoar.late import dataclass

LEAST_ROWS = 256
Arrays = dict[str, np.ndarray]
Kind = Literal["dense", "sparse"]


@dataclass(frozen=True, slots=True)
class Table:
    """What a table is, equal in all processes of a job.

    shape: that of a whole parameter, or (width,) of each row. rule: None where gradients are
    changes that are added (geo). server: which one keeps a whole parameter.
    """

    name: str
    kind: Kind
    shape: tuple[int, ...]
    dtype: str
    rule: Rule | None = field(compare=False)
    server: int = 0
    beginning: Beginning = Beginning()
    entry: Entry = Entry()
    height: int = 0  # rows that the Program declares; there may be more

    @property
    def is_sparse(self) -> bool:
        """Whether it is rows over all servers."""
        return self.kind == "sparse"

    def described(self) -> str:
        """All that has to be equal in all processes, as text."""
        rule = "added" if self.rule is None else self.rule.text()
        size = "x".join(map(str, self.shape))
        own = f"{self.beginning} {self.entry}" if self.is_sparse else f"server {self.server}"
        return f"{self.kind} {self.name}: {self.dtype}[{size}] {own}\n{rule}"


class Parameter:
    """A whole parameter; without a value until the first worker brings it."""

    def __init__(self, table: Table):
        self.table = table
        self.value: np.ndarray | None = None
        self.memory: list[np.ndarray] = []

    def begin(self, value: np.ndarray) -> None:
        """Take the first value; nothing is remembered yet."""
        self.check(value, "value")
        self.value, rule = np.array(value), self.table.rule
        if rule is not None:
            self.memory = [rule.beginning(m, value.shape) for m in rule.moments]

    def push(self, gradient: np.ndarray, rate: float) -> None:
        """Take a step, or without a rule add what is given."""
        self.check(gradient, "gradient")
        if self.value is None:
            raise DistributedError(
                f"{self.table.name} has no value yet, and a gradient came",
                cure="run the startup Program on every worker before the first step",
            )
        if self.table.rule is None:
            self.value = self.value + gradient
        else:
            self.value, self.memory = self.table.rule.step(self.value, gradient, self.memory, rate)

    def check(self, array: np.ndarray, what: str) -> None:
        """Raise DistributedError for another shape or dtype."""
        wanted, dtype = self.table.shape, dtype_of(self.table.dtype).numpy
        if array.shape != wanted or array.dtype != dtype:
            raise DistributedError(
                f"the {what} of {self.table.name} is {array.dtype}{list(array.shape)}, "
                f"the server has {np.dtype(dtype)}{list(wanted)}",
                cure="run the same script in all processes",
            )

    def arrays(self) -> Arrays:
        """What is saved."""
        if self.value is None:
            return {}
        return {"value": self.value, **{f"memory{n}": a for n, a in enumerate(self.memory)}}

    def load(self, arrays: Arrays) -> None:
        """Take what was saved; without what was remembered it begins anew."""
        self.begin(arrays["value"].astype(dtype_of(self.table.dtype).numpy, copy=False))
        if len(arrays) == 1 + len(self.memory):
            self.memory = [np.array(arrays[f"memory{n}"]) for n in range(len(self.memory))]


class Sparse:
    """The rows of a sparse table that are on this server."""

    def __init__(self, table: Table):
        self.table, self.places = table, Places()
        width, dtype = table.shape[0], dtype_of(table.dtype).numpy
        self._rule = table.rule
        moments = () if self._rule is None else self._rule.moments
        self.singles = [i for i, m in enumerate(moments) if m.is_single]
        self.memory = (
            []
            if self._rule is None
            else [self._rule.beginning(m, (0, width)) for m in self._rule.moments]
        )
        self.ids, self.rows = np.zeros(0, np.int64), np.zeros((0, width), dtype)
        self.sights, self.is_in = np.zeros(0, np.int64), np.zeros(0, bool)
        self.weights = np.zeros((0, 2), np.float64)  # shown, clicked

    def __len__(self) -> int:
        return self.places.count

    def pull(self, ids: np.ndarray, training: bool, counts: np.ndarray | None = None) -> np.ndarray:
        """The rows of these numbers, [n,width]; new ones are made, or told and not kept.

        ids: [n], each once. counts: [n], how often each was asked for, 1 by default.
        """
        at = self.places.find(ids)
        if training:
            at = self._seen(ids, at, counts)
        is_there = at >= 0
        if is_there.all():
            found = self.rows[at]
        else:
            found = np.zeros((len(ids), self.rows.shape[1]), self.rows.dtype)
            found[is_there] = self.rows[at[is_there]]
            if not self.table.entry.waits:
                found[~is_there] = self._begun(ids[~is_there])
        return found

    def _seen(self, ids: np.ndarray, at: np.ndarray, counts: np.ndarray | None) -> np.ndarray:
        is_new = at < 0
        if is_new.any():
            at = at.copy()
            at[is_new] = self._add(ids[is_new])
        if self.table.entry.waits:
            self.sights[at] += 1 if counts is None else counts
            waiting = at[~self.is_in[at]]
            taken = waiting[self.table.entry.takes_in(self.ids[waiting], self.sights[waiting])]
            self.rows[taken] = self._begun(self.ids[taken])
            self.is_in[taken] = True
        return at

    def _add(self, ids: np.ndarray) -> np.ndarray:
        at = self.places.add(ids)
        if self.places.count > len(self.ids):
            self._make_room(self.places.count)
        self.ids[at], self.sights[at], self.weights[at] = ids, 0, 0
        waits = self.table.entry.waits
        self.is_in[at] = not waits
        self.rows[at] = 0 if waits else self._begun(ids)
        for n, moment in enumerate(self._rule.moments if self._rule is not None else ()):
            if not moment.is_single:
                self.memory[n][at] = moment.value
        return at

    def _begun(self, ids: np.ndarray) -> np.ndarray:
        return self.table.beginning.rows(ids, self.rows.shape[1], self.rows.dtype)

    def _make_room(self, count: int) -> None:
        size = max(LEAST_ROWS, 2 * len(self.ids), count)
        for name in ("ids", "rows", "sights", "is_in", "weights"):
            setattr(self, name, _longer(getattr(self, name), size))
        self.memory = [
            a if n in self.singles else _longer(a, size) for n, a in enumerate(self.memory)
        ]

    def weigh(self, ids: np.ndarray, shown: np.ndarray, clicked: np.ndarray) -> None:
        """Note how often rows were shown and clicked. ids: [n], each once."""
        at = self.places.find(ids)
        is_there = at >= 0
        self.weights[at[is_there]] += np.stack([shown, clicked], 1)[is_there]

    def push(self, ids: np.ndarray, gradient: np.ndarray, rate: float) -> None:
        """Take a step of these rows, or without a rule add what is given.

        ids: [n], each once. gradient: [n,width]. Rows that were not taken in are left out.
        """
        self.check(ids, gradient)
        at = self.places.find(ids)
        if self._rule is None:
            at = self._seen(ids, at, None)
            self.rows[at] += gradient
            return
        kept = at >= 0
        kept[kept] = self.is_in[at[kept]]
        at, gradient = at[kept], gradient[kept]
        states = [a if n in self.singles else a[at] for n, a in enumerate(self.memory)]
        new, following = self._rule.step(self.rows[at], gradient, states, rate)
        self.rows[at] = new
        for n, state in enumerate(following):
            if n in self.singles:
                self.memory[n] = state
            else:
                self.memory[n][at] = state

    def check(self, ids: np.ndarray, gradient: np.ndarray) -> None:
        wanted = (len(ids), self.rows.shape[1])
        if gradient.shape != wanted or gradient.dtype != self.rows.dtype:
            raise DistributedError(
                f"the gradient of {len(ids)} rows of {self.table.name} is "
                f"{gradient.dtype}{list(gradient.shape)}, the server has "
                f"{self.rows.dtype}{list(wanted)}",
                cure="run the same script in all processes",
            )

    def shrink(self, threshold: float | None) -> int:
        """Drop rows that are shown and clicked too seldom; how many.

        The counts fade. Without ShowClickEntry rows have none, and those not taken in are dropped.
        """
        count = len(self)
        if self.table.entry.kind == SHOW_CLICK:
            self.weights[:count] *= DECAY
            worth = score(self.weights[:count, 0], self.weights[:count, 1])
            kept = worth >= (LEAST_SCORE if threshold is None else threshold)
        else:
            kept = self.is_in[:count].copy()
        self._keep(kept)
        return int(count - kept.sum())

    def _keep(self, kept: np.ndarray) -> None:
        whole = self.arrays()
        arrays = {n: a if n.startswith("single") else a[kept] for n, a in whole.items()}
        self.clear()
        self.load(arrays)

    def clear(self) -> None:
        """Forget all rows."""
        self.__init__(self.table)  # type: ignore[misc]

    def arrays(self) -> Arrays:
        """What is saved: a line for each row; what is remembered of the table as a whole, [1]."""
        count = len(self)
        found = {n: getattr(self, n)[:count] for n in ("ids", "rows", "sights", "is_in", "weights")}
        for n, a in enumerate(self.memory):
            found[f"{'single' if n in self.singles else 'memory'}{n}"] = (
                a if n in self.singles else a[:count]
            )
        return found

    def load(self, arrays: Arrays) -> None:
        """Take saved rows beside those that are here; of equal numbers, those."""
        ids = arrays["ids"]
        at = self.places.find(ids)
        is_new = at < 0
        at[is_new] = self._add(ids[is_new])
        for name in ("rows", "sights", "is_in", "weights"):
            getattr(self, name)[at] = arrays[name]
        for n in range(len(self.memory)):
            if n in self.singles and f"single{n}" in arrays:
                self.memory[n] = np.array(arrays[f"single{n}"])
            elif f"memory{n}" in arrays:
                self.memory[n][at] = arrays[f"memory{n}"]


def _longer(a: np.ndarray, size: int) -> np.ndarray:
    found = np.zeros((size, *a.shape[1:]), a.dtype)
    found[: len(a)] = a
    return found


def empty(table: Table) -> Any:
    """What a server keeps of a table, before it has anything."""
    return Sparse(table) if table.is_sparse else Parameter(table)
