"""Protobuf messages that are described in Python and made at run time: no generated code.

The messages of a Schema live in a descriptor pool of their own, so they do not clash with those of
other packages in the same process.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    json_format,
    message_factory,
    text_format,
)
from google.protobuf.message import DecodeError, Message

from twinoar.errors import FileError
from twinoar.formats.cursor import Bytes
from twinoar.late import dataclass

ONE = (Message, str, bytes)  # of the fields with text in them; others are repeated
ANY_TEXT: set[str] = set()  # full names of messages whose text may be other than UTF-8


@dataclass(frozen=True)
class Schema:
    """The messages of one package.

    messages: by name, their fields as "number label type name"; types of other messages begin with
    a capital, and `repeated|packed` numbers have no tags of their own. enums: by name, their
    numbers. defaults: by message and field. any_text: messages whose text may be other
    than UTF-8. maps: messages of a key and a value, repeated fields of which are mappings.
    """

    package: str
    messages: Mapping[str, tuple[str, ...]]
    enums: Mapping[str, Mapping[str, int]]
    defaults: Mapping[tuple[str, str], str] = field(default_factory=dict)
    any_text: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()

    def classes(self) -> dict[str, Any]:  # Any: protobuf makes them, with attributes of their own
        """The class of each message."""
        pool = descriptor_pool.DescriptorPool()
        pool.AddSerializedFile(self._file().SerializeToString())
        if hasattr(message_factory, "GetMessageClass"):
            class_of = message_factory.GetMessageClass
        else:  # protobuf 4.21
            class_of = message_factory.MessageFactory(pool).GetPrototype
        ANY_TEXT.update(f"{self.package}.{path}" for path in self.any_text)
        names = {path: f"{self.package}.{path}" for path in self.messages}
        return {path: class_of(pool.FindMessageTypeByName(name)) for path, name in names.items()}

    def _file(self) -> descriptor_pb2.FileDescriptorProto:
        """The schema in the form that protobuf takes."""
        file = descriptor_pb2.FileDescriptorProto(
            name=f"twinoar/{self.package}.proto", package=self.package, syntax="proto2"
        )
        made: dict[str, descriptor_pb2.DescriptorProto] = {}
        for path in sorted(self.messages, key=lambda path: path.count(".")):
            owner, _, name = path.rpartition(".")
            message = made[owner].nested_type.add() if owner else file.message_type.add()
            message.name = name
            message.options.map_entry = path in self.maps
            made[path] = message
            for told in self.messages[path]:
                self._add_field(message, path, *told.split())
        for path, codes in self.enums.items():
            owner, _, name = path.rpartition(".")
            enum = made[owner].enum_type.add() if owner else file.enum_type.add()
            enum.name = name
            for key, code in codes.items():
                enum.value.add(name=key, number=code)
        return file

    def _add_field(
        self,
        message: descriptor_pb2.DescriptorProto,
        path: str,
        number: str,
        label: str,
        kind: str,
        name: str,
    ) -> None:
        types = descriptor_pb2.FieldDescriptorProto
        made = message.field.add(name=name, number=int(number))
        label, _, packed = label.partition("|")
        made.label = getattr(types, f"LABEL_{label.upper()}")
        if packed:
            made.options.packed = True
        if not kind[0].isupper():
            made.type = getattr(types, f"TYPE_{kind.upper()}")
        else:
            made.type = types.TYPE_ENUM if kind in self.enums else types.TYPE_MESSAGE
            made.type_name = f".{self.package}.{kind}"
        if (path, name) in self.defaults:
            made.default_value = self.defaults[path, name]


def parse(message_class: Any, data: Bytes, what: str) -> Any:
    """The message of `message_class` in `data`; FileError, which begins with `what`, if it is none.

    Required fields and the encoding of text are checked too.

    >>> Point = Schema("doc", {"Point": ("1 required int32 x",)}, {}).classes()["Point"]
    >>> parse(Point, b"\\x08\\x07", "x.bin").x
    7
    """
    message = message_class()
    try:
        message.ParseFromString(bytes(data))
    except (DecodeError, UnicodeDecodeError) as failure:
        name = message_class.DESCRIPTOR.name
        raise FileError(f"{what}: expected a {name} in protobuf form ({failure})") from failure
    missing = message.FindInitializationErrors()
    if missing:
        raise FileError(f"{what}: required fields are missing or unknown: {', '.join(missing[:5])}")
    _check_text(message, what)
    return message


def parse_text(message_class: Any, text: str, what: str) -> Any:
    """The message that `text` writes in protobuf's text form; FileError, which begins with `what`.

    >>> Point = Schema("doc.text", {"Point": ("1 optional int32 x",)}, {}).classes()["Point"]
    >>> parse_text(Point, "x: 7  # a comment", "point.txt").x
    7
    """
    message = message_class()
    try:
        text_format.Parse(text, message)
    except text_format.ParseError as failure:
        name = message_class.DESCRIPTOR.name
        raise FileError(f"{what}: expected a {name} in protobuf's text form ({failure})") from None
    return message


def parse_json(message_class: Any, text: str, what: str) -> Any:
    """The message that `text` writes as JSON; FileError, which begins with `what`."""
    message = message_class()
    try:
        told = json.loads(text)
        if not isinstance(told, dict):
            raise json_format.ParseError(f"a {type(told).__name__} is no object")
        json_format.ParseDict(told, message)
    except (json_format.ParseError, ValueError, RecursionError) as failure:
        name = message_class.DESCRIPTOR.name
        raise FileError(f"{what}: expected a {name} as JSON ({failure})") from None
    return message


def text_of(message: Message) -> str:
    """The message in protobuf's text form, which `parse_text` reads."""
    return text_format.MessageToString(message)


