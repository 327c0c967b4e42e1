"""What Android's loader asks of a library, read from its bytes: no device and no NDK takes part.

The rules are those of bionic's linker for apps that target its newest versions.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.export.native.exported import lenet, transformer
from twinoar.export.native.elf import FILE_HEADER, SECTION_HEADER
from twinoar.export.native.shared import PROGRAM_HEADER

TARGETS = ("aarch64", "aarch64-dotprod", "x86-64")  # phones, and the emulator
LOAD, DYNAMIC, TLS, STACK = 1, 2, 7, 0x6474E551
EXECUTE, WRITE = 1, 2
STRING_TABLE, RELOCATIONS, DYNAMIC_SECTION = 3, (4, 9, 19), 6  # types of sections
NEEDED, HASH, STRINGS, SYMBOLS, STRINGS_SIZE, SYMBOL_SIZE, SONAME = 1, 4, 5, 6, 10, 11, 14
GNU_HASH = 0x6FFFFEF5
TEXT_RELOCATIONS, RELOCATED = 22, (7, 17, 23, 35, 36, 0x6000000F, 0x60000011)
PAGES = 16384


@dataclass
class File:
    """The tables of a library."""

    head: tuple
    segments: list[tuple]
    sections: list[tuple]
    dynamic: dict[int, int]
    content: bytes


def read(path: str) -> File:
    content = Path(path).read_bytes()
    head = FILE_HEADER.unpack_from(content)
    segments = [PROGRAM_HEADER.unpack_from(content, head[5] + n * head[9]) for n in range(head[10])]
    sections = [
        SECTION_HEADER.unpack_from(content, head[6] + n * head[11]) for n in range(head[12])
    ]
    (found,) = (s for s in segments if s[0] == DYNAMIC)
    words = struct.iter_unpack("<QQ", content[found[2] : found[2] + found[5]])
    return File(head, segments, sections, dict(words), content)


@pytest.fixture(params=TARGETS)
def library(request, tmp_path):
    return read(lenet().exported(tmp_path, request.param)[0])


def test_segments_lie_at_pages_of_16_kib_and_none_is_written_and_run(library):
    for kind, flags, offset, address, _, _, _, alignment in library.segments:
        if kind == LOAD:
            assert alignment == PAGES
            assert offset % PAGES == address % PAGES
            assert not flags & WRITE or not flags & EXECUTE
    (stack,) = (s for s in library.segments if s[0] == STACK)
    assert not stack[1] & EXECUTE


def test_nothing_is_relocated_and_no_thread_has_memory_of_its_own(library):
    assert not [s for s in library.segments if s[0] == TLS]
    assert not [s for s in library.sections if s[1] in RELOCATIONS]
    assert not library.dynamic.keys() & {TEXT_RELOCATIONS, *RELOCATED}


def test_it_has_a_name_and_both_tables_of_symbols_and_needs_no_library(library):
    keys = {HASH, GNU_HASH, STRINGS, SYMBOLS, STRINGS_SIZE, SYMBOL_SIZE, SONAME}
    assert keys <= library.dynamic.keys()
    assert NEEDED not in library.dynamic
    start = library.dynamic[STRINGS]  # of the first segment, which lies where the file does
    name = library.content[start + library.dynamic[SONAME] :].partition(b"\0")[0]
    assert name == b"libnet.so"
    assert library.dynamic[SYMBOL_SIZE] == 24


def test_sections_say_what_segments_say(library):
    entry_size, count, names = library.head[11:14]
    assert entry_size == SECTION_HEADER.size
    assert 0 < names < count
    (dynamic,) = (s for s in library.sections if s[1] == DYNAMIC_SECTION)
    (segment,) = (s for s in library.segments if s[0] == DYNAMIC)
    assert (dynamic[4], dynamic[5]) == (segment[2], segment[5])
    strings = library.sections[dynamic[6]]
    assert strings[1] == STRING_TABLE
    assert strings[4] == library.dynamic[STRINGS]
    assert strings[5] == library.dynamic[STRINGS_SIZE]
    inside = [s for s in library.segments if s[0] == LOAD and s[2] <= segment[2] < s[2] + s[5]]
    assert len(inside) == 1


def test_the_code_asks_for_no_instruction_of_the_kernel(tmp_path):
    """A trap, or a call of the system, is none that an app's filter has to let through."""
    (file, _) = transformer().exported(tmp_path, "aarch64")
    library = read(file)
    code = [s for s in library.sections if s[2] & 4]
    words = (
        word
        for s in code
        for (word,) in struct.iter_unpack("<I", library.content[s[4] : s[4] + s[5]])
    )
    assert not any(word & 0xFFE0001F == 0xD4000001 for word in words)  # svc
