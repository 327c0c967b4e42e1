"""What several operators draw with one key is drawn once, for files that have no keys."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Block, Operator, Program
from twinoar.ops.math.arithmetic import multiply


def draw_once(program: Program) -> Program:
    """Let operators that draw with the same key multiply by one draw, in place; the Program.

    An operator of random numbers says by its rule `factor` what it multiplies its first operand
    by. Forward and backward of a dropout share a key, and so what is left out; where a file keeps
    no keys, each would draw anew.
    """
    _in_block(program, program.main)
    return program


def _in_block(program: Program, block: Block) -> None:
    groups: dict[Hashable, list[Operator]] = {}
    for o in block.ops:
        for nested in o.blocks.values():
            _in_block(program, nested)
        rest = o.operands[1:]
        if "factor" in o.op.rules and any(x is not None for x in rest):
            attributes = tuple((k, repr(a)) for k, a in sorted(o.attrs.items()))
            key: Any = o.op, rest, attributes, o.results[0].spec
            groups.setdefault(key, []).append(o)
    for same in groups.values():
        if len(same) > 1:
            _multiply(program, block, same)


def _multiply(program: Program, block: Block, same: list[Operator]) -> None:
    """Draw before the first of them, and let each multiply by it."""
    first = same[0]
    builder = Builder(program, block, at=block.ops.index(first))
    builder.source, builder.role, builder.follows = first.source, first.role, False
    with using(builder):
        rule = first.op.rules["factor"]
        factor = rule(first.results[0].spec, *first.operands[1:], **first.attrs)
        factor.name = f"{first.results[0].name}.factor"
    for o in same:
        builder = Builder(program, block, at=block.ops.index(o))
        builder.source, builder.role, builder.follows = o.source, o.role, False
        with using(builder):
            product = multiply(o.operands[0], factor).producer
        block.ops.remove(product)
        o.op, o.operands, o.attrs = product.op, product.operands, product.attrs  # its name stays
