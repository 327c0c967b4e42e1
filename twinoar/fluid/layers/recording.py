"""Blocks of operators that a `with` statement records, to be built again where they belong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from twinoar.core.interpreter import current
from twinoar.core.ir.builder import Builder, replay
from twinoar.errors import ProgramError


class Recording:
    """What a `with` statement did: operators, and the handles from outside that it changed."""

    def __init__(self, inner: Builder):
        self.inner = inner

    def again(self) -> None:
        """Append the operators where one is now, and change the handles."""
        outside = {v: k for k, v in self.inner.imported.items()}
        operands = tuple(current().lift(outside[v]) for v in self.inner.block.inputs)
        ends = list(self.inner.changed.values())
        found = replay(self.inner.block, operands, outputs=ends)
        for handle, value in zip(self.inner.changed, found, strict=True):
            current().rebind(handle, value)


@contextmanager
def recording(statement: str, instead: str) -> Iterator[Recording]:
    """Record the operators of the block, which are appended nowhere yet.

    Raises ProgramError where operators run at once: `statement` needs a Program, `instead` none.
    """
    builder = current()
    if builder.runs:
        raise ProgramError(f"{statement} builds a Program, and none is being built", cure=instead)
    with builder.nested() as inner:
        yield Recording(inner)
