"""An index that compiled code found outside: which operator's it is, and how NumPy tells of it.

Compiled code raises a flag and goes on with index 0, until a check ends the run, before anything
outside the run could follow from that. NumPy's kernels know the number: they run again what has no
effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from twinoar.backends.native.compiled import Compiled
from twinoar.backends.native.description import result_order
from twinoar.backends.native.instance import IndexOutside
from twinoar.backends.native.parts import KernelPart
from twinoar.backends.native.procedures import ProcedurePart
from twinoar.compile.graph import Graph
from twinoar.core.ir.program import Block, Operator, Program, Variable
from twinoar.core.loop.expression import Expr, walk
from twinoar.core.memory_error import ADDRESSABLE_BYTES, bytes_of, no_memory_for
from twinoar.core.op.explain import describe
from twinoar.errors import ArgumentError, AxisError, TwinoarError


def plain(error: IndexOutside, compiled: Compiled) -> TwinoarError:
    """As an error with the operator and its line. compiled: of the Program that ran."""
    for number in error.path:
        compiled = compiled.bodies[number]
    part = compiled.assembler.flagged[error.row]
    if isinstance(part, ProcedurePart):
        by = part.step.operator
        refused = ArgumentError("the data is none that it takes", cure="check what was fed")
        return refused.attach(by.op.name, describe(by.op, by.operands), by.source)
    assert isinstance(part, KernelPart)
    kind = ArgumentError if error.is_refused else AxisError
    told: TwinoarError = kind(error.message, cure=error.cure)
    o = _checking(part, part.checks[error.number], compiled)
    if o is not None:
        told.attach(o.op.name, (), o.source)
    return told


def refuse_unaddressable(program: Program) -> None:
    """Raise OutOfMemoryError for a value that no machine holds: sizes would wrap."""
    for o in program.main.ops:
        for v in o.results:
            if v is not None and bytes_of(v.spec) >= ADDRESSABLE_BYTES:
                raise told_by(no_memory_for(v.spec), v)


def told_by(error: TwinoarError, v: Variable) -> TwinoarError:
    """The error with the operator that computes `v`, and its line."""
    o = v.producer
    return error if o is None else error.attach(o.op.name, describe(o.op, o.operands), o.source)


def without_effects(program: Program) -> bool:
    """Remove, in place, operators with an effect whose results nobody reads; True if that is all.

    An assertion is one: those before a failure held.
    """
    return _silence(program.main, {*program.updates.values()})


def _silence(block: Block, needed: set[Variable]) -> bool:
    needed = needed | {v for v in block.outputs if isinstance(v, Variable)}
    kept: list[Operator] = []
    for o in reversed(block.ops):
        if _acts(o) and not any(v in needed for v in o.results):
            continue
        kept.append(o)
        needed.update(x for x in o.operands if isinstance(x, Variable))
    block.ops = kept[::-1]
    nested = [_silence(b, set()) for o in kept for b in o.blocks.values()]
    return all(nested) and not any(map(_acts, kept))


def _acts(o: Operator) -> bool:
    """True for an operator that has an effect itself, not by its blocks."""
    return bool(o.op.rules.get("effect"))


def _checking(part: KernelPart, check: Expr, compiled: Compiled) -> Operator | None:
    """The first operator that a kernel computes whose rule checks such an index."""
    own = set(_computed(part))
    graph = Graph(compiled.program, partial(result_order, target=compiled.target))
    for o in compiled.program.main.ops:
        for v in o.results if o in own else ():
            element = graph.element(v) if v is not None else None
            found = walk(element) if element is not None else ()
            if any(e.kind == "bounded" and e.args[1:] == check.args[1:] for e in found):
                return o
    return None


def _computed(part: KernelPart) -> Iterator[Operator]:
    """The operators of a kernel, and those before them that it does not read the results of."""
    read = {s.variable for s in part.step.reads}
    waiting, seen = list(part.step.kernel.values), set(read)
    while waiting:
        v = waiting.pop()
        if v in seen or v.producer is None:
            continue
        seen.add(v)
        yield v.producer
        waiting += [x for x in v.producer.operands if isinstance(x, Variable)]
