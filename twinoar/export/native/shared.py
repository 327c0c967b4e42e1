"""From one object to a shared library or a program: a linker for what needs nothing else.

The sections are put into a segment that is read and one that is executed; addresses are relative,
so that the loader of the system has nothing to relocate. Segments begin at multiples of 16 KiB,
which systems ask for whose pages are as large. A program is the same without the tables by which
others find symbols: the system puts it anywhere and jumps to its first instruction.

Source: System V Application Binary Interface, chapter 5.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from twinoar.errors import ProgramError, UnsupportedError
from twinoar.export.native.elf import (
    ALLOC,
    DEFAULT,
    EXECUTE,
    FILE_HEADER,
    GLOBAL,
    NOBITS,
    PROGBITS,
    SECTION_HEADER,
    SYMBOL,
    WRITE,
    ElfObject,
    Relocation,
)
from twinoar.export.native.relocations import NEAREST, PATCHES, SECOND_HALVES
from twinoar.export.native.system import SYSTEMS, Stub

PAGE = 0x4000
PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
LOAD, DYNAMIC, GNU_STACK = 1, 2, 0x6474E551
READ, RUN, CHANGE = 4, 1, 2
SHARED_LIBRARY = 3
DYNSYM, HASH, GNU_HASH, DYNAMIC_SECTION, STRINGS = 11, 5, 0x6FFFFFF6, 6, 3
# Keys of the dynamic section.
NEEDED_KEYS = {"hash": 4, "strings": 5, "symbols": 6, "strings size": 10, "symbol size": 11}
SONAME, GNU_HASH_KEY = 14, 0x6FFFFEF5


@dataclass
class _Part:
    """A section of the file. at: its offset in the file. segment: a page further each."""

    name: str
    kind: int
    flags: int
    content: bytearray
    alignment: int
    segment: int
    link: str = ""
    info: int = 0
    entry: int = 0
    at: int = 0

    @property
    def address(self) -> int:
        """Where it is in memory, from the beginning of the file on."""
        return self.at + self.segment * PAGE


def shared_library(content: bytes, data_symbol: str | None, data: bytes, soname: str) -> bytes:
    """The library of an object whose one undefined symbol, if any, is that of the data.

    Raises ProgramError where it needs another one.
    """
    return _Linker(ElfObject(content), data_symbol, data, soname).linked()


def executable(content: bytes, data_symbol: str | None, data: bytes) -> bytes:
    """The program of an object that defines `system.BEGIN`, and calls `system.CALL`.

    Raises ProgramError where it needs another symbol than that of the data.
    """
    given = ElfObject(content)
    return _Linker(given, data_symbol, data, None, SYSTEMS[given.machine].stub).linked()


class _Linker:
    """soname: of a library. stub: the first instructions of a program, which has no soname."""

    def __init__(
        self,
        given: ElfObject,
        data_symbol: str | None,
        data: bytes,
        soname: str | None,
        stub: Stub | None = None,
    ):
        self.given, self.data_symbol, self.soname, self.stub = given, data_symbol, soname, stub
        if given.machine not in PATCHES:
            raise UnsupportedError(
                f"files are linked for x86-64, AArch64 and RISC-V, not for machine {given.machine}",
                cure="export an object, and link it where it runs",
            )
        known = {data_symbol, *(stub.symbols if stub else ())}
        if missing := [name for name in given.undefined if name not in known]:
            raise ProgramError(f"the code calls {', '.join(missing)}, which nothing defines")
        if len(data) > NEAREST - (1 << 24):
            raise UnsupportedError(
                "the weights are too large to lie in a library", cure="give weights='beside'"
            )
        self.exported = [
            s
            for s in given.symbols
            if s.binding == GLOBAL and s.section and s.visibility == DEFAULT
        ]
        self.parts: list[_Part] = []
        self.homes: dict[int, _Part] = {}
        if soname is not None:
            self._dynamic_tables(soname)
        self._sections(data)
        if stub is not None:
            code = ALLOC | EXECUTE
            self.start = self._add(".text.start", PROGBITS, code, stub.code, 16, 1)

    def linked(self) -> bytes:
        """The file."""
        dynamic = None
        if self.soname is not None:
            size = bytes(16 * 8)
            dynamic = self._add(".dynamic", DYNAMIC_SECTION, ALLOC | WRITE, size, 16, 2)
            dynamic.link, dynamic.entry = ".dynstr", 16
        names = b"\0" + b"".join(p.name.encode() + b"\0" for p in self.parts) + b".shstrtab\0"
        self._add(".shstrtab", STRINGS, 0, names, 1, 2)
        self._place()
        if dynamic is not None:
            self._write_symbols()
            self._write_dynamic(dynamic)
        for relocation in self.given.relocations:
            self._relocate(relocation)
        for offset, kind, name, addend in self.stub.calls if self.stub else ():
            wanted = self._address([s.name for s in self.given.symbols].index(name)) + addend
            patch = PATCHES[self.given.machine][kind]
            patch(self.start.content, offset, wanted, self.start.address + offset)
        return self._file()

    def _add(
        self, name: str, kind: int, flags: int, content: bytes, alignment: int, segment: int
    ) -> _Part:
        part = _Part(name, kind, flags, bytearray(content), alignment, segment)
        self.parts.append(part)
        return part

    def _dynamic_tables(self, soname: str) -> None:
        """The names by which others find symbols; these are written once they have addresses."""
        # Of one bucket: the symbols are few.
        names = [s.name for s in self.exported]
        texts = [*names, soname]
        strings = b"\0" + b"".join(t.encode() + b"\0" for t in texts)
        self.name_at = {t: strings.index(b"\0" + t.encode() + b"\0") + 1 for t in texts}
        count = len(names) + 1
        symbols = self._add(".dynsym", DYNSYM, ALLOC, bytes(SYMBOL.size * count), 8, 0)
        symbols.link, symbols.info, symbols.entry = ".dynstr", 1, SYMBOL.size
        table = self._add(".gnu.hash", GNU_HASH, ALLOC, _gnu_hash(names), 8, 0)
        table.link = ".dynsym"
        chain = [n + 1 if n + 1 < count else 0 for n in range(1, count)]
        words = (1, count, 1 if names else 0, 0, *chain)
        table = self._add(".hash", HASH, ALLOC, struct.pack(f"<{len(words)}I", *words), 8, 0)
        table.link, table.entry = ".dynsym", 4
        self._add(".dynstr", STRINGS, ALLOC, strings, 1, 0)

    def _sections(self, data: bytes) -> None:
        """What the object brings, and the data."""
        given = self.given
        for is_code in (False, True):
            for n, s in enumerate(given.sections):
                if not s.flags & ALLOC or not s.size or bool(s.flags & EXECUTE) != is_code:
                    continue
                if s.kind not in (PROGBITS, NOBITS) or s.flags & WRITE:
                    raise ProgramError(f"the object has a section {s.name} that is not constant")
                content = given.content[s.offset : s.offset + s.size]
                flags = s.flags & (ALLOC | EXECUTE)
                self.homes[n] = self._add(
                    s.name, PROGBITS, flags, content, max(1, s.alignment), int(is_code)
                )
            if not is_code and self.data_symbol is not None:
                self.data = self._add(".rodata.weights", PROGBITS, ALLOC, data, 64, 0)

    @property
    def _heads(self) -> int:
        """The bytes of the headers: a library has five segments, a program three."""
        return FILE_HEADER.size + PROGRAM_HEADER.size * (3 if self.soname is None else 5)

    def _place(self) -> None:
        at = self._heads
        for part in self.parts:
            at += -at % part.alignment
            part.at = at
            at += len(part.content)

    def _part(self, name: str) -> _Part:
        return next(p for p in self.parts if p.name == name)

    def _address(self, number: int) -> int:
        s = self.given.symbols[number]
        if self.stub is not None and s.section == 0 and s.name in self.stub.symbols:
            return self.start.address + self.stub.symbols[s.name]
        return self.data.address if s.section == 0 else self.homes[s.section].address + s.value

    def _write_symbols(self) -> None:
        table = self._part(".dynsym").content
        numbers = {p.name: n for n, p in enumerate(self.parts, 1)}
        for n, s in enumerate(self.exported, 1):
            home = self.homes[s.section]
            place = (GLOBAL << 4 | s.kind, 0, numbers[home.name], home.address + s.value, s.size)
            SYMBOL.pack_into(table, SYMBOL.size * n, self.name_at[s.name], *place)

    def _write_dynamic(self, dynamic: _Part) -> None:
        strings, symbols = self._part(".dynstr"), self._part(".dynsym")
        pairs = (
            (SONAME, self.name_at[str(self.soname)]),
            (GNU_HASH_KEY, self._part(".gnu.hash").address),
            (NEEDED_KEYS["hash"], self._part(".hash").address),
            (NEEDED_KEYS["strings"], strings.address),
            (NEEDED_KEYS["symbols"], symbols.address),
            (NEEDED_KEYS["strings size"], len(strings.content)),
            (NEEDED_KEYS["symbol size"], SYMBOL.size),
            (0, 0),
        )
        for n, pair in enumerate(pairs):
            struct.pack_into("<QQ", dynamic.content, 16 * n, *pair)

    def _relocate(self, r: Relocation) -> None:
        part = self.homes[r.section]
        kinds = PATCHES[self.given.machine]
        if r.kind not in kinds:
            raise ProgramError(f"the object has a relocation {r.kind} that is not known")
        wanted, here = self._address(r.symbol) + r.addend, part.address + r.offset
        if r.kind in SECOND_HALVES.get(self.given.machine, ()):
            wanted, here = self._first_halves[wanted], wanted
        kinds[r.kind](part.content, r.offset, wanted, here)

    @cached_property
    def _first_halves(self) -> dict[int, int]:
        """The addresses that are wanted, by where an instruction stands that reaches for one."""
        return {
            self.homes[r.section].address + r.offset: self._address(r.symbol) + r.addend
            for r in self.given.relocations
        }

    def _file(self) -> bytes:
        out = bytearray(self._heads)
        for part in self.parts:
            out += bytes(part.at - len(out)) + part.content
        out += bytes(-len(out) % 8)
        start = len(out)
        out += SECTION_HEADER.pack(*[0] * 10)
        names = self._part(".shstrtab").content
        numbers = {p.name: n for n, p in enumerate(self.parts, 1)}
        for p in self.parts:
            name = names.index(b"\0" + p.name.encode() + b"\0") + 1
            out += SECTION_HEADER.pack(
                name, p.kind, p.flags, p.address if p.flags & ALLOC else 0, p.at, len(p.content),
                numbers.get(p.link, 0), p.info, p.alignment, p.entry,
            )  # fmt: skip
        segments = self._segments()
        entry = self.start.address + self.stub.symbols["_start"] if self.stub else 0
        ident = b"\x7fELF\2\1\1" + bytes(9)
        FILE_HEADER.pack_into(
            out, 0, ident, SHARED_LIBRARY, self.given.machine, 1, entry, FILE_HEADER.size, start,
            self.given.machine_flags, FILE_HEADER.size, PROGRAM_HEADER.size, len(segments),
            SECTION_HEADER.size, len(self.parts) + 1, len(self.parts),
        )  # fmt: skip
        for n, segment in enumerate(segments):
            PROGRAM_HEADER.pack_into(out, FILE_HEADER.size + n * PROGRAM_HEADER.size, *segment)
        return bytes(out)

    def _segments(self) -> Sequence[tuple[int, ...]]:
        """The program headers: type, flags, offset, addresses, sizes, alignment."""

        def of(kind: int, flags: int, parts: Sequence[_Part], alignment: int, start: int) -> tuple:
            size = parts[-1].at + len(parts[-1].content) - start
            address = start + parts[-1].segment * PAGE
            return kind, flags, start, address, address, size, size, alignment

        read, code, written = ([p for p in self.parts if p.segment == n] for n in range(3))
        stack = (GNU_STACK, READ | CHANGE, 0, 0, 0, 0, 0, 16)
        loaded = (of(LOAD, READ, read, PAGE, 0), of(LOAD, READ | RUN, code, PAGE, code[0].at))
        if self.soname is None:
            return (*loaded, stack)
        dynamic = written[:1]
        return (
            *loaded,
            of(LOAD, READ | CHANGE, dynamic, PAGE, dynamic[0].at),
            of(DYNAMIC, READ | CHANGE, dynamic, 8, dynamic[0].at),
            stack,
        )


def _gnu_hash(names: Sequence[str]) -> bytes:
    """The table of one bucket: the hashes of all symbols, the last one marked by its last bit."""
    hashes = []
    for name in names:
        h = 5381
        for byte in name.encode():
            h = (h * 33 + byte) & 0xFFFFFFFF
        hashes.append(h)
    shift, bloom = 6, 0
    for h in hashes:
        bloom |= 1 << (h % 64) | 1 << ((h >> shift) % 64)
    chain = [h & ~1 | (n == len(hashes) - 1) for n, h in enumerate(hashes)]
    first = 1 if names else 0
    return struct.pack(f"<4IQ{1 + len(chain)}I", 1, 1, 1, shift, bloom, first, *chain)
