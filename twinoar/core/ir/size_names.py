"""The names of sizes that operators ask for, beyond what the shapes of their operands tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.core.dim import Dim, SymbolicDim, names_in, substitute_dim
from twinoar.core.ir.program import Operator, Variable
from twinoar.core.values import Value


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


def turned_out(old: Variable, new: Value) -> dict[str, Dim]:
    """The names of the sizes of a value, each with what it is in the value that takes its place."""
    pairs = zip(old.spec.shape, new.spec.shape, strict=False)
    return {str(a): b for a, b in pairs if isinstance(a, SymbolicDim) and a != b}


def agree(same: dict[str, Dim], old: Variable, new: Value) -> None:
    """Add to `same` what sizes of `old` are now that `new` takes its place.

    What a name stands for in `same` may have a name that is in it too: `settled` follows them.
    """
    for a, b in zip(old.spec.shape, new.spec.shape, strict=False):
        first, last = settled(a, same), settled(b, same)
        if first != last and str(first) in names_in(first) - names_in(last):
            same[str(first)] = last


def settled(size: Dim, same: Mapping[str, Dim]) -> Dim:
    """The size with every name replaced that `same` has another one for."""
    while not names_in(size).isdisjoint(same):
        size = substitute_dim(size, same)
    return size


def renamed(x: Any, new: Mapping[str, Dim]) -> Any:
    """An attribute, a shape or operands with other sizes for these names."""
    if isinstance(x, SymbolicDim):
        return substitute_dim(x, new)
    if isinstance(x, tuple):
        return tuple(renamed(i, new) for i in x)
    if isinstance(x, slice):
        return slice(*(renamed(i, new) for i in (x.start, x.stop, x.step)))
    return x


def _names_of(x: Any) -> frozenset[str]:
    if isinstance(x, slice):
        x = (x.start, x.stop, x.step)
    if isinstance(x, (tuple, list)):
        return frozenset().union(*map(_names_of, x))
    return names_in(x) if isinstance(x, SymbolicDim) else frozenset()
