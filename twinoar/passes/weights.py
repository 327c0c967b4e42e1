"""What depends on weights alone is computed once, and the results are weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Parameter
from twinoar.passes.fold import LIMIT_BYTES, evaluated


def fold_weights(program: Program, values: Mapping[str, np.ndarray] | None = None) -> Program:
    """Replace, in place, operators on weights by their results. Returns the program.

    A weight is a state that no run changes, and whose value is known: from the tensor that it
    stands for, or from `values` by name, as `program.state_dict()` gives them. A result is a new
    state, with its value, called after the weight; states that nobody reads any more go. Results
    that are larger than what they are computed from stay operators.
    """
    given = values or {}
    known: dict[Variable, Any] = {}
    roots: dict[Variable, str] = {}  # the weight that a value is computed from
    for s in program.states.values():
        value = given.get(s.name, s.data)
        if s not in program.updates and "read" not in s.traits and value is not None:
            known[s], roots[s] = value, s.name
    given_arrays = [_array(value) for value in known.values()]
    kept = []
    for o in program.main.ops:
        if not _is_foldable(o, known):
            kept.append(o)
            continue
        root = next(roots[x] for x in o.operands if isinstance(x, Variable))
        operands = [_array(known[x]) if isinstance(x, Variable) else x for x in o.operands]
        for v, array in zip(o.results, evaluated(o, operands), strict=True):
            if v is not None:
                known[v], roots[v] = array, root
    program.main.ops = kept
    read = {x for o in kept for x in o.operands if isinstance(x, Variable)}
    read.update(program.main.outputs, program.updates, program.updates.values())
    computed = [v for v in known if v in read and not isinstance(v, State)]
    new = {v: _weight(program, v.spec, roots[v], known[v], given_arrays) for v in computed}
    program.main.substitute(new)
    program.updates = {s: new.get(v, v) for s, v in program.updates.items()}
    added = set(new.values())
    program.states = {n: s for n, s in program.states.items() if s in read or s in added}
    return program


def _is_foldable(o: Operator, known: Mapping[Variable, Any]) -> bool:
    variables = [x for x in o.operands if isinstance(x, Variable)]
    if o.has_effect or o.blocks or not variables or not all(x in known for x in variables):
        return False
    specs = [v.spec for v in o.results if v is not None]
    return all(s.is_static for s in specs) and _bytes(specs) <= max(
        LIMIT_BYTES, _bytes([v.spec for v in variables])
    )


def _bytes(specs: Sequence[Spec]) -> int:
    return sum(int(s.size) * s.dtype.itemsize for s in specs)


def _array(value: Any) -> np.ndarray:
    """The elements of a weight, which nobody is to change: those of a Tensor are not copied."""
    return np.asarray(value, copy=False) if isinstance(value, Parameter) else np.asarray(value)


def _weight(
    program: Program, spec: Spec, root: str, array: np.ndarray, given: Sequence[np.ndarray]
) -> State:
    """The state that takes the place of a result, which may show what is `given`."""
    is_new = array.flags.owndata and array.flags.c_contiguous
    if not is_new or any(array is x for x in given):
        array = np.array(array, order="C")
    name = f"{root}.folded"
    data = Parameter(array.astype(spec.dtype.numpy, copy=False), True, name)
    return program.add_state(spec, name, data=data, is_parameter=True)
