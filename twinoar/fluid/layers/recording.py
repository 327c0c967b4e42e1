"""Blocks of operators that a `with` statement records, to be built again where they belong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from twinoar.core.builder import Builder, replay
from twinoar.core.interpreter import current
from twinoar.core.ir import Variable
from twinoar.errors import ProgramError


class Recording:
    """What a `with` statement did: operators, and the handles from outside that it changed."""

    def __init__(self, inner: Builder):
        self.inner = inner

    def again(self, given: dict[Variable, Any] | None = None, wanted: Sequence[Any] = ()) -> list:
        """Append the operators where one is now, change the handles, return the `wanted` results.

        given: values for inputs that `placeholder` made.
        """
        block = self.inner.block
        places = {v: k for k, v in self.inner.imported.items()} | (given or {})
        handles = list(self.inner.changed)
        ends = [self.inner.changed[h] for h in handles]
        operands = tuple(current().lift(places[v]) for v in block.inputs)
        found = replay(block, operands, outputs=[*ends, *wanted])
        for handle, value in zip(handles, found, strict=False):
            current().rebind(handle, value)
        return list(found[len(handles) :])

    def placeholder(self, like: Any) -> Variable:
        """A new input of the block, of the spec `like`, that does need a gradient."""
        return self.inner.block.add_input(like, stop_gradient=False)


@contextmanager
def recording(statement: str, instead: str) -> Iterator[Recording]:
    """Record the operators of the block, which are appended nowhere yet.

    Raises ProgramError where operators run at once: `statement` needs a Program, `instead` none.
    """
    builder = current()
    if not isinstance(builder, Builder):
        raise ProgramError(f"{statement} builds a Program, and none is being built", cure=instead)
    with builder.nested() as inner:
        yield Recording(inner)
