"""Tracebacks of the user's frames alone: what stands between them in twinoar is hidden.

`show_users_frames` is called where an error leaves a converted function, a Program or a loaded
model, and for every error that nobody catches, in scripts, threads and notebooks (`install`). A
bare `raise` after it adds no frame.
"""

from __future__ import annotations

import functools
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from twinoar import config
from twinoar.errors import INTERNAL, TwinoarError, is_generated, is_part, is_users_file

F = TypeVar("F", bound=Callable[..., Any])
NUMPY = str(Path(np.__file__).parent)
SHELLS = ("/IPython/", "/ipykernel/")  # what runs the cells of notebooks


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


def shown_cause(error: BaseException) -> BaseException | None:
    """`error`, for `raise ... from` it, where a user has a part in it or wants to see all."""
    trace = error.__traceback__
    if config.full_traceback or (trace is not None and users_frames(trace) is not None):
        return error
    return None


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


def install() -> None:
    """Let errors that nobody catches be shown with the user's frames alone."""
    in_script, in_thread = sys.excepthook, threading.excepthook

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if _is_told(error):
            show_users_frames(error)
            trace = error.__traceback__
        in_script(kind, error, trace)

    def show_of_thread(failure: threading.ExceptHookArgs) -> None:
        if failure.exc_value is not None and _is_told(failure.exc_value):
            show_users_frames(failure.exc_value)
            trace = failure.exc_value.__traceback__
            found = failure.exc_type, failure.exc_value, trace, failure.thread
            failure = threading.ExceptHookArgs(found)
        in_thread(failure)

    sys.excepthook, threading.excepthook = show, show_of_thread
    TwinoarError._render_traceback_ = _in_notebook  # type: ignore[attr-defined]  # IPython's protocol


def _is_told(error: BaseException) -> bool:
    """True for errors of twinoar and of the user's code: others are faults of ours, shown whole."""
    if isinstance(error, TwinoarError):
        return True
    frames = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    return (
        bool(frames) and is_users_file(frames[-1]) and any(f.startswith(INTERNAL) for f in frames)
    )


def _in_notebook(error: TwinoarError) -> list[str]:
    """The lines that IPython shows."""
    show_users_frames(error)
    trace = error.__traceback__
    while trace is not None and any(s in trace.tb_frame.f_code.co_filename for s in SHELLS):
        trace = trace.tb_next
    text = "".join(traceback.format_exception(type(error), error, trace))
    for file in {frame.f_code.co_filename for frame, _ in traceback.walk_tb(trace)}:
        cell = cell_of(file)
        if cell is not None:
            text = text.replace(f'File "{file}"', f"Cell {cell}").replace(file, cell)
    return text.splitlines()


def cell_of(file: str) -> str | None:
    """`In[3]`, where the file holds a notebook's cell; None elsewhere."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python is not None else None
    name_of = getattr(getattr(shell, "compile", None), "format_code_name", None)
    named = name_of(file) if name_of is not None else None
    return None if named is None else str(named[1])
