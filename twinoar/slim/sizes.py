"""The sizes of a Program's values, once those of its states or inputs are others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.dim import Dim, SymbolicDim, names_in, substitute_dim
from twinoar.core.ir.builder import infer
from twinoar.core.ir.program import Operator, Program
from twinoar.core.spec import Spec


def with_numbers(program: Program) -> Program:
    """The same Program, in place, for inputs of which each open size is 1."""
    open_sizes = [n for v in program.main.inputs for n in v.spec.shape if n is not None]
    ones: dict[str, Dim] = {name: 1 for n in open_sizes for name in names_in(n)}
    for v in program.main.inputs:
        sizes = [1 if n is None else substitute_dim(n, ones) for n in v.spec.shape]
        v._spec = Spec(tuple(sizes), v.spec.dtype)
    for o in program.main.ops:
        o.attrs = {name: _substituted(value, ones) for name, value in o.attrs.items()}
    return infer_sizes(program)


def _substituted(value: Any, ones: Mapping[str, Dim]) -> Any:
    """An attribute with numbers in the places of open sizes, such as a shape to come to."""
    if isinstance(value, SymbolicDim):
        return substitute_dim(value, ones)
    if type(value) in (list, tuple):
        return type(value)(_substituted(x, ones) for x in value)
    return value


def infer_sizes(program: Program) -> Program:
    """The same Program, in place, with the sizes that its states and inputs tell."""
    for o in program.main.ops:
        infer_again(o)
    return program


def infer_again(o: Operator) -> None:
    """The sizes of what an operator gives, from those of what it reads now."""
    found = infer(o.op, o.operands, o.attrs, o.source)
    for v, spec in zip(o.results, found, strict=True):
        if v is not None and spec is not None:
            v._spec = _with_names_of(v.spec, spec)


def _with_names_of(old: Spec, new: Spec) -> Spec:
    """The new sizes; a size that only a run decides keeps its name."""
    pairs = zip(old.shape, new.shape, strict=True)
    return Spec(tuple(a if b is None else b for a, b in pairs), new.dtype)
