"""Names that Paddle keeps apart until they are settled."""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.core.public import exported
from twinoar.incubate import autograd, optimizer
from twinoar.incubate.operators import (
    graph_khop_sampler,
    graph_reindex,
    graph_sample_neighbors,
    graph_send_recv,
    identity_loss,
    inference,
    softmax_mask_fuse,
    softmax_mask_fuse_upper_triangle,
)
from twinoar.incubate.optimizer import LookAhead, ModelAverage
from twinoar.ops.index.segment import segment_max, segment_mean, segment_min, segment_sum

PACKAGES = ("asp", "autotune", "cc", "distributed", "nn")  # loaded when they are asked for


def __getattr__(name: str) -> Any:
    if name in PACKAGES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = exported(globals(), "asp", "autograd", "autotune", "cc", "distributed", "nn", "optimizer")
