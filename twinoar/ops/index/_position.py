"""Integer positions in arrays: what operators that take them check, and sums at positions that
repeat.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.op.declare import Spec, loop
from twinoar.errors import AxisError, DTypeError


def check_index(index: Spec, name: str = "index") -> None:
    """Raise DTypeError where a spec is not of integers."""
    if not index.dtype.is_integer:
        raise DTypeError(
            f"{name} must hold integers, received {index}", cure="convert it with .astype('int64')"
        )


def refuse_range(index: np.ndarray, size: int, axis: int) -> None:
    """Raise AxisError for the first index outside [-size, size)."""
    wrong = index[(index < -size) | (index >= size)]
    if wrong.size:
        raise AxisError(
            f"index {wrong.flat[0]} is out of range for dimension {axis} of size {size}",
            cure=f"give indices in [{-size}, {size - 1}]",
        )


def position(index: Any, size: int) -> Any:
    """The element `index` of an operand of positions, checked; negative ones count from the end."""
    index = loop.cast(index, int64)
    return loop.bounded(loop.select(index < 0, index + size, index), size)


def add_at(out: np.ndarray, index: tuple[np.ndarray, ...], values: np.ndarray) -> None:
    """out[index] += values for contiguous `out`, where positions that repeat count each time.

    Rows of one position are sorted together and summed in their order: deterministic, and much
    faster than np.add.at. 16-bit floats are summed in float32. Raises AxisError for a position out
    of range.
    """
    flat = np.zeros((), np.int64)
    for axis, positions in enumerate(index):
        n = out.shape[axis]
        if positions.dtype.kind not in "iu":
            raise DTypeError(f"positions must be integers, received {positions.dtype.name}")
        refuse_range(positions, n, axis)
        positions = positions.astype(np.int64, copy=False)  # n may be none of a narrow dtype
        flat = flat * n + np.where(positions < 0, positions + n, positions)
    depth = len(index)
    whole = np.broadcast_to(values, flat.shape + out.shape[depth:])
    if not whole.size:
        return
    rows = out.reshape(math.prod(out.shape[:depth]), -1)
    order = np.argsort(flat, axis=None, kind="stable")
    ordered = flat.reshape(-1)[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    wide = np.float32 if out.dtype.itemsize == 2 and out.dtype.kind in "fV" else out.dtype
    sums = np.add.reduceat(
        whole.reshape(flat.size, -1)[order].astype(wide, copy=False), starts, axis=0
    )
    places = ordered[starts]
    rows[places] = (rows[places].astype(wide, copy=False) + sums).astype(out.dtype, copy=False)
