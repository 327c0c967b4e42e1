"""Network: cells in a row, in which every operation is computed and weighed."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

BEGIN: builtins.float
class Cell(twinoar.nn.Layer):
    """Nodes of which each adds up what operations make of all before it; the last are returned."""
    def __init__(self, steps: Any, multiplier: Any, inner: builtins.tuple[Any, Any], channels: Any, *, reduction: builtins.bool, reduction_before: builtins.bool, primitives: collections.abc.Sequence[builtins.str]) -> None: ...
    def forward(self, older: Any, newer: Any, weights: Any) -> twinoar.Tensor:
        """[N,multiplier channels,H,W]"""
    reduction: builtins.bool
    older: Any
    newer: Any
    edges: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class MixedOperation(twinoar.nn.Layer):
    """All operations of a list, added up by weights."""
    def __init__(self, channels: Any, stride: Any, primitives: collections.abc.Sequence[builtins.str]) -> None: ...
    def forward(self, x: Any, weights: Any) -> Any:
        """The sum"""
    operations: Any
from twinoar.slim.nas.darts import Network as Network
OPERATIONS: builtins.dict
PRIMITIVES: builtins.tuple
