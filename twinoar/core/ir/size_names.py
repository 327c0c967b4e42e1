"""The names of sizes that operators ask for, beyond what the shapes of their operands tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.core.dim import SymbolicDim, names_in
from twinoar.core.ir.program import Operator, Variable


def names_asked(operators: Iterable[Operator]) -> set[str]:
    """The names of sizes in attributes, in numbers among the operands, and in nested blocks."""
    found: set[str] = set()
    for o in operators:
        found.update(*(names_asked(nested.ops) for nested in o.blocks.values()))
        found.update(*map(_names_of, (*o.attrs.values(), *o.operands)))
    return found


def names_told(variables: Iterable[Variable | None]) -> set[str]:
    """The names of sizes that the shapes of these have as they are."""
    return {
        str(d)
        for v in variables
        if v is not None
        for d in v.spec.shape
        if isinstance(d, SymbolicDim)
    }


def decides_a_size(o: Operator, asked: set[str]) -> bool:
    """True if results have one of these sizes, and no operand has it."""
    operands = [x for x in o.operands if isinstance(x, Variable)]
    return bool(asked) and not asked.isdisjoint(names_told(o.results) - names_told(operands))


def _names_of(x: Any) -> frozenset[str]:
    if isinstance(x, slice):
        x = (x.start, x.stop, x.step)
    if isinstance(x, (tuple, list)):
        return frozenset().union(*map(_names_of, x))
    return names_in(x) if isinstance(x, SymbolicDim) else frozenset()
