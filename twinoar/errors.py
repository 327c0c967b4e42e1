"""The exceptions that twinoar raises.

    TwinoarError
    ├── ArgumentError (ValueError, AssertionError)  an argument's value is not allowed
    │   ├── ShapeError                              operand shapes do not fit
    │   ├── AxisError (IndexError)                  an axis or index is out of range
    │   ├── OutOfMemoryError (MemoryError)          memory for what was asked for is not there
    │   └── UnknownNameError (KeyError)             a name that nothing has
    ├── DTypeError (TypeError, ValueError, RuntimeError)            an element type does not fit
    ├── TypeMismatchError (TypeError, ValueError, AssertionError)   the wrong Python type
    │   └── NotTensorError (AttributeError)         something else where a Tensor must be
    ├── GradientError (RuntimeError)      a gradient that cannot be computed
    ├── ProgramError (RuntimeError)       a Program that cannot be built, verified, parsed or run
    ├── ConversionError (RuntimeError)    Python code that cannot become a Program
    ├── NotFiniteError (RuntimeError)     a result that is nan or inf, where that is checked
    ├── VerificationError (RuntimeError)  a Program that does not compute what the Python code does
    ├── DistributedError (RuntimeError)   ranks that do not fit together, or one that is gone
    ├── ExtensionError (RuntimeError)     C++ code that cannot be built, or that has raised
    ├── FailedAssertion (AssertionError) an `assert` of the user's that does not hold
    ├── ServingError (RuntimeError)       a request that a model server refuses or gives up
    ├── FileError (OSError)               a file that cannot be read or written
    │   └── UnsafeFileError               a file that asks for code to be run
    ├── UnsupportedError (NotImplementedError)   known, and not served; the message says what is
    ├── MissingNameError (AttributeError)        a name of Paddle that twinoar does not have
    └── MissingModuleError (ModuleNotFoundError) a module of Paddle that twinoar does not have

A class is Python's own of every kind that Paddle raises for such a mistake: an int tensor given for
a float one is a TypeError, ValueError or RuntimeError, depending on where Paddle finds out, and a
list for a tensor even an AttributeError. What catches Paddle's error catches this one.

A rule says what was expected, what was received and the cure, else its class has the usual one; the
line of the user's code is found when the error is made, and the door through which operators pass
adds the operator and its operands (`attach`). In a converted function the text shows the lines
around that one, and the calls that led there.
"""

from __future__ import annotations

import dis
import functools
import linecache
import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

PACKAGE = str(Path(__file__).absolute().parent) + os.sep
INTERNAL = (PACKAGE, "<twinoar", "<frozen")
STANDARD_LIBRARY = str(Path(os.__file__).parent) + os.sep


GENERATED = "_twinoar_"  # begins the names that conversion makes, and those of all that it compiles
DEF = re.compile(r"\s*(async\s+)?def\s")
AROUND = 2  # lines before and after the one that an excerpt shows


class SourceLine(NamedTuple):
    """A line of the user's code.

    function: the converted function that it stands in, or that led there; "" elsewhere. caller:
    the line that this function was called from, where that is in converted code.
    """

    file: str
    line: int
    function: str = ""
    caller: SourceLine | None = None

    def __str__(self) -> str:
        text = linecache.getline(self.file, self.line).strip()
        return f"{self.file}:{self.line}" + (f": {text}" if text else "")

    def described(self) -> list[str]:
        """What messages say of it: one line, or in a converted function those around it as well."""
        if not self.function:
            return [f"at {self}"]
        found = [f"at {self}", f"in {self.function}:", *self._excerpt()]
        caller = self.caller
        while caller is not None:
            found.append(f"called from {caller}")
            caller = caller.caller
        return found

    def _excerpt(self) -> list[str]:
        """The lines around it, as far as they are of the same function."""
        lines = linecache.getlines(self.file)
        first = max(self.line - AROUND, 1)
        before, after = lines[: self.line], lines[self.line : self.line + AROUND]
        own = _indentation(before[-1]) if before else 0
        heads = [_indentation(text) for text in before if DEF.match(text)]
        head = next((n for n in reversed(heads) if n < own), -1)
        within = takewhile(lambda text: text.isspace() or _indentation(text) > head, after)
        shown = textwrap.dedent("".join([*before[first - 1 :], *within])).rstrip().splitlines()
        return [
            f"{'>' if n == self.line else ' '} {n:>5} | {text}".rstrip()
            for n, text in enumerate(shown, first)
        ]


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip())


