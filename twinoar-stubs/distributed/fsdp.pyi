"""`paddle.distributed.fsdp`: parameters that processes divide; one has them all."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

def fully_shard(module: twinoar.nn.Layer, *, mesh: Any = None, reshard_after_forward: Any = None, shard_placement_fn: collections.abc.Callable[..., Any] | None = None, mp_policy: Any = None, offload_policy: Any = None, ignored_params: collections.abc.Iterable[Any] | None = None, enable_tensor_fusion_and_overlap: builtins.bool = True) -> twinoar.nn.Layer:
    """A layer whose parameters all processes divide: itself."""
