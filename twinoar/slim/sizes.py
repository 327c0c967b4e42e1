"""The sizes of a Program's values, once those of its states or inputs are others."""

from __future__ import annotations

from twinoar.core.ir.builder import infer
from twinoar.core.ir.program import Operator, Program
from twinoar.core.spec import Spec


def with_numbers(program: Program) -> Program:
    """The same Program, in place, for inputs of which each open size is 1."""
    for v in program.main.inputs:
        v._spec = Spec(tuple(n if isinstance(n, int) else 1 for n in v.spec.shape), v.spec.dtype)
    return infer_sizes(program)


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