def user_line() -> SourceLine | None:
    """The innermost line on the call stack outside twinoar and Python's own library, or None.

    In converted code it knows the calls that led there, from the outermost converted function.
    """
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_qualname.startswith(GENERATED):
            return _converted_line()
        frame = frame.f_back  # type: ignore[assignment]
    code, line = next(_user_lines(), (None, 0))
    return None if code is None else SourceLine(code.co_filename, line, "", None)


def _converted_line() -> SourceLine | None:
    """As `user_line`, where there may be converted code on the stack."""
    found: list[tuple[CodeType, int]] = []
    converted = 0
    for code, line in _user_lines():
        if found and (found[-1][0].co_filename, found[-1][1]) == (code.co_filename, line):
            found.pop()  # a lambda or comprehension: the function around it names the line
        found.append((code, line))
        if is_converted(code):
            converted = len(found)
    made = None
    for code, line in reversed(found[: converted or 1]):
        made = SourceLine(code.co_filename, line, qualified_name(code) if converted else "", made)
    return made


def return_line(function: Any) -> SourceLine | None:
    """The line of the last `return` of a converted function, where it is plain Python."""
    code = getattr(getattr(function, "func", function), "__code__", None)
    if code is None or not is_users_file(code.co_filename):
        return None
    returns = [i.positions for i in dis.get_instructions(code) if i.opname == "RETURN_VALUE"]
    lines = [p.lineno for p in returns if p is not None and p.lineno is not None]
    return SourceLine(code.co_filename, max(lines), qualified_name(code)) if lines else None


def _user_lines() -> Iterator[tuple[CodeType, int]]:
    """The user's code on the call stack, innermost first; a part of a function stands for it."""
    frame = sys._getframe(2)
    inner: CodeType | None = None
    while frame is not None:
        code = frame.f_code
        if is_users_file(code.co_filename):
            if inner is None or not is_part(inner, code):
                yield code, frame.f_lineno
                inner = code if is_generated(code) else None
            elif not is_generated(code):
                inner = None
        frame = frame.f_back  # type: ignore[assignment]


@functools.lru_cache(
    maxsize=1024
)  # asked for all files on the stack, at each operator that is traced
def is_users_file(file: str) -> bool:
    """True for a file that is neither twinoar's nor of Python's own library."""
    if file.startswith(INTERNAL):
        return False
    return not file.startswith(STANDARD_LIBRARY) or "-packages" in file


def is_converted(code: CodeType) -> bool:
    """True for code that conversion has compiled."""
    return code.co_qualname.startswith(GENERATED)


def is_generated(code: CodeType) -> bool:
    """True for a part of a function, of which conversion has made a function of its own."""
    return code.co_qualname.rpartition(".")[2].startswith(GENERATED)


def is_part(inner: CodeType, outer: CodeType) -> bool:
    """True where `inner` is defined in `outer`."""
    return inner.co_qualname.startswith(f"{outer.co_qualname}.<locals>.")


def users_name(code: CodeType) -> str:
    """The name that the user gave the function of which `code` is all or a part."""
    return qualified_name(code).rpartition(".")[2]


def qualified_name(code: CodeType) -> str:
    """That name, after that of the class where the function is a method."""
    parts = code.co_qualname.split(".<locals>.")
    return next((p for p in reversed(parts) if not p.startswith(GENERATED)), code.co_name)


class TwinoarError(Exception):
    """Base of all errors of twinoar.

    `message` says what was expected and what was received; `cure` how to mend it, the class's
    `usual_cure` where the rule gives none. `operator`, `operands` and `source` are filled in where
    they are known, and are part of the text.
    """

    usual_cure: str | None = None

    def __init__(self, message: str, *, cure: str | None = None):
        super().__init__(message)
        self.message, self.cure = message, cure or self.usual_cure
        self.operator: str | None = None
        self.operands: Sequence[str] = ()
        self.source = user_line()

    def attach(
        self, operator: str, operands: Sequence[str], source: SourceLine | None = None
    ) -> TwinoarError:
        """Add the innermost operator and its operands, once; `source` replaces the call's line."""
        if self.operator is None:
            self.operator, self.operands = operator, tuple(operands)
        if source is not None:
            self.source = source
        return self

    def __str__(self) -> str:
        lines = [f"{self.operator}: {self.message}" if self.operator else self.message]
        if self.operands:
            lines.append(f"  operands: {', '.join(self.operands)}")
        if self.cure:
            lines.append(f"  cure: {self.cure}")
        if self.source:
            lines += [f"  {line}" for line in self.source.described()]
        return "\n".join(lines)


class ArgumentError(TwinoarError, ValueError, AssertionError):
    """An argument has a value that is not allowed."""

    usual_cure = "pass a value that the message allows"


class ShapeError(ArgumentError):
    """Operand shapes do not fit the operator."""

    usual_cure = (
        "print the shapes before this line; reshape, transpose or unsqueeze what does not fit"
    )


