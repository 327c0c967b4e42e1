"""A Program with numbers for its sizes: what is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.dim import Dim, SymbolicDim, evaluate, names_in
from twinoar.core.ir.builder import infer
from twinoar.core.ir.program import (
    Block,
    Operator,
    Program,
    State,
    Variable,
    copy_block,
    copy_program,
)
from twinoar.core.spec import Shape, Spec
from twinoar.errors import ShapeError, TwinoarError

Sizes = Mapping[str, int]


def specialise(program: Program, sizes: Sizes) -> tuple[Program, dict[Variable, Any]]:
    """A copy of `program` with `sizes` put in, and the mapping from old Variables to new ones.

    Shapes that only the data decides stay symbolic: see `dynamic_operator`.
    """
    new, mapping = copy_program(program)
    if not sizes and all(v.spec.is_static for v in new.main.variables()):
        return new, mapping
    for s in new.states.values():
        s._spec = known(s.spec, sizes)
    _specialise_block(new.main, dict(sizes))
    return new, mapping


def _specialise_block(block: Block, sizes: dict[str, int]) -> None:
    for v in block.inputs:
        v._spec = known(v.spec, sizes)
    for o in block.ops:
        o.attrs = {k: _where_known(a, sizes) for k, a in o.attrs.items()}
        o.operands = tuple(_where_known(x, sizes) for x in o.operands)
        _specialise_nested(o, sizes)
        inferred = infer(o.op, o.operands, o.attrs, o.source)
        for result, spec in zip(o.results, inferred, strict=True):
            if result is not None and spec is not None:
                pairs = zip(spec.shape, result.spec.shape, strict=True)
                shape = tuple(_size(old if new is None else new, sizes) for new, old in pairs)
                _learn(result.spec.shape, shape, sizes)
                result._spec = Spec(shape, spec.dtype)


def _learn(before: Shape, found: Shape, sizes: dict[str, int]) -> None:
    """Note sizes that the data might have decided, and that are the same in any case."""
    for old, new in zip(before, found, strict=True):
        if isinstance(old, SymbolicDim) and isinstance(new, int) and {str(old)} == names_in(old):
            sizes.setdefault(str(old), new)


def _specialise_nested(o: Operator, sizes: dict[str, int]) -> None:
    """Put the sizes into the blocks of an operator that are right with them.

    One that is not never runs for these sizes, as the branch for more than one row for one.
    """
    for name, nested in o.blocks.items():
        block = copy_block(nested, nested.names, {})
        try:
            _specialise_block(block, dict(sizes))
        except TwinoarError:  # told when it runs
            continue
        o.attrs[name] = block


def known(spec: Spec, sizes: Sizes) -> Spec:
    """`spec` with those sizes put in that are known."""
    return spec if spec.is_static else Spec(tuple(_size(d, sizes) for d in spec.shape), spec.dtype)


def _size(dim: Dim, sizes: Sizes) -> Dim:
    return dim if isinstance(dim, int) else _where_known(dim, sizes)


def _where_known(x: Any, sizes: Sizes) -> Any:
    """An attribute or operand with those sizes put in that no data decides."""
    if not is_symbolic(x):
        return x
    if isinstance(x, (tuple, list)):
        return tuple(_where_known(item, sizes) for item in x)
    try:
        return resolve(x, sizes)
    except ShapeError:
        return x


def dynamic_operator(program: Program) -> Operator | None:
    """The first operator with a result whose shape only the data decides; None if there is none."""
    for o in program.main.ops:
        if any(v is not None and not v.spec.is_static for v in o.results):
            return o
    return None


def is_symbolic(attr: Any) -> bool:
    """True if an attribute depends on sizes that only a run knows."""
    if isinstance(attr, (tuple, list)):
        return any(map(is_symbolic, attr))
    if isinstance(attr, slice):
        return any(isinstance(x, SymbolicDim) for x in (attr.start, attr.stop, attr.step))
    return isinstance(attr, SymbolicDim)


def resolve(attr: Any, sizes: Sizes) -> Any:
    """An attribute with sizes put in."""
    if isinstance(attr, SymbolicDim):
        return evaluate(attr, sizes)
    if isinstance(attr, (tuple, list)) and is_symbolic(attr):
        return tuple(resolve(a, sizes) for a in attr)
    if isinstance(attr, slice) and is_symbolic(attr):
        return slice(*(resolve(x, sizes) for x in (attr.start, attr.stop, attr.step)))
    return attr


def states_read(program: Program) -> list[State]:
    """The states whose values a run needs, in order."""
    read = {x for o in program.main.ops for x in o.operands if isinstance(x, Variable)}
    read.update(v for v in program.main.outputs if isinstance(v, Variable))
    read.update(program.updates.values())
    return [s for s in program.states.values() if s in read]
