"""A Program with numbers for its sizes: what is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.builder import infer
from twinoar.core.dim import Dim, SymbolicDim, evaluate, names_in
from twinoar.core.ir import Block, Operator, Program, State, Variable, copy_block, copy_program
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
        inferred = _inferred(o, sizes)
        for nested in o.blocks.values():
            _specialise_nested(nested, dict(sizes))
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


def _inferred(o: Operator, sizes: dict[str, int]) -> tuple[Spec | None, ...]:
    """The results' specs; of an `if` or a `while` as its blocks with these sizes have them."""
    if o.blocks:
        copies = {k: copy_block(b, b.names, {}) for k, b in o.blocks.items()}
        try:
            for nested in copies.values():
                _specialise_block(nested, dict(sizes))
            return infer(o.op, o.operands, {**o.attrs, **copies}, o.source)
        except TwinoarError:  # a block that never runs for these sizes may be wrong with them
            pass
    return infer(o.op, o.operands, o.attrs, o.source)


def _specialise_nested(block: Block, sizes: dict[str, int]) -> None:
    """Put in the sizes that the inputs of a nested block do not tell.

    Where they tell all, the block stays as it is: one that never runs for these sizes may be wrong
    with them, as the branch for more than one row is for one.
    """
    told = {str(d) for v in block.inputs for d in v.spec.shape}
    if _names(block) <= told:
        return
    try:
        _specialise_block(block, sizes)
    except TwinoarError:  # told when it runs
        return


def _names(block: Block) -> set[str]:
    """The names of sizes in attributes and operands."""
    found: set[str] = set()
    for o in block.ops:
        found.update(
            *map(_names, o.blocks.values()), *map(_names_of, (*o.attrs.values(), *o.operands))
        )
    return found


def _names_of(x: Any) -> frozenset[str]:
    if isinstance(x, slice):
        x = (x.start, x.stop, x.step)
    if isinstance(x, (tuple, list)):
        return frozenset().union(*map(_names_of, x))
    return names_in(x) if isinstance(x, SymbolicDim) else frozenset()


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