def plain(message: Message) -> dict[str, Any]:
    """The fields that `message` has as what JSON can hold: numbers as numbers, enums by name.

    Bytes stand as text where they are ASCII, in hexadecimal digits elsewhere.

    >>> Point = Schema("doc.plain", {"Point": ("1 repeated int64 x",)}, {}).classes()["Point"]
    >>> plain(Point(x=[7, 8]))
    {'x': [7, 8]}
    """
    found: dict[str, Any] = {}
    for told, value in message.ListFields():
        if told.message_type is not None and told.message_type.GetOptions().map_entry:
            of_value = told.message_type.fields_by_name["value"]
            found[told.name] = {str(k): _plain_value(of_value, v) for k, v in value.items()}
        elif isinstance(value, (*ONE, bool, int, float)):
            found[told.name] = _plain_value(told, value)
        else:
            found[told.name] = [_plain_value(told, x) for x in value]
    return found


def _plain_value(told: Any, value: Any) -> Any:
    if isinstance(value, Message):
        return plain(value)
    if told.enum_type is not None:
        return told.enum_type.values_by_number[value].name
    if isinstance(value, bytes):
        return value.decode() if value.isascii() else value.hex()
    return value


def serialize(message: Message) -> bytes:
    """The bytes of `message`, the same each time; FileError if a required field is missing.

    >>> Text = Schema("doc", {"Text": ("1 required string s",)}, {}).classes()["Text"]
    >>> serialize(Text(s="relu"))
    b'\\n\\x04relu'
    """
    missing = message.FindInitializationErrors()
    if missing:
        raise FileError(f"cannot write a message without {', '.join(missing[:5])}")
    return message.SerializeToString(deterministic=True)


def _check_text(message: Message, what: str) -> None:
    """FileError for text that is not UTF-8, which protobuf returns as bytes."""
    free = ("s", "strings") if message.DESCRIPTOR.full_name in ANY_TEXT else ()
    for told, value in message.ListFields():
        is_message = told.message_type is not None
        if not is_message and (told.type != told.TYPE_STRING or told.name in free):
            continue
        parts = [value] if isinstance(value, ONE) else value
        if is_message and told.message_type.GetOptions().map_entry:
            _check_entries(told.message_type.fields_by_name["value"], value, what)
        elif is_message:
            for part in parts:
                _check_text(part, what)
        else:
            for part in parts:
                if isinstance(part, bytes):
                    raise FileError(f"{what}: {told.full_name} is not UTF-8: {part[:40]!r}")


def _check_entries(of_value: Any, entries: Mapping[Any, Any], what: str) -> None:
    """FileError for keys and values of a mapping that are not UTF-8."""
    try:
        values = list(entries.values())
    except UnicodeDecodeError as failure:
        raise FileError(f"{what}: a key beside {of_value.full_name} is not UTF-8") from failure
    for value in values:
        if of_value.message_type is not None:
            _check_text(value, what)
        elif isinstance(value, bytes) and of_value.type == of_value.TYPE_STRING:
            raise FileError(f"{what}: {of_value.full_name} is not UTF-8: {value[:40]!r}")
