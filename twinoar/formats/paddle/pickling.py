"""Writing pickles that Paddle and every NumPy load, with the same bytes for equal objects.

Equal objects give equal bytes because nothing is remembered: an object that occurs twice is written
twice, so it does not matter which parts were shared. Arrays name `numpy.core`, which NumPy 1 and 2
both know.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError
from twinoar.formats.paddle.pickle_forms import BFLOAT16, ELEMENT_TYPES, check_key

PROTOCOLS = (2, 3, 4)
MAX_DEPTH = 200

# A tensor's name and elements, or None for what is not a tensor.
Encode = Callable[[object], tuple[str, np.ndarray] | None]
Part = bytes | memoryview

SPELLINGS = {dtype: name for name, dtype in ELEMENT_TYPES.items()}


def write_pickle(obj: object, protocol: int = 4, *, encode: Encode | None = None) -> bytes:
    """The pickle of `obj`, of protocol 2, 3 or 4.

    obj: containers, numbers, text, None, arrays, and the tensors that `encode` knows.
    `encode(x)` returns the name and the elements of a tensor, or None; such a tensor is written as
    Paddle does, as `tuple((name, elements))`. Raises TypeMismatchError for other objects, which it
    names by their place in `obj`.

    >>> import pickle
    >>> pickle.loads(write_pickle({"epoch": 3}))
    {'epoch': 3}
    """
    if type(protocol) is not int or protocol not in PROTOCOLS:
        raise ArgumentError(
            f"expected protocol 2, 3 or 4, received {protocol!r}",
            cure="leave it out: 4 is the usual one",
        )
    writer = _Writer(protocol, encode)
    writer.write(obj, "the object")
    return b"".join([b"\x80", bytes([protocol]), *writer.parts, b"."])


class _Writer:
    """Collects the parts of a pickle; each method adds to them."""

    def __init__(self, protocol: int, encode: Encode | None):
        self.protocol, self.encode = protocol, encode
        self.parts: list[Part] = []
        self.depth = 0

    def write(self, value: Any, place: str) -> None:  # Any: it finds out what the value is
        """Add `value`, which stands at `place` in the object."""
        named = None if self.encode is None else self.encode(value)
        if named is not None:
            self._named_array(*named)
        elif isinstance(value, np.ndarray):
            self.array(value)
        elif isinstance(value, np.generic):
            self._scalar(value)
        elif type(value) in WRITERS:
            WRITERS[type(value)](self, value)
        elif type(value) in CONTAINERS:
            self._nested(value, place)
        else:
            raise TypeMismatchError(
                f"{place} is a {type(value).__name__}, which a parameter file cannot hold",
                cure="save tensors, arrays, numbers, text and None, or dicts and lists of them",
            )

    def _nested(self, value: Any, place: str) -> None:
        if self.depth == MAX_DEPTH:
            raise ArgumentError(
                f"the object is nested deeper than {MAX_DEPTH} levels, or contains itself",
                cure="save its parts, and no object twice inside itself",
            )
        self.depth += 1
        CONTAINERS[type(value)](self, value, place)
        self.depth -= 1

    def form(self, module: str, name: str) -> None:
        """Add a name, which a reader looks up."""
        self.parts.append(f"c{module}\n{name}\n".encode())

    def builtin(self, name: str) -> None:
        """Add a built-in name, in Python 2's spelling for protocol 2."""
        self.form("__builtin__" if self.protocol == 2 else "builtins", name)

    def text(self, value: str) -> None:
        """Add text."""
        data = value.encode("utf-8", "surrogatepass")
        self._sized(b"X" if len(data) < 2**32 else self._large(b"\x8d"), data)

    def raw(self, data: memoryview) -> None:
        """Add bytes; protocol 2 has none and spells them as latin1 text."""
        if self.protocol > 2:
            self._sized(b"B" if len(data) < 2**32 else self._large(b"\x8e"), data)
        elif not data:
            self.builtin("bytes")
            self.parts.append(b")R")
        else:
            self.form("_codecs", "encode")
            self.text(str(data, "latin1"))
            self.text("latin1")
            self.parts.append(b"\x86R")

    def array(self, value: np.ndarray) -> None:
        """Add an array, row-major and little-endian, by the steps in which NumPy builds one."""
        self.form("numpy.core.multiarray", "_reconstruct")
        self.form("numpy", "ndarray")
        self.parts.append(b"K\x00\x85")
        self.raw(memoryview(b"b"))
        self.parts.append(b"\x87R(K\x01(")
        for dim in value.shape:
            self.integer(dim)
        self.parts.append(b"t")
        stored = np.asarray(value, _element_type(value.dtype), order="C")
        self._element_type(stored.dtype)
        self.parts.append(b"\x89")
        self.raw(stored.reshape(-1).view(np.uint8).data if stored.size else memoryview(b""))
        self.parts.append(b"tb")

    def integer(self, value: int) -> None:
        """Add an integer of any size."""
        if 0 <= value < 256:
            self.parts.append(b"K" + bytes([value]))
        elif -(2**31) <= value < 2**31:
            self.parts.append(b"J" + value.to_bytes(4, "little", signed=True))
        else:
            data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
            self._sized(b"\x8b", data)

    def _named_array(self, name: str, array: np.ndarray) -> None:
        """A tensor, as Paddle writes it."""
        self.builtin("tuple")
        self.text(name)
        self.array(array)
        self.parts.append(b"\x86\x85R")

    def _element_type(self, dtype: np.dtype) -> None:
        text = dtype.kind in "SU"
        spelling = dtype.str[1:] if text else SPELLINGS[dtype]
        order = "|" if dtype.itemsize == 1 or dtype.kind == "S" else "<"
        self.form("numpy", "dtype")
        self.text(spelling)
        self.parts.append(b"\x89\x88\x87R(K\x03")
        self.text(order)
        self.parts.append(b"NNN")
        for part in (
            (dtype.itemsize, dtype.alignment, 8 * (dtype.kind == "U")) if text else (-1, -1, 0)
        ):
            self.integer(part)
        self.parts.append(b"tb")

    def _scalar(self, value: np.generic) -> None:
        stored = np.asarray(value, _element_type(value.dtype))
        self.form("numpy.core.multiarray", "scalar")
        self._element_type(stored.dtype)
        self.raw(memoryview(stored.tobytes()))
        self.parts.append(b"\x86R")

    def _sized(self, opcode: bytes, data: Part) -> None:
        width = 8 if opcode in (b"\x8d", b"\x8e") else 4
        self.parts.extend([opcode, len(data).to_bytes(width, "little"), data])

    def _large(self, opcode: bytes) -> bytes:
        if self.protocol < 4:
            raise ArgumentError(
                f"protocol {self.protocol} cannot hold more than 4 GiB in one piece",
                cure="protocol=4",
            )
        return opcode


