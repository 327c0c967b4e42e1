"""Numbers among operands, which files have as variables: told apart, and put back on reading.

Paddle's operators take tensors alone. Where one of ours takes a number, the file has a
`fill_constant` whose place among names says which number it stands for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from twinoar.core.ir.builder import infer
from twinoar.core.ir.program import Block, Operator, Program, Variable
from twinoar.errors import TwinoarError
from twinoar.formats.paddle.program_desc import LITERAL, SCOPE

NAMED = {"inf": float("inf"), "-inf": -float("inf"), "nan": float("nan")}


def literal_of(op: Any) -> int | float | bool | None:
    """The number that the operator of a file stands for, if it is one for a number."""
    if op.type != "fill_constant":
        return None
    place = next((attr.s for attr in op.attrs if attr.name == SCOPE), "")
    if not isinstance(place, str) or not place.startswith(LITERAL) or len(place) > 80:
        return None
    text = place.removeprefix(LITERAL).removesuffix("/")
    try:
        number = NAMED[text] if text in NAMED else ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return number if isinstance(number, (bool, int, float)) else None


def put_literals(program: Program, literals: Mapping[Variable, Any]) -> None:
    """Let operators take numbers where they give the same with them; drop what nobody reads."""
    if not literals:
        return
    for o in program.main.walk():
        given = tuple(literals.get(x, x) if isinstance(x, Variable) else x for x in o.operands)
        changed = any(a is not b for a, b in zip(given, o.operands, strict=True))
        if changed and _gives_the_same(o, given):
            o.operands = given
    read = {id(v) for block in _blocks(program.main) for v in _read(block)}
    read |= {id(v) for v in program.updates.values()}
    for block in _blocks(program.main):
        block.ops = [
            o
            for o in block.ops
            if not all(v in literals and id(v) not in read for v in o.results if v is not None)
            or not o.results
        ]


def _gives_the_same(o: Operator, operands: tuple[Any, ...]) -> bool:
    found = [None if v is None else v.spec for v in o.results]
    try:
        specs = infer(o.op, operands, o.attrs)
    except (TwinoarError, AttributeError, TypeError):  # it takes tensors alone
        return False
    return list(specs) == found


def _blocks(block: Block) -> Iterator[Block]:
    yield block
    for o in block.ops:
        for nested in o.blocks.values():
            yield from _blocks(nested)


def _read(block: Block) -> Iterator[Any]:
    for o in block.ops:
        yield from o.operands
    yield from block.outputs
