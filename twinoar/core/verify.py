"""The invariants of a Program, each checked."""

from __future__ import annotations

from typing import Any

from twinoar.core.builder import infer
from twinoar.core.ir import Block, Operator, Program, Variable
from twinoar.core.spec import Spec
from twinoar.errors import ProgramError, TwinoarError


def verify(program: Program) -> Program:
    """Return `program` if it is sound. Raises ProgramError naming what is not.

    Each operand is defined before its use and in the same block; each name and each Variable is
    defined once; operands and attributes are those of the operator; the specs of results are those
    that inference gives; updates go to states of the program and keep the dtype.
    """
    _verify_block(program.main, set(program.states.values()))
    defined = set(program.main.variables()) | set(program.states.values())
    for state, value in program.updates.items():
        if program.states.get(state.name) is not state:
            raise ProgramError(
                f"the update of %{state.name} is of a state that the program does not have"
            )
        if value not in defined:
            raise ProgramError(
                f"the update of %{state.name} is %{value.name}, which nothing defines"
            )
        if value.spec.dtype != state.spec.dtype:
            raise ProgramError(f"%{state.name} is {state.spec}, its update is {value.spec}")
    return program


def _verify_block(block: Block, outside: set[Variable]) -> None:
    defined: set[Variable] = set(outside)
    names = {v.name for v in outside}
    for v in block.inputs:
        _define(v, block, defined, names)
    for o in block.ops:
        _verify_operator(o, defined)
        for result in o.results:
            if result is not None:
                if result.producer is not o:
                    raise ProgramError(f"%{result.name} does not know {o} as its producer")
                _define(result, block, defined, names)
        for nested in o.blocks.values():
            _verify_block(nested, set())
    for out in block.outputs:
        if isinstance(out, Variable) and out not in defined:
            raise ProgramError(f"the block returns %{out.name}, which nothing in it defines")


def _define(v: Variable, block: Block, defined: set[Variable], names: set[str]) -> None:
    if v in defined or v.name in names:
        raise ProgramError(f"%{v.name} is defined twice")
    if v.home is not block:
        raise ProgramError(f"%{v.name} stands in a block that is not its home")
    defined.add(v)
    names.add(v.name)


def _verify_operator(o: Operator, defined: set[Variable]) -> None:
    for x in o.operands:
        if isinstance(x, Variable) and x not in defined:
            raise ProgramError(
                f"{o.op.name} reads %{x.name}, which is not defined before it in its block: {o}"
            )
    if o.attrs.keys() != o.op.attrs.keys():
        raise ProgramError(
            f"{o.op.name} has attributes {sorted(o.attrs)}, expected {sorted(o.op.attrs)}"
        )
    needed = [x.name for x in o.op.operands if not (x.optional or x.variadic)]
    if len(o.operands) < len(needed):
        raise ProgramError(
            f"{o.op.name} takes operands {', '.join(needed)}, received {len(o.operands)}: {o}"
        )
    try:
        specs = infer(o.op, o.operands, o.attrs, o.source)
    except TwinoarError as error:
        raise ProgramError(f"inference of {o} fails: {error}") from error
    found = tuple(None if v is None else v.spec for v in o.results)
    open_sizes = bool(o.blocks)  # blocks are not told the sizes of the run
    if len(found) != len(specs) or not all(
        _same(a, b, open_sizes) for a, b in zip(found, specs, strict=False)
    ):
        raise ProgramError(f"{o} has results {_shown(found)}, inference gives {_shown(specs)}")


def _same(found: Spec | None, inferred: Spec | None, open_sizes: bool) -> bool:
    if found is None or inferred is None:
        return True  # a result that nobody wants
    if found.dtype != inferred.dtype or len(found.shape) != len(inferred.shape):
        return False
    return all(
        n is None or m == n or (open_sizes and not isinstance(n, int))
        for m, n in zip(found.shape, inferred.shape, strict=True)
    )


def _shown(specs: tuple[Any, ...]) -> str:
    return ", ".join(map(str, specs))
