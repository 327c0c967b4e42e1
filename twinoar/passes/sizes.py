"""Sizes that the data decides: one that turns out to be another gets its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.dim import Dim, SymbolicDim, substitute_dim
from twinoar.core.ir.program import Block, Variable
from twinoar.core.spec import Spec


def turned_out(old: Variable, new: Variable) -> dict[str, Dim]:
    """The names of the sizes of a value, each with what it is in the value that takes its place."""
    pairs = zip(old.spec.shape, new.spec.shape, strict=True)
    return {str(a): b for a, b in pairs if isinstance(a, SymbolicDim) and a != b}


def rename_sizes(block: Block, new: Mapping[str, Dim]) -> None:
    """Let sizes that the data decides have the names of those that they turned out to be."""
    for v in block.variables():
        if not v.spec.is_static:
            v._spec = Spec(_renamed(v.spec.shape, new), v.spec.dtype)
    for o in block.ops:
        for nested in o.blocks.values():
            rename_sizes(nested, new)
        o.attrs = {k: _renamed(a, new) for k, a in o.attrs.items()}
        o.operands = _renamed(o.operands, new)


def _renamed(x: Any, new: Mapping[str, Dim]) -> Any:
    if isinstance(x, SymbolicDim):
        return substitute_dim(x, new)
    if isinstance(x, tuple):
        return tuple(_renamed(i, new) for i in x)
    if isinstance(x, slice):
        return slice(*(_renamed(i, new) for i in (x.start, x.stop, x.step)))
    return x
