"""What depends on weights alone is computed once, and the results are weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Parameter
from twinoar.passes.fold import LIMIT_BYTES, evaluated
from twinoar.passes.sites import Site, drop_unread_operands, sites

Known = dict[Variable, tuple[Any, str]]  # values, and the weights that they are computed from


def fold_weights(program: Program, values: Mapping[str, np.ndarray] | None = None) -> Program:
    """Replace, in place, operators on weights by their results. Returns the program.

    A weight is a state that no run changes, and whose value is known: from the tensor that it
    stands for, or from `values` by name, as `program.state_dict()` gives them. A result is a new
    state, with its value, called after the weight; states that nobody reads any more go. Results
    that are larger than what they are computed from stay operators. So it is in branches and loops,
    which then read the result.
    """
    given = values or {}
    known: Known = {}
    for s in program.states.values():
        value = given.get(s.name, s.data)
        if s not in program.updates and "read" not in s.traits and value is not None:
            known[s] = value, s.name
    given_arrays = [_array(value) for value, _ in known.values()]
    for site in list(sites(program)):
        _fold_site(site, known, given_arrays)
    drop_unread_operands(program)
    read = {x for o in program.main.ops for x in o.operands if isinstance(x, Variable)}
    read.update(program.main.outputs, program.updates, program.updates.values())
    program.states = {n: s for n, s in program.states.items() if s in read}
    return program


def _fold_site(site: Site, known: Known, given: Sequence[np.ndarray]) -> None:
    """Fold what a block computes of weights; of what others may read there, `known` is told."""
    program, block = site.program, site.block
    here = known if site.outer is None else _known_inside(site, known)
    kept = []
    for o in block.ops:
        if not _is_foldable(o, here):
            kept.append(o)
            continue
        root = next(here[x][1] for x in o.operands if isinstance(x, Variable))
        operands = [_array(here[x][0]) if isinstance(x, Variable) else x for x in o.operands]
        for v, array in zip(o.results, evaluated(o, operands), strict=True):
            if v is not None:
                here[v] = array, root
    block.ops = kept
    read = {x for o in kept for x in o.operands if isinstance(x, Variable)} | set(block.outputs)
    if site.outer is None:
        read.update(program.updates, program.updates.values())
    new = {}
    for v in [v for v in here if v in read and v.producer is not None]:
        array, root = here[v]
        state = _weight(program, v.spec, root, array, given)
        known[state] = array, root
        new[v] = site.bring(state)
    block.substitute(new)
    if site.outer is None:
        program.updates = {s: new.get(v, v) for s, v in program.updates.items()}


def _known_inside(site: Site, known: Known) -> Known:
    """The inputs of a block that are weights."""
    pairs = ((v, site.origin(v)) for v in site.block.inputs)
    return {v: known[outer] for v, outer in pairs if outer in known}


def _is_foldable(o: Operator, known: Known) -> bool:
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
