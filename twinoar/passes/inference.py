"""The passes that make a Program faster where it only infers."""

from __future__ import annotations

from twinoar.core.ir import Program
from twinoar.passes.manager import run_passes
from twinoar.passes.registry import get

INFERENCE = (
    "remove_dropout",
    "drop_identities",
    "fuse_linear",
    "fold_conv_bn",
    "fold_linear_bn",
    "fuse_attention",
    "simplify",
    "fold_constants",
    "fold_weights",
    "share_common",
    "eliminate_dead",
)


def for_inference(program: Program) -> Program:
    """Run the passes of INFERENCE, in place. Returns the program, which is no longer as written.

    It must not be in training: `for_test=True` of `clone`, `eval()` and files see to that.
    """
    return run_passes(program, [get(name) for name in INFERENCE])
