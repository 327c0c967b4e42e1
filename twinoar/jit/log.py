"""What is told of conversion and tracing, through the logger `twinoar.jit`.

INFO: what is converted and traced, why, and in what time; DEBUG: also what a trace relied on; below
that: its Program. Converted code goes to the logger `twinoar.jit.code`.
"""

from __future__ import annotations

import ast
import logging
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import Any, TextIO

from twinoar.errors import GENERATED, TypeMismatchError

PROGRAM = 5  # the level of the messages that hold Programs
LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG, PROGRAM)
ALL_STAGES = 100
logger = logging.getLogger("twinoar.jit")
logger.setLevel(logging.WARNING)  # quiet unless asked, whatever a program's own logging shows
code_logger = logging.getLogger("twinoar.jit.code")


class _Stream(logging.StreamHandler):
    """A handler for what sys.stdout or sys.stderr is at the time of a message."""

    def __init__(self, name: str):
        logging.Handler.__init__(self)
        self.to = name
        self.setFormatter(logging.Formatter("%(name)s %(levelname)s: %(message)s"))

    @property
    def stream(self) -> TextIO:
        """Where messages go."""
        return getattr(sys, self.to)


class _Code:
    """What `set_code_level` sets."""

    level = -1


def set_verbosity(level: int = 0, also_to_stdout: bool = False) -> None:
    """Let conversion and tracing tell on sys.stderr what they do.

    level: 0 nothing; 1 what is converted and traced, why, and in what time; 2 also what each trace
    relied on; 3 and above also the Programs. also_to_stdout: on sys.stdout as well. The same
    messages go to other handlers of the logger `twinoar.jit`. Raises TypeMismatchError for a level
    that is no integer.

    >>> set_verbosity(1)
    >>> set_verbosity(0)
    """
    _require_level(level)
    logger.setLevel(LEVELS[min(max(level, 0), len(LEVELS) - 1)])
    _write_to(logger, level > 0, also_to_stdout)


def set_code_level(level: int = ALL_STAGES, also_to_stdout: bool = False) -> None:
    """Let conversion show on sys.stderr the code that it makes of each function.

    level: 100 the code that runs; from 1 on the code after that many stages; 0 or less nothing.
    also_to_stdout: on sys.stdout as well. The logger is `twinoar.jit.code`. Raises
    TypeMismatchError for a level that is no integer.

    >>> set_code_level(100)
    >>> set_code_level(0)
    """
    _require_level(level)
    _Code.level = level
    code_logger.setLevel(logging.INFO if level > 0 else logging.NOTSET)
    _write_to(code_logger, level > 0, also_to_stdout)


def tell_code(level: int, stage: str, definition: ast.AST) -> None:
    """Show the code after a stage of conversion, if it is the one asked for."""
    if level == _Code.level:
        code_logger.info("after %s:\n%s", stage, readable(definition))


def readable(definition: ast.AST) -> str:
    """Converted code as it is shown: without what begins the names that conversion makes."""
    return ast.unparse(ast.fix_missing_locations(definition)).replace(GENERATED, "")


def tell_trace(name: str, given: Sequence[str], cause: Any, started: float, trace: Any) -> None:
    """Tell that a function was traced: for which arguments, in what time, and why."""
    if not logger.isEnabledFor(logging.INFO):
        return
    milliseconds = (perf_counter() - started) * 1e3
    count = sum(1 for _ in trace.program.main.walk())
    why = "the first trace" if cause is None else cause
    logger.info(
        "traced %s(%s): %d operators, %.1f ms; %s",
        *(name, ", ".join(given), count, milliseconds, why),
    )
    for reading in trace.guards.readings():
        read = f" (read at {reading.source})" if reading.source else ""
        logger.debug("%s relies on %s%s", name, reading, read)
    logger.log(PROGRAM, "%s", trace.program)


def tell_conversion(function: Any, started: float) -> None:
    """Tell that a function was converted, and in what time."""
    code = function.__code__
    milliseconds = (perf_counter() - started) * 1e3
    where = f"{code.co_filename}:{code.co_firstlineno}"
    logger.info("converted %s (%s), %.1f ms", function.__qualname__, where, milliseconds)


def _require_level(level: Any) -> None:
    if not isinstance(level, int):
        raise TypeMismatchError(
            f"the level must be an integer, received {level!r}", cure="pass 0, 1, 2, ..."
        )


def _write_to(chosen: logging.Logger, is_on: bool, also_to_stdout: bool) -> None:
    """Let our own handlers of a logger be those for these streams; its others stay."""
    for handler in [h for h in chosen.handlers if isinstance(h, _Stream)]:
        chosen.removeHandler(handler)
    names = (["stderr"] if is_on else []) + (["stdout"] if is_on and also_to_stdout else [])
    for name in names:
        chosen.addHandler(_Stream(name))
    chosen.propagate = not names
