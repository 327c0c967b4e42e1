"""What stops a Program: a condition that does not hold, and the exception that is raised then."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.delayed import Piece, Text, written
from twinoar.core.dim import SymbolicDim, number_of
from twinoar.core.dtype import bool_
from twinoar.core.interpreter import current
from twinoar.core.op.declare import Desc, Tensor, Value, op_named, primitive
from twinoar.errors import DTypeError, FailedAssertion, ProgramError, users_error

OWN = "twinoar_"  # begins the attributes of a file that Paddle does not have
FAILED = "AssertionError"
SHOWN = 20  # elements of an operand that a failed assertion shows
exceptions: dict[str, Callable[..., BaseException]] = {}


def register_exception(name: str, make: Callable[..., BaseException]) -> str:
    """Keep what makes an exception of a message; returns its name in Programs."""
    wanted, number = name, 0
    while exceptions.get(name, make) is not make:
        number += 1
        name = f"{wanted}_{number}"
    exceptions[name] = make
    return name


def _check_condition(condition: Any, *xs: Any, **attrs: Any) -> tuple[()]:
    if isinstance(condition, bool):
        return ()
    if condition.dtype != "bool" or condition.size not in (1, -1):
        raise DTypeError(
            f"the condition must be one truth value, received {condition}",
            cure="use .all() or .any(), or compare",
        )
    return ()


def _as_tensor(condition: Any) -> Any:
    """The condition as a tensor: Paddle takes no other."""
    if not isinstance(condition, bool):
        return condition
    return op_named("fill").function((1,), condition, bool_)


def _written(attrs: dict[str, Any]) -> dict[str, Any]:
    """Paddle's attribute, and our own beside it, which it passes over."""
    texts = {f"{OWN}{k}": ("STRINGS", list(attrs[k])) for k in ("message", "forms", "labels")}
    return {"summarize": ("LONG", SHOWN), **texts, f"{OWN}error": attrs["error"]}


def _read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> tuple[()]:
    data = slots.get("Data", [])
    own = {k.removeprefix(OWN): v for k, v in attrs.items() if k.startswith(OWN)}
    texts = {k: tuple(v) if isinstance(v, list) else v for k, v in own.items()}
    assert_op.function(slots["Cond"][0], data, **texts or {"labels": tuple(x.name for x in data)})
    return ()


@primitive(
    name="assert",
    infer=_check_condition,
    effect=True,
    unless="condition",
    grad=lambda xs: (None,) * (1 + len(xs)),
    desc=Desc(
        "assert",
        {"Cond": "condition", "Data": "xs"},
        outputs=(),
        prepare=lambda operands, attrs: (_as_tensor(operands[0]), *operands[1:]),
        write=lambda attrs, specs: _written(attrs),
        read=lambda slots, attrs: _read(slots, attrs),
    ),
)
def assert_op(
    condition: Tensor,
    xs: Sequence[Tensor],
    message: tuple[str, ...] = ("",),
    forms: tuple[str, ...] = (),
    labels: tuple[str, ...] = (),
    error: str = FAILED,
) -> Tensor:
    """Stop with an exception unless `condition` holds.

    condition: one truth value, bool. message: parts of a text, between which the first of xs stand,
    written as `forms` say. labels: what the rest of xs are, which are shown below the message.
    error: an exception of Python's by its name, or a name from `register_exception`. Returns
    nothing. Raises DTypeError for another condition, and what `error` says.
    """


@assert_op.kernel
def _(condition, *xs, message, forms, labels, error):
    if np.size(condition) != 1 or np.asarray(condition).dtype != np.bool_:
        raise ValueError("the condition must be one truth value")  # inference says it in full
    if not condition:
        filled = [written(np.asarray(x), form) for x, form in zip(xs, forms, strict=False)]
        text = "".join(a + b for a, b in zip(message, [*filled, ""], strict=True))
        raise _exception(error, text, labels, xs[len(forms) :])
    return ()


@assert_op.samples
def _(s):
    yield s(np.array(True), [], gradient=False)
    yield s(
        np.array([True]), [s.randn(2), s.randn(3)], ("x is ", ""), ("",), ("y",), gradient=False
    )
    yield s.bad(DTypeError, "one truth value", s.randn(), [])
    yield s.bad(DTypeError, "one truth value", s.bools(2), [])
    yield s.bad(
        FailedAssertion,
        "y is 0.50",
        np.array(False),
        [np.array(0.5)],
        ("y is ", ""),
        (":.2f",),
        static_error=False,
    )
    yield s.bad(
        FailedAssertion,
        "0.5",
        np.array(False),
        [np.array([0.5])],
        labels=("y",),
        static_error=False,
    )


def check(condition: Any, error: str, text: str | Text = "", **operands: Value) -> None:
    """Raise the exception `error` with `text` when the Program runs and `condition` is false.

    operands: what an AssertionError shows below its text, by name.
    """
    current().may_raise(error)
    parts: list[str | Piece] = [text] if isinstance(text, str) else text.parts
    message, values, forms = [""], [], []
    for part in parts:
        if isinstance(part, str):
            message[-1] += part
        else:
            message.append("")
            is_size = isinstance(part.value, SymbolicDim)
            values.append(number_of(part.value) if is_size else part.value)
            forms.append(part.form)
    given = [*values, *operands.values()]
    assert_op.function(condition, given, tuple(message), tuple(forms), tuple(operands), error)


def _exception(error: str, text: str, labels: Sequence[str], xs: Sequence[Any]) -> BaseException:
    if error == FAILED:
        shown = [f"{n} = {_shortened(x)}" for n, x in zip(labels, xs, strict=True)]
        return FailedAssertion(text, shown)
    make = exceptions.get(error) or getattr(builtins, error, None)
    if make is None:
        raise ProgramError(
            f"there is no exception {error!r} in this process; its message is {text!r}",
            cure="define it before running the program",
        )
    return users_error(make(text) if text else make())


def _shortened(x: Any) -> str:
    array = np.asarray(x)
    return np.array2string(array, threshold=SHOWN, edgeitems=3, separator=", ").replace("\n", "")
