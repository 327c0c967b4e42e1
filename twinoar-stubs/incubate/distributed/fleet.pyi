"""`paddle.incubate.distributed.fleet`: recomputation."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

def recompute_hybrid(ctx: collections.abc.Mapping[builtins.str, Any], function: collections.abc.Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`recompute` in hybrid parallelism"""
def recompute_sequential(ctx: collections.abc.Mapping[builtins.str, Any], functions: twinoar.nn.Sequential | collections.abc.Sequence[collections.abc.Callable[..., Any]], *args: Any, **kwargs: Any) -> Any:
    """What functions in turn return; all but the last segment of them are computed twice."""