def _element_type(dtype: np.dtype) -> np.dtype:
    """`dtype` in little-endian order; DTypeError for types that a file cannot hold."""
    little = dtype if dtype == BFLOAT16 else dtype.newbyteorder("<")
    if little.kind in "SU" and little.itemsize:
        return little
    if little not in SPELLINGS:
        raise DTypeError(
            f"a parameter file cannot hold elements of type {dtype}",
            cure="convert them to numbers first",
        )
    return little


def _write_sequence(writer: _Writer, items: Iterable, place: str) -> None:
    writer.parts.append(b"(")
    for index, item in enumerate(items):
        writer.write(item, f"{place}[{index}]")


def _write_list(writer: _Writer, value: list, place: str) -> None:
    writer.parts.append(b"]")
    _write_sequence(writer, value, place)
    writer.parts.append(b"e")


def _write_tuple(writer: _Writer, value: tuple, place: str) -> None:
    _write_sequence(writer, value, place)
    writer.parts.append(b"t")


def _write_set(writer: _Writer, value: set, place: str) -> None:
    """In the order of the pickles of the elements: a set has no order of its own."""
    for element in value:
        _check_key(element, f"an element of {place}")
    ordered = sorted(value, key=lambda item: write_pickle(item, writer.protocol))
    writer.builtin("set")
    _write_list(writer, ordered, place)
    writer.parts.append(b"\x85R")


def _write_dict(writer: _Writer, value: dict, place: str) -> None:
    writer.parts.append(b"}")
    _write_items(writer, value, place)


def _write_ordered_dict(writer: _Writer, value: OrderedDict, place: str) -> None:
    writer.form("collections", "OrderedDict")
    writer.parts.append(b")R")
    _write_items(writer, value, place)


def _check_key(key: Any, place: str) -> None:
    """Refuse a key that readers refuse, ours and those who are as careful."""
    try:
        check_key(key)
    except ValueError as error:
        raise TypeMismatchError(
            f"{place} is a {type(key).__name__}, which a parameter file cannot hold: {error}",
            cure="use text or numbers as keys, or tuples of them",
        ) from None


def _write_items(writer: _Writer, value: dict, place: str) -> None:
    writer.parts.append(b"(")
    for key, item in value.items():
        _check_key(key, f"a key of {place}")
        writer.write(key, f"a key of {place}")
        writer.write(item, f"{place}[{key!r}]")
    writer.parts.append(b"u")


def _write_complex(writer: _Writer, value: complex) -> None:
    writer.builtin("complex")
    for part in (value.real, value.imag):
        _write_float(writer, part)
    writer.parts.append(b"\x86R")


def _write_float(writer: _Writer, value: float) -> None:
    writer.parts.append(b"G" + struct.pack(">d", value))


WRITERS: dict[type, Callable[[_Writer, Any], None]] = {
    type(None): lambda writer, _: writer.parts.append(b"N"),
    bool: lambda writer, value: writer.parts.append(b"\x88" if value else b"\x89"),
    int: _Writer.integer,
    float: _write_float,
    complex: _write_complex,
    str: _Writer.text,
}

CONTAINERS: dict[type, Callable[[_Writer, Any, str], None]] = {
    list: _write_list,
    tuple: _write_tuple,
    set: _write_set,
    dict: _write_dict,
    OrderedDict: _write_ordered_dict,
}
