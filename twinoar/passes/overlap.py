"""Gradients travel while others are still computed: means over ranks begun early, awaited late."""

from __future__ import annotations

from typing import Any

from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.ops.collective.all_reduce import all_reduce_together
from twinoar.ops.collective.overlap import begin_means, end_means
from twinoar.ops.control.wait import wait


def overlap(program: Program) -> Program:
    """Begin each mean of several tensors over ranks as soon as these are there, in place.

    It is waited for where it stood, behind what was begun there too: so nothing is updated before
    all have arrived. Returns the program.
    """
    ops = program.main.ops
    found = [o for o in ops if o.op is all_reduce_together]
    for number, o in enumerate(found, 1):
        _split(program, o, number)
    return program


def _split(program: Program, o: Operator, number: int) -> None:
    block, group = program.main, o.attrs["group"]
    given = tuple(x for x in o.operands if isinstance(x, Variable))
    if len(given) < len(o.operands):
        return  # a number that is known: nothing is computed meanwhile
    at = max((block.ops.index(x.producer) for x in given if x.producer is not None), default=-1) + 1
    with using(_builder(program, o, at)):
        begun = begin_means(given, group, number)
    means = begun if isinstance(begun, tuple) else (begun,)
    with using(_builder(program, o, block.ops.index(o))):
        ended = end_means((*means, *given), group, number)
        arrived = [wait(x, ended) for x in means]
    new: dict[Variable, Any] = {}
    for old, value in zip(o.results, arrived, strict=True):
        if old is not None:
            new[old] = value
    block.substitute(new)
    program.updates = {s: new.get(v, v) for s, v in program.updates.items()}
    block.ops.remove(o)


def _builder(program: Program, o: Operator, at: int) -> Builder:
    builder = Builder(program, program.main, at=at)
    builder.source, builder.role, builder.follows = o.source, o.role, False
    return builder


__all__ = ["overlap"]
