"""A model as a file of C: its functions, those that the header declares, and its data."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from twinoar.backends.llvm.whole import joined
from twinoar.core.dtype import float16
from twinoar.core.ir.program import Program, Variable
from twinoar.core.op.explain import describe
from twinoar.errors import ProgramError, UnsupportedError
from twinoar.export.native.c_source import Function, Writer, functions_of
from twinoar.export.native.c_values import CURE, c_type, constant, split, typed

HEAD = """\
/* The model {name} as C11, written by twinoar. It needs the standard library alone: string.h, and
   math.h for roots and whole numbers. Weights and tables are of machines whose lowest byte comes
   first, as nearly all are; others are told by {name}_open. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "{name}.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* as C11 has it of compilers that keep to it */
#endif
"""
CONSTANT = re.compile(r"^@([\w.]+) = .*?constant (\[\d+ x \w+\]) (.*?)(?:, align \d+)?$", re.M)
OUTSIDE = re.compile(r"^@([\w.]+) = external .*?\[(\d+) x i8\]", re.M)
PROTOTYPE = r"^((?:const )?\w+ \*?)({name}_\w+)\(([^;{{]*)\);"
BYTE = re.compile(r"\\([0-9A-F]{2})")
WORDS = 6  # in a row of data


def refuse_halves(program: Program) -> None:
    """Raise UnsupportedError for an operator on float16, for which C11 has no type."""
    for o in program.main.walk():
        values = (v for v in (*o.operands, *o.results) if isinstance(v, Variable))
        if any(v.spec.dtype is float16 for v in values):
            error = UnsupportedError(
                f"{o.op.name} cannot be exported: C11 has no float16",
                cure="let the model compute in float32, or choose another kind",
            )
            raise error.attach(o.op.name, describe(o.op, o.operands), o.source)


def definitions(texts: Sequence[str], exported: Collection[str]) -> bytes:
    """All functions of texts of LLVM IR that those call which are exported, as C.

    An exported function is called impl_NAME there, and the data data_NAME. Raises ProgramError for
    what C has no form for.
    """
    text = joined(texts)
    functions = _reached(functions_of(text), exported)
    arrays = {m[1]: (m[2], m[3]) for m in CONSTANT.finditer(text)}
    used = {n for f in functions for b in f.blocks.values() for i in b for n in _globals(i.text)}
    symbols = _symbols([*(f.name for f in functions), *sorted(arrays)])
    symbols |= {m[1]: f"data_{m[1]}" for m in OUTSIDE.finditer(text)}
    writer = Writer(symbols)
    bodies = [writer.function(f) for f in functions]
    parts = [
        *(_array(symbols[n], *arrays[n]) for n in arrays if n in used),
        *writer.needed.values(),
        *(f"{writer.head(f)};\n" for f in functions),
        *bodies,
    ]
    return "\n".join(parts).encode()


def source(name: str, code: bytes, header: str, data_symbol: str | None, data: bytes) -> bytes:
    """The file: what `definitions` gave, data that are inside, and the header's functions."""
    parts = [HEAD.format(name=name).encode()]
    if data_symbol is not None:
        parts.append(_data(data_symbol, data))
    parts += [code, _called(name, header).encode()]
    return b"\n".join(parts)


def _reached(functions: Sequence[Function], exported: Collection[str]) -> list[Function]:
    """Those that are exported, and those that they call, in the module's order."""
    by_name = {f.name: f for f in functions}
    left, reached = [n for n in exported if n in by_name], set[str]()
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            instructions = (i for b in by_name[name].blocks.values() for i in b)
            left += [n for i in instructions for n in _globals(i.text) if n in by_name]
    return [f for f in functions if f.name in reached]


def _globals(text: str) -> list[str]:
    return re.findall(r"@([\w.]+)", text)


def _symbols(names: Sequence[str]) -> dict[str, str]:
    """What C calls functions and constants, each by a name of its own."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        own = "impl_" + re.sub(r"\W", "_", name)
        while own in taken:
            own += "_"
        taken.add(own)
        found[name] = own
    return found


def _array(name: str, kind: str, content: str) -> str:
    """A constant array."""
    count, element = kind[1:-1].split(" x ")
    if content.startswith('c"'):
        raw = BYTE.sub(lambda m: chr(int(m[1], 16)), content[2:-1]).encode("latin-1")
        numbers = [str(byte) for byte in raw]
    elif content == "zeroinitializer":
        numbers = ["0"]
    else:
        numbers = [(constant(*typed(x)) or [""])[0] for x in split(content[1:-1])]
        if "" in numbers:
            raise ProgramError(f"C has no form for the constant {name}", cure=CURE)
    rows = [", ".join(numbers[n : n + 16]) for n in range(0, len(numbers), 16)]
    body = ",\n  ".join(rows)
    return f"static const {c_type(element)} {name}[{count}] = {{\n  {body}\n}};\n"


def _data(symbol: str, data: bytes) -> bytes:
    """The data as words, which are fewer to read for a compiler than bytes."""
    words = np.frombuffer(data + bytes(-len(data) % 8), "<u8").tolist()
    rows = [
        ",".join([f"0x{word:X}u" for word in words[n : n + WORDS]])
        for n in range(0, len(words), WORDS)
    ]
    body = ",\n".join(rows)
    return (
        f"static const _Alignas(64) uint64_t data_{symbol}[{len(words)}] = {{\n{body}\n}};\n"
    ).encode()


def _called(name: str, header: str) -> str:
    """The functions that the header declares, which call those of the model."""
    bare = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    found = re.finditer(PROTOTYPE.format(name=name), bare, re.MULTILINE | re.DOTALL)
    parts = []
    for kind, function, parameters in (m.groups() for m in found):
        given = [] if parameters.strip() == "void" else split(" ".join(parameters.split()))
        called = ", ".join(map(_passed, given))
        returned = "" if kind.strip() == "void" else "return "
        cast = f"({kind.strip()})" if returned else ""
        listed = ", ".join(given) or "void"
        parts.append(
            f"{kind}{function}({listed}) {{\n  {returned}{cast}impl_{function}({called});\n}}\n"
        )
    return "\n".join(parts)


def _passed(parameter: str) -> str:
    """A parameter as the model's function takes it."""
    name = re.findall(r"\w+", parameter)[-1]
    if "*" in parameter:
        return f"(char *)(uintptr_t){name}"
    kinds: Mapping[str, str] = {"size_t": "uint64_t", "int32_t": "uint32_t", "int64_t": "uint64_t"}
    kind = parameter.split()[0]
    return f"({kinds[kind]}){name}" if kind in kinds else name
