"""`print`, texts with tensors in them, `assert` and `raise`."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable
from typing import Any

from twinoar.core.delayed import Piece, Text, shortened, text_of
from twinoar.core.dim import SymbolicDim
from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.tree import flatten
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.runtime.calls import in_place_of
from twinoar.jit.runtime.handling import refuse, refuse_seen, seeing
from twinoar.jit.runtime.observed import note_all
from twinoar.jit.runtime.truth import condition
from twinoar.ops.control.assertion import FAILED, check, register_exception
from twinoar.ops.control.branch_and_loop import build_if
from twinoar.ops.control.print import print_text
from twinoar.ops.math.cast import cast
from twinoar.ops.math.logical import logical_not
from twinoar.ops.reduce.reduction import all_op
from twinoar.ops.shape.reshape import reshape_op

CONVERSIONS: dict[int, Callable[[Any], str]] = {ord("s"): str, ord("r"): repr, ord("a"): ascii}
CONDITIONING = (cast, reshape_op, all_op)  # what makes a condition of what was compared
PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<how>[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?)(?P<kind>.)"
)


@in_place_of(print)
def print_(
    *args: Any, sep: str | None = " ", end: str | None = "\n", file: Any = None, flush: bool = False
) -> None:
    """`print(...)`, at each run where a Program is built."""
    if current().runs:
        print(*args, sep=sep, end=end, file=file, flush=flush)
        return
    _refuse_redirected()
    if file not in (None, sys.stdout, sys.stderr):
        raise ConversionError(
            f"print writes to a {type(file).__name__}, which a Program cannot do",
            cure="print to sys.stdout or sys.stderr, or write outside the converted function",
        )
    between = " " if sep is None else sep
    text: str | Text = ""
    for i, x in enumerate(args):
        text = text + (between if i else "") + str_(x)
    print_text(text + ("\n" if end is None else end), "stderr" if file is sys.stderr else "stdout")


def _refuse_redirected() -> None:
    """Output that the function itself redirects would go elsewhere when the Program runs."""
    here = current()
    if here.traces and here.streams != (sys.stdout, sys.stderr):
        raise ConversionError(
            "the function redirects what it prints, which a Program that runs later cannot do",
            cure="redirect it around the call of the converted function",
        )


def method_of_stream(stream: Any, name: str) -> Callable | None:
    """What stands for a method of sys.stdout or sys.stderr that writes."""
    file: Any = "stderr" if stream is sys.stderr else "stdout"

    def write(text: Any) -> int | None:
        _refuse_redirected()
        print_text(text, file)
        return len(text) if isinstance(text, str) else None

    def writelines(texts: Any) -> None:
        for text in texts:
            write(text)

    made: dict[str, Callable] = {"write": write, "writelines": writelines, "flush": lambda: None}
    return made.get(name) if stream is sys.stdout or stream is sys.stderr else None


def shown(make: Callable[[], str]) -> Any:
    """The text that `make()` gives; with values in it that only a run knows, a delayed one."""
    return make() if current().runs else text_of(make)


@in_place_of(repr)
def repr_(x: Any) -> Any:
    """`repr(x)`."""
    note_all(x)
    return shown(lambda: repr(x))


@in_place_of(ascii)
def ascii_(x: Any) -> Any:
    """`ascii(x)`."""
    return shown(lambda: ascii(x))


@in_place_of(str)
def str_(*args: Any, **kwargs: Any) -> Any:
    """`str(x)`."""
    note_all(*args)
    return shown(lambda: str(*args, **kwargs))


@in_place_of(format)
def format_(x: Any, how: str = "") -> Any:
    """`format(x, how)`."""
    note_all(x)
    return shown(lambda: format(x, how))


def of_text(method: Callable) -> Callable:
    """A method of a text: `format` and `join` make delayed texts; others take none."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if method.__name__ == "join" and args:
            return _join(method.__self__, list(args[0]))  # type: ignore[attr-defined]
        note_all(*args, *kwargs.values())
        return shown(lambda: method(*args, **kwargs))

    return call


def _join(between: str, parts: list[Any]) -> Any:
    if not any(isinstance(p, Text) for p in parts):
        return between.join(parts)
    found: str | Text = ""
    for i, part in enumerate(parts):
        found = found + (between if i else "") + part
    return found


def joined(*parts: Any) -> Any:
    """An f-string: texts, and (value, conversion, format) where braces stand."""
    found: Any = ""
    for part in parts:
        found = found + (part if isinstance(part, str) else _formatted(*part))
    return found


def _formatted(x: Any, conversion: int, how: Any) -> Any:
    if conversion in CONVERSIONS:
        convert = CONVERSIONS[conversion]
        x = shown(lambda: convert(x))
        if isinstance(x, Text) and not how:
            return x
    return shown(lambda: format(x, how))


