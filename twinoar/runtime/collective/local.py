"""Ranks as threads of one process, in lock step: what collectives mean, without an MPI.

All of a move is one step: each rank puts down what it gives, and when all have, each takes what it
wants of it. It is NumPy and short, so that one can see that it is right; tests of what many ranks
do (2 to 64 of them) run on it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.runtime.collective.call import Call, different_calls
from twinoar.runtime.collective.communicator import TIMEOUT_SECONDS, Communicator
from twinoar.runtime.collective.task import Task
from twinoar.runtime.collective.world import World


class Round:
    """One step: what each rank has put down."""

    __slots__ = ("items", "missing")

    def __init__(self, size: int):
        self.items: list[Any] = [None] * size
        self.missing = set(range(size))


class Board:
    """Where the ranks of a group meet. `gone`: ranks in the world that have ended."""

    def __init__(self, size: int, gone: set[int]):
        self.round, self.gone = Round(size), gone
        self.changed = threading.Condition()
        self.mail: dict[tuple[int, int], deque[tuple[str, np.ndarray]]] = {}
        self.boards: dict[int, Board] = {}  # of groups that were made of this one

    def put(self, rank: int, item: Any) -> Round:
        """Put down what a rank gives; returns the step that it is part of."""
        with self.changed:
            step = self.round
            step.items[rank] = item
            step.missing.discard(rank)
            if not step.missing:
                self.round = Round(len(step.items))
                self.changed.notify_all()
            return step

    def board_of(self, number: int, size: int) -> Board:
        """The board of a group that is made of this one's ranks."""
        with self.changed:
            return self.boards.setdefault(number, Board(size, self.gone))


class LocalCommunicator(Communicator):
    """A group of threads."""

    def __init__(
        self, board: Board, ranks: Sequence[int], rank: int, timeout: float = TIMEOUT_SECONDS
    ):
        super().__init__(ranks, rank, timeout)
        self.board = board

    def _step(self, item: Any) -> list[Any]:
        """What all ranks put down, once they have."""
        step = self.board.put(self.rank, item)
        try:
            self._wait_for(step)
        except BaseException as error:
            self.give_up(error)
            raise
        return step.items

    def _wait_for(self, step: Round) -> None:
        end = time.monotonic() + self.timeout
        with self.board.changed:
            while step.missing:
                gone = [self.ranks[r] for r in step.missing if self.ranks[r] in self.board.gone]
                left = end - time.monotonic()
                if gone or left <= 0:
                    self.look_around(lambda: False, self.said, self.timeout - left)
                self.board.changed.wait(max(left, 0))

    def agree(self, call: Call, x: np.ndarray | None = None) -> np.ndarray | None:
        """Return None when all ranks have called this.

        Raises DistributedError if one calls another.
        """
        self.said = call
        self.need_whole()
        texts = self._step(str(call))
        if len(set(texts)) > 1:
            raise different_calls(self.ranks, texts)
        return None

    def _all_gather(self, x: np.ndarray) -> np.ndarray:
        return np.stack(self._step(x.copy()))

    def _exchange(self, x: np.ndarray, sent: Sequence[int], taken: Sequence[int]) -> np.ndarray:
        parts = np.split(x.copy(), np.cumsum(sent)[:-1])
        return np.concatenate([given[self.rank] for given in self._step(parts)])

    def _broadcast(self, x: np.ndarray, root: int) -> np.ndarray:
        given: np.ndarray = self._step(x.copy() if self.rank == root else None)[root]
        return given.copy()

    def _gather(self, x: np.ndarray, root: int) -> np.ndarray | None:
        given = self._step(x.copy())
        return np.stack(given) if self.rank == root else None

    def _scatter(self, x: np.ndarray, root: int) -> np.ndarray:
        given = self._step(x.copy() if self.rank == root else None)[root]
        return np.array(given[self.rank])

    def _begin_send(self, x: np.ndarray, peer: int) -> Task:
        with self.board.changed:
            waiting = self.board.mail.setdefault((self.rank, peer), deque())
            waiting.append((x.dtype.name, x.reshape(-1).view(np.uint8)))
        return Task.done()

    def _arrived(self, peer: int) -> tuple[str, np.ndarray] | None:
        waiting = self.board.mail.get((peer, self.rank))
        return waiting.popleft() if waiting else None

    def ended(self) -> Sequence[int]:
        """The ranks in the world, of this group, that have ended."""
        return [r for r in self.ranks if r in self.board.gone]

    def _split(self, ranks: Sequence[int], number: int, timeout: float) -> Communicator:
        board = self.board.board_of(number, len(ranks))
        members = [self.ranks[r] for r in ranks]
        return LocalCommunicator(board, members, ranks.index(self.rank), timeout)


def alone() -> World:
    """A world of one rank."""
    return World(LocalCommunicator(Board(1, set()), [0], 0))


def leave(board: Board, rank: int) -> None:
    """Tell all who wait for a rank that it has ended."""
    board.gone.add(rank)
    boards = [board]
    while boards:
        there = boards.pop()
        with there.changed:
            boards += there.boards.values()
            there.changed.notify_all()
