"""The blocks of `if` and `while`: each a Program of its own, which their kernels call.

Most blocks meet the same shapes at each call. One that carries something that grows meets others
all the time: it is compiled for a few, and runs on NumPy for the rest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from twinoar.backends.base import Executable, Sort
from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.ir.program import Block, Operator, Program, copy_block, copy_program
from twinoar.passes.pipeline import lower

VARIANTS = 4  # sets of shapes that a block is compiled for
Compile = Callable[[Program], Executable]
Functions = dict[str, "BlockFunction"]


class BlockFunction:
    """A nested block as a function of arrays."""

    def __init__(self, block: Block, name: str, make: Compile):
        self.program = closed(block, name)
        self.native = make(self.program)
        self.is_fixed = all(v.spec.is_static for v in block.inputs)
        self.shapes: set[tuple[tuple[int, ...], ...]] = set()
        self.numpy: NumpyExecutable | None = None

    def __call__(self, *arrays: np.ndarray) -> tuple:
        executable = self.native if self.is_fixed else self._chosen(arrays)
        return tuple(executable.execute(arrays, ())[0])

    def _chosen(self, arrays: tuple[np.ndarray, ...]) -> Executable:
        shapes = tuple([a.shape for a in arrays])
        if shapes in self.shapes:
            return self.native
        if len(self.shapes) < VARIANTS:
            self.shapes.add(shapes)
            return self.native
        if self.numpy is None:
            self.numpy = NumpyExecutable(lower(copy_program(self.program)[0]))
        return self.numpy

    def explain(self, sort: Sort = "order") -> str:
        """What the block runs as."""
        text = self.native.table(sort)
        if self.numpy is not None:
            text += f"\non NumPy for other shapes than the first {VARIANTS}"
        return text


def functions_of(o: Operator, make: Compile) -> Functions:
    """The blocks of an operator as functions, by attribute. make: compiles a Program."""
    return {name: BlockFunction(b, f"{name}_of_{o.op.name}", make) for name, b in o.blocks.items()}


def closed(block: Block, name: str) -> Program:
    """A block as a Program."""
    program = Program(name)
    copy_block(block, program.names, {}, into=program.main)
    program.names.taken = {v.name for v in program.main.variables()}
    return program
