"""The passes that make a Program ready to run, in order."""

from __future__ import annotations

from twinoar.core.ir.program import Program
from twinoar.passes.cse import share_common
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose
from twinoar.passes.fold import fold_constants
from twinoar.passes.manager import run_passes
from twinoar.passes.registry import Pass, added
from twinoar.passes.simplify import simplify

PIPELINE: list[Pass] = [
    eliminate_dead,
    decompose,
    fold_constants,
    simplify,
    share_common,
    eliminate_dead,
]


def lower(program: Program) -> Program:
    """Run the pipeline in place: afterwards every operator has a kernel. Returns the program.

    The passes that TWINOAR_PASSES=+name adds come first.
    """
    return run_passes(run_passes(program, added(), users=True), PIPELINE)
