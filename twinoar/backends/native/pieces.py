"""A block whose shapes vary from call to call, in pieces.

A loop with a list that grows meets other shapes in each iteration, so its body is not worth a plan
for these. But most of what it computes has the same shapes each time: the step whose result is put
on the list. That is compiled, once, and NumPy runs the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.backends.base import Arrays, Executable, HostCommand, Sort
from twinoar.backends.numpy import NumpyExecutable, bind
from twinoar.backends.segments import Segment, segment
from twinoar.core.dim import Dim, SymbolicDim, names_in
from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.core.ir.size_names import names_asked

VARY = "shapes vary from call to call"
Compile = Callable[[Program], Executable]


class Pieces:
    """A lowered Program without states, any number of threads may run it. make: compiles one."""

    def __init__(self, program: Program, make: Compile):
        main, constants = program.main, list(program.states.values())
        inside = [v for o in main.ops for v in o.results if v is not None]
        slots = {v: n for n, v in enumerate([*main.inputs, *constants, *inside])}
        self.constants = [np.asarray(s.data) for s in constants]
        self.inside = [None] * len(inside)
        self.sizes = _plain_sizes(main.inputs)
        self.others = _other_sizes(main.inputs, set(self.sizes))
        self.pieces = [_Piece(s, slots, make) for s in cut(program)]
        self.outputs = [
            (slots[v], None) if isinstance(v, Variable) else (None, v) for v in main.outputs
        ]

    def execute(self, arrays: Arrays, states: Arrays) -> tuple[list[Any], list[Any]]:
        """Run once, by position, on arrays of the shapes and dtypes of the inputs."""
        sizes = {name: arrays[n].shape[axis] for name, (n, axis) in self.sizes.items()}
        for n, axis, dim in self.others:
            bind(dim, arrays[n].shape[axis], sizes)
        values: list[Any] = [*arrays, *self.constants, *self.inside]
        for piece in self.pieces:
            piece.run(values, sizes)
        found = (values[n] if n is not None else x for n, x in self.outputs)
        return [x if x is None else np.asarray(x) for x in found], []

    def host_commands(self) -> list[HostCommand]:
        """What Python or NumPy runs."""
        found = []
        for p in self.pieces:
            if p.compiled is None:
                found += [HostCommand(o.op.name, VARY) for o in p.segment.program.main.ops]
            else:
                found += p.compiled.host_commands() or []
        return found

    def table(self, sort: Sort) -> str:
        """What NumPy runs, and what the others run as."""
        names = ", ".join(
            o.op.name for p in self.pieces if p.is_open for o in p.segment.program.main.ops
        )
        return "\n".join(
            [
                f"on NumPy, as {VARY}: {names}",
                *(p.compiled.table(sort) for p in self.pieces if p.compiled),
            ]
        )


class _Piece:
    """A piece, and the slots of what it takes and gives."""

    def __init__(self, s: Segment, slots: Mapping[Variable, int], make: Compile):
        self.segment, self.is_open = s, s.on_host
        self.takes, self.gives = [slots[v] for v in s.takes], [slots[v] for v in s.gives]
        self.by_numpy = NumpyExecutable(s.program) if self.is_open else None
        self.compiled = None if self.is_open else make(s.program)

    def run(self, values: list[Any], sizes: dict[str, int]) -> None:
        taken = [values[n] for n in self.takes]
        if self.compiled is not None:
            found = self.compiled.call(taken, [])[0]
        else:
            assert self.by_numpy is not None
            found = self.by_numpy.unchecked(taken, sizes)
        for n, array in zip(self.gives, found, strict=True):
            values[n] = array


def _plain_sizes(inputs: Sequence[Variable]) -> dict[str, tuple[int, int]]:
    """Of each size that is a dimension of an input: of which, and which of its dimensions."""
    return {
        str(dim): (n, axis)
        for n, v in enumerate(inputs)
        for axis, dim in enumerate(v.spec.shape)
        if isinstance(dim, SymbolicDim) and names_in(dim) == {str(dim)}
    }


def _other_sizes(inputs: Sequence[Variable], known: set[str]) -> list[tuple[int, int, Dim]]:
    """The dimensions of inputs that have names which no other tells."""
    return [
        (n, axis, dim)
        for n, v in enumerate(inputs)
        for axis, dim in enumerate(v.spec.shape)
        if not set(names_in(dim)) <= known
    ]


def cut(program: Program) -> list[Segment]:
    """The operators of fixed shapes, and the others, in as few pieces as their order allows."""
    level: dict[Any, int] = {}  # even ones are of pieces of fixed shapes
    by_level: dict[int, list[Operator]] = {}
    acted = 0
    for o in program.main.ops:
        at = max((level.get(x, 0) for x in o.operands if isinstance(x, Variable)), default=0)
        if o.has_effect:
            at = max(at, acted)
        at += at % 2 != _is_open(o)
        if o.has_effect:
            acted = at
        by_level.setdefault(at, []).append(o)
        level.update((v, at) for v in o.results if v is not None)
    needed: set[Any] = set(program.main.outputs)
    found = []
    for at in sorted(by_level, reverse=True):
        found.append(segment(program, by_level[at], needed, on_host=bool(at % 2)))
        needed |= set(found[-1].takes)
    return found[::-1]


def _is_open(o: Operator) -> bool:
    """True where a size is asked for, or told, that no plan knows."""
    values = [x for x in (*o.operands, *o.results) if isinstance(x, Variable)]
    inside = (v for block in o.blocks.values() for v in block.variables())
    return bool(names_asked([o])) or not all(v.spec.is_static for v in (*values, *inside))
