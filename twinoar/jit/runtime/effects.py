"""Functions of libraries that tell somebody something: they are called again after each call.

While the function is traced they are not called at all, so the first call is as every other.
"""

from __future__ import annotations

import logging
import warnings
from typing import Any

from twinoar.core.delayed import Text
from twinoar.core.tree import flatten
from twinoar.errors import ConversionError, user_line
from twinoar.jit.runtime.journal import Effect, Operation

LEVELS = ("debug", "info", "warning", "error", "critical", "log", "exception")
EFFECTS = frozenset({*LEVELS, "warn"})


def is_effect(function: Any, holder: Any) -> bool:
    """True for `warnings.warn`, and for what logs a message."""
    owner = getattr(holder, "__class__", None)
    is_logger = owner is not None and issubclass(owner, (logging.Logger, logging.LoggerAdapter))
    return is_logger or function in (warnings.warn, *(getattr(logging, n) for n in LEVELS))


def repeat(builder: Any, function: Any, *args: Any, **kwargs: Any) -> None:
    """Call `function` after each call of the Program, with what these are then."""
    name = function.__name__
    if builder.outer is not None or any(isinstance(x, Text) for x in flatten((args, kwargs))[0]):
        raise ConversionError(
            f"{name} is called on a text that holds a tensor, or where a tensor decides, which "
            "only a run of the Program knows",
            cure=f"print it; or return the tensor, and call {name} outside the converted function",
        )
    if function is warnings.warn:
        function, kwargs = _warn_at_line, dict(zip(("message", "category"), args), **kwargs)  # noqa: B905
        args, kwargs["source_line"] = (), user_line()
    builder.journal.note(Effect(function), Operation("__call__", args, kwargs))


def _warn_at_line(
    message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, *, source_line: Any
) -> None:
    """`warnings.warn`, of the line that the trace found."""
    kind = type(message) if isinstance(message, Warning) else category or UserWarning
    file, line = ("<unknown>", 1) if source_line is None else (source_line.file, source_line.line)
    warnings.warn_explicit(message, kind, file, line, source=source)
