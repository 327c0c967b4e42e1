"""Paddle 1.8's names: `import paddle.fluid as fluid`, a thin layer over the one implementation.

Paddle 1.8 begins in static mode, Paddle 2 in dynamic mode. A process of twinoar begins as Paddle 2,
and importing `fluid` changes nothing. The first use of what builds a graph, `fluid.layers`,
`fluid.nets`, `fluid.data`, `fluid.embedding` or `fluid.one_hot`, an optimizer without
`parameter_list`, or the question `fluid.in_dygraph_mode()`, begins static mode for the process,
unless it has chosen a mode by then: with `enable_dygraph`, `disable_dygraph` or Paddle 2's
`enable_static` and `disable_static`. Within `fluid.dygraph.guard()` operators run at once in either.
"""

from __future__ import annotations

import importlib
from typing import Any

GRAPH_BUILDERS = frozenset({"layers", "nets"})


def __getattr__(name: str) -> Any:
    if name in GRAPH_BUILDERS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'paddle.fluid' has no attribute {name!r}")


__all__ = ["layers", "nets"]
