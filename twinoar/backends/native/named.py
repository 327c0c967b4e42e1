"""Operators that Python runs, as words: what Commands on disk call of the process that reads them.

What NumPy runs is code of one process, so Commands that call it are not kept, but for what ranks do
together: such an operator is known by its name and its attributes, of which the number of the group
is one, and a step of many processes is kept as one of one is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from twinoar.core.ir.program import Block, Operator, Program
from twinoar.core.op.definition import Op, registry
from twinoar.errors import SourceLine

NAMED = "named"  # the kind of kernel
GROUP = "group"  # the attribute that all have who do something together
PLAIN = (type(None), bool, int, str)


def is_named(o: Operator) -> bool:
    """Whether an operator can be told by its name and attributes."""
    is_own = registry.defined.get(o.op.name) is o.op
    return is_own and GROUP in o.attrs and not o.blocks and _is_plain(list(o.attrs.values()))


def words_of(o: Operator, operands: int, number: int) -> str:
    """What is kept of an operator beside its name. number: tells apart those that are alike."""
    return repr((number, operands, dict(sorted(o.attrs.items()))))


def operator_of(name: str, words: str, program: Program) -> tuple[Operator, int]:
    """The operator that was kept, with the number of its operands.

    program: it is in there, or what it was made of is; so errors name the line of the user's.
    """
    _, operands, attrs = ast.literal_eval(words)
    op = registry[name]
    return Operator(op, (), attrs, source=_line_of(op, attrs, program.main)), operands


def _line_of(op: Op, attrs: dict[str, Any], block: Block) -> SourceLine | None:
    """Where it stands; None where several are alike."""
    found = {o.source for o in _all(block.ops) if o.op is op and o.attrs == attrs}
    return found.pop() if len(found) == 1 else None


def _all(ops: Iterable[Operator]) -> Iterable[Operator]:
    for o in ops:
        yield o
        for b in o.blocks.values():
            yield from _all(b.ops)


def _is_plain(x: Any) -> bool:
    if type(x) in (tuple, list):
        return all(map(_is_plain, x))
    return type(x) in PLAIN
