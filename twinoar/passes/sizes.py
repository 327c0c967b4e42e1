"""Sizes that the data decides: one that turns out to be another gets its name."""

from __future__ import annotations

from collections.abc import Mapping

from twinoar.core.dim import Dim
from twinoar.core.ir.program import Block
from twinoar.core.ir.size_names import renamed
from twinoar.core.spec import Spec


def rename_sizes(block: Block, new: Mapping[str, Dim]) -> None:
    """Let sizes that the data decides have the names of those that they turned out to be."""
    for v in block.variables():
        if not v.spec.is_static:
            v._spec = Spec(renamed(v.spec.shape, new), v.spec.dtype)
    for o in block.ops:
        for nested in o.blocks.values():
            rename_sizes(nested, new)
        o.attrs = {k: renamed(a, new) for k, a in o.attrs.items()}
        o.operands = renamed(o.operands, new)
