"""What `check_numerics` and the tensor checker say of numbers: figures, a line, an error."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY
from twinoar.core.observer import OPERATOR, Call
from twinoar.core.op.explain import describe
from twinoar.errors import NotFiniteError
from twinoar.late import dataclass

SHORT = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64"}
LARGEST = float(np.finfo(np.float16).max)
LOG = "worker_cpu"  # the file that Paddle writes


class DebugMode(Enum):
    """What happens where a number is not finite, or is too large for float16."""

    CHECK_NAN_INF_AND_ABORT = 0
    CHECK_NAN_INF = 1
    CHECK_ALL_FOR_OVERFLOW = 2
    CHECK_ALL = 3


@dataclass(frozen=True)
class Figures:
    """Of one array: how many elements are special, and the range of those that are numbers."""

    dtype: str
    size: int
    nans: int
    infinities: int
    zeros: int
    largest: float
    least: float
    mean: float

    @property
    def is_finite(self) -> bool:
        """True without nan and infinity."""
        return not self.nans and not self.infinities

    @property
    def fits_float16(self) -> bool:
        """True where no element is beyond float16's range."""
        return self.is_finite and (not self.size or max(self.largest, -self.least) <= LARGEST)

    @property
    def counts(self) -> str:
        """The special elements, as a message has them."""
        return f"num_nan={self.nans}, num_inf={self.infinities}, num_zero={self.zeros}"

    def line(self, op_type: str, name: str, mode: DebugMode) -> str:
        """The line that Paddle writes; "" where the mode has nothing to say."""
        checks_range = mode is DebugMode.CHECK_ALL_FOR_OVERFLOW
        is_right = self.fits_float16 if checks_range else self.is_finite
        if is_right and mode is not DebugMode.CHECK_ALL:
            return ""
        kind = "" if is_right else "[ERROR] "
        return (
            f"[PRECISION] {kind}in {place(op_type, name, self.dtype)}, numel={self.size}, "
            f"{self.counts}, max={self.largest:e}, min={self.least:e}, mean={self.mean:e}"
        )


def figures(array: np.ndarray, dtype: str) -> Figures:
    """The figures of an array of floats; the range in float32, or in float64."""
    wide: Any = np.float64 if dtype == "float64" else np.float32
    array = np.asarray(array).astype(wide)
    numbers = array[~np.isnan(array)]
    largest, least = (numbers.max(), numbers.min()) if numbers.size else (np.nan, np.nan)
    with np.errstate(all="ignore"):
        mean = array.mean(dtype=wide) if array.size else np.nan
    nans, infinities, zeros = (int(a.sum()) for a in (np.isnan(array), np.isinf(array), array == 0))
    extent = float(largest), float(least), float(mean)
    return Figures(dtype, array.size, nans, infinities, zeros, *extent)


def place(op_type: str, name: str, dtype: str) -> str:
    """Where a tensor comes from, as Paddle's messages have it."""
    return f"[device=cpu, op={op_type}, tensor={name}, dtype={SHORT[dtype]}]"


class TensorChecker:
    """An observer that looks at all results of the operators that are asked for.

    checked, skipped: types, or names, of operators; no list means all, and none. folder: where
    lines are written, in place of the screen.
    """

    by_operator = True

    def __init__(
        self,
        mode: DebugMode,
        checked: Collection[str] | None,
        skipped: Collection[str] | None,
        folder: Path | None,
    ):
        self.mode, self.checked, self.skipped = mode, checked, skipped or ()
        self.folder = folder

    def started(self, call: Call) -> None:
        """Nothing to look at yet."""

    def ended(self, call: Call, results: Any, began: None) -> None:
        """Tell of the results that the mode asks for; raise NotFiniteError where it is to stop."""
        if call.kind != OPERATOR or results is None or not self._looks_at(call):
            return
        for result in results if isinstance(results, tuple) else (results,):
            array = np.asarray(result)
            dtype = BY_NUMPY.get(array.dtype)
            if dtype is None or dtype.name not in SHORT:
                continue
            found = figures(array, dtype.name)
            line = found.line(call.op.type, "", self.mode)
            if line:
                self._tell(line)
            if not found.is_finite and self.mode is DebugMode.CHECK_NAN_INF_AND_ABORT:
                where = place(call.op.type, "", dtype.name)
                error = NotFiniteError(f"{found.counts} in {where}")
                raise error.attach(call.name, describe(call.op, call.operands))

    def _looks_at(self, call: Call) -> bool:
        names = {call.op.type, call.op.name}
        if names & set(self.skipped):
            return False
        return not self.checked or bool(names & set(self.checked))

    def _tell(self, line: str) -> None:
        if self.folder is None:
            print(line)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / LOG).open("a") as log:
            log.write(f"{line}\n")
