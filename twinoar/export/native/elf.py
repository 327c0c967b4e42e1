"""Objects in the ELF format, 64 bits and little-endian, as LLVM writes them: read, and completed.

Source: System V Application Binary Interface, chapters 4 and 5.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property

FILE_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QQq")
X86_64, AARCH64, RISCV64 = 62, 183, 243
PROGBITS, SYMTAB, STRTAB, RELA, NOBITS = 1, 2, 3, 4, 8
WRITE, ALLOC, EXECUTE = 1, 2, 4
GLOBAL, WEAK = 1, 2
OBJECT = 1  # the type of a symbol of data
DEFAULT, HIDDEN = 0, 2
DATA_ALIGNMENT = 64


@dataclass(frozen=True)
class Section:
    """A section: what its header says."""

    name: str
    kind: int
    flags: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int


@dataclass(frozen=True)
class Symbol:
    """A symbol; section 0 for one that is defined elsewhere."""

    name: str
    binding: int
    kind: int
    visibility: int
    section: int
    value: int
    size: int


@dataclass(frozen=True)
class Relocation:
    """Where an address is wanted: at an offset of a section, of a symbol and so many bytes more."""

    section: int
    offset: int
    kind: int
    symbol: int
    addend: int


class ElfObject:
    """An object file."""

    def __init__(self, content: bytes):
        self.content = content
        head = FILE_HEADER.unpack_from(content)
        self.machine, self._start, self.count, self._names = head[2], head[6], head[12], head[13]
        self.machine_flags = head[7]
        self._headers = [
            SECTION_HEADER.unpack_from(content, self._start + SECTION_HEADER.size * n)
            for n in range(self.count)
        ]

    def text(self, table: int, at: int) -> str:
        """The text at a place of a string table."""
        start = self._headers[table][4] + at
        return self.content[start : self.content.index(b"\0", start)].decode()

    @cached_property
    def sections(self) -> list[Section]:
        """All sections, in order."""
        return [
            Section(self.text(self._names, name), kind, flags, offset, size, link, info, alignment)
            for name, kind, flags, _, offset, size, link, info, alignment, _ in self._headers
        ]

    @cached_property
    def symbol_table(self) -> int:
        """The number of the section that has the symbols."""
        return next(n for n, s in enumerate(self.sections) if s.kind == SYMTAB)

    @cached_property
    def symbols(self) -> list[Symbol]:
        """All symbols, in order."""
        table = self.sections[self.symbol_table]
        found = []
        for n in range(table.size // SYMBOL.size):
            name, info, other, section, value, size = SYMBOL.unpack_from(
                self.content, table.offset + n * SYMBOL.size
            )
            text = self.text(table.link, name)
            found.append(Symbol(text, info >> 4, info & 15, other & 3, section, value, size))
        return found

    @cached_property
    def relocations(self) -> list[Relocation]:
        """Those of all sections that are loaded."""
        found = []
        for s in self.sections:
            if s.kind == RELA and self.sections[s.info].flags & ALLOC:
                for n in range(s.size // RELOCATION.size):
                    offset, info, addend = RELOCATION.unpack_from(
                        self.content, s.offset + n * RELOCATION.size
                    )
                    kind, symbol = info & 0xFFFFFFFF, info >> 32
                    found.append(Relocation(s.info, offset, kind, symbol, addend))
        return found

    @property
    def undefined(self) -> list[str]:
        """The names of symbols that are defined elsewhere."""
        return [s.name for s in self.symbols[1:] if s.section == 0]

    def with_data(self, name: str, data: bytes) -> bytes:
        """The file with one more section, in which the symbol `name` is these data."""
        number = next(n for n, s in enumerate(self.symbols) if s.name == name)
        content = bytearray(self.content)
        content += bytes(-len(content) % DATA_ALIGNMENT)
        data_at = len(content)
        content += data
        # The names of sections with one more, behind the data.
        names = self.sections[self._names]
        names_at = len(content)
        added = b".rodata.weights\0"
        content += self.content[names.offset : names.offset + names.size] + added
        table = self.sections[self.symbol_table]
        place = table.offset + number * SYMBOL.size
        first, info, other, *_ = SYMBOL.unpack_from(content, place)
        info = info & 0xF0 | OBJECT
        SYMBOL.pack_into(content, place, first, info, other, self.count, 0, len(data))
        headers = [list(h) for h in self._headers]
        headers[self._names][4:6] = names_at, names.size + len(added)
        headers.append(
            [names.size, PROGBITS, ALLOC, 0, data_at, len(data), 0, 0, DATA_ALIGNMENT, 0]
        )
        content += bytes(-len(content) % 8)
        start = len(content)
        for header in headers:
            content += SECTION_HEADER.pack(*header)
        head = list(FILE_HEADER.unpack_from(content))
        head[6], head[12] = start, len(headers)
        FILE_HEADER.pack_into(content, 0, *head)
        return bytes(content)
