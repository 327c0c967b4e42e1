"""Runs that are watched operator by operator: of plain Python, and of the Program made of it.

Both give the same kind of record, so the first operator at which they part can be named.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from twinoar.backends.numpy import Sizes, bind, check_feed
from twinoar.compile.specialise import resolve
from twinoar.core.interpreter import eager, using
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.observer import OPERATOR, Call
from twinoar.core.op.definition import Op
from twinoar.core.policy import UNRECORDED
from twinoar.eager.interpreter import Eager
from twinoar.eager.tensor import Tensor
from twinoar.errors import SourceLine, user_line
from twinoar.jit.compare import are_same, difference

LARGEST_RECORD = 1 << 26  # bytes of results that one record keeps


class OutOfTime(BaseException):
    """A run takes longer than it may. No Exception: users' code does not catch it."""


class Event(NamedTuple):
    """One operator that ran."""

    name: str
    source: SourceLine | None
    results: tuple[np.ndarray, ...]

    @property
    def line(self) -> tuple[str, int] | None:
        """Its user line, wherever in the line it stands."""
        return None if self.source is None else (self.source.file, self.source.line)


class Record:
    """The operators of one run, up to a size, and until when it may take.

    keeps: False where only the time is watched.
    """

    def __init__(self, deadline: float, keeps: bool = False):
        self.deadline, self.keeps = deadline, keeps
        self.events: list[Event] = []
        self.size = 0
        self.depth = 0

    def check(self) -> None:
        """Raises OutOfTime where the time is up."""
        if time.perf_counter() > self.deadline:
            raise OutOfTime

    def add(self, name: str, source: SourceLine | None, results: Sequence[Any]) -> None:
        """An operator has run."""
        if not self.keeps or self.size > LARGEST_RECORD:
            return
        arrays = tuple(x for x in results if isinstance(x, np.ndarray))
        self.size += sum(x.nbytes for x in arrays)
        self.events.append(Event(name, source, arrays))


class Recorder:
    """The observer that notes operators in a record, unless they are part of others."""

    by_operator = False

    def __init__(self, record: Record):
        self.record = record

    def started(self, call: Call) -> None:
        """Raises OutOfTime where the time is up."""
        if call.kind == OPERATOR:
            if not self.record.depth:
                self.record.check()
            self.record.depth += 1

    def ended(self, call: Call, results: Any, began: None) -> None:
        """Note an operator that has run."""
        if call.kind != OPERATOR:
            return
        self.record.depth -= 1
        if self.record.keeps and not self.record.depth and results is not None:
            found = results if isinstance(results, tuple) else (results,)
            self.record.add(call.name, user_line(), [getattr(x, "_data", x) for x in found])


class Inference(Eager):
    """Eager mode in which what is for training alone is off."""

    def apply(self, op: Op, operands: tuple, attrs: dict[str, Any]) -> Any:
        """Run one operator."""
        if attrs.get("training"):
            attrs, operands = {**attrs, "training": False}, _without_key(op, operands)
        return super().apply(op, operands, attrs)


def _without_key(op: Op, operands: tuple) -> tuple:
    names = op.operand_names(len(operands))
    return tuple(None if n == "key" else x for n, x in zip(names, operands, strict=True))


