"""How far rounding alone moves what a Program computes: where that is far, results may differ.

A sum in another order is the exact sum of elements that are rounded otherwise. So the Program is
run with its operands moved by as little, at random, and what comes of that is what another order,
another kernel or a fused operator may come to. Normalization over a few pixels that are nearly
equal, or a difference of sums that are, turn it into any size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.ir.program import Operator, Program, State
from twinoar.jit.recording import Record, Walk

UNIT = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
UNIT |= {"complex128": 2.0**-52, "complex64": 2.0**-23}
DRAWS = 8  # so many, that all are near zero by chance in none of many elements
FACTOR = 16.0  # of the largest of the draws: sums of many elements round more often than once


class Moved(Walk):
    """Runs a Program with each operand moved by a unit in the last place at most.

    Whole numbers stay: they are exact more often than not, and bounds and positions, where the
    least step matters.
    """

    def __init__(self, program: Program, value_of: Callable[[State], np.ndarray], seed: int):
        super().__init__(program, value_of)
        self.random = np.random.default_rng(seed)

    def _results(self, o: Operator, operands: list, sizes: Any) -> tuple:
        return super()._results(o, [self._moved(x) for x in operands], sizes)

    def _moved(self, x: Any) -> Any:
        unit = UNIT.get(x.dtype.name) if isinstance(x, np.ndarray) else None
        if unit is None or not x.size:
            return x
        wide = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
        with np.errstate(all="ignore"):
            steps = self.random.uniform(-unit, unit, x.shape)
            found = np.where(wide == np.rint(wide), wide, wide * (1.0 + steps))
            return found.astype(x.dtype)


def spreads(
    program: Program,
    value_of: Callable[[State], np.ndarray],
    inputs: Sequence[np.ndarray],
    record: Callable[[], Record],
) -> list[np.ndarray] | None:
    """How far each element of the outputs, then of new values of states, is moved by rounding.

    record: of a run. None where a run takes another way, or gives what is no number otherwise.
    Raises OutOfTime, and what operators raise.
    """
    base = Walk(program, value_of).run(inputs, record())
    found = [np.zeros(x.shape) for x in base]
    for seed in range(DRAWS):
        moved = Moved(program, value_of, seed).run(inputs, record())
        for n, (a, b) in enumerate(zip(moved, base, strict=True)):
            apart = distance(a, b)
            if apart is None:
                return None
            found[n] = np.maximum(found[n], apart)
    return found


def distance(a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """The distance of elements; None of arrays that are not alike in shape, dtype, nan and inf."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return None
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    x, y = a.astype(wide), b.astype(wide)
    is_finite = np.isfinite(y)
    if not np.array_equal(is_finite, np.isfinite(x)):
        return None
    if not np.array_equal(x[~is_finite], y[~is_finite], equal_nan=True):
        return None
    return np.abs(np.where(is_finite, x, 0) - np.where(is_finite, y, 0))


def is_rounding(found: np.ndarray, wanted: np.ndarray, spread: np.ndarray) -> bool:
    """Whether two arrays differ by no more than what rounding may do."""
    apart = distance(found, wanted)
    return apart is not None and bool((apart <= FACTOR * spread).all())
