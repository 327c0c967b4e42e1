"""How a program of Linux begins and calls the system, with no library: its numbers and its stubs.

A stub is a few instructions, as bytes, because LLVM brings an assembler for this machine alone.

Source: Linux, `man 2 syscall` and `man 2 syscalls`; `asm/unistd.h` of each machine.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from twinoar.export.native.elf import AARCH64, RISCV64, X86_64

BEGIN = "twinoar_begin"  # what the first instructions call, with the address of the arguments
CALL = "twinoar_system"  # (number, six arguments) -> what the system returns


@dataclass(frozen=True)
class Stub:
    """Instructions. symbols: where functions begin. calls: each with a relocation of a kind.

    The function of its name, and so many bytes more, is called at an offset.
    """

    code: bytes
    symbols: Mapping[str, int]
    calls: tuple[tuple[int, int, str, int], ...]


@dataclass(frozen=True)
class System:
    """The numbers of what a program calls, and its first instructions."""

    openat: int
    close: int
    read: int
    write: int
    mmap: int
    clock_gettime: int
    exit_group: int
    stub: Stub


def _stub(start: bytes, call: tuple[int, int, int], system: bytes) -> Stub:
    """call: where the call of BEGIN has its address, the kind of that, and what is added to it."""
    start += bytes(-len(start) % 16)
    at, kind, addend = call
    return Stub(start + system, {"_start": 0, CALL: len(start)}, ((at, kind, BEGIN, addend),))


def _words(*words: int) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)


# mov rdi, rsp; and rsp, -16; call BEGIN; ud2 / arguments each to the register before; syscall; ret
_X86_64 = _stub(
    bytes.fromhex("4889e7 4883e4f0 e800000000 0f0b"),
    (8, 4, -4),
    bytes.fromhex("4889f8 4889f7 4889d6 4889ca 4d89c2 4d89c8 4c8b4c2408 0f05 c3"),
)
# mov x0, sp; bl BEGIN; brk / mov x8, x0; mov x0, x1; ...; svc; ret
_AARCH64 = _stub(
    _words(0x910003E0, 0x94000000, 0xD4200000),
    (4, 283, 0),
    _words(
        0xAA0003E8, 0xAA0103E0, 0xAA0203E1, 0xAA0303E2, 0xAA0403E3, 0xAA0503E4, 0xAA0603E5,
        0xD4000001, 0xD65F03C0,
    ),
)  # fmt: skip
# mv a0, sp; andi sp, sp, -16; auipc ra; jalr ra; ebreak / mv a7, a0; mv a0, a1; ...; ecall; ret
_RISCV64 = _stub(
    _words(0x00010513, 0xFF017113, 0x00000097, 0x000080E7, 0x00100073),
    (8, 19, 0),
    _words(
        0x00050893, 0x00058513, 0x00060593, 0x00068613, 0x00070693, 0x00078713, 0x00080793,
        0x00000073, 0x00008067,
    ),
)  # fmt: skip
SYSTEMS: Mapping[int, System] = {
    X86_64: System(257, 3, 0, 1, 9, 228, 231, _X86_64),
    AARCH64: System(56, 57, 63, 64, 222, 113, 94, _AARCH64),
    RISCV64: System(56, 57, 63, 64, 222, 113, 94, _RISCV64),
}


def system_for(triple: str) -> System:
    """The system of a target whose triple LLVM reads."""
    machines = {"x86_64": X86_64, "aarch64": AARCH64, "riscv64": RISCV64}
    return SYSTEMS[machines[triple.partition("-")[0]]]
