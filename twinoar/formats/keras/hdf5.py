"""Reading HDF5 as far as Keras writes it: groups, attributes, arrays that lie in one piece.

The library of HDF5 can be made to search without end by a forged file, so what is needed of the
format is read here. Each block is looked at once, nothing beyond the file, and all arrays together
have no more bytes than it. What is newer than HDF5 1.6, chunks, filters and links are refused.

Source: https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t11.html
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np

from twinoar.errors import FileError
from twinoar.late import dataclass

HEAD = b"\x89HDF\r\n\x1a\n"
NOWHERE = 2**64 - 1
DATASPACE, DATATYPE, EXTERNAL, LAYOUT, FILTERS, ATTRIBUTE, CONTINUED, TABLE = (
    0x1, 0x3, 0x7, 0x8, 0xB, 0xC, 0x10, 0x11,
)  # fmt: skip # kinds of messages
NEWER_GROUP = {0x2, 0x6, 0x15}  # links and attributes as they are since HDF5 1.8
LARGEST_RANK = 32
# Width in bytes, with the bits of exponent and mantissa.
FLOATS = {(2, 5, 10): "f2", (4, 8, 23): "f4", (8, 11, 52): "f8"}


@dataclass(frozen=True)
class Type:
    """An element type: dtype of a number or of bytes, or a text that lies elsewhere."""

    size: int
    dtype: str = ""
    is_text_elsewhere: bool = False


@dataclass
class Thing:
    """A group or an array. address: of its header, which tells them apart."""

    file: File
    address: int
    name: str
    messages: list[tuple[int, bytes]] = field(default_factory=list)

    @property
    def is_group(self) -> bool:
        return any(kind == TABLE for kind, _ in self.messages)

    def attributes(self) -> dict[str, Any]:
        """Texts and arrays by name."""
        found = [
            self.file.attribute(m, self.name) for kind, m in self.messages if kind == ATTRIBUTE
        ]
        return dict(found)

    def members(self) -> dict[str, Thing]:
        """What a group has, by name."""
        table = next((m for kind, m in self.messages if kind == TABLE), None)
        if table is None:
            raise self.file.error(f"{self.name[:80]} is no group")
        tree, heap = self.file.unpacked("<QQ", table, 0)
        names = self.file.heap(heap)
        return {
            name: self.file.thing(address, f"{self.name}/{name}")
            for name, address in self.file.entries(tree, names)
        }

    def array(self) -> np.ndarray:
        """The elements."""
        return self.file.array(self)


class File:
    """The bytes of a file, in which every block is looked at once."""

    def __init__(self, data: bytes, path: str):
        self.data, self.path = data, path
        self.seen: set[int] = set()
        self.heaps: dict[int, dict[int, bytes]] = {}
        self.left = len(data)  # bytes that arrays may still have
        if data[:8] != HEAD or len(data) < 96:
            raise self.error("expected a file of HDF5")
        if data[8] != 0 or data[13:15] != b"\x08\x08" or self.unpacked("<Q", data, 24) != (0,):
            raise self.error("its layout is newer than HDF5 1.6, which Keras writes")
        (root,) = self.unpacked("<Q", data, 64)
        self.root = self.thing(root, "")

    def error(self, message: str) -> FileError:
        return FileError(f"{self.path}: {message}", cure="save it again by model.save('net.keras')")

    def piece(self, start: int, size: int) -> bytes:
        """Some bytes. Raises FileError beyond the end."""
        if start < 0 or size < 0 or start + size > len(self.data):
            raise self.error(f"{size} bytes at {start} are not in the file")
        return self.data[start : start + size]

    def unpacked(self, form: str, data: bytes, at: int) -> tuple[int, ...]:
        """Numbers in some bytes."""
        try:
            return struct.unpack_from(form, data, at)
        except struct.error as error:
            raise self.error("a block ends too early") from error

    def once(self, address: int) -> None:
        """Raise FileError for a block that was looked at before."""
        if address in self.seen:
            raise self.error(f"the block at {address} is named twice")
        self.seen.add(address)

    # Headers of groups and arrays.

    def thing(self, address: int, name: str) -> Thing:
        """The group or array whose header is at an address."""
        self.once(address)
        if name.count("/") > 100:
            raise self.error("groups lie too deep in one another")
        version, _, _, _, size = self.unpacked("<BBHII", self.piece(address, 12), 0)
        if version != 1:
            raise self.error(f"{name[:80]}: its header is newer than HDF5 1.6")
        found = Thing(self, address, name)
        blocks = [(address + 16, size)]
        while blocks:
            start, length = blocks.pop()
            self.once(start)
            for kind, message in self._messages(self.piece(start, length)):
                if kind == CONTINUED:
                    start, length = self.unpacked("<QQ", message, 0)
                    blocks.append((start, length))
                elif kind in NEWER_GROUP:
                    raise self.error(f"{name[:80]} is of a kind newer than HDF5 1.6")
                found.messages.append((kind, message))
        return found

    def _messages(self, block: bytes) -> Iterator[tuple[int, bytes]]:
        at = 0
        while at + 8 <= len(block):
            kind, size, flags = self.unpacked("<HHB", block, at)
            if at + 8 + size > len(block) or flags & 2:  # shared ones lie elsewhere
                raise self.error("a message ends too late, or is shared")
            yield kind, block[at + 8 : at + 8 + size]
            at += 8 + size

    # Names in groups.

    def heap(self, address: int) -> bytes:
        """The bytes in which names lie."""
        head = self.piece(address, 32)
        if head[:4] != b"HEAP":
            raise self.error("the names of a group are missing")
        size, _, start = self.unpacked("<QQQ", head, 8)
        return self.piece(start, size)

    def entries(self, tree: int, names: bytes) -> Iterator[tuple[str, int]]:
        """Names and addresses below a node of a tree."""
        pending = [tree]
        while pending:
            address = pending.pop()
            self.once(address)
            if self.piece(address, 4) == b"SNOD":
                yield from self._symbols(address, names)
                continue
            kind, _, count = self.unpacked("<BBH", self.piece(address + 4, 4), 0)
            if self.piece(address, 4) != b"TREE" or kind != 0:
                raise self.error("the tree of a group is damaged")
            node = self.piece(address + 24, 16 * count)
            children = [self.unpacked("<Q", node, 16 * n + 8)[0] for n in range(count)]
            pending += reversed(children)

    def _symbols(self, address: int, names: bytes) -> Iterator[tuple[str, int]]:
        (count,) = self.unpacked("<H", self.piece(address + 6, 2), 0)
        table = self.piece(address + 8, 40 * count)
        for n in range(count):
            place, header, cached = self.unpacked("<QQI", table, 40 * n)
            if cached == 2 or header == NOWHERE:
                raise self.error("a link is not followed")
            end = names.find(b"\0", place) if place < len(names) else -1
            if end < 0:
                raise self.error("a name does not end")
            yield self._text(names[place:end]), header

    def _text(self, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise self.error("a text is no UTF-8") from error

    # Elements.

    def array(self, thing: Thing) -> np.ndarray:
        """The elements of an array, which lie in the file as they are."""
        told = dict(thing.messages)
        if not {DATASPACE, DATATYPE, LAYOUT} <= told.keys() or {EXTERNAL, FILTERS} & told.keys():
            raise self.error(f"{thing.name[:80]} is no array whose elements are as they are")
        shape, type = self.shape(told[DATASPACE]), self.type(told[DATATYPE])
        if not type.dtype or type.dtype.startswith("S"):
            raise self.error(f"{thing.name[:80]}: expected an array of numbers")
        count = 1
        for n in shape:
            count *= n
        data = self._contents(told[LAYOUT], count * type.size)
        return np.frombuffer(data, type.dtype).reshape(shape)

    def _contents(self, layout: bytes, size: int) -> bytes:
        version, kind = self.unpacked("<BB", layout, 0)
        self.left -= size
        if version != 3 or kind not in (0, 1) or self.left < 0:
            raise self.error("the elements of an array do not lie in the file in one piece")
        if not size:
            return b""
        if kind == 0:
            return self.piece(0, 0) if len(layout) < 4 + size else layout[4 : 4 + size]
        start, length = self.unpacked("<QQ", layout, 2)
        if length != size:
            raise self.error(f"an array of {size} bytes has {length}")
        return self.piece(start, size)

    def shape(self, message: bytes) -> tuple[int, ...]:
        """Sizes. Raises FileError for what holds nothing."""
        version, rank, _, kind = self.unpacked("<BBBB", message, 0)
        if version not in (1, 2) or rank > LARGEST_RANK or (version == 2 and kind == 2):
            raise self.error("the shape of an array is damaged")
        sizes = self.unpacked(f"<{rank}Q", message, 8 if version == 1 else 4)
        if any(n >= 1 << 62 for n in sizes):
            raise self.error("the shape of an array is damaged")
        return sizes

    def type(self, message: bytes) -> Type:
        """An element type."""
        first, bits, size = self.unpacked("<BB2xI", message, 0)
        kind = first & 15
        if kind == 8:  # named numbers, which is what truth values are
            return self.type(message[8:])
        if kind == 3 and 0 < size < 1 << 16:
            return Type(size, f"S{size}")
        if kind == 9 and bits & 15 == 1 and size == 16:
            return Type(size, is_text_elsewhere=True)
        if kind == 0 and size in (1, 2, 4, 8) and not bits & 1:
            return Type(size, f"<{'i' if bits & 8 else 'u'}{size}")
        if kind == 1 and not bits & 1:
            _, exponent, _, mantissa = self.unpacked("<BBBB", message, 12)
            if (size, exponent, mantissa) in FLOATS:
                return Type(size, "<" + FLOATS[size, exponent, mantissa])
        raise self.error(f"elements of class {kind} and {size} bytes are not read")

    # Attributes.

    def attribute(self, message: bytes, where: str) -> tuple[str, Any]:
        """Its name, and a text, texts or numbers."""
        version, _, *sizes = self.unpacked("<BBHHH", message, 0)
        if version not in (1, 2, 3):
            raise self.error(f"an attribute of {where[:80]} is newer than HDF5 1.6")
        at, parts = (9 if version == 3 else 8), []
        for size in sizes:
            parts.append(message[at : at + size])
            at += -(-size // 8) * 8 if version == 1 else size
        name = self._text(parts[0].split(b"\0")[0])
        shape, type = self.shape(parts[2]), self.type(parts[1])
        count = 1
        for n in shape:
            count *= n
        if at + count * type.size > len(message):
            raise self.error(f"the attribute {name[:80]} ends too late")
        data = message[at : at + count * type.size]
        if not type.is_text_elsewhere:
            found = np.frombuffer(data, type.dtype, count)
            return name, found[0] if not shape else list(found)
        texts = [self._elsewhere(data, 16 * n) for n in range(count)]
        return name, texts[0] if not shape else texts

    def _elsewhere(self, data: bytes, at: int) -> bytes:
        """A text in a collection of such."""
        length, address, number = self.unpacked("<IQI", data, at)
        if address not in self.heaps:
            self.heaps[address] = self._collection(address)
        found = self.heaps[address].get(number, b"")
        if len(found) < length:
            raise self.error("a text is not where it should be")
        return found[:length]

    def _collection(self, address: int) -> dict[int, bytes]:
        self.once(address)
        if self.piece(address, 4) != b"GCOL":
            raise self.error("texts are not where they should be")
        (size,) = self.unpacked("<Q", self.piece(address + 8, 8), 0)
        block, at = self.piece(address, size), 16
        found: dict[int, bytes] = {}
        while at + 16 <= size:
            number, _, length = self.unpacked("<HH4xQ", block, at)
            if number == 0:  # the rest is free
                break
            if at + 16 + length > size:
                raise self.error("a text ends too late")
            found[number] = block[at + 16 : at + 16 + length]
            at += 16 + -(-length // 8) * 8
        return found
