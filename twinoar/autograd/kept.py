"""What is derived from nested blocks is built once, and kept on them while they are as they were.

Each level around a block asks for its gradient several times, to infer and to build: without this,
the cost would double with each level.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from twinoar.core.ir.program import Block

T = TypeVar("T")


def kept(blocks: Sequence[Block], key: Hashable, make: Callable[[], T]) -> T:
    """What `make` builds from `blocks` for `key`; it is shared, so nobody may change it."""
    parts = [part for block in blocks for part in _parts(block)]
    known = blocks[0].derived.get(key)
    if known is None or not _is_same(known[0], parts):
        known = blocks[0].derived[key] = parts, make()
    found: T = known[1]
    return found


def _parts(block: Block) -> list[object]:
    """What a block is made of; a change of it changes one of these objects."""
    ops = [part for o in block.ops for part in (o, o.operands, o.attrs)]
    return [*block.inputs, *block.outputs, *ops]


def _is_same(before: list[object], parts: list[object]) -> bool:
    return len(before) == len(parts) and all(a is b for a, b in zip(before, parts, strict=True))
