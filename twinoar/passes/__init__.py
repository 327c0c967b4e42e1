"""Passes: functions from Program to Program, for users and for the compiler.

`rewrite` makes a rule, `register` gives a pass a name, `run` runs passes on a Program. A `Graph` is
a Program to walk and edit, `diff` says what differs between two.
"""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.core.public import exported

LAZY = {
    "Attr": "twinoar.core.ir.pattern",
    "Graph": "twinoar.passes.graph",
    "INFERENCE": "twinoar.passes.inference",
    "Node": "twinoar.passes.graph",
    "PassRecord": "twinoar.passes.manager",
    "Rule": "twinoar.core.ir.rewrite",
    "diff": "twinoar.passes.difference",
    "for_inference": "twinoar.passes.inference",
    "get": "twinoar.passes.registry",
    "names": "twinoar.passes.registry",
    "recompute": "twinoar.passes.recomputation",
    "register": "twinoar.passes.registry",
    "rewrite": "twinoar.core.ir.rewrite",
    "run": "twinoar.passes.manager",
}
BUILT_IN = {  # passes of twinoar's own, by the names they are registered under
    "decompose": "twinoar.passes.decompose",
    "drop_identities": "twinoar.passes.identities",
    "eliminate_dead": "twinoar.passes.dead",
    "fold_constants": "twinoar.passes.fold",
    "fold_conv_bn": "twinoar.passes.fold_norm",
    "fold_linear_bn": "twinoar.passes.fold_norm",
    "fold_weights": "twinoar.passes.weights",
    "for_inference": "twinoar.passes.inference",
    "fuse_attention": "twinoar.passes.fuse",
    "fuse_linear": "twinoar.passes.fuse",
    "fuse_weight_only": "twinoar.passes.weight_only",
    "remove_dropout": "twinoar.passes.identities",
    "share_common": "twinoar.passes.cse",
    "simplify": "twinoar.passes.simplify",
    "tile_attention": "twinoar.passes.fuse",
    "use_integers": "twinoar.passes.integers",
}


def __getattr__(name: str) -> Any:
    where = LAZY.get(name) or BUILT_IN.get(name)
    if where is not None:
        return getattr(importlib.import_module(where), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = exported(globals(), *LAZY)