class Walk:
    """Runs a Program operator by operator, as it was traced: no pass has changed it.

    value_of: what a state holds.

    In the latest run, reached: which blocks ran how often, as (operator, block, times up to MANY).
    """

    MANY = 2

    def __init__(self, program: Program, value_of: Callable[[State], np.ndarray]):
        self.program, self.value_of = program, value_of
        self.reached: set[tuple[Operator, str, int]] = set()
        self.record = Record(np.inf)

    def run(self, inputs: Sequence[np.ndarray], record: Record) -> list[np.ndarray]:
        """The outputs, then new values of states. Raises OutOfTime, and what operators raise."""
        self.record, self.reached = record, set()
        sizes: Sizes = {}
        main = self.program.main
        for v, array in zip(main.inputs, inputs, strict=True):
            check_feed(v, array, sizes)
        known: dict[Variable, Any] = {s: self.value_of(s) for s in self.program.states.values()}
        with using(eager(UNRECORDED)):
            values = self._values(main, sizes, known, *inputs)
        results = [*main.outputs, *self.program.updates.values()]
        return [values[v] if isinstance(v, Variable) else np.asarray(v) for v in results]

    def _values(
        self, block: Block, sizes: Sizes, known: Mapping[Variable, Any], *inputs: np.ndarray
    ) -> dict[Variable, Any]:
        """What each Variable of a block is."""
        values: dict[Variable, Any] = {**known, **dict(zip(block.inputs, inputs, strict=True))}
        for o in block.ops:
            self.record.check()
            operands = [values[x] if isinstance(x, Variable) else x for x in o.operands]
            results = self._results(o, operands, sizes)
            self.record.add(o.op.name, o.source, results)
            for v, array in zip(o.results, results, strict=True):
                if v is not None:
                    values[v] = array
                    for dim, size in zip(v.spec.shape, array.shape, strict=True):
                        bind(dim, size, sizes)
        return values

    def _results(self, o: Operator, operands: list, sizes: Sizes) -> tuple:
        attrs = {k: resolve(a, sizes) for k, a in o.attrs.items() if not isinstance(a, Block)}
        if o.blocks:
            out = self._with_blocks(o, operands, attrs, sizes)
        else:
            given = tuple(Tensor(x) if isinstance(x, np.ndarray) else x for x in operands)
            out = eager(UNRECORDED).apply(o.op, given, attrs)
        results = out if isinstance(out, tuple) else (out,)
        return tuple(None if x is None else np.asarray(getattr(x, "_data", x)) for x in results)

    def _with_blocks(self, o: Operator, operands: list, attrs: dict, sizes: Sizes) -> Any:
        """Run a kernel that calls blocks, and note how often it calls each."""
        counts = dict.fromkeys(o.blocks, 0)

        def call(name: str, *inputs: np.ndarray) -> tuple[np.ndarray, ...]:
            counts[name] += 1
            block, inside = o.blocks[name], dict(sizes)
            for v, array in zip(block.inputs, inputs, strict=True):
                for dim, size in zip(v.spec.shape, array.shape, strict=True):
                    if not isinstance(dim, int):
                        inside.pop(str(dim), None)
                        bind(dim, size, inside)
            values = self._values(block, inside, {}, *inputs)
            return tuple(
                values[v] if isinstance(v, Variable) else np.asarray(v) for v in block.outputs
            )

        blocks = {name: partial(call, name) for name in o.blocks}
        out = o.op.kernel_rule(*operands, **attrs, **blocks)  # type: ignore[misc]  # it has one
        self.reached |= {(o, name, min(n, self.MANY)) for name, n in counts.items()}
        return out


class Parting(NamedTuple):
    """Where two runs part: the operator there, its line, and what differs in short."""

    where: str
    source: SourceLine | None
    what: str


def first_parting(
    found: Sequence[Event], wanted: Sequence[Event], by_line: bool = True
) -> Parting | None:
    """The first operator of `found` whose results are not those of the same one in `wanted`.

    by_line: operators are told by their user lines too. None where all that both ran are the same.
    """
    these, those = ([(e.name, e.line if by_line else None) for e in x] for x in (found, wanted))
    matcher = SequenceMatcher(None, these, those, autojunk=False)
    other: Parting | None = None
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind != "equal":
            other = other or _unlike(found[i:i_end], wanted[j:j_end])
            continue
        for a, b in zip(found[i:i_end], wanted[j:j_end], strict=True):
            if not are_same(a.results, b.results):
                values = [
                    difference(x, y)
                    for x, y in zip(a.results, b.results, strict=False)
                    if not are_same([x], [y])
                ]
                what = values[0] if values else "another number of results"
                return Parting(b.name, b.source, what)
    return other


def _unlike(found: Sequence[Event], wanted: Sequence[Event]) -> Parting | None:
    """Operators that only one of the two ran."""
    if wanted:
        return Parting(wanted[0].name, wanted[0].source, "it does not run there")
    return None