class AxisError(ArgumentError, IndexError):
    """An axis or index is out of range."""

    usual_cure = "count from 0, or backward from -1, and compare with x.shape"


class OutOfMemoryError(ArgumentError, MemoryError):
    """There is no memory for what was asked for."""

    usual_cure = (
        "use smaller sizes or batches; under no_grad() nothing is kept for gradients, and del "
        "frees tensors that are not needed any more"
    )


class DeviceError(ArgumentError, RuntimeError):
    """Data lie on another device than they are needed on, or a device failed."""

    usual_cure = "bring them together: x.to(y.place), x.cpu()"


class UnknownNameError(ArgumentError, KeyError):
    """A name that nothing has: of a variable, a parameter, a feed."""

    __str__ = TwinoarError.__str__


class DTypeError(TwinoarError, TypeError, ValueError, RuntimeError):
    """An element type does not fit the operator."""

    usual_cure = "convert it first, with x.astype(...)"


class TypeMismatchError(TwinoarError, TypeError, ValueError, AssertionError):
    """An argument has the wrong Python type."""

    usual_cure = "convert the argument to what is expected before the call"


class NotTensorError(TypeMismatchError, AttributeError):
    """Something else where a Tensor is expected."""

    usual_cure = "convert it with to_tensor"


class GradientError(TwinoarError, RuntimeError):
    """A gradient that cannot be computed."""

    usual_cure = "compute the result anew from leaves with stop_gradient=False"


class ProgramError(TwinoarError, RuntimeError):
    """A Program that cannot be built, verified, parsed or run."""

    usual_cure = "print(program) shows each operator with the line that made it"


class ConversionError(TwinoarError, RuntimeError):
    """Python code that cannot become a Program."""

    usual_cure = "use operators in place of that code, or keep it out with jit.not_to_static"


class NotFiniteError(TwinoarError, RuntimeError):
    """A result that is not a number or infinite, where results are checked for that."""

    usual_cure = "look at the operands of the operator; FLAGS_check_nan_inf=False ends the check"


class VerificationError(TwinoarError, RuntimeError):
    """A Program, or what was saved of it, that does not compute what the Python code does."""

    usual_cure = "please report it, with the function; verify=False or check=False goes on without"


class DistributedError(TwinoarError, RuntimeError):
    """Ranks that do not fit together, one that is gone, or none where some must be."""

    usual_cure = "let all ranks make the same calls in the same order"


class ExtensionError(TwinoarError, RuntimeError):
    """C++ code of the user's that cannot be built, or that has raised an exception."""

    usual_cure = "change the C++ code, and build it again"


class FailedAssertion(TwinoarError, AssertionError):
    """An `assert` of the user's, in a Program, that does not hold; `operands` have values."""

    def __init__(self, message: str, operands: Sequence[str]):
        super().__init__(message or "the assertion does not hold")
        self.operator, self.operands = "assert", tuple(operands)


class ServingError(TwinoarError, RuntimeError):
    """A request that a model server refuses or gives up; `status` says why, in gRPC's words.

    status: such as "INVALID_ARGUMENT", "NOT_FOUND", "DEADLINE_EXCEEDED"; `twinoar.serving.status`
    has all, with the codes of HTTP.
    """

    def __init__(self, message: str, status: str = "INTERNAL", *, cure: str | None = None):
        super().__init__(message, cure=cure)
        self.status = status


def users_error(error: BaseException, source: SourceLine | None = None) -> BaseException:
    """An exception that the user's own code raises in a Program: it passes as it is.

    source: the user's line, added as a note.
    """
    error.raised_by_user = True  # type: ignore[attr-defined]
    if source is not None and not getattr(error, "__notes__", None):
        error.add_note(f"at {source}")
    return error


def is_users_error(error: BaseException) -> bool:
    """True for what `users_error` has marked."""
    return getattr(error, "raised_by_user", False)


class FileError(TwinoarError, OSError):
    """A file that cannot be read or written."""

    usual_cure = "check that the path names the right file, and save it again"

    __str__ = TwinoarError.__str__


class UnsafeFileError(FileError):
    """A file that asks for code to be run on loading."""

    usual_cure = "do not trust this file; one saved as a state dict asks for nothing to be run"


class UnsupportedError(TwinoarError, NotImplementedError):
    """Known to twinoar and not served; the message says what is."""

    usual_cure = "use what the message says is served"


class MissingNameError(TwinoarError, AttributeError):
    """A name of Paddle that twinoar does not have."""


class MissingModuleError(TwinoarError, ModuleNotFoundError):
    """A module of Paddle that twinoar does not have."""

    __str__ = TwinoarError.__str__
