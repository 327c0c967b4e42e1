"""What a Program is, as a digest: what compiles to other Commands has another one.

It holds all that the compiler reads: operators with attributes, values with names, specs and
whether gradients are cut there, data of constants. A Program with something that is no plain value
(a function of a user, an operator from elsewhere) has none.
"""

from __future__ import annotations

import functools
import hashlib
import os
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.autograd.backprop import DerivedGrad
from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import DType
from twinoar.core.ir.program import Block, Operator, Program, Variable
from twinoar.core.op.definition import Op, registry
from twinoar.core.spec import Spec

PLAIN = (type(None), bool, int, str, bytes, type(...))
SOURCES = (
    "core",
    "ops",
    "autograd",
    "passes",
    "compile",
    "backends",
)  # what decides what is compiled

OWN = [["twinoar", folder] for folder in SOURCES]


class UnknownError(Exception):
    """Something that is no plain value."""


def identity(program: Program) -> str | None:
    """The digest of a Program; None for one that holds something that is no plain value."""
    try:
        return hashlib.sha256("\n".join(_Writer().program(program)).encode()).hexdigest()
    except UnknownError:
        return None


class _Writer:
    """Numbers Variables in the order in which they are defined."""

    def __init__(self) -> None:
        self.numbers: dict[Variable, int] = {}
        self.known: set[Op] = set()

    def program(self, p: Program) -> list[str]:
        lines = [f"{p.name!r}"]
        for s in p.states.values():
            data = self.value(np.asarray(s.data)) if s.is_constant else ""
            lines.append(f"state {self.defined(s)} {s.is_parameter} {data}")
        lines += self.block(p.main)
        lines += [f"update {self.value(s)} {self.value(v)}" for s, v in p.updates.items()]
        return lines

    def block(self, block: Block) -> list[str]:
        lines = [f"input {self.defined(v)}" for v in block.inputs]
        lines += map(self.operator, block.ops)
        return [*lines, f"return {self.value(block.outputs)}"]

    def operator(self, o: Operator) -> str:
        if o.op not in self.known:
            _require_own(o.op)
            self.known.add(o.op)
        given = f"{self.value(o.operands)} {self.value(o.attrs)}"
        results = " ".join("-" if v is None else self.defined(v) for v in o.results)
        return f"{o.op.name} {o.role} {given} {results}"

    def defined(self, v: Variable) -> str:
        self.numbers[v] = len(self.numbers)
        return f"{v.name!r} {self.value(v.spec)} {v.stop_gradient} {v.weak}"

    def value(self, x: Any) -> str:
        """An operand or attribute. Raises UnknownError."""
        kind = type(x)
        if kind in PLAIN:
            return repr(x)
        if kind is float:
            return float.hex(x)
        if kind in (tuple, list):
            return f"{kind.__name__}[{','.join(map(self.value, x))}]"
        if isinstance(x, Variable):
            return f"%{self.numbers[x]}"
        if kind is Spec:
            return f"{x.dtype.name}{self.value(x.shape)}"
        return self._other(x)

    def _other(self, x: Any) -> str:
        if isinstance(x, Mapping):
            return f"{{{','.join(f'{k!r}:{self.value(v)}' for k, v in x.items())}}}"
        if isinstance(x, (np.ndarray, np.generic)) and x.dtype != object:
            data = hashlib.sha256(np.ascontiguousarray(x).tobytes()).hexdigest()
            return f"array {x.dtype} {x.shape} {data}"
        if isinstance(x, (SymbolicDim, complex, np.dtype)):
            return f"{type(x).__name__} {x}"
        if isinstance(x, DType):
            return f"dtype {x.name}"
        if isinstance(x, slice):
            return f"slice{self.value([x.start, x.stop, x.step])}"
        if isinstance(x, Block):
            return "{\n" + "\n".join(self.block(x)) + "\n}"
        if isinstance(x, Op):
            _require_own(x)
            return f"op {x.name}"
        raise UnknownError(type(x).__name__)


def _require_own(op: Op) -> None:
    """Raise UnknownError for an operator, or a rule of one, that is not of the compiler's files."""
    if isinstance(op, DerivedGrad):
        _require_own(op.of)
        return
    if type(op) is not Op:
        raise UnknownError(op.name)
    rules = (r for r in op.rules.values() if isinstance(r, types.FunctionType))
    made = (op.definition, *rules)
    if registry.defined.get(op.name) is not op or not all(_is_own(f.__module__) for f in made):
        raise UnknownError(op.name)


def _is_own(module: str | None) -> bool:
    """Whether `compiler` tells what stands there: by files, or NumPy by its version."""
    parts = (module or "").split(".")
    return parts[:2] in OWN or parts[0] == "numpy"


@functools.cache
def compiler() -> str:
    """The compiler as it lies on the disk: its files by size and time, as Python knows its own."""
    digest = hashlib.sha256(np.__version__.encode())
    for folder in SOURCES:
        for path, status in sorted(_files(str(Path(__file__).parents[1] / folder))):
            digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """The sources below a folder; `Path.rglob` takes five times as long for each process."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path, entry.stat()
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _files(entry.path)


__all__ = ["compiler", "identity"]
