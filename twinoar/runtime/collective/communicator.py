"""The face of an engine: one group of ranks, as one of them sees it.

An engine gives a few moves of arrays (the abstract methods); what collectives are follows from
them. Before each, ranks compare what they call, so a mistake is an error on all of them that says
who called what, and never a wait without an end.
"""

from __future__ import annotations

import pickle
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, DistributedError, ShapeError
from twinoar.runtime.collective.call import Call, call_of, combined
from twinoar.runtime.collective.task import Queue, Task

NOBODY = -1  # as a peer: what is sent there is dropped, and zeros come from there (MPI's null rank)
TIMEOUT_SECONDS = 1800.0  # Paddle's
QUICK_LOOKS = 50  # before a wait gives way: small messages arrive meanwhile
YIELD_SECONDS = 0.02  # a wait so short only gives way to other threads; a longer one sleeps
PAUSES_SECONDS = (1e-4, 1e-3)  # a nap at first, and at most
LOOK_SECONDS = 0.05  # how often a wait looks whether a rank that it waits for has ended


class Communicator(ABC):
    """The ranks of one group. Ranks in arguments are those in the group.

    ranks: the group's members by their ranks in the world. rank: which one this is.
    """

    def __init__(self, ranks: Sequence[int], rank: int, timeout: float = TIMEOUT_SECONDS):
        self.ranks, self.rank, self.timeout = tuple(ranks), rank, timeout
        self.queue = Queue()
        self.said: Any = "a collective"  # what this rank calls, or called last
        self.given_up: str | None = None  # why a collective was begun here and not finished
        self._receiving: dict[int, deque[tuple[np.ndarray, Task]]] = {}

    @property
    def size(self) -> int:
        """How many ranks there are."""
        return len(self.ranks)

    # What an engine gives. Arrays are contiguous; `agree` has been called.

    @abstractmethod
    def agree(self, call: Call, x: np.ndarray | None = None) -> np.ndarray | None:
        """Return when all ranks have called this. Raises DistributedError if one calls another.

        x: what this rank gives; where it is so small that it travels along, the x of all are
        returned, [size,*], else None.
        """

    @abstractmethod
    def _all_gather(self, x: np.ndarray) -> np.ndarray:
        """[size,*], the x of each rank, which have equal shapes."""

    @abstractmethod
    def _exchange(self, x: np.ndarray, sent: Sequence[int], taken: Sequence[int]) -> np.ndarray:
        """Parts of x [sum(sent),*], one to each rank; the parts [sum(taken),*] that arrive."""

    @abstractmethod
    def _broadcast(self, x: np.ndarray, root: int) -> np.ndarray:
        """The x of rank `root`."""

    @abstractmethod
    def _gather(self, x: np.ndarray, root: int) -> np.ndarray | None:
        """[size,*] on rank `root`, None on others."""

    @abstractmethod
    def _scatter(self, x: np.ndarray, root: int) -> np.ndarray:
        """x[rank] of the x [size,*] of rank `root`."""

    @abstractmethod
    def _begin_send(self, x: np.ndarray, peer: int) -> Task:
        """Send a copy of x to a rank."""

    @abstractmethod
    def _arrived(self, peer: int) -> tuple[str, np.ndarray] | None:
        """The next message of a rank, dtype and bytes, if it is there."""

    @abstractmethod
    def ended(self) -> Sequence[int]:
        """The ranks in the world, of this group, that have ended."""

    @abstractmethod
    def _split(self, ranks: Sequence[int], number: int, timeout: float) -> Communicator:
        """A group of some of these ranks, which call it with one number."""

    def _reduced(self, x: np.ndarray, reduction: str) -> np.ndarray | None:
        """The arrays of all ranks as one, where the engine has a way of its own; else None."""
        return None

    def _scattered(self, x: np.ndarray, reduction: str) -> np.ndarray | None:
        """The rows [rank] of all ranks as one, where the engine has a way of its own; else None."""
        return None

    # What follows.

    def split(
        self, ranks: Sequence[int], number: int, timeout: float
    ) -> tuple[int, Communicator | None]:
        """A group of some of these ranks, None on the others; all of these call it.

        number: the one that this rank would give the group. It gets the highest of all, which is
        returned: a rank that was refused a group before has counted on less than others.
        """
        self._ready(Call("new_group", f"of the ranks {list(ranks)}"))
        number = int(self._all_gather(np.array([number], np.int64)).max())
        return number, self._split(ranks, number, timeout) if self.rank in ranks else None

    def give_up(self, reason: BaseException) -> None:
        """Make no more collectives: one was begun here and not finished, others may be in it yet.

        What they have sent, and what arrives late, would else pass for what comes next.
        """
        if self.given_up is None:
            self.given_up = str(reason).partition("\n")[0] or type(reason).__name__

    def need_whole(self) -> None:
        """Raise DistributedError where a collective was given up."""
        if self.given_up is not None:
            raise DistributedError(
                f"the group of the ranks {list(self.ranks)} has ended on rank "
                f"{self.ranks[self.rank]} with a collective that was not finished: {self.given_up}",
                cure="start the job again from a checkpoint; ranks that all go on may make a group "
                "of their own by new_group, before",
            )

    def barrier(self) -> None:
        """Return when all ranks are here."""
        self._ready(Call("barrier"))

    def all_reduce(self, x: np.ndarray, reduction: str) -> np.ndarray:
        """The arrays of all ranks as one, of x's shape and dtype, on each of them."""
        x, rows = self._ready_with(call_of("all_reduce", x, reduction), x)
        if rows is not None:
            return combined(list(rows), reduction)
        found = self._reduced(x, reduction)
        if found is not None:
            return found
        if x.size < self.size:
            return combined(list(self._all_gather(x)), reduction)
        return self._reduced_by_parts(x, reduction)

    def _reduced_by_parts(self, x: np.ndarray, reduction: str) -> np.ndarray:
        """As all_reduce: each rank combines a part of all, and the parts are gathered."""
        part = -(-x.size // self.size)
        padded = np.zeros(part * self.size, x.dtype)
        padded[: x.size] = x.reshape(-1)
        counts = [part] * self.size
        arrived = self._exchange(padded, counts, counts).reshape(self.size, part)
        whole = self._all_gather(combined(list(arrived), reduction))
        return whole.reshape(-1)[: x.size].reshape(x.shape)

    def all_gather(self, x: np.ndarray) -> np.ndarray:
        """[size,*], the x [*] of each rank."""
        x, rows = self._ready_with(call_of("all_gather", x), x)
        return self._all_gather(x) if rows is None else rows

    def reduce_scatter(self, x: np.ndarray, reduction: str) -> np.ndarray:
        """x [size,*] of all ranks combined, of which this rank gets [rank]."""
        x = self._ready(call_of("reduce_scatter", x, reduction), x)
        self._need_rows(x, "reduce_scatter")
        found = self._scattered(x, reduction)
        if found is not None:
            return found
        counts = [1] * self.size
        return combined(list(self._exchange(x, counts, counts)), reduction)

    def all_to_all(
        self, x: np.ndarray, sent: Sequence[int] | None = None, taken: Sequence[int] | None = None
    ) -> np.ndarray:
        """Rows of x [n,*] to each rank, and what arrives [m,*], in the order of ranks.

        sent: how many rows each rank gets, None for equally many. taken: how many come from each;
        by default as many as are sent. Raises ShapeError, on all ranks, where they do not fit.
        """
        sent = self._row_counts(x, sent, "sent")
        taken = list(sent if taken is None else taken)
        x = self._ready(Call("all_to_all", "", x.dtype.name, x.shape[1:]), x)
        table = self._all_gather(np.array([sent, taken], np.int64))  # [size,2,size]
        self._need_fit(table[:, 0], table[:, 1])
        return self._exchange(x, sent, taken)

    def broadcast(self, x: np.ndarray, root: int) -> np.ndarray:
        """The x of rank `root`, on all of them."""
        return self._broadcast(self._ready(call_of("broadcast", x, self._from(root)), x), root)

    def reduce(self, x: np.ndarray, root: int, reduction: str) -> np.ndarray | None:
        """The arrays of all ranks as one on rank `root`, None on others."""
        x = self._ready(call_of("reduce", x, f"{reduction} {self._to(root)}"), x)
        gathered = self._gather(x, root)
        return None if gathered is None else combined(list(gathered), reduction)

    def gather(self, x: np.ndarray, root: int) -> np.ndarray | None:
        """[size,*] on rank `root`, None on others."""
        return self._gather(self._ready(call_of("gather", x, self._to(root)), x), root)

    def scatter(self, x: np.ndarray, root: int) -> np.ndarray:
        """x[rank] of the x [size,*] of rank `root`; others give an x of that shape and dtype."""
        x = self._ready(call_of("scatter", x, self._from(root)), x)
        self._need_rows(x, "scatter")
        return self._scatter(x, root)

    def all_gather_object(self, given: Any) -> list[Any]:
        """The objects of all ranks, as copies."""
        own = np.frombuffer(pickle.dumps(given), np.uint8)  # may fail, so before others wait
        self._ready(Call("all_gather_object"))
        lengths = self._all_gather(np.array([own.size], np.int64)).reshape(-1)
        padded = np.zeros(lengths.max(), np.uint8)
        padded[: own.size] = own
        rows = self._all_gather(padded)
        return [pickle.loads(r[:n].tobytes()) for r, n in zip(rows, lengths, strict=True)]

    def send(self, x: np.ndarray, peer: int) -> Task:
        """Begin to send x to a rank; it may be changed at once."""
        if peer == NOBODY:
            return Task.done()
        self._need_rank(peer, "send")
        return self._begin_send(np.array(x, order="C"), peer)

    def receive(self, into: np.ndarray, peer: int) -> Receiving:
        """Begin to fill an array, contiguous, with what a rank sends next."""
        task = Receiving(self, peer)
        if peer == NOBODY:
            into[...] = np.zeros((), into.dtype)
            task.end()
            return task
        self._need_rank(peer, "recv")
        self._receiving.setdefault(peer, deque()).append((into, task))
        return task

    def forget(self, task: Receiving) -> None:
        """Let what arrives be for those who ask after this one."""
        for waiting in self._receiving.values():
            for entry in [e for e in waiting if e[1] is task]:
                waiting.remove(entry)

    def progress(self) -> None:
        """Take in what has arrived for those who wait for it, in order."""
        for peer, waiting in self._receiving.items():
            while waiting and (message := self._arrived(peer)) is not None:
                into, task = waiting.popleft()
                task.end(self._put(message, into, peer))

    def _put(
        self, message: tuple[str, np.ndarray], into: np.ndarray, peer: int
    ) -> DistributedError | None:
        dtype, data = message
        if dtype == into.dtype.name and data.size == into.nbytes:
            into.reshape(-1).view(np.uint8)[:] = data
            return None
        count = data.size // np.dtype(into.dtype if dtype == into.dtype.name else np.uint8).itemsize
        what = f"{count} elements of {dtype}" if dtype == into.dtype.name else f"{dtype}"
        return DistributedError(
            f"rank {self.ranks[peer]} has sent {what}, recv on rank {self.ranks[self.rank]} "
            f"expects {into.dtype.name}{list(into.shape)}",
            cure="receive into a tensor of the shape and dtype of the one that is sent",
        )

    def wait_until(self, is_done: Any, what: Any) -> None:
        """Return when `is_done()`; meanwhile others compute, and Ctrl-C is heard.

        Raises DistributedError where a rank of the group has ended, or after the group's timeout.
        """
        if any(is_done() for _ in range(QUICK_LOOKS)):
            return
        begun = time.monotonic()
        looked, pause = begun, PAUSES_SECONDS[0]
        while not is_done():
            now = time.monotonic()
            if now - begun < YIELD_SECONDS:
                time.sleep(0)
                continue
            if now - looked > LOOK_SECONDS:
                looked = now
                self.look_around(is_done, what, now - begun)
            time.sleep(pause)
            pause = min(pause * 1.1, PAUSES_SECONDS[1])

    def look_around(self, is_done: Any, what: Any, waited: float) -> None:
        """Raise DistributedError where a rank has ended, or this one has waited too long."""
        gone = self.ended()
        if gone and not is_done():
            raise DistributedError(
                f"rank {gone[0]} has ended, and rank {self.ranks[self.rank]} waits for it in "
                f"{what}",
                cure="let all ranks make the same calls: as many batches for each, for one",
            )
        if waited > self.timeout:
            raise DistributedError(
                f"rank {self.ranks[self.rank]} has waited {waited:.0f} seconds for others in "
                f"{what}",
                cure="look at what the other ranks do; new_group(timeout=...) waits longer",
            )

    def _ready(self, call: Call, x: np.ndarray | None = None) -> Any:
        """x in one piece, once what was begun before is done and all ranks call the same."""
        self.queue.drain()
        self.agree(call)
        return None if x is None else np.asarray(x, order="C")

    def _ready_with(self, call: Call, x: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """As _ready, and the x of all ranks where they are so small that they came along."""
        self.queue.drain()
        whole = np.asarray(x, order="C")
        return whole, self.agree(call, whole)

    def _from(self, root: int) -> str:
        self._need_rank(root, "src")
        return f"from rank {self.ranks[root]}"

    def _to(self, root: int) -> str:
        self._need_rank(root, "dst")
        return f"to rank {self.ranks[root]}"

    def _need_rank(self, rank: int, what: str) -> None:
        if not 0 <= rank < self.size:
            raise ArgumentError(
                f"{what}: there is no rank {rank} in a group of {self.size}",
                cure=f"its ranks are 0 to {self.size - 1}",
            )

    def _need_rows(self, x: np.ndarray, what: str) -> None:
        if x.ndim == 0 or x.shape[0] != self.size:
            raise ShapeError(
                f"{what}: one part for each of {self.size} ranks is expected, received "
                f"{list(x.shape)}"
            )

    def _row_counts(self, x: np.ndarray, counts: Sequence[int] | None, what: str) -> list[int]:
        if counts is None:
            if x.ndim == 0 or x.shape[0] % self.size:
                raise ShapeError(
                    f"all_to_all: {list(x.shape)} has no rows that {self.size} ranks could share "
                    "equally",
                    cure="say how many rows each gets",
                )
            return [x.shape[0] // self.size] * self.size
        if len(counts) != self.size or sum(counts) != x.shape[0] or min(counts) < 0:
            raise ShapeError(
                f"all_to_all: {what} {list(counts)} for {self.size} ranks and {x.shape[0]} rows"
            )
        return list(counts)

    def _need_fit(self, sent: np.ndarray, taken: np.ndarray) -> None:
        """That each rank takes as many rows of each as that one sends. [size,size] both."""
        wrong = np.argwhere(sent != taken.T)
        if len(wrong):
            source, target = (int(i) for i in wrong[0])
            raise ShapeError(
                f"all_to_all: rank {self.ranks[source]} sends {sent[source, target]} rows to rank "
                f"{self.ranks[target]}, which takes {taken[target, source]}"
            )


class Receiving(Task):
    """A message that is on its way; whoever waits takes in what arrives."""

    def __init__(self, communicator: Communicator, peer: int):
        super().__init__()
        self._communicator, self._peer = communicator, peer

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the message has arrived. Raises DistributedError if it does not fit.

        A wait that fails gives the message up: it is for the next who receives.
        """
        there = self._communicator
        if not self._ended.is_set():
            source = there.ranks[self._peer]
            try:
                there.wait_until(self.is_completed, f"recv from rank {source}")
            except BaseException as error:
                there.forget(self)
                self.end(error)
                raise
        return super().wait(timeout)

    def is_completed(self) -> bool:
        """Whether the message has arrived."""
        if not self._ended.is_set():
            self._communicator.progress()
        return self._ended.is_set()
