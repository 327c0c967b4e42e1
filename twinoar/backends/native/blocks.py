"""The blocks of `if` and `while`: each a Program of its own, which their kernels call.

Most blocks meet the same shapes at each call. One that carries something that grows meets others
all the time, and runs in pieces.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from twinoar.backends.base import Executable, HostCommand, Sort
from twinoar.backends.native.pieces import Compile, Pieces
from twinoar.backends.numpy import decided
from twinoar.core.dim import names_in
from twinoar.core.ir.program import Block, Operator, Program, copy_block
from twinoar.core.ir.size_names import names_asked, names_told
from twinoar.passes.pipeline import lower

Functions = dict[str, "BlockFunction"]


class BlockFunction:
    """A nested block as a function of arrays."""

    def __init__(self, block: Block, name: str, make: Compile):
        program = closed(block, name)
        self.executable: Executable | Pieces
        if all(v.spec.is_static for v in block.inputs):
            self.executable = make(program)
        else:
            self.executable = Pieces(lower(program), make)

    def __call__(self, *arrays: np.ndarray) -> tuple:
        return tuple(self.executable.execute(arrays, ())[0])

    def host_commands(self) -> list[HostCommand]:
        """What Python or NumPy runs."""
        return self.executable.host_commands() or []

    def explain(self, sort: Sort = "order") -> str:
        """What the block runs as."""
        return self.executable.table(sort)


def functions_of(o: Operator, make: Compile) -> Functions:
    """The blocks of an operator as functions, by attribute. make: compiles a Program."""
    return {name: BlockFunction(b, f"{name}_of_{o.op.name}", make) for name, b in o.blocks.items()}


def function_of(block: Block, make: Compile) -> Callable[..., tuple] | None:
    """A block as NumPy's back end calls one: with the sizes around it, then arrays.

    None where it asks for sizes that its inputs do not tell.
    """
    variables = list(block.variables())
    told = names_told(block.inputs)
    asked = names_asked(block.ops) | {
        name for v in variables for dim in v.spec.shape for name in names_in(dim)
    }
    if not asked <= told | decided(block):
        return None
    function = BlockFunction(block, "block", make)
    return lambda around, *arrays: function(*arrays)


def closed(block: Block, name: str) -> Program:
    """A block as a Program."""
    program = Program(name)
    copy_block(block, program.names, {}, into=program.main)
    program.names.taken = {v.name for v in program.main.variables()}
    return program
