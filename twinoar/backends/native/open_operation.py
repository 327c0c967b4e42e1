"""One operator compiled once for sizes that vary: a call of new sizes puts numbers into it.

A cache that grows, or texts of ever new lengths, would else wait for the compiler at each length.
What is served so are operators that are loops alone, on arrays without gaps: a call's arguments are
addresses and numbers then, which take less long to work out than NumPy's kernel takes. Products in
tiles, and what the library does, are made for numbers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.backends.llvm import driver
from twinoar.backends.native.arena import address_of, new_arena
from twinoar.backends.native.compiled import Outline, outlined
from twinoar.backends.native.description import result_order
from twinoar.backends.native.operation import order_of
from twinoar.backends.native.parts import SERIAL
from twinoar.backends.native.procedures import is_procedure
from twinoar.compile.identity import identity
from twinoar.compile.memory import aligned
from twinoar.compile.pipeline import KernelStep, lower
from twinoar.compile.specialise import dynamic_operator, specialise
from twinoar.compile.stages import Stages
from twinoar.compile.storage import Storage
from twinoar.compile.target import Target
from twinoar.core.dim import Dim, symbol
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program, State, Variable
from twinoar.core.op.definition import Op
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.core.varying import Guards, number
from twinoar.eager.tensor import SPECS
from twinoar.errors import TwinoarError
from twinoar.runtime.allocator import Blank

Named = Sequence[Sequence[Dim]]  # the sizes of each array, those that vary by name


def make_open(
    op: Op,
    operands: Sequence[Any],
    attrs: Mapping[str, Any],
    named: Sequence[Sequence[int | str]],
    target: Target,
) -> OpenOperation | None:
    """`op` for all sizes that behave as those of `operands`; None where it has no such form.

    named: the sizes of each array among the operands, with a name in place of those that vary.
    """
    program = Program(op.name)
    hints: dict[str, int] = {}
    for array, sizes in zip(_arrays(operands), named, strict=True):
        hints |= {d: n for d, n in zip(sizes, array.shape, strict=True) if isinstance(d, str)}
    try:
        _record(program, op, operands, attrs, named)
        if identity(program) is None:  # rules of users' may look a number up in a table
            return None
        guards = Guards(hints)
        concrete, _ = specialise(program, guards.sizes)
        lower(concrete)
        if dynamic_operator(concrete) is not None or not _is_loops(concrete, target):
            return None
        inputs = zip(concrete.main.inputs, _arrays(operands), strict=True)
        orders = {v: order for v, a in inputs if (order := order_of(a)) is not None}
        outline = outlined(concrete, target, Stages(), orders, guards)
    except TwinoarError:  # sizes that only fit as numbers, or that are asked for too late
        return None
    return OpenOperation(outline, named) if _is_open(outline) else None


def lie_of(arrays: Sequence[np.ndarray]) -> tuple | None:
    """How arrays lie, but for their sizes; None where one has gaps, or no elements."""
    found = []
    for x in arrays:
        order = order_of(x)
        if not x.size or (order is None and not x.flags.c_contiguous):
            return None
        found.append((x.ndim, x.dtype, order))
    return tuple(found)


def _arrays(operands: Sequence[Any]) -> list[np.ndarray]:
    return [x for x in operands if isinstance(x, np.ndarray)]


def _record(
    program: Program, op: Op, operands: Sequence[Any], attrs: Mapping[str, Any], named: Any
) -> None:
    """Let the Program be a call of `op`, in the form that it has for sizes that vary."""
    sizes = iter(named)

    def declared(x: Any) -> Any:
        if not isinstance(x, np.ndarray):
            return x
        shape = tuple([symbol(d) if isinstance(d, str) else d for d in next(sizes)])
        return program.main.add_input(Spec(shape, SPECS[x.shape, x.dtype].dtype))

    with using(Builder(program, policy=UNRECORDED)) as builder:
        given = tuple([declared(x) for x in operands])
        rule = op.rules.get("open")
        found = None if rule is None else rule(*given, **attrs)
        if found is None:
            found = builder.apply(op, given, dict(attrs))
    program.main.outputs = list(found) if isinstance(found, (tuple, list)) else [found]


def _is_loops(program: Program, target: Target) -> bool:
    """False for tiles, calls of the library, and procedures; found out before LLVM runs."""
    ops = program.main.ops
    return not any(is_procedure(o) or result_order(o, target) is not None for o in ops)


def _is_open(outline: Outline) -> bool:
    """True where it is loops alone, which check nothing, and that make all results."""
    plan = outline.plan
    if not all(isinstance(s, KernelStep) for s in plan.steps) or plan.updates:
        return False
    if any(c.checks or c.kernel.polls for c in outline.codes.values()):
        return False
    if any(isinstance(x, State) for x in outline.outside.values()):
        return False
    made = [n for n, x in outline.outside.items() if not isinstance(x, Variable)]
    return len(made) == len(plan.outputs) and all(isinstance(x, Storage) for x in plan.outputs)


class OpenOperation:
    """Compiled code for calls that differ in the sizes that have names; all threads share it."""

    def __init__(self, outline: Outline, named: Sequence[Sequence[int | str]]):
        self.outline, self.named = outline, [tuple(sizes) for sizes in named]
        plan = outline.plan
        inputs = {v: k for k, v in enumerate(plan.program.main.inputs)}
        # The number of each memory of the outside: those of operands, then those of results.
        order = {n: inputs[x] for n, x in outline.outside.items() if isinstance(x, Variable)}
        order |= {outline.places[s]: len(inputs) + k for k, s in enumerate(plan.outputs)}  # type: ignore[index]
        self.order, self.count = order, len(inputs) + len(plan.outputs)
        self.results: list[Storage] = list(plan.outputs)  # type: ignore[arg-type]  # `_is_open`
        inside: dict[int, list[Storage]] = {}
        for storage, n in outline.places.items():
            if n not in order:
                inside.setdefault(n, []).append(storage)
        self.inside = inside

    def sized(self, arrays: Sequence[np.ndarray]) -> SizedOperation | None:
        """The operation for arrays of these sizes; None where it has to be compiled for them."""
        sizes: dict[str, int] = {}
        for array, named in zip(arrays, self.named, strict=True):
            for d, n in zip(named, array.shape, strict=True):
                if (sizes.setdefault(d, n) if isinstance(d, str) else d) != n:
                    return None
        guards = self.outline.guards
        assert guards is not None
        return SizedOperation(self, sizes) if guards.hold(sizes) else None


class SizedOperation:
    """An OpenOperation with numbers for its sizes; `bind` gives what one thread runs."""

    new_arena = staticmethod(new_arena)

    def __init__(self, whole: OpenOperation, sizes: Mapping[str, int]):
        self.whole, self.sizes = whole, sizes
        self.offsets: dict[int, int] = {}  # in the arena, of what is neither operand nor result
        used = 0
        for n, storages in whole.inside.items():
            self.offsets[n] = used
            used += aligned(max([number(s.bytes, sizes) for s in storages]))
        self.arena_bytes = used

    def bind(self, arena: np.ndarray) -> BoundToSizes:
        """The operation at work in `arena`, which nobody else uses during a run."""
        return BoundToSizes(self, arena)


class BoundToSizes:
    """A sized operation and its memory, for one thread at a time; `is_busy` while it runs."""

    is_busy = False

    def __init__(self, operation: SizedOperation, arena: np.ndarray):
        whole, sizes = operation.whole, operation.sizes
        self._arena = arena
        self._words: list[np.ndarray] = []  # what kernels are given
        self._addresses = (ctypes.c_void_p * whole.count)()
        self._blanks = [
            Blank(
                [number(d, sizes) for d in s.shape],
                s.dtype.numpy,
                None if s.is_row_major else s.order,
            )
            for s in whole.results
        ]
        self._new = self._blanks[0].new if len(self._blanks) == 1 else None
        targets: list[driver.Target] = []
        launches = [
            self._launch(operation, n, address_of(arena), targets)
            for n in range(len(whole.outline.plan.steps))
        ]
        placing = driver.placing(ctypes.addressof(self._addresses), targets)
        self._routine = driver.Routine([placing, *launches])
        table = ctypes.addressof(self._addresses)
        self._run = driver.Entry(self._routine, table, whole.count).run

    def _launch(
        self, operation: SizedOperation, n: int, start: int, targets: list[driver.Target]
    ) -> driver.Command:
        """The kernel of a step, in an arena that begins at `start`; targets: who is told places."""
        whole, sizes = operation.whole, operation.sizes
        code = whole.outline.codes[n]
        numbers = [number(x, sizes) for x in code.numbers]
        words = np.array([*[0] * (len(code.places) + 1), *numbers], np.int64)
        for at, place in enumerate(code.places):
            if place in whole.order:
                holder = address_of(words) + at * words.itemsize
                targets.append(driver.Target(holder, whole.order[place]))
            else:
                words[at] = start + operation.offsets[place]
        self._words.append(words)
        rows = number(code.rows, sizes)
        return driver.kernel(
            code.code.address(code.kernel.name),
            [driver.Block(address_of(words), rows)],
            parts=whole.outline.target.threads,
            grain=code.grain,
            at_once=number(code.work, sizes) > SERIAL and rows > code.grain,
        )

    def run(self, arrays: Sequence[np.ndarray]) -> tuple:
        """The results for these arrays."""
        self.is_busy = True
        try:
            new = self._new
            made = (new(),) if new is not None else tuple([b.new() for b in self._blanks])
            if not self._run(*map(id, arrays), *map(id, made)):
                self._routine.run()  # raises what the commands have met
        finally:
            self.is_busy = False
        return made
