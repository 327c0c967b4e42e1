"""Common subexpressions: operators that compute the same are computed once."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.ir import Block, Operator, Program, Variable


def share_common(program: Program) -> Program:
    """Let equal operators on equal operands share one result, in place. Returns the program."""
    new = _share(program.main)
    program.updates = {s: new.get(v, v) for s, v in program.updates.items()}
    return program


def _share(block: Block) -> dict[Variable, Variable]:
    seen: dict[Any, Operator] = {}
    new: dict[Variable, Variable] = {}
    kept = []
    for o in block.ops:
        o.operands = tuple(new.get(x, x) if isinstance(x, Variable) else x for x in o.operands)
        key = None if o.blocks or o.op.rules.get("effect") else _key(o)
        first = seen.setdefault(key, o) if key is not None else o
        if first is o:
            kept.append(o)
            continue
        for old, same in zip(o.results, first.results, strict=True):
            if old is not None and same is not None:
                new[old] = same
            elif old is not None:
                kept.append(o)
                break
    block.ops = kept
    block.outputs = [new.get(v, v) if isinstance(v, Variable) else v for v in block.outputs]
    return new


def _key(o: Operator) -> Any:
    """What two calls must share to be the same; None where that cannot be told."""
    key = (
        o.op.name,
        tuple(x if isinstance(x, Variable) else literal_key(x) for x in o.operands),
        tuple((k, literal_key(a)) for k, a in o.attrs.items()),
        tuple(v is None for v in o.results),
    )
    try:
        hash(key)
    except TypeError:
        return None
    return key


def literal_key(x: Any) -> Any:
    """A literal as a key: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    if isinstance(x, np.ndarray):
        return "ndarray", x.dtype, x.shape, x.tobytes()
    if isinstance(x, (tuple, list)):
        return tuple(map(literal_key, x))
    return type(x), repr(x) if isinstance(x, float) else x
