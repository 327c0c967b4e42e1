"""A kernel with its arguments, before it is known where these lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from twinoar.backends.llvm import driver
from twinoar.backends.llvm.jit import Code
from twinoar.core.dtype import DType
from twinoar.late import dataclass


@dataclass(frozen=True)
class Memory:
    """Elements of `dtype`, from `offset` bytes into `home` on, the caller's or a Temporary."""

    home: object
    dtype: DType
    offset: int = 0

    def further(self, elements: int) -> Memory:
        """The same, beginning so many elements later."""
        return replace(self, offset=self.offset + elements * self.dtype.itemsize)


@dataclass(frozen=True, eq=False)
class Launch:
    """A kernel, what its argument words are, its iterations, and whether threads share them."""

    name: str
    code: Code
    words: tuple[Memory | np.ndarray | int, ...]
    iterations: int
    is_parallel: bool

    @property
    def memories(self) -> dict[int, Memory]:
        """What it reads and writes, by the number of the argument; a target comes first."""
        return {n: word for n, word in enumerate(self.words) if isinstance(word, Memory)}

    def arguments(self) -> np.ndarray:
        """The words, zero where a memory is; addresses of tables last as long as this object."""
        return np.array(
            [
                word if isinstance(word, int) else
                word.__array_interface__["data"][0] if isinstance(word, np.ndarray) else 0
                for word in self.words
            ],
            np.int64,
        )  # fmt: skip

    def command(self, arguments: np.ndarray, threads: int) -> driver.Command:
        """What the native driver runs on these arguments, which are the caller's to keep."""
        block = driver.Block(arguments.__array_interface__["data"][0], self.iterations)
        parts = threads if self.is_parallel else 1
        return driver.kernel(self.code.address(self.name), [block], parts=parts)
