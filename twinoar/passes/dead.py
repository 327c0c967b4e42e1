"""Remove operators whose results nobody reads, and states that nothing uses."""

from __future__ import annotations

from twinoar.core.ir.program import Block, Program, Variable
from twinoar.core.ir.size_names import decides_a_size, names_asked


def eliminate_dead(program: Program) -> Program:
    """Remove, in place, what neither outputs nor updates need. Returns the program.

    Operators with an effect stay, and those whose data decides a size that is asked for.
    """
    needed = {v for v in program.main.outputs if isinstance(v, Variable)} | set(
        program.updates.values()
    )
    _sweep(program.main, needed)
    program.states = {
        n: s for n, s in program.states.items() if s in needed or s in program.updates
    }
    return program


def _sweep(block: Block, needed: set[Variable]) -> None:
    kept = []
    asked: set[str] = set()
    for o in reversed(block.ops):
        if not (o.has_effect or any(v in needed for v in o.results) or decides_a_size(o, asked)):
            continue
        for nested in o.blocks.values():
            _sweep(nested, {v for v in nested.outputs if isinstance(v, Variable)})
        needed.update(x for x in o.operands if isinstance(x, Variable))
        asked |= names_asked([o])
        kept.append(o)
    block.ops = kept[::-1]
