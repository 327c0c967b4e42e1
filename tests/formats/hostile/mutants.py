"""Makes mutants of files: of their bytes, of the JSON in them, of what lies in a zip."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
from collections.abc import Callable
from typing import Any

Change = Callable[[random.Random, bytes], bytes]

# What numbers become: signs, and where 8, 16, 32 and 64 bits and the sizes of memory end.
NUMBERS: list[Any] = [
    -1, 0, 1, 2, 3, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40,
    2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**31), -(2**63), 1e308, -0.0, 0.5,
]  # fmt: skip
VALUES: list[Any] = [
    *NUMBERS, None, True, False, "", "x", "../../etc/passwd", "/dev/zero", "\0", "a" * 5000, [], {},
    [[]], [0], [-1], [2**40, 2**40], {"": 0}, "os.system", float("nan"), float("inf"),
]  # fmt: skip
DEEP = 3000  # lists in one another: more than Python's stack


def mutant(chance: random.Random, data: bytes) -> bytes:
    """The data, changed in one way or a few."""
    kinds = [mangled, mangled]
    if data[:4] == b"PK\x03\x04":
        kinds += [zipped, zipped, zipped]
    if data[:1] == b"{" or data[8:9] == b"{":
        kinds += [told, told, told]
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(kinds)(chance, data)
    return data


def mangled(chance: random.Random, data: bytes) -> bytes:
    """Other bytes in some places: turned, put in, left out, repeated, or numbers at the ends."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        if not found:
            return bytes(found)
        at, kind = chance.randrange(len(found)), chance.randrange(7)
        if kind == 0:
            found[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            found[at] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
        elif kind == 2:
            del found[at : at + chance.choice((1, 4, 100))]
        elif kind == 3:
            found[at:at] = chance.randbytes(chance.choice((1, 4, 8)))
        elif kind == 4:
            end = at + chance.choice((1, 8, 64))
            found[at:at] = found[at:end] * chance.choice((1, 2, 50))
        elif kind == 5:
            del found[at:]
        else:
            number = chance.choice([n for n in NUMBERS if isinstance(n, int)]) & (2**64 - 1)
            size = chance.choice((4, 8))
            found[at : at + size] = struct.pack("<Q", number)[:size]
    return bytes(found)


def told(chance: random.Random, data: bytes) -> bytes:
    """Other values in JSON, which may have its length before it, and bytes after it."""
    has_length = data[:1] != b"{"
    start = 8 if has_length else 0
    end = start + int.from_bytes(data[:8], "little") if has_length else len(data)
    try:
        value = json.loads(data[start:end])
    except (ValueError, RecursionError):
        return mangled(chance, data)
    text = _deep(chance, value) if chance.random() < 0.02 else json.dumps(other(chance, value))
    length = struct.pack("<Q", len(text.encode())) if has_length else b""
    return length + text.encode() + data[end:]


def _deep(chance: random.Random, value: Any) -> str:
    return json.dumps(_replaced(chance, value, "@")).replace('"@"', "[" * DEEP + "]" * DEEP)


def other(chance: random.Random, value: Any) -> Any:
    """The value with one thing in it replaced, left out, repeated, or renamed."""
    for _ in range(chance.choice((1, 1, 2))):
        value = _replaced(chance, value, chance.choice(VALUES))
    return value


def _replaced(chance: random.Random, value: Any, new: Any) -> Any:
    """Walk down by chance, and put something else where the walk ends."""
    if isinstance(value, dict) and value and chance.random() < 0.93:
        key = chance.choice(list(value))
        kind = chance.random()
        if kind < 0.05:
            return {k: v for k, v in value.items() if k != key}
        if kind < 0.1:
            return {(str(new) if k == key else k): v for k, v in value.items()}
        return {**value, key: _replaced(chance, value[key], new)}
    if isinstance(value, list) and value and chance.random() < 0.93:
        at = chance.randrange(len(value))
        kind = chance.random()
        if kind < 0.05:
            return value[:at] + value[at + 1 :]
        if kind < 0.1:
            return value[:at] + [value[at]] * 2 + value[at:]
        if kind < 0.15:
            return [*value[:at], chance.choice(value), *value[at + 1 :]]
        return [*value[:at], _replaced(chance, value[at], new), *value[at + 1 :]]
    return new


def zipped(chance: random.Random, data: bytes) -> bytes:
    """A file in a zip changed, left out, written twice, pressed, or called otherwise."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = [(i.filename, archive.read(i), i.compress_type) for i in archive.infolist()]
    except Exception:  # whatever the module says of what was changed before
        return mangled(chance, data)
    if not files:
        return mangled(chance, data)
    at, kind = chance.randrange(len(files)), chance.random()
    name, content, pressed = files[at]
    if kind < 0.8:
        files[at] = name, mutant(chance, content), pressed
    elif kind < 0.85:
        del files[at]
    elif kind < 0.9:
        files.append(files[at])
    elif kind < 0.95:
        files[at] = chance.choice(("../" + name, "/" + name, name + "x", "")), content, pressed
    else:  # which grows a thousand times when it is read
        files[at] = name, content + bytes(1 << 24), zipfile.ZIP_DEFLATED
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content, pressed in files:
            archive.writestr(zipfile.ZipInfo(name or "x"), content, pressed)
    return out.getvalue()
