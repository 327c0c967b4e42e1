"""Blocks without effects: gradients compute again what has been computed once."""

from __future__ import annotations

from twinoar.core.ir.program import Block, Operator, Variable, copy_block


def silent(block: Block) -> Block:
    """What `block` computes, without prints and checks; itself where there are none."""
    return live(copy_block(block, block.names, {})) if block.has_effect else block


def live(block: Block) -> Block:
    """`block` itself, without the operators that its outputs do not need, effects or not.

    The operators are changed, but not the blocks in them.
    """
    needed = {v for v in block.outputs if isinstance(v, Variable)}
    kept: list[Operator] = []
    for o in reversed(block.ops):
        if any(v in needed for v in o.results):
            needed.update(x for x in o.operands if isinstance(x, Variable))
            o.attrs = {k: silent(a) if isinstance(a, Block) else a for k, a in o.attrs.items()}
            kept.append(o)
    block.ops = kept[::-1]
    return block
