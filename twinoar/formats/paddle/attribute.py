"""Attributes of operators in a `.pdmodel`: from a message to a Python value and back, checked."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf.message import Message

from twinoar.errors import ArgumentError, FileError, TypeMismatchError
from twinoar.formats.paddle.schema import (
    ATTRIBUTE_OF_CODE,
    CODE_OF_ATTRIBUTE,
    CODE_OF_SCALAR,
    SCALAR_OF_CODE,
    Scalar,
)

MAX_FLOAT32 = (2 - 2**-23) * 2.0**127

Value = bool | int | float | complex | str | list


class Form(NamedTuple):
    """Where the message keeps a value of some kind, and the check of one element."""

    field: str
    check: Callable[[object, str], Any]  # Any: an element, or the message of a scalar
    repeated: bool = False


def attribute_value(attr: Any) -> Value:
    """The Python value of an `OpDesc.Attr`; lists for the plural kinds, a number for a block.

    Raises FileError if the message has no value of its kind.

    >>> from twinoar.formats.paddle.schema import OpDesc
    >>> desc = OpDesc(type="scale")
    >>> set_attribute(desc, "scale", "FLOAT", 0.5)
    >>> attribute_value(desc.attrs[0])
    0.5
    """
    form = FORMS[ATTRIBUTE_OF_CODE[attr.type]]
    if form.repeated:
        return [_plain(value) for value in getattr(attr, form.field)]
    if not attr.HasField(form.field):
        kind = ATTRIBUTE_OF_CODE[attr.type]
        raise FileError(f"attribute {attr.name} is of kind {kind} and has no value")
    return _plain(getattr(attr, form.field))


def set_attribute(op_desc: Any, name: str, kind: str, value: object) -> None:
    """Set the attribute `name` of an OpDesc, which is changed, to a `value` of `kind` ("INT", ...).

    An attribute of that name is replaced where it stands. Raises TypeMismatchError or ArgumentError
    if the value is not of the kind or out of its range: INT holds 32 bits, LONG 64, FLOAT a
    float32.
    """
    form = FORMS.get(kind)
    if form is None:
        raise ArgumentError(f"expected one of {', '.join(FORMS)}, received {kind!r}")
    if form.repeated:
        if not isinstance(value, list | tuple):
            raise TypeMismatchError(f"attribute {name}: expected a list, received {value!r}")
        checked: Any = [form.check(item, name) for item in value]
    else:
        checked = form.check(value, name)
    _store(_slot(op_desc, name), form, kind, checked)


def _slot(op_desc: Any, name: str) -> Any:
    """The attribute message of that name, made if there is none, and empty but for its name."""
    attr = next((attr for attr in op_desc.attrs if attr.name == name), None)
    if attr is None:
        return op_desc.attrs.add(name=name)
    attr.Clear()
    attr.name = name
    return attr


def _store(attr: Any, form: Form, kind: str, value: Any) -> None:
    attr.type = CODE_OF_ATTRIBUTE[kind]
    if form.repeated:
        getattr(attr, form.field).extend(value)
    elif form.check is _scalar:
        getattr(attr, form.field).CopyFrom(value)
    else:
        setattr(attr, form.field, value)


def _plain(value: Any) -> Any:
    """A value of a message as Python has it; text that is not UTF-8 arrives as bytes."""
    if isinstance(value, Message):
        return _scalar_value(value)
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _scalar_value(message: Any) -> bool | int | float | complex:
    kind = SCALAR_OF_CODE[message.type]
    field = {"BOOLEAN": "b", "LONG": "i", "FLOAT64": "r", "COMPLEX128": "c"}[kind]
    if not message.HasField(field):
        raise FileError(f"a scalar of kind {kind} has no value")
    return complex(message.c.r, message.c.i) if kind == "COMPLEX128" else getattr(message, field)


def _boolean(value: object, name: str) -> bool:
    if type(value) is not bool:
        raise TypeMismatchError(f"attribute {name}: expected a bool, received {value!r}")
    return value


def _integer(bits: int) -> Callable[[object, str], int]:
    limit = 2 ** (bits - 1)

    def check(value: object, name: str) -> int:
        if type(value) is not int:
            raise TypeMismatchError(f"attribute {name}: expected an int, received {value!r}")
        if not -limit <= value < limit:
            raise ArgumentError(f"attribute {name}: {value} does not fit {bits} bits")
        return value

    return check


def _block(value: object, name: str) -> int:
    number = _integer(32)(value, name)
    if number < 0:
        raise ArgumentError(f"attribute {name}: expected the number of a block, received {number}")
    return number


def _double(value: object, name: str) -> float:
    if type(value) not in (int, float):
        raise TypeMismatchError(f"attribute {name}: expected a float, received {value!r}")
    return float(value)  # type: ignore[arg-type]


def _float(value: object, name: str) -> float:
    number = _double(value, name)
    if math.isfinite(number) and abs(number) > MAX_FLOAT32:
        raise ArgumentError(f"attribute {name}: {number} does not fit float32")
    return number


def _text(value: object, name: str) -> str:
    if type(value) is not str:
        raise TypeMismatchError(f"attribute {name}: expected a str, received {value!r}")
    return value


def _scalar(value: object, name: str) -> Any:
    """The message of a bool, int, float or complex."""
    if type(value) is bool:
        return Scalar(type=CODE_OF_SCALAR["BOOLEAN"], b=value)
    if type(value) is int:
        return Scalar(type=CODE_OF_SCALAR["LONG"], i=_integer(64)(value, name))
    if type(value) is float:
        return Scalar(type=CODE_OF_SCALAR["FLOAT64"], r=value)
    if type(value) is complex:
        parts = {"r": value.real, "i": value.imag}
        return Scalar(type=CODE_OF_SCALAR["COMPLEX128"], c=parts)
    raise TypeMismatchError(f"attribute {name}: expected a number, received {value!r}")


FORMS = {
    "INT": Form("i", _integer(32)),
    "FLOAT": Form("f", _float),
    "STRING": Form("s", _text),
    "INTS": Form("ints", _integer(32), True),
    "FLOATS": Form("floats", _float, True),
    "STRINGS": Form("strings", _text, True),
    "BOOLEAN": Form("b", _boolean),
    "BOOLEANS": Form("bools", _boolean, True),
    "BLOCK": Form("block_idx", _block),
    "LONG": Form("l", _integer(64)),
    "BLOCKS": Form("blocks_idx", _block, True),
    "LONGS": Form("longs", _integer(64), True),
    "FLOAT64S": Form("float64s", _double, True),
    "VAR": Form("var_name", _text),
    "VARS": Form("vars_name", _text, True),
    "FLOAT64": Form("float64", _double),
    "SCALAR": Form("scalar", _scalar),
    "SCALARS": Form("scalars", _scalar, True),
}
