"""The passes that make a Program ready to run, in order."""

from __future__ import annotations

from twinoar.core.ir import Program
from twinoar.passes.cse import share_common
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose
from twinoar.passes.fold import fold_constants
from twinoar.passes.manager import Pass, run_passes
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
    """Run the pipeline in place: afterwards every operator has a kernel. Returns the program."""
    return run_passes(program, PIPELINE)


def for_inference(program: Program) -> Program:
    """Drop, in place, what neither outputs nor updates need. Returns the program.

    Operators stay as users wrote them.
    """
    return run_passes(program, [eliminate_dead])
