"""The workers of a job as a server knows them: who is there, who has left, who is gone."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twinoar.errors import DistributedError

DEAD_SECONDS = 10.0  # without a sign of life, of which workers give two a second
HOST = socket.gethostname()


@dataclass(slots=True)
class Member:
    """A worker that has said hello. step: how many it has sent."""

    process: int
    host: str
    heard: float
    step: int = 0
    is_killed: bool = False

    def is_gone(self, dead_seconds: float) -> bool:
        """Whether it gives no more signs of life; on this machine its process is looked for."""
        if not self.is_killed and self.host == HOST:
            self.is_killed = not process_is_there(self.process)
        return self.is_killed or time.monotonic() - self.heard > dead_seconds


class Members:
    """All workers of a job, by number. left: those that have said goodbye."""

    def __init__(self, count: int, dead_seconds: float = DEAD_SECONDS):
        self.count, self._dead_seconds = count, dead_seconds
        self._there: dict[int, Member] = {}
        self.left: set[int] = set()
        self._begun = time.monotonic()

    def hello(self, worker: int, header: Mapping[str, Any]) -> bool:
        """Take a worker in. Raises DistributedError where another process has its number."""
        process, host = int(header["process"]), str(header["host"])
        known = self._there.get(worker)
        is_same = known is not None and (known.process, known.host) == (process, host)
        if known is not None and not is_same and not known.is_gone(self._dead_seconds):
            raise DistributedError(
                f"worker {worker} is there already: process {known.process} on {known.host}",
                cure="give each worker its own PADDLE_TRAINER_ID",
            )
        if not is_same:
            self._there[worker] = Member(process, host, time.monotonic())
            self.left.discard(worker)
        self.heard(worker)
        return not is_same

    def heard(self, worker: int, step: int | None = None) -> None:
        """Note a sign of life."""
        if worker in self._there:
            self._there[worker].heard = time.monotonic()
            if step is not None:
                self._there[worker].step = step

    def knows(self, worker: int) -> bool:
        """Whether a worker has said hello."""
        return worker in self._there

    def expected(self) -> list[int]:
        """Who takes part: all but those that have left."""
        return [w for w in range(self.count) if w not in self.left]

    def gone(self) -> list[int]:
        """Who has said hello and is gone without a goodbye."""
        return [
            w
            for w, member in self._there.items()
            if w not in self.left and member.is_gone(self._dead_seconds)
        ]

    def there(self, gone: list[int], seconds: float) -> list[int]:
        """Who is still to be served; who never connected in so many seconds is gone with others."""
        late = bool(gone) and time.monotonic() - self._begun > seconds
        return [w for w in self.expected() if w not in gone and not (late and not self.knows(w))]

    def name(self, worker: int) -> str:
        """A worker and the process that it is."""
        member = self._there[worker]
        return f"{worker}: {member.process} {member.host}"

    def shown(self, worker: int) -> str:
        """A worker as messages name it."""
        member = self._there.get(worker)
        if member is None:
            return f"worker {worker}, which has not connected"
        ago = time.monotonic() - member.heard
        return (
            f"worker {worker} (process {member.process} on {member.host}), last heard {ago:.1f} s "
            f"ago in step {member.step}"
        )


def process_is_there(process: int) -> bool:
    """Whether a process of this machine runs; one that has ended and waits for its parent does not.

    >>> process_is_there(os.getpid())
    True
    """
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except OSError:  # it has ended by now, or there is no such file system
        return not Path("/proc/self").exists()
    return state not in (b"Z", b"X")
