"""From one object to a WebAssembly module that imports nothing: memory, stack, data, exports.

Memory begins with the stack, which grows down, so that one that is too deep ends the run instead of
overwriting data. Data follow, and from `__heap_base` on memory is the caller's.

Sources: WebAssembly Core Specification, chapter 5; WebAssembly Object File Linking (tool
conventions).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from twinoar.errors import ProgramError

MAGIC = b"\0asm\1\0\0\0"
PAGE = 1 << 16
STACK_BYTES = 1 << 18
ALIGNMENT = 64
CUSTOM, TYPES, IMPORTS, FUNCTIONS, MEMORIES, GLOBALS, EXPORTS = 0, 1, 2, 3, 5, 6, 7
CODE, DATA, DATA_COUNT = 10, 11, 12
SEGMENT_INFO, SYMBOLS = 5, 8  # parts of the section "linking"
FUNCTION, DATA_SYMBOL, GLOBAL, SECTION = 0, 1, 2, 3  # kinds of symbols and, but the third, imports
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40
I32, I32_CONST, END = 0x7F, 0x41, 0x0B
STACK_POINTER, HEAP_BASE = "__stack_pointer", "__heap_base"
PADDED = 5  # bytes of a number that a relocation writes
# Kinds of relocations: of an index of a function, type or global, and of an address.
FUNCTION_INDEX, ADDRESS, SIGNED_ADDRESS, ADDRESS_WORD, TYPE_INDEX, GLOBAL_INDEX = 0, 3, 4, 5, 6, 7
WITH_ADDEND = (ADDRESS, SIGNED_ADDRESS, ADDRESS_WORD)


@dataclass(frozen=True)
class _Symbol:
    """A symbol. number: of a function, a global, or the segment of data that it lies in."""

    kind: int
    flags: int
    name: str
    number: int = 0
    offset: int = 0


class _Reader:
    """Numbers and texts, from a place on."""

    def __init__(self, content: bytes, at: int, end: int | None = None):
        self.content, self.at = content, at
        self.end = len(content) if end is None else end

    def byte(self) -> int:
        """The next byte."""
        self.at += 1
        return self.content[self.at - 1]

    def number(self) -> int:
        """The next unsigned number."""
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return found

    def signed(self) -> int:
        """The next signed number."""
        start = self.at
        found = self.number()
        bits = 7 * (self.at - start)
        return found - (1 << bits) if found >> (bits - 1) else found

    def text(self) -> str:
        """The next text."""
        return self.some(self.number()).decode()

    def some(self, count: int) -> bytes:
        """The next bytes."""
        self.at += count
        return self.content[self.at - count : self.at]

    def parts(self) -> Iterator[tuple[int, _Reader]]:
        """The sections, or what else has a byte of kind and a size, until the end."""
        while self.at < self.end:
            kind, size = self.byte(), self.number()
            start = self.at
            self.at += size
            yield kind, _Reader(self.content, start, start + size)

    def rest(self) -> bytes:
        """All until the end."""
        return self.some(self.end - self.at)


def module(
    content: bytes, exported: Collection[str], data_symbol: str | None, data: bytes
) -> bytes:
    """The module of an object whose one undefined symbol, if any, is that of the data.

    Raises ProgramError where it needs another one.
    """
    return _Linker(content, exported, data_symbol, data).linked()


def undefined(content: bytes) -> list[str]:
    """The functions that an object calls and does not define."""
    return _Linker(content, (), None, b"").undefined


class _Linker:
    def __init__(
        self, content: bytes, exported: Collection[str], data_symbol: str | None, data: bytes
    ):
        self.exported, self.data_symbol = exported, data_symbol
        self.sections: dict[int, bytes] = {}
        self.custom: dict[str, _Reader] = {}
        for kind, section in _Reader(content, len(MAGIC)).parts():
            if kind == CUSTOM:
                self.custom[section.text()] = section
            else:
                self.sections[kind] = section.rest()
        self.undefined: list[str] = []
        self.globals = self._imported()
        self.symbols: list[_Symbol] = []
        self.alignments: list[int] = []
        self._linking()
        self._place(data)

    def linked(self) -> bytes:
        """The file."""
        if self.undefined:
            raise ProgramError(f"the code calls {', '.join(self.undefined)}, which nothing defines")
        code = self._relocated()
        pages = -(-self.heap // PAGE)
        made = [
            (TYPES, self.sections[TYPES]),
            (FUNCTIONS, self.sections[FUNCTIONS]),
            (MEMORIES, _vector([b"\0" + _number(pages)])),
            *self._globals_and_exports(),
            (DATA_COUNT, _number(len(self.segments))),
            (CODE, code),
            (DATA, _vector([_active(at, piece) for at, piece in self.segments])),
        ]
        sections = b"".join(
            bytes([kind]) + _number(len(section)) + section for kind, section in made
        )
        return MAGIC + sections

    def _imported(self) -> list[str]:
        """The names of globals that the object wants; the memory and the stack are made here."""
        reader = _Reader(self.sections.get(IMPORTS, b"\0"), 0)
        names = []
        for _ in range(reader.number()):
            reader.text()
            name, kind = reader.text(), reader.byte()
            if kind == FUNCTION:
                reader.number()
                self.undefined.append(name)
                continue
            if kind == 3:  # a global: its type, and whether it changes
                reader.some(2)
                names.append(name)
                continue
            if kind == 1:  # a table: the type of its elements
                reader.byte()
            has_most = reader.byte() & 1
            reader.number()
            if has_most:
                reader.number()
        if set(names) - {STACK_POINTER}:
            raise ProgramError(f"the code reads {', '.join(names)}, which nothing defines")
        return names

    def _linking(self) -> None:
        """The symbols, and how segments of data are aligned."""
        reader = self.custom["linking"]
        reader.number()
        for kind, part in reader.parts():
            if kind == SYMBOLS:
                self.symbols = [self._symbol(part) for _ in range(part.number())]
            elif kind == SEGMENT_INFO:
                for _ in range(part.number()):
                    part.text()
                    self.alignments.append(1 << part.number())
                    part.number()

    @staticmethod
    def _symbol(reader: _Reader) -> _Symbol:
        kind, flags = reader.byte(), reader.number()
        if kind == DATA_SYMBOL:
            name = reader.text()
            if flags & UNDEFINED:
                return _Symbol(kind, flags, name)
            number, offset = reader.number(), reader.number()
            reader.number()
            return _Symbol(kind, flags, name, number, offset)
        number = reader.number()
        if kind == SECTION:
            return _Symbol(kind, flags, "", number)
        has_name = not flags & UNDEFINED or flags & EXPLICIT_NAME
        return _Symbol(kind, flags, reader.text() if has_name else "", number)

    def _place(self, data: bytes) -> None:
        """Where each segment of data lies; that which is added is the last one."""
        reader = _Reader(self.sections.get(DATA, b"\0"), 0)
        self.segments: list[tuple[int, bytes]] = []
        at = STACK_BYTES
        for alignment in self.alignments[: reader.number()]:
            reader.number()
            reader.byte()
            reader.signed()
            reader.byte()
            piece = reader.some(reader.number())
            at += -at % alignment
            self.segments.append((at, piece))
            at += len(piece)
        at += -at % ALIGNMENT
        self.data_at = at
        if self.data_symbol is not None:
            self.segments.append((at, data))
            at += len(data)
        self.heap = at + -at % ALIGNMENT

    def _address(self, symbol: _Symbol) -> int:
        if symbol.flags & UNDEFINED:
            if symbol.name != self.data_symbol:
                raise ProgramError(f"the code reads {symbol.name}, which nothing defines")
            return self.data_at
        return self.segments[symbol.number][0] + symbol.offset

    def _relocated(self) -> bytes:
        """The code with indices and addresses."""
        code = bytearray(self.sections[CODE])
        reader = self.custom.get("reloc.CODE")
        if reader is None:
            return bytes(code)
        reader.number()
        for _ in range(reader.number()):
            kind, offset, index = reader.byte(), reader.number(), reader.number()
            addend = reader.signed() if kind in WITH_ADDEND else 0
            if kind == TYPE_INDEX:
                value = index
            elif kind in (FUNCTION_INDEX, GLOBAL_INDEX):
                value = self.symbols[index].number
            elif kind in WITH_ADDEND:
                value = self._address(self.symbols[index]) + addend
            else:
                raise ProgramError(f"the object has a relocation {kind} that is not known")
            size = 4 if kind == ADDRESS_WORD else PADDED
            write = _word if kind == ADDRESS_WORD else _padded
            code[offset : offset + size] = write(value)
        return bytes(code)

    def _globals_and_exports(self) -> Sequence[tuple[int, bytes]]:
        stack = [_global(STACK_BYTES, changes=True) for _ in self.globals]
        values = [*stack, _global(self.heap, changes=False)]
        names = [
            _name("memory") + b"\2" + _number(0),
            _name(HEAP_BASE) + b"\3" + _number(len(stack)),
        ]
        for s in self.symbols:
            if s.kind == FUNCTION and s.name in self.exported:
                names.append(_name(s.name) + b"\0" + _number(s.number))
        return (GLOBALS, _vector(values)), (EXPORTS, _vector(names))


def _number(value: int) -> bytes:
    """An unsigned number, in as few bytes as it has."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _signed(value: int) -> bytes:
    """A number that is not negative, as a signed one: its last byte has no sign."""
    found = bytearray()
    while value > 0x3F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _padded(value: int) -> bytes:
    """A number in as many bytes as linkers leave for it; up to 2^31 signed ones are the same."""
    return bytes((value >> 7 * n & 0x7F) | (0x80 if n < PADDED - 1 else 0) for n in range(PADDED))


def _word(value: int) -> bytes:
    return value.to_bytes(4, "little")


def _vector(items: Sequence[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)


def _name(text: str) -> bytes:
    return _number(len(text.encode())) + text.encode()


def _global(value: int, *, changes: bool) -> bytes:
    return bytes([I32, changes, I32_CONST]) + _signed(value) + bytes([END])


def _active(at: int, piece: bytes) -> bytes:
    """A segment that is there from the beginning."""
    return b"\0" + bytes([I32_CONST]) + _signed(at) + bytes([END]) + _number(len(piece)) + piece
