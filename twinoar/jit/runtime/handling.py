"""The try statements that a trace is in: what a Program raises, none of them will see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from twinoar.core.interpreter import current
from twinoar.errors import ConversionError


class Try(NamedTuple):
    """A try statement that the trace is in. takes: makes the exceptions that it has an except for.

    block: the one that it stands in.
    """

    takes: Callable[[], Any]
    has_finally: bool
    block: Any

    def sees(self, kind: type) -> bool:
        """True if its finally runs, or an except of it, where one of `kind` is raised."""
        return self.has_finally or issubclass(kind, self.takes())


_tries: ContextVar[tuple[Try, ...]] = ContextVar("twinoar_tries", default=())


@contextmanager
def handled(takes: Callable[[], Any], has_finally: bool) -> Iterator[None]:
    """The body of a try statement."""
    if current().runs:
        yield
        return
    entered = Try(takes, has_finally, current().block)  # type: ignore[attr-defined]  # a Builder's
    token = _tries.set((*_tries.get(), entered))
    try:
        yield
    finally:
        _tries.reset(token)


def seeing(kind: type) -> Try | None:
    """The innermost try statement that sees an exception of `kind`."""
    return next((t for t in reversed(_tries.get()) if t.sees(kind)), None)


def refuse_seen(what: str, kind: type) -> None:
    """Raise ConversionError for what is raised at run time, where a try would see it."""
    if any(t.sees(kind) for t in _tries.get()):
        refuse(what)


def refuse_handled(what: str, kind: type | None) -> None:
    """The same for what an operator may raise, whatever a finally does then."""
    if any(issubclass(kind or Exception, t.takes()) for t in _tries.get()):
        refuse(what)


def refuse(what: str) -> None:
    raise ConversionError(
        f"{what} depends on a tensor and stands in a try: it is raised when the Program runs, "
        "where no except or finally is",
        cure="write an if in place of the try",
    )
