"""The exceptions that twinoar raises."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.errors
import typing
from typing import Any, Literal, overload

import numpy as _numpy

AROUND: builtins.int
class ArgumentError(twinoar.errors.TwinoarError, builtins.ValueError, builtins.AssertionError):
    """An argument has a value that is not allowed."""
    usual_cure: builtins.str
class AxisError(twinoar.errors.ArgumentError, builtins.IndexError):
    """An axis or index is out of range."""
    usual_cure: builtins.str
class ConversionError(twinoar.errors.TwinoarError, builtins.RuntimeError):
    """Python code that cannot become a Program."""
    usual_cure: builtins.str
class DTypeError(twinoar.errors.TwinoarError, builtins.TypeError, builtins.ValueError, builtins.RuntimeError):
    """An element type does not fit the operator."""
    usual_cure: builtins.str
class DeviceError(twinoar.errors.ArgumentError, builtins.RuntimeError):
    """Data lie on another device than they are needed on, or a device failed."""
    usual_cure: builtins.str
class DistributedError(twinoar.errors.TwinoarError, builtins.RuntimeError):
    """Ranks that do not fit together, one that is gone, or none where some must be."""
    usual_cure: builtins.str
class ExtensionError(twinoar.errors.TwinoarError, builtins.RuntimeError):
    """C++ code of the user's that cannot be built, or that has raised an exception."""
    usual_cure: builtins.str
class FailedAssertion(twinoar.errors.TwinoarError, builtins.AssertionError):
    """An `assert` of the user's, in a Program, that does not hold; `operands` have values."""
    def __init__(self, message: builtins.str, operands: collections.abc.Sequence[builtins.str]) -> None: ...
    operator: Any
    operands: Any
class FileError(twinoar.errors.TwinoarError, builtins.OSError):
    """A file that cannot be read or written."""
    usual_cure: builtins.str
GENERATED: builtins.str
class GradientError(twinoar.errors.TwinoarError, builtins.RuntimeError):
    """A gradient that cannot be computed."""
    usual_cure: builtins.str
INTERNAL: builtins.tuple
class MissingModuleError(twinoar.errors.TwinoarError, builtins.ModuleNotFoundError):
    """A module of Paddle that twinoar does not have."""
class MissingNameError(twinoar.errors.TwinoarError, builtins.AttributeError):
    """A name of Paddle that twinoar does not have."""
class NotFiniteError(twinoar.errors.TwinoarError, builtins.RuntimeError):
    """A result that is not a number or infinite, where results are checked for that."""
    usual_cure: builtins.str
class NotTensorError(twinoar.errors.TypeMismatchError, builtins.AttributeError):
    """Something else where a Tensor is expected."""
    usual_cure: builtins.str
class OutOfMemoryError(twinoar.errors.ArgumentError, builtins.MemoryError):
    """There is no memory for what was asked for."""
    usual_cure: builtins.str
PACKAGE: builtins.str
class ProgramError(twinoar.errors.TwinoarError, builtins.RuntimeError):
    """A Program that cannot be built, verified, parsed or run."""
    usual_cure: builtins.str
STANDARD_LIBRARY: builtins.str
class ServingError(twinoar.errors.TwinoarError, builtins.RuntimeError):
    """A request that a model server refuses or gives up; `status` says why, in gRPC's words."""
    def __init__(self, message: builtins.str, status: builtins.str = 'INTERNAL', *, cure: builtins.str | None = None) -> None: ...
    status: builtins.str
class ShapeError(twinoar.errors.ArgumentError):
    """Operand shapes do not fit the operator."""
    usual_cure: builtins.str
class SourceLine(typing.NamedTuple):
    """A line of the user's code."""
    file: Any
    line: Any
    function: Any
    caller: Any
    def described(self) -> builtins.list[builtins.str]:
        """What messages say of it: one line, or in a converted function those around it as well."""
class TwinoarError(builtins.Exception):
    """Base of all errors of twinoar."""
    usual_cure: builtins.str | None
    def __init__(self, message: builtins.str, *, cure: builtins.str | None = None) -> None: ...
    def attach(self, operator: builtins.str, operands: collections.abc.Sequence[builtins.str], source: twinoar.errors.SourceLine | None = None) -> twinoar.errors.TwinoarError:
        """Add the innermost operator and its operands, once; `source` replaces the call's line."""
    message: builtins.str
    cure: Any
    operator: builtins.str | None
    operands: collections.abc.Sequence[builtins.str]
    source: Any
class TypeMismatchError(twinoar.errors.TwinoarError, builtins.TypeError, builtins.ValueError, builtins.AssertionError):
    """An argument has the wrong Python type."""
    usual_cure: builtins.str
class UnknownNameError(twinoar.errors.ArgumentError, builtins.KeyError):
    """A name that nothing has: of a variable, a parameter, a feed."""
class UnsafeFileError(twinoar.errors.FileError):
    """A file that asks for code to be run on loading."""
    usual_cure: builtins.str
class UnsupportedError(twinoar.errors.TwinoarError, builtins.NotImplementedError):
    """Known to twinoar and not served; the message says what is."""
    usual_cure: builtins.str
class VerificationError(twinoar.errors.TwinoarError, builtins.RuntimeError):
    """A Program, or what was saved of it, that does not compute what the Python code does."""
    usual_cure: builtins.str
def is_converted(code: Any) -> builtins.bool:
    """True for code that conversion has compiled."""
def is_generated(code: Any) -> builtins.bool:
    """True for a part of a function, of which conversion has made a function of its own."""
def is_part(inner: Any, outer: Any) -> builtins.bool:
    """True where `inner` is defined in `outer`."""
def is_users_error(error: builtins.BaseException) -> builtins.bool:
    """True for what `users_error` has marked."""
def is_users_file(file: builtins.str) -> builtins.bool:
    """True for a file that is neither twinoar's nor of Python's own library."""
def qualified_name(code: Any) -> builtins.str:
    """That name, after that of the class where the function is a method."""
def return_line(function: Any) -> twinoar.errors.SourceLine | None:
    """The line of the last `return` of a converted function, where it is plain Python."""
def user_line() -> twinoar.errors.SourceLine | None:
    """The innermost line on the call stack outside twinoar and Python's own library, or None."""
def users_error(error: builtins.BaseException, source: twinoar.errors.SourceLine | None = None) -> builtins.BaseException:
    """An exception that the user's own code raises in a Program: it passes as it is."""
def users_name(code: Any) -> builtins.str:
    """The name that the user gave the function of which `code` is all or a part."""
