"""How several processes that serve the same ports agree on what clients change.

A client asks one of them. That one asks who began them all, who has each make the change ready,
and when all are, has each do it; where one cannot, all drop it. So a change that is acknowledged is
done in every process, and one that fails in any is done in none. A process that is begun later
starts with what stands. Messages are tuples over a pipe for each process: "ask", "serves" and
"done" come from it, "ready", "commit", "drop" and "answer" go to it.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from twinoar.errors import ServingError, TwinoarError
from twinoar.serving.control import Change, Control, Ready
from twinoar.serving.repository import Repository
from twinoar.serving.shared_memory import Regions
from twinoar.serving.status import status_of, told

Failure = tuple[str, str]  # a status and a message
ENDS: Failure = ("UNAVAILABLE", "the server is shutting down")
# It may have been what is to be loaded that ended it, which must not end the others too.
DIED: Failure = ("INTERNAL", "a process of the server ended while it made this ready")


class Pipe(Protocol):
    """Where messages go."""

    def send(self, message: Any, /) -> None:
        """Send one. Raises OSError where nobody is at the other end."""


@dataclass(slots=True)
class _Underway:
    """A change, who asked for it, who is ready and who still has to say that it has done its part.

    failure: of the first that could not. versions: that were made.
    """

    change: Change
    asked_by: Pipe
    ticket: int
    waiting: set[Pipe] = field(default_factory=set)
    took: set[Pipe] = field(default_factory=set)
    commits: bool = False
    failure: Failure | None = None
    versions: tuple[int, ...] | None = None


class Agreement:
    """What the processes agree on, for who began them; one thread calls it.

    standing: the changes with which a process begins, in order.
    """

    def __init__(self, standing: Iterable[Change] = ()):
        self._standing = {change.subject: change for change in standing}
        self._members: set[Pipe] = set()
        self._underway: dict[int, _Underway] = {}
        self._lines: dict[tuple[str, str], deque[tuple[Pipe, int, Change]]] = {}
        self._numbers = itertools.count()

    def standing(self) -> list[Change]:
        """What a process that begins now has to do first."""
        return list(self._standing.values())

    def join(self, member: Pipe) -> None:
        """A process has begun, with what stands; it hears of all further changes."""
        self._members.add(member)

    def leave(self, member: Pipe) -> None:
        """A process has ended: nobody waits for it."""
        self._members.discard(member)
        for number, one in list(self._underway.items()):
            one.took.discard(member)
            if member in one.waiting and not one.commits:
                one.failure = one.failure or DIED
            one.waiting.discard(member)
            self._go_on(number)

    def hear(self, member: Pipe, message: tuple[Any, ...]) -> None:
        """A process has said something."""
        if member not in self._members:
            return
        match message:
            case ("ask", ticket, change):
                line = self._lines.setdefault(change.line, deque())
                line.append((member, ticket, change))
                if len(line) == 1:
                    self._begin(*line[0])
            case ("serves", versions):
                for change in self.standing():
                    if (
                        change.kind == "load"
                        and change.versions is None
                        and change.name in versions
                    ):
                        stands = change.with_versions(versions[change.name])
                        self._standing[change.subject] = stands
            case ("done", number, failure, versions):
                one = self._underway[number]
                one.waiting.discard(member)
                one.failure = one.failure or failure
                one.versions = one.versions or versions
                self._go_on(number)

    def close(self) -> None:
        """Tell all who wait that nothing more is changed."""
        for line in self._lines.values():
            for member, ticket, _ in line:
                _send(member, ("answer", ticket, ENDS))
        self._lines.clear()
        self._underway.clear()

    def _begin(self, member: Pipe, ticket: int, change: Change) -> None:
        number = next(self._numbers)
        self._underway[number] = _Underway(change, member, ticket)
        self._go_on(number)

    def _go_on(self, number: int) -> None:
        """What follows once nobody is waited for."""
        one = self._underway[number]
        if one.waiting:
            return
        if one.failure is None and not one.commits:
            missing = self._members - one.took
            if missing:  # all at first, then those that have begun meanwhile
                one.took |= missing
                self._tell(one, missing, ("ready", number, one.change))
                return
            self._stand(one)
            one.commits = True
            self._tell(one, one.took, ("commit", number))
            if one.waiting:
                return
        elif not one.commits:
            self._tell(one, one.took, ("drop", number, one.failure))
            one.waiting.clear()  # it cannot fail
        self._end(number)

    def _tell(self, one: _Underway, members: set[Pipe], message: tuple[Any, ...]) -> None:
        for member in members:
            if _send(member, message):
                one.waiting.add(member)

    def _stand(self, one: _Underway) -> None:
        """Let processes that begin from now on have the change from the start."""
        change = one.change
        if change.kind == "unregister" and not change.name:
            kept = {s: c for s, c in self._standing.items() if c.kind != "register"}
            self._standing = kept
        self._standing.pop(change.subject, None)
        if change.kind in ("load", "register"):
            self._standing[change.subject] = change.with_versions(one.versions)

    def _end(self, number: int) -> None:
        one = self._underway.pop(number)
        _send(one.asked_by, ("answer", one.ticket, one.failure))
        line = self._lines[one.change.line]
        line.popleft()
        if line:
            self._begin(*line[0])
        else:
            del self._lines[one.change.line]


class SharedControl(Control):
    """The changes of a process that serves beside others: all of them do each, or none does."""

    def __init__(self, repository: Repository, regions: Regions | None, pipe: Pipe):
        super().__init__(repository, regions)
        self._pipe = pipe
        self._tickets: dict[int, Future[None]] = {}
        self._numbers = itertools.count()
        self._ready: dict[int, Ready] = {}
        self._sending, self._hearing = threading.Lock(), threading.Lock()
        self._held: list[tuple[Any, ...]] | None = []  # what was said before it had begun
        self._closed = False

    def change(self, change: Change) -> None:
        """Do it in all processes. Raises ServingError where it fails in one, and so in all."""
        ticket, future = next(self._numbers), Future[None]()
        self._tickets[ticket] = future
        if self._closed or not self._say(("ask", ticket, change)):
            self._answer(ticket, ENDS)
        future.result()

    def begin(self) -> None:
        """The process has what stood when it began: it takes part from now on.

        The others are told which versions it has, so that later ones have the same.
        """
        names = {model.name for model in self.repository.served()}
        versions = {name: tuple(map(int, self.repository.versions(name))) for name in names}
        self._say(("serves", versions))
        with self._hearing:
            for message in self._held or ():
                self._do(message)
            self._held = None

    def hear(self, message: tuple[Any, ...]) -> None:
        """Who began this process has said something. What takes long is done beside."""
        with self._hearing:
            if self._held is None:
                self._do(message)
            else:
                self._held.append(message)

    def _do(self, message: tuple[Any, ...]) -> None:
        match message:
            case ("ready", number, change):
                _beside(lambda: self._make_ready(number, change))
            case ("commit", number):
                _beside(lambda: self._commit(number))
            case ("drop", number, failure):
                found = self._ready.pop(number, None)  # None where this process was the one
                if found is not None:
                    _beside(lambda: found.drop(failure[1]))
            case ("answer", ticket, failure):
                self._answer(ticket, failure)

    def close(self) -> None:
        """Nobody answers any more: who waits is told so."""
        self._closed = True
        for ticket in list(self._tickets):
            self._answer(ticket, ENDS)

    def _make_ready(self, number: int, change: Change) -> None:
        try:
            ready = self._ready[number] = self.ready(change)
        except Exception as error:
            self._say(("done", number, _failure(error), None))
        else:
            self._say(("done", number, None, tuple(ready.versions) or None))

    def _commit(self, number: int) -> None:
        try:
            self._ready.pop(number).commit()
        except Exception as error:  # it ends, or a model went meanwhile
            self._say(("done", number, _failure(error), None))
        else:
            self._say(("done", number, None, None))

    def _say(self, message: tuple[Any, ...]) -> bool:
        with self._sending:
            return _send(self._pipe, message)

    def _answer(self, ticket: int, failure: Failure | None) -> None:
        future = self._tickets.pop(ticket, None)
        if future is None:
            return
        if failure is None:
            future.set_result(None)
        else:
            future.set_exception(ServingError(failure[1], failure[0]))


def _failure(error: Exception) -> Failure:
    """An error as it is told by the process that was asked."""
    if isinstance(error, ServingError):
        return error.status, told(error)
    known = isinstance(error, TwinoarError)
    return status_of(error).grpc if known else "INTERNAL", told(error)


def _send(pipe: Pipe, message: tuple[Any, ...]) -> bool:
    """Whether somebody was there."""
    try:
        pipe.send(message)
    except OSError:
        return False
    return True


def _beside(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="change", daemon=True).start()
