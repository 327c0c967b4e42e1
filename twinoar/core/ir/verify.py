"""The invariants of a Program, each checked."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from twinoar.core.ir.builder import Literal, infer
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.near import near_names
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.errors import ProgramError, TwinoarError

ROLES = ("forward", "backward", "optimize")

# Operators that were found sound in themselves, each with the very things that this hung on.
Sound = dict[Operator, tuple[Any, ...]]


def verify(program: Program, sound: Sound | None = None) -> Program:
    """Return `program` if it is sound. Raises ProgramError naming what is not.

    Each operand is defined before its use and in the same block; each name, each Variable and each
    block is defined once; operands and attributes are those of the operator, and of its types; the
    specs of results are those that inference gives; constants fit their specs; updates go to states
    of the program and keep the dtype.

    sound: what earlier calls have found, and this one adds to, where a Program is verified often.
    """
    known = {} if sound is None else sound
    for name, state in program.states.items():
        _verify_state(name, state)
    try:
        outside: set[Variable] = set(program.states.values())
        _verify_block(program.main, outside, frozenset({program.main}), set(), known)
    except RecursionError as error:
        raise ProgramError("the blocks are nested too deeply") from error
    defined = set(program.main.variables()) | set(program.states.values())
    for state, value in program.updates.items():
        _verify_update(program, state, value, defined)
    return program


def _verify_state(name: str, state: Any) -> None:
    if not isinstance(state, State) or state.name != name:
        raise ProgramError(f"the state {name!r} is {_shown(state)}", cure="add it by add_state")
    _verify_spec(state)
    if state.is_constant:
        shape = np.shape(state.data) if state.data is not None else None
        if shape != state.spec.shape:
            raise ProgramError(f"the constant %{name} is {state.spec}, its value has shape {shape}")


def _verify_update(program: Program, state: Any, value: Any, defined: set[Variable]) -> None:
    if not isinstance(state, State) or program.states.get(state.name) is not state:
        raise ProgramError(
            f"the update of {_shown(state)} is of a state that the program does not have"
        )
    if not isinstance(value, Variable) or value not in defined:
        raise ProgramError(f"the update of %{state.name} is {_shown(value)}, which nothing defines")
    if value.spec.dtype != state.spec.dtype:
        raise ProgramError(f"%{state.name} is {state.spec}, its update is {value.spec}")


def _verify_block(
    block: Block,
    outside: set[Variable],
    around: frozenset[Block],
    done: set[Block],
    sound: Sound,
) -> None:
    """around: the blocks that it stands in. done: those that are verified; gradients share them
    with the operators that they are of.
    """
    defined: set[Variable] = set(outside)
    names = {v.name for v in outside}
    for v in block.inputs:
        _define(v, block, defined, names)
    for o in block.ops:
        if not isinstance(o, Operator):
            raise ProgramError(f"a block holds {_shown(o)}, expected Operators alone")
        for nested in o.blocks.values():
            if nested in around:
                raise ProgramError(f"a block of {o.op.name} stands within itself")
            if nested not in done:
                _verify_block(nested, set(), around | {nested}, done, sound)
                done.add(nested)
        _verify_operator(o, defined, sound)
        for result in o.results:
            if result is not None:
                _define(result, block, defined, names)
                if result.producer is not o:
                    raise ProgramError(f"%{result.name} does not know {o} as its producer")
    for out in block.outputs:
        if isinstance(out, Variable) and out not in defined:
            raise ProgramError(f"the block returns %{out.name}, which nothing in it defines")
        if not isinstance(out, (Variable, *Literal)):
            raise ProgramError(f"the block returns {_shown(out)}, which is no Variable")


def _define(v: Any, block: Block, defined: set[Variable], names: set[str]) -> None:
    if not isinstance(v, Variable):
        raise ProgramError(f"a block defines {_shown(v)}, expected a Variable")
    if v in defined or v.name in names:
        raise ProgramError(f"%{v.name} is defined twice")
    if v.home is not block:
        raise ProgramError(f"%{v.name} stands in a block that is not its home")
    _verify_spec(v)
    defined.add(v)
    names.add(v.name)


def _verify_spec(v: Variable) -> None:
    if not isinstance(v.name, str) or not isinstance(v.spec, Spec):
        raise ProgramError(f"{v.name!r} is of {v.spec!r}, expected a name and a Spec")


def _verify_operator(o: Operator, defined: set[Variable], sound: Sound) -> None:
    if not isinstance(o.op, Op):
        raise ProgramError(f"an operator is of {_shown(o.op)}, expected an Op")
    for x in o.operands:
        if isinstance(x, Variable) and x not in defined:
            raise ProgramError(
                f"{o.op.name} reads %{x.name}, which is not defined before it in its block: {o}"
            )
    told, before = _told(o), sound.get(o)
    if told is None or before is None or not _are(told, before):
        _verify_alone(o)
        if told is not None:
            sound[o] = told


def _told(o: Operator) -> tuple[Any, ...] | None:
    """All that the soundness of an operator hangs on, beside its place; None where that may change.

    It may within blocks, and within values of attributes that have no hash.
    """
    try:
        hash(values := tuple(o.attrs.values()))
    except TypeError:
        return None
    if any([isinstance(v, Block) for v in values]):
        return None
    around = (len(o.operands), *o.operands, *o.results)
    facts = [x for v in around if isinstance(v, Variable) for x in (v.spec, v.stop_gradient)]
    return (o.op, o.role, *around, *o.attrs, *values, *facts)


def _are(some: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """True where they hold the same objects: what is equal, such as 1 and True, may differ."""
    return len(some) == len(others) and all(map(operator.is_, some, others))


def _verify_alone(o: Operator) -> None:
    """What holds of an operator wherever it stands."""
    if o.role not in ROLES:
        raise ProgramError(
            f"{o.op.name} has the role {o.role!r}, expected one of {', '.join(ROLES)}"
        )
    _verify_attributes(o)
    for x in o.operands:
        if not isinstance(x, (Variable, np.generic, *Literal)):
            raise ProgramError(f"{o.op.name} reads {_shown(x)}, which is no Variable and no number")
    _verify_arity(o)
    try:
        specs = infer(o.op, o.operands, o.attrs, o.source)
    except TwinoarError as error:
        raise ProgramError(f"inference of {o} fails: {error}") from error
    # Attributes may be anything of their type: what a rule cannot do with them is wrong.
    except Exception as error:
        raise ProgramError(f"inference of {o} fails: {type(error).__name__}: {error}") from error
    found = tuple(None if v is None else v.spec for v in o.results)
    open_sizes = bool(o.blocks)  # blocks are not told the sizes of the run
    if len(found) != len(specs) or not all(
        _same(a, b, open_sizes) for a, b in zip(found, specs, strict=False)
    ):
        raise ProgramError(f"{o} has results {_listed(found)}, inference gives {_listed(specs)}")


def _verify_arity(o: Operator) -> None:
    """The operands are as many as the operator has; only optional ones are None."""
    operands = o.op.operands
    fixed = [x for x in operands if not x.variadic]
    needed = [x.name for x in fixed if not x.optional]
    if len(o.operands) < len(needed) or (len(o.operands) > len(fixed) and not o.op.variadic):
        raise ProgramError(
            f"{o.op.name} takes operands {', '.join(x.name for x in operands) or 'none'}, "
            f"received {len(o.operands)}: {o}"
        )
    for x, operand in zip(o.operands, fixed, strict=False):
        if x is None and not operand.optional:
            raise ProgramError(f"{o.op.name} lacks its operand {operand.name}: {o}")


def _verify_attributes(o: Operator) -> None:
    known = o.op.attrs
    for name in o.attrs:
        if name not in known:
            raise ProgramError(
                f"{o.op.name} has no attribute {name!r}", cure=near_names(name, known)
            )
    for name, attr in known.items():
        if name not in o.attrs:
            raise ProgramError(f"{o.op.name} lacks its attribute {name}")
        value = o.attrs[name]
        if getattr(attr.annotation, "is_block", False):
            if not isinstance(value, Block):
                raise ProgramError(f"{o.op.name} lacks its block {name}, received {_shown(value)}")
            continue
        try:
            attr.convert(value)
        except (TwinoarError, TypeError, ValueError) as error:
            raise ProgramError(f"{o.op.name} cannot have {name}={value!r:.60}: {error}") from error


def _same(found: Spec | None, inferred: Spec | None, open_sizes: bool) -> bool:
    if found is None or inferred is None:
        return True  # a result that nobody wants
    if found.dtype != inferred.dtype or len(found.shape) != len(inferred.shape):
        return False
    return all(
        n is None or m == n or (open_sizes and not isinstance(n, int))
        for m, n in zip(found.shape, inferred.shape, strict=True)
    )


def _listed(specs: tuple[Any, ...]) -> str:
    return ", ".join(map(str, specs))


def _shown(x: Any) -> str:
    return f"%{x.name}" if isinstance(x, Variable) else f"{x!r:.60} ({type(x).__name__})"
