"""The passes that make a Program faster where it only infers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from twinoar.core.ir.program import Program
from twinoar.passes.manager import run_passes
from twinoar.passes.registry import get
from twinoar.passes.weights import fold_weights

INFERENCE = (
    "remove_dropout",
    "drop_identities",
    "fuse_weight_only",
    "fuse_linear",
    "fold_conv_bn",
    "fold_linear_bn",
    "use_integers",
    "fuse_attention",
    "simplify",
    "fold_constants",
    "fold_weights",
    "share_common",
    "eliminate_dead",
)


def for_inference(program: Program, values: Mapping[str, np.ndarray] | None = None) -> Program:
    """Run the passes of INFERENCE, in place. Returns the program, which is no longer as written.

    It must say what it returns, and not be in training: files, `normalize_program` and `eval()` see
    to that. values: those of weights that a Scope holds, as `program.state_dict()` gives them.
    """

    def fold(folded: Program) -> Program:
        return fold_weights(folded, values)

    fold.__name__ = fold_weights.__name__
    passes = [fold if name == fold_weights.__name__ else get(name) for name in INFERENCE]
    return run_passes(program, passes)
