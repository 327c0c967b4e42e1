"""The try and with statements that a trace is in: none of them sees what a Program raises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from types import CodeType
from typing import Any, NamedTuple

from twinoar.core.interpreter import current
from twinoar.errors import PACKAGE, ConversionError


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
    entered = Try(takes, has_finally, current().block)
    token = _tries.set((*_tries.get(), entered))
    try:
        yield
    finally:
        _tries.reset(token)


def within(manager: Any) -> Any:
    """What a `with` statement enters: `manager`, which sees what is raised in its body."""
    if current().runs or isinstance(manager, nullcontext) or _is_own(manager):
        return manager
    return _Within(manager)


def _is_own(manager: Any) -> bool:
    """True for twinoar's managers, such as no_grad, which let exceptions pass."""
    code = getattr(getattr(manager, "gen", None), "gi_code", None)
    if isinstance(code, CodeType):  # of contextlib.contextmanager
        return code.co_filename.startswith(PACKAGE)
    return type(manager).__module__.partition(".")[0] == __name__.partition(".")[0]


class _Within:
    """A manager of the user's or of a library, and that the trace is in its body."""

    def __init__(self, manager: Any):
        self.manager = manager

    def __enter__(self) -> Any:
        found = type(self.manager).__enter__(self.manager)
        self.body = handled(tuple, has_finally=True)
        self.body.__enter__()
        return found

    def __exit__(self, kind: Any, *error: Any) -> Any:
        self.body.__exit__(None, None, None)
        takes = type(self.manager).__exit__(self.manager, kind, *error)
        is_users = kind is None or (issubclass(kind, Exception) and kind is not ConversionError)
        return takes and is_users  # what conversion itself raises is not for users' managers


def seeing(kind: type) -> Try | None:
    """The innermost try statement that sees an exception of `kind`."""
    return next((t for t in reversed(_tries.get()) if t.sees(kind)), None)


def refuse_seen(what: str, kind: type) -> None:
    """Raise ConversionError for what is raised at run time, where a try would see it."""
    if any(t.sees(kind) for t in _tries.get()):
        refuse(what)


def is_within_try() -> bool:
    """Whether the trace is in the body of a try."""
    return bool(_tries.get())


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
