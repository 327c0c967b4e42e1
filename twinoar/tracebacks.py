"""Tracebacks of the user's frames alone: what stands between them in twinoar is hidden.

`show_users_frames` is called where an error leaves a converted function, a Program or a loaded
model. A bare `raise` after it adds no frame.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from twinoar import config
from twinoar.errors import INTERNAL, is_generated, is_part, is_users_file

F = TypeVar("F", bound=Callable[..., Any])
NUMPY = str(Path(np.__file__).parent)


def show_users_frames(error: BaseException) -> None:
    """Hide the frames of twinoar in the traceback of `error`, and of what caused it.

    A cause that has no frame of the user's is dropped. TWINOAR_FULL_TRACEBACK=1 hides nothing.
    """
    if config.full_traceback:
        return
    chain = list(_chain(error))
    internal = {id(e) for e in chain if e.__traceback__ and not users_frames(e.__traceback__)}
    for each in chain:
        each.__traceback__ = users_frames(each.__traceback__)
        if id(each.__cause__) in internal:
            each.__cause__ = None
        if id(each.__context__) in internal:
            each.__context__ = None
    error.shows_users_frames = True  # type: ignore[attr-defined]


def showing_users_frames(function: F) -> F:
    """Declare a function that errors leave with the user's frames alone."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            show_users_frames(error)
            raise

    return call  # type: ignore[return-value]


def hide_caller(error: BaseException) -> None:
    """Hide the frames of twinoar that `error` has passed since `show_users_frames`, if it did."""
    if getattr(error, "shows_users_frames", False):
        error.__traceback__ = users_frames(error.__traceback__)


def users_frames(trace: TracebackType | None) -> TracebackType | None:
    """`trace` without frames of twinoar, and of the libraries that these call.

    A part of a function that conversion has made a function of its own takes its place.
    """
    kept: list[TracebackType] = []
    hidden = False
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(INTERNAL):
            hidden = True
        elif not hidden or (is_users_file(file) and not file.startswith(NUMPY)):
            _keep(trace, kept, hidden)
            hidden = False
        trace = trace.tb_next
    made = None
    for t in reversed(kept):
        made = TracebackType(made, t.tb_frame, t.tb_lasti, t.tb_lineno)
    return made


def _keep(trace: TracebackType, kept: list[TracebackType], from_us: bool) -> None:
    """Add a frame; from_us: twinoar called it."""
    code, outer = trace.tb_frame.f_code, kept[-1] if kept else None
    if outer is not None and from_us and is_part(code, outer.tb_frame.f_code):
        if is_generated(code):
            kept.pop()
        elif code.co_name == "<lambda>" and outer.tb_lineno == trace.tb_lineno:
            return
    kept.append(trace)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """`error`, what caused it, and what was being handled, each once."""
    left, seen = [error], set()
    while left:
        each = left.pop()
        if id(each) not in seen:
            seen.add(id(each))
            yield each
            left += [e for e in (each.__cause__, each.__context__) if e is not None]
