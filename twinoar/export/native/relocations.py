"""What the relocations of an object write, once its addresses are known: of each machine some.

Sources: the supplements of the System V Application Binary Interface for x86-64, AArch64, RISC-V.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping

from twinoar.errors import ProgramError
from twinoar.export.native.elf import AARCH64, RISCV64, X86_64

NEAREST = 1 << 31  # bytes that an address of 32 bits, relative to code, reaches

# What a relocation writes at an offset, of the address that is wanted and the one where it stands.
Patch = Callable[[bytearray, int, int, int], None]


def _relative(content: bytearray, at: int, wanted: int, here: int) -> None:
    struct.pack_into("<i", content, at, _check(wanted - here))


def _check(distance: int) -> int:
    if not -NEAREST <= distance < NEAREST:
        raise ProgramError("the library is too large", cure="give weights='beside'")
    return distance


def _in_instruction(content: bytearray, at: int, bits: int) -> None:
    (word,) = struct.unpack_from("<I", content, at)
    struct.pack_into("<I", content, at, word | bits)


def _branch26(content: bytearray, at: int, wanted: int, here: int) -> None:
    _in_instruction(content, at, (wanted - here) >> 2 & 0x3FFFFFF)


def _page21(content: bytearray, at: int, wanted: int, here: int) -> None:
    pages = (wanted >> 12) - (here >> 12)
    _in_instruction(content, at, (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5)


def _near21(content: bytearray, at: int, wanted: int, here: int) -> None:
    distance = wanted - here
    _in_instruction(content, at, (distance & 3) << 29 | (distance >> 2 & 0x7FFFF) << 5)


def _low12(shift: int) -> Patch:
    def patch(content: bytearray, at: int, wanted: int, here: int) -> None:
        del here
        _in_instruction(content, at, (wanted & 0xFFF) >> shift << 10)

    return patch


def _halves(distance: int) -> tuple[int, int]:
    """A distance as what `auipc` adds, in pages of 4 KiB, and a rest of 12 bits with a sign."""
    high = distance + 0x800 >> 12
    return high & 0xFFFFF, distance & 0xFFF


def _riscv_high(content: bytearray, at: int, wanted: int, here: int) -> None:
    _check(wanted - here)
    _in_instruction(content, at, _halves(wanted - here)[0] << 12)


def _riscv_low_read(content: bytearray, at: int, wanted: int, here: int) -> None:
    _in_instruction(content, at, _halves(wanted - here)[1] << 20)


def _riscv_low_write(content: bytearray, at: int, wanted: int, here: int) -> None:
    low = _halves(wanted - here)[1]
    _in_instruction(content, at, low >> 5 << 25 | (low & 31) << 7)


def _riscv_call(content: bytearray, at: int, wanted: int, here: int) -> None:
    _riscv_high(content, at, wanted, here)
    _riscv_low_read(content, at + 4, wanted, here)


PATCHES: Mapping[int, Mapping[int, Patch]] = {
    X86_64: {2: _relative, 4: _relative},  # PC32, PLT32
    AARCH64: {
        261: _relative,  # PREL32
        274: _near21,  # ADR_PREL_LO21
        275: _page21,  # ADR_PREL_PG_HI21
        277: _low12(0),  # ADD_ABS_LO12_NC
        278: _low12(0),  # LDST8_ABS_LO12_NC
        282: _branch26,  # JUMP26
        283: _branch26,  # CALL26
        284: _low12(1),  # LDST16
        285: _low12(2),  # LDST32
        286: _low12(3),  # LDST64
        299: _low12(4),  # LDST128
    },
    RISCV64: {
        18: _riscv_call,  # CALL
        19: _riscv_call,  # CALL_PLT
        23: _riscv_high,  # PCREL_HI20
        24: _riscv_low_read,  # PCREL_LO12_I
        25: _riscv_low_write,  # PCREL_LO12_S
        57: _relative,  # 32_PCREL
    },
}
# Relocations that name no address but an instruction, and write the rest of what that one reaches.
SECOND_HALVES: Mapping[int, tuple[int, ...]] = {RISCV64: (24, 25)}
