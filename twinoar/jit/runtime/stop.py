"""What ends the trace of a side of a branch, or of an iteration, before its end: an exception.

The Program raises it there when it runs; other runs do not come there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import CodeType, TracebackType
from typing import Any

from twinoar.core.interpreter import current
from twinoar.errors import ConversionError, SourceLine, TwinoarError, is_users_file, qualified_name
from twinoar.jit.runtime.output import Stopped, raised


def ends(run: Callable) -> bool:
    """Trace `run`. True if it raises an exception when the Program runs."""
    try:
        run()
    except Stopped:
        return True
    except NameError as error:
        _stop_at(error)
        return True
    except TwinoarError:
        raise
    except Exception as error:
        lines = _users_lines(error.__traceback__)
        _raise_at(lines[-1] if lines else None, error)
        return True
    return False


def result_of(function: Callable, args: Sequence, kwargs: Mapping[str, Any]) -> Any:
    """What `function` returns; None where it raises an exception in all runs.

    One that nothing comes before is raised now.
    """
    builder: Any = current()
    try:
        return function(*args, **kwargs)
    except Stopped:
        return None
    except TwinoarError:
        raise
    except Exception as error:
        if not builder.block.has_effect:
            raise
        lines = _users_lines(error.__traceback__)
        _raise_at(lines[-1] if lines else None, error)
        return None


def _stop_at(error: NameError) -> None:
    """Let the Program raise that a variable has no value yet.

    Raises `error` for a name that no variable has, and ConversionError where the variable is used
    in a condition that not every run computes.
    """
    code, number = _users_lines(error.__traceback__)[-1]
    line = SourceLine(code.co_filename, number, qualified_name(code))
    variables = {*code.co_freevars, *code.co_cellvars, *code.co_varnames}
    name = next((n for n in variables if f"'{n}'" in str(error)), None)
    if name is None:
        raise error
    if getattr(error, "left_block", False):
        told = ConversionError(
            f"{name} is undefined here, on a path that a tensor decides",
            cure=f"assign {name} before",
        )
        raise told.attach("", (), line) from None
    text = f"cannot access local variable '{name}' where it is not associated with a value"
    _raise_at((code, number), UnboundLocalError(text))


def _raise_at(line: tuple[CodeType, int] | None, error: BaseException) -> None:
    """Let the Program raise `error` here, from a line of the user's."""
    builder: Any = current()
    outer = builder.source
    if line is not None:
        builder.source = SourceLine(line[0].co_filename, line[1], qualified_name(line[0]))
    raised(error, is_seen=False)
    builder.source = outer


def _users_lines(at: TracebackType | None) -> list[tuple[CodeType, int]]:
    """The user's code in a traceback, outermost first, with its line."""
    if at is None:
        return []
    code, rest = at.tb_frame.f_code, _users_lines(at.tb_next)
    return [(code, at.tb_lineno), *rest] if is_users_file(code.co_filename) else rest
