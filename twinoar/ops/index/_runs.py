"""Runs of equal elements of a line: where they begin, as many as the data has; and their making."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from twinoar.core.dtype import int64
from twinoar.core.op.declare import Tensor
from twinoar.ops.create.range import iota
from twinoar.ops.index.chosen import chosen_counts, chosen_positions
from twinoar.ops.index.extent import run_positions, total_count
from twinoar.ops.index.gather import gather_op
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, isnan, not_equal
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_and, logical_not, logical_or
from twinoar.ops.math.select import maximum
from twinoar.ops.reduce.cumulative_sum import cumsum_op
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.shape.slice import END, slice_op


def runs(line: Tensor, *, joins_nan: bool) -> Generator[Tensor, Any, tuple[Tensor, Tensor, Tensor]]:
    """Ask how many runs there are; where each begins, how long it is, and in which each element is.

    joins_nan: if one nan equals another. All are int64.
    """
    n = line.spec.shape[0]
    at = iota(n)
    before = gather_op(line, maximum(at - 1, 0), 0)
    differs = not_equal(line, before)
    if joins_nan and line.dtype.is_floating:
        differs = logical_and(differs, logical_not(logical_and(isnan(line), isnan(before))))
    begins = logical_or(equal(at, 0), differs)
    parts, count = chosen_counts(begins)
    size = yield count
    starts = reshape_op(chosen_positions(begins, parts, size), (size,))
    behind = fill.function((1,), n, starts.dtype)
    ends = slice_op(concat_op([starts, behind], 0), (0,), (1,), (END,))
    return starts, ends - starts, cumsum_op(begins, 0) - 1


def positions_of_runs(counts: Tensor) -> Generator[Tensor, Any, Tensor]:
    """Ask how many elements there are in runs of so many each; in which of them each is, int64."""
    size = yield total_count(counts)
    return run_positions(cumsum_op(astype(counts, int64), 0), size)
