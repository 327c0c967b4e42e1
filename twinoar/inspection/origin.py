"""Which batch of a compiled Program computes which of its operators."""

from __future__ import annotations

from twinoar.backends.native.compiled import Compiled
from twinoar.backends.native.parts import KernelPart
from twinoar.compile.part import Part
from twinoar.compile.pipeline import CallStep
from twinoar.core.ir.program import Operator, Program, Variable


def batches_of_operators(compiled: Compiled) -> dict[Operator, list[int]]:
    """The numbers of the batches that compute each operator of the lowered Program.

    Several compute an operator that each of them needs and that is cheap. None computes one that
    only says where data lies in memory, such as a reshape of what is returned, and what is computed
    once, when states are bound.
    """
    found: dict[Operator, list[int]] = {o: [] for o in compiled.program.main.ops}
    for n, batch in enumerate(compiled.batches):
        for o in dict.fromkeys(o for part in batch for o in _own(part)):
            found[o].append(n)
    readers = readers_of_operators(compiled.program)
    before = {o for batch in compiled.setup for part in batch for o in _own(part)}
    for o in reversed(compiled.program.main.ops):
        if not found[o] and o not in before:
            found[o] = sorted({n for r in readers[o] for n in found[r]})
    return found


def operators_of_batches(compiled: Compiled) -> list[list[Operator]]:
    """The operators that each batch computes, in the order of the Program."""
    found: list[list[Operator]] = [[] for _ in compiled.batches]
    for o, numbers in batches_of_operators(compiled).items():
        for n in numbers:
            found[n].append(o)
    return found


def readers_of_operators(program: Program) -> dict[Operator, list[Operator]]:
    """The operators that read the results of each, in order."""
    readers: dict[Operator, list[Operator]] = {o: [] for o in program.main.ops}
    for o in program.main.ops:
        for x in dict.fromkeys(x for x in o.operands if isinstance(x, Variable)):
            if x.producer in readers and o not in readers[x.producer]:
                readers[x.producer].append(o)
    return readers


def _own(part: Part) -> list[Operator]:
    """The operators that a part was made for."""
    if isinstance(part, KernelPart):
        return [v.producer for v in part.step.kernel.values if v.producer is not None]
    assert isinstance(part.step, CallStep)
    written = [s.variable.producer for s in part.step.writes if s is not None]
    return [part.step.operator, *(o for o in written if o is not None)]
