"""`fluid.layers.data`: an input of a Program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.ir.program import Variable
from twinoar.fluid import input as modern


def data(
    name: str,
    shape: Sequence[Any],
    append_batch_size: bool = True,
    dtype: Any = "float32",
    lod_level: int = 0,
    type: Any = None,
    stop_gradient: bool = True,
) -> Variable:
    """Declare the input `name`; that of the batch stands before `shape` unless a size is unknown.

    Returns the Variable, [N,*shape] or `shape`. type is accepted: inputs are tensors. Raises
    ArgumentError where the name is taken.

    Modern spelling: `static.data(name, [None, *shape])`.
    """
    is_known = all(d is not None and d >= 0 for d in shape)
    declared = modern.data(
        name, [None, *shape] if append_batch_size and is_known else shape, dtype, lod_level
    )
    declared.stop_gradient = stop_gradient
    return declared


__all__ = ["data"]
