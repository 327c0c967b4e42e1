"""Types and constants of LLVM IR as C: a value is one C expression for each lane.

Integers are unsigned in C, where arithmetic wraps as LLVM's does; a comparison that minds signs
says so. Vectors are as many variables, which a compiler makes vectors of where it likes.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence

from twinoar.errors import ProgramError

CURE = "report it, with the model"
TYPE = re.compile(r"(?:<\d+ x \w+>|\[\d+ x [^\]]+\]|i\d+|float|double|ptr|void)(?![\w*])")
C_TYPES = {
    "i1": "uint8_t", "i8": "uint8_t", "i16": "uint16_t", "i32": "uint32_t", "i64": "uint64_t",
    "float": "float", "double": "double", "ptr": "char *", "void": "void",
}  # fmt: skip
SIZES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8}
ABOUT = re.compile(
    r"^(?:(?:align \d+|noundef|nonnull|zeroext|signext|captures\(none\)) )+"
)  # of it
VECTOR = re.compile(r"<(\d+) x (\w+)>")
ARRAY = re.compile(r"\[(\d+) x ([^\]]+)\]")


def parted(kind: str) -> tuple[str, int]:
    """The type of an element, and how many a value has."""
    found = VECTOR.fullmatch(kind)
    return (found[2], int(found[1])) if found else (kind, 1)


def c_type(element: str) -> str:
    """C's type of an element. Raises ProgramError for one that it has not."""
    if element not in C_TYPES:
        raise ProgramError(f"C has no type for {element} of LLVM", cure=CURE)
    return C_TYPES[element]


def size_of(kind: str) -> int:
    """Bytes of a type in memory."""
    found = ARRAY.fullmatch(kind)
    if found:
        return int(found[1]) * size_of(found[2])
    element, lanes = parted(kind)
    if element not in SIZES:
        raise ProgramError(f"the size of {kind} is not known", cure=CURE)
    return lanes * SIZES[element]


def split(text: str) -> list[str]:
    """What commas part that no bracket holds."""
    found, depth, last = [], 0, 0
    for n, char in enumerate(text):
        depth += (char in "<([{") - (char in ">)]}")
        if char == "," and depth == 0:
            found.append(text[last:n].strip())
            last = n + 1
    rest = text[last:].strip()
    return [*found, rest] if rest else found


def typed(text: str) -> tuple[str, str]:
    """A type, and the value behind it."""
    found = TYPE.match(text)
    if found is None:
        raise ProgramError(f"{text!r} has no type that C has", cure=CURE)
    return found[0], ABOUT.sub("", text[found.end() :].strip())


def constant(kind: str, text: str) -> list[str] | None:
    """The lanes of a constant; None for what is none."""
    element, lanes = parted(kind)
    if element == "ptr" and text in ("null", "zeroinitializer", "poison"):
        return ["(char *)0"] * lanes
    if text in ("zeroinitializer", "poison", "undef"):
        return [_number(element, "0")] * lanes
    if text.startswith("splat ("):
        _, value = typed(text[len("splat (") : -1])
        return [_number(element, value)] * lanes
    if text.startswith("<"):
        return [_number(element, typed(x)[1]) for x in split(text[1:-1])]
    return None if text[0] in "%@" else [_number(element, text)] * lanes


def _number(element: str, text: str) -> str:
    if element == "ptr":
        raise ProgramError(f"C has no form for the address {text}", cure=CURE)
    if element in ("float", "double"):
        return _floating(element, text)
    bits = int(element[1:])
    whole = {"true": 1, "false": 0}.get(text)
    whole = int(text if text not in ("poison", "undef") else "0") if whole is None else whole
    return f"UINT{max(8, bits)}_C({whole & (1 << bits) - 1})"


def _floating(element: str, text: str) -> str:
    if text.startswith("0x"):
        value = struct.unpack(">d", int(text, 16).to_bytes(8, "big"))[0]
    else:
        value = float(text if text not in ("poison", "undef") else "0")
    if math.isnan(value):
        return f"({element})NAN"
    if math.isinf(value):
        return f"({element}){'-' if value < 0 else ''}INFINITY"
    # A shift of the point by powers of 2, so that no digit is lost.
    return f"({value.hex()}{'f' if element == 'float' else ''})"


def signed(kind: str, x: str) -> str:
    """An integer with its sign."""
    if kind == "i1":
        return f"(-(int8_t){x})"
    return f"(int{kind[1:]}_t){x}"


def names(lanes: int, name: str) -> Sequence[str]:
    """The variables of a value."""
    return [name] if lanes == 1 else [f"{name}_{n}" for n in range(lanes)]
