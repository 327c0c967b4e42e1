"""How many operators ran in which precision."""

from __future__ import annotations

from collections import Counter
from typing import Any

from twinoar.core.dtype import BY_NUMPY, DType, bfloat16, float16, float32
from twinoar.core.observer import OPERATOR, Call
from twinoar.core.values import Value

COLUMNS = (float16, bfloat16, float32, None)  # the last: all others
HEAD = (
    "<------------------------------------------------------- op list "
    "-------------------------------------------------------->\n"
    "<--------------- Op Name ---------------- | -- FP16 Calls --- | -- BF16 Calls --- | "
    "--- FP32 Calls--- | -- Other Calls -->"
)
WIDTH = HEAD.index("\n")


class OperatorStatistics:
    """Counts operators by type and by what they compute in."""

    by_operator = True

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, DType | None]] = Counter()

    def started(self, call: Call) -> None:
        """Nothing to count yet: operands are not cast where an observer is told of them."""

    def ended(self, call: Call, results: Any, began: None) -> None:
        """Count what has run."""
        if call.kind == OPERATOR and results is not None:
            dtype = _computed_in(call, results)
            self.counts[call.op.type, dtype if dtype in COLUMNS else None] += 1

    def table(self) -> str:
        """A line for each type of operator, in Paddle's columns."""
        names = sorted({name for name, _ in self.counts})
        rows = [
            f"  {name:<40}" + "".join(f"|  {self.counts[name, column]:<17}" for column in COLUMNS)
            for name in names
        ]
        foot = f" op count: {len(names)} ".center(WIDTH - 2, "-")
        return "\n".join([HEAD, *rows, f"<{foot}>\n"])


def _computed_in(call: Call, results: Any) -> DType | None:
    """The dtype of the results where that is of floats, else of the operands; None without any."""
    found = results if isinstance(results, tuple) else (results,)
    operands = [x for x in call.operands if isinstance(x, Value)]
    first = operands if call.op.precision == "keep" else found
    for x in (*first, *operands):
        dtype = _dtype_of(x)
        if dtype is not None and dtype.is_floating:
            return dtype
    return None


def _dtype_of(x: Any) -> DType | None:
    dtype = getattr(x, "dtype", None)
    if dtype is None or isinstance(dtype, DType):
        return dtype
    return BY_NUMPY.get(dtype)
