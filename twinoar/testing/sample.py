"""Example calls of operators: they feed the generic tests, the docs and the benchmarks."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np

from twinoar.core.dtype import dtype_of
from twinoar.core.op.definition import Op
from twinoar.errors import TwinoarError
from twinoar.late import dataclass


@dataclass(frozen=True)
class Sample:
    """One call: arrays stand where tensors go.

    gradient: check first and second gradients. tolerance: relative, for comparisons in float32.
    half: the call serves float16 and bfloat16 too. error, match: the call must raise that class
    with a message that contains `match`.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    gradient: bool = True
    second: bool = True
    tolerance: float = 1e-5
    half: bool = True
    error: type[TwinoarError] | None = None
    match: str = ""
    static_error: bool = True


@dataclass
class SampleMaker:
    """Makes arrays and samples of one operator; numbers depend on the operator's name alone."""

    name: str
    random: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(zlib.crc32(self.name.encode()))

    def __call__(
        self,
        *args: Any,
        gradient: bool = True,
        second: bool = True,
        tolerance: float = 1e-5,
        half: bool = True,
        **kwargs: Any,
    ) -> Sample:
        """A call that must succeed."""
        return Sample(args, kwargs, gradient, second, tolerance, half)

    def bad(
        self,
        error: type[TwinoarError],
        match: str,
        *args: Any,
        static_error: bool = True,
        **kwargs: Any,
    ) -> Sample:
        """A call that must raise `error` with `match` in its message.

        static_error: False where only data can tell.
        """
        return Sample(args, kwargs, error=error, match=match, static_error=static_error)

    def randn(self, *shape: int, dtype: Any = "float32") -> np.ndarray:
        """Normal numbers, shape [*shape]."""
        return np.asarray(self.random.standard_normal(shape), dtype_of(dtype).numpy)

    def uniform(self, low: float, high: float, *shape: int, dtype: Any = "float32") -> np.ndarray:
        """Uniform numbers in [low, high)."""
        return np.asarray(self.random.uniform(low, high, shape), dtype_of(dtype).numpy)

    def distinct(self, *shape: int, dtype: Any = "float32") -> np.ndarray:
        """Numbers at least 0.1 apart, in random order: no ties, so maxima have gradients."""
        size = int(np.prod(shape))
        return np.asarray(
            self.random.permutation(size).reshape(shape) * 0.1 - size * 0.05, dtype_of(dtype).numpy
        )

    def ints(self, low: int, high: int, *shape: int, dtype: Any = "int64") -> np.ndarray:
        """Integers in [low, high)."""
        return np.asarray(self.random.integers(low, high, shape), dtype_of(dtype).numpy)

    def bools(self, *shape: int) -> np.ndarray:
        """Random truth values."""
        return np.asarray(self.random.integers(0, 2, shape), np.bool_)

    def zeros(self, *shape: int, dtype: Any = "float32") -> np.ndarray:
        """Zeros; also the way to an empty array."""
        return np.zeros(shape, dtype_of(dtype).numpy)


def samples_of(op: Op) -> Iterator[Sample]:
    """The samples of `op`, in order, the same on every call."""
    yield from op.rules["samples"](SampleMaker(op.name))
