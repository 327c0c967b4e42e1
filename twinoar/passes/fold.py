"""Constant folding: what depends on constants alone is computed once, at compile time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.interpreter import eager, using
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.policy import UNRECORDED
from twinoar.eager.tensor import Tensor

LIMIT_BYTES = 1 << 16  # larger results stay operators: they would only make programs heavy


def fold_constants(program: Program) -> Program:
    """Replace, in place, operators on constants by their results. Returns the program."""
    return fold(program, _is_foldable)


def fold(program: Program, is_chosen: Callable[[Operator], bool]) -> Program:
    """Replace, in place, the operators that are chosen, which depend on constants alone."""
    new: dict[Variable, Variable] = {}
    kept = []
    for o in program.main.ops:
        o.operands = tuple(new.get(x, x) if isinstance(x, Variable) else x for x in o.operands)
        if not is_chosen(o):
            kept.append(o)
            continue
        given = [value_of(x) if isinstance(x, State) else x for x in o.operands]
        for v, array in zip(o.results, evaluated(o, given), strict=True):
            if v is not None and array is not None:
                constant = program.add_constant(array, v.spec)
                new[v] = constant
    program.main.ops = kept
    program.main.outputs = [
        new.get(v, v) if isinstance(v, Variable) else v for v in program.main.outputs
    ]
    program.updates = {s: new.get(v, v) for s, v in program.updates.items()}
    return program


def _is_foldable(o: Operator) -> bool:
    if o.op.kernel_rule is None or o.op.rules.get("effect") or o.blocks:
        return False
    variables = [x for x in o.operands if isinstance(x, Variable)]
    if not variables or not all(isinstance(x, State) and x.is_constant for x in variables):
        return False
    specs = [v.spec for v in o.results if v is not None]
    if not all(s.is_static for s in specs):
        return False
    return bool(sum(int(s.size) * s.dtype.itemsize for s in specs) <= LIMIT_BYTES)


def evaluated(o: Operator, given: Sequence[Any]) -> list[np.ndarray | None]:
    """The results of an operator for arrays and plain values.

    By its NumPy kernel where it has one: machine code that runs once is not worth its making.
    """
    kernel, out = o.op.kernel_rule, None
    is_plain = all(x.dtype.kind != "V" for x in given if isinstance(x, np.ndarray))
    if kernel is not None and is_plain and not o.blocks:
        out = kernel(*given, **o.attrs)
    else:
        with using(eager(UNRECORDED)) as interpreter:
            operands = [Tensor(x) if isinstance(x, np.ndarray) else x for x in given]
            out = interpreter.apply(o.op, tuple(operands), o.attrs)
    results = out if isinstance(out, tuple) else (out,)
    return [None if v is None else np.asarray(r) for v, r in zip(o.results, results, strict=True)]


def value_of(constant: State) -> np.ndarray:
    """The array of a constant."""
    return np.asarray(constant.data)
