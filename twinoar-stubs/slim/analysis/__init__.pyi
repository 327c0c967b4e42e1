"""What networks cost: multiplications, sizes, times."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.nn
import twinoar.slim.analysis
from typing import Any, Literal, overload

import numpy as _numpy

class Measures:
    """What a network is after one step."""
    def __init__(self, step: builtins.str, parameters: Any, size: Any, packed: Any, flops: Any, latency: Any, score: Any = None, is_kept: builtins.bool = True) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    flops: builtins.int
    is_kept: builtins.bool
    latency: builtins.float
    packed: builtins.int
    parameters: builtins.int
    score: builtins.float | None
    size: builtins.int
    step: builtins.str
class Report:
    """The measures before a compression and after each step; as text a table."""
    def to_list(self) -> builtins.list[builtins.dict[builtins.str, Any]]:
        """The rows as dicts, as for a file."""
    def __init__(self, rows: builtins.list[twinoar.slim.analysis.Measures] = ...) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    rows: builtins.list[twinoar.slim.analysis.Measures]
from twinoar.slim import dygraph_flops as dygraph_flops
from twinoar.slim import dygraph_flops as flops
def measure(model: twinoar.nn.Layer, inputs: Any, evaluate: collections.abc.Callable[[twinoar.nn.Layer], builtins.float] | None = None, step: builtins.str = 'given') -> twinoar.slim.analysis.Measures:
    """What a network is now"""
from twinoar.slim import model_size as model_size
def table(known: collections.abc.Mapping[builtins.str, collections.abc.Mapping[Any, Any]]) -> builtins.str:
    """Sensitivities as text: a line for each weight, from the one that loses least."""
