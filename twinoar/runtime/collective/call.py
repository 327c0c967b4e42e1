"""What a collective is told of itself, so that ranks can compare; and how values are combined."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from twinoar.errors import DistributedError
from twinoar.late import dataclass

Reduction = Literal["sum", "max", "min", "prod", "avg"]
REDUCTIONS: tuple[Reduction, ...] = ("sum", "max", "min", "prod", "avg")
NUMBER_BYTES = 8
FRAME_BYTES = 64  # one line of a cache: the number of a call, and as much of it as fits
NARROW_BYTES = 2  # floats of so few bytes are added up in float32 and rounded once


@dataclass(frozen=True, slots=True)
class Call:
    """What one rank calls. All ranks of a group must call the same.

    kind: the collective. detail: how it combines, or from which rank on. dtype, shape: of what this
    rank gives, where all must give the same.
    """

    kind: str
    detail: str = ""
    dtype: str = ""
    shape: tuple[int, ...] | None = None

    def __str__(self) -> str:
        shape = "" if self.shape is None else "[" + ",".join(map(str, self.shape)) + "]"
        words = " ".join(filter(None, (self.kind, self.detail)))
        return f"{words} of {self.dtype}{shape}" if self.dtype else words

    @property
    def number(self) -> int:
        """A number that tells calls apart."""
        return _number(self)


@functools.lru_cache(maxsize=1024)  # training makes the same few calls again and again
def _number(call: Call) -> int:
    digest = hashlib.blake2b(str(call).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def call_of(kind: str, x: np.ndarray, detail: str = "") -> Call:
    """The call of a collective to which all ranks give arrays of one dtype and shape."""
    return Call(kind, detail, x.dtype.name, x.shape)


def different_calls(ranks: Sequence[int], texts: Sequence[str]) -> DistributedError:
    """The error where ranks call different things; it says who calls what."""
    callers: dict[str, list[int]] = {}
    for rank, text in zip(ranks, texts, strict=True):
        callers.setdefault(text, []).append(rank)
    said = "; ".join(f"{_named(who)}: {text}" for text, who in callers.items())
    return DistributedError(
        f"the ranks of a group call different collectives: {said}",
        cure="let all of them make the same calls in the same order, of equal shapes and dtypes",
    )


def _named(ranks: Sequence[int]) -> str:
    return f"rank{'s' if len(ranks) > 1 else ''} {', '.join(map(str, ranks))}"


def is_narrow(dtype: np.dtype) -> bool:
    """True for floats that are added up in float32: float16, bfloat16, float8."""
    return dtype.itemsize <= NARROW_BYTES and dtype.kind in "fV"


def combined(arrays: Sequence[np.ndarray], reduction: str) -> np.ndarray:
    """The arrays of all ranks as one, combined in the order of ranks, so that bits are the same.

    Floats of 16 bits and fewer are added up in float32 and rounded once. bool: "sum" and "max" are
    or, "prod" and "min" are and.
    """
    dtype = arrays[0].dtype
    wide = np.dtype(np.float32) if is_narrow(dtype) else dtype
    combine = FUNCTIONS[reduction]
    total = np.array(arrays[0], wide)
    for array in arrays[1:]:
        combine(total, np.asarray(array, wide), out=total)
    if reduction == "avg":
        total = mean_of(total, len(arrays))
    return total.astype(dtype, copy=False)


def mean_of(total: np.ndarray, count: int) -> np.ndarray:
    """A sum divided by how many were added up, in its own dtype."""
    found: np.ndarray = np.divide(total, total.dtype.type(count), dtype=total.dtype)
    return found


FUNCTIONS: dict[str, Any] = {
    "sum": np.add,
    "avg": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "prod": np.multiply,
}
