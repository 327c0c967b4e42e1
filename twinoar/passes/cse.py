"""Common subexpressions: operators that compute the same are computed once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.core.dim import Dim
from twinoar.core.ir.program import Block, Operator, Program, Variable
from twinoar.core.ir.size_names import agree, settled
from twinoar.passes.sizes import rename_sizes


def share_common(program: Program) -> Program:
    """Let equal operators on equal operands share one result, in place. Returns the program."""
    same_sizes: dict[str, Dim] = {}
    new = _share(program.main, same_sizes)
    if same_sizes:
        last = {name: settled(size, same_sizes) for name, size in same_sizes.items()}
        rename_sizes(program.main, last)
    program.updates = {s: new.get(v, v) for s, v in program.updates.items()}
    return program


def _share(block: Block, same_sizes: dict[str, Dim]) -> dict[Variable, Variable]:
    seen: dict[Any, Operator] = {}
    new: dict[Variable, Variable] = {}
    kept = []
    for o in block.ops:
        o.operands = tuple(new.get(x, x) if isinstance(x, Variable) else x for x in o.operands)
        key = None if o.has_effect else _key(o)
        first = seen.setdefault(key, o) if key is not None else o
        if first is o:
            kept.append(o)
            continue
        for old, same in zip(o.results, first.results, strict=True):
            if old is not None and same is not None:
                new[old] = same
                agree(same_sizes, old, same)
            elif old is not None:
                kept.append(o)
                break
    block.ops = kept
    block.outputs = [new.get(v, v) if isinstance(v, Variable) else v for v in block.outputs]
    return new


def _key(o: Operator) -> Any:
    """What two calls must share to be the same; None where that cannot be told."""
    key = _form(o, {})
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _form(o: Operator, numbers: Mapping[Variable, int]) -> Any:
    """A call as a key, with Variables that have a number as that."""
    return (
        o.op.name,
        tuple(_value(x, numbers) for x in o.operands),
        tuple((k, _value(a, numbers)) for k, a in o.attrs.items()),
        tuple(v is None for v in o.results),
    )


def _form_of(block: Block) -> Any:
    """A block as a key: equal ones differ in names alone."""
    numbers = {v: n for n, v in enumerate(block.variables())}
    inputs = tuple(v.spec for v in block.inputs)
    return (
        inputs,
        tuple(_form(o, numbers) for o in block.ops),
        tuple(_value(v, numbers) for v in block.outputs),
    )


def _value(x: Any, numbers: Mapping[Variable, int]) -> Any:
    if isinstance(x, Variable):
        return numbers.get(x, x)
    return _form_of(x) if isinstance(x, Block) else literal_key(x)


def literal_key(x: Any) -> Any:
    """A literal as a key: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    if isinstance(x, np.ndarray):
        return "ndarray", x.dtype, x.shape, x.tobytes()
    if isinstance(x, (tuple, list)):
        return tuple(map(literal_key, x))
    return type(x), repr(x) if isinstance(x, float) else x