def percent(left: Any, right: Any) -> Any:
    """`left % right`, also of texts."""
    if not isinstance(left, (str, Text)) or current().runs:
        return left % right
    if isinstance(left, Text) or not _has_symbols(right):
        return shown(lambda: left % right)
    named = isinstance(right, dict)
    given = iter(right if isinstance(right, tuple) else (right,))
    found: Any = ""
    start = 0
    for match in PERCENT.finditer(left):
        found = found + left[start : match.start()]
        start = match.end()
        kind, how = match["kind"], match["how"]
        if kind == "%":
            found = found + "%"
            continue
        if "*" in how:
            raise ConversionError(
                f"the width of {match[0]} is an argument, beside tensors", cure="use an f-string"
            )
        found = found + _percent(kind, how, right[match["key"]] if named else next(given))
    return found + left[start:]


def _percent(kind: str, how: str, x: Any) -> Any:
    if not isinstance(x, (Value, SymbolicDim)):
        return shown(lambda: f"%{how}{kind}" % (x,))
    if kind in "sra" and not how:
        return repr_(x) if kind in "ra" else str_(x)
    if isinstance(x, Value) and (kind in "sra" and not getattr(x, "weak", False)):
        raise ConversionError(
            f"the text of a tensor is not padded by %{how}{kind}", cure="format its elements"
        )
    return Text([Piece(x, f"%{how}{kind}")])


def _has_symbols(x: Any) -> bool:
    return any(isinstance(leaf, (Value, SymbolicDim, Text)) for leaf in flatten(x)[0])


class Stopped(BaseException):
    """Ends the trace of a branch that raises when the Program runs."""


def assert_(holds: Any, message: Callable | None, texts: tuple[str, ...]) -> None:
    """`assert holds, message()`.

    texts: of the operands, where `holds` is a comparison.
    """
    decides = condition(holds)
    if not isinstance(decides, Variable):
        if not decides:
            raise raised(AssertionError(*([] if message is None else [message()])))
        return
    refuse_seen("the assert", AssertionError)
    operands = _compared(decides, texts)
    if message is None:
        check(decides, FAILED, "", **operands)
        return
    with current().nested() as inner:
        text = _text(message())
    if isinstance(text, str) and not inner.block.ops:
        check(decides, FAILED, text, **operands)
    else:
        if_effect(logical_not(decides), lambda: check(False, FAILED, _text(message()), **operands))


def _compared(decides: Variable, texts: tuple[str, ...]) -> dict[str, Any]:
    """What a comparison compared, by its texts, where it is a tensor."""
    made = decides.producer
    while made is not None and made.op in CONDITIONING and made.operands:
        made = made.operands[0].producer
    if made is None or len(made.operands) != len(texts):
        return {}
    return {t: x for t, x in zip(texts, made.operands, strict=True) if isinstance(x, Variable)}


def pass_on() -> None:
    """At the start of an `except`: what stops the conversion is raised on.

    So is what comes out of a branch or loop that a tensor decides: a run may not come there.
    """
    error = sys.exception()
    if isinstance(error, (ConversionError, Stopped)):
        raise error
    if getattr(error, "left_block", False):
        refuse(f"the {type(error).__name__}")


def raised(error: Any, is_seen: bool = True) -> BaseException:
    """What `raise error` raises: in a branch or loop that a tensor decides, what ends its trace.

    The Program raises `error` there when it runs. is_seen: it is Python's to find an except, where
    one stands in the same branch or iteration.
    """
    if isinstance(error, type) and issubclass(error, BaseException):
        error = error()
    if current().runs or not isinstance(error, BaseException):
        return error  # Python says what may be raised
    kind, args = type(error), error.args
    near = seeing(kind)
    block = current().block
    is_near = is_seen and near is not None and near.block is block
    if is_near or not (near or _is_nested() or block.has_effect):
        error.args = tuple(shortened(a) if isinstance(a, Text) else a for a in args)
        return error
    refuse_seen(f"the raise of {kind.__name__}", kind)
    single = len(args) == 1 and isinstance(args[0], (str, Text))
    if not single and any(map(_has_symbols, args)):
        raise ConversionError(
            f"{kind.__name__} is raised with several arguments, one of which only a run knows",
            cure="give it one text: f'...'",
        )

    def make(message: str = "") -> BaseException:
        made = kind.__new__(kind)
        made.__dict__.update(error.__dict__)
        made.args = (message,) if single else args
        return made

    is_plain = getattr(builtins, kind.__name__, None) is kind and (single or not args)
    name = kind.__name__ if is_plain else register_exception(kind.__name__, make)
    check(False, name, args[0] if single else "")
    return Stopped()


def if_effect(decides: Variable, action: Callable[[], None]) -> None:
    """`if decides: action()`, where the action has nothing but effects."""
    with current().nested() as then:
        action()
    with current().nested() as otherwise:
        pass
    build_if(decides, then, otherwise)


def _is_nested() -> bool:
    """True inside a branch or loop of a Program, which may not run."""
    here = current()
    return not here.runs and here.outer is not None


def _text(x: Any) -> Any:
    return x if isinstance(x, (str, Text)) else str_(x)
