"""Files that are read where they are looked at."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import dtype_of
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.errors import ArgumentError, FileError


class MmapStorage:
    """The first `nbytes` bytes of a file, of which tensors are made part by part.

    Raises FileError where the file is not there or smaller.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     twinoar.arange(4).numpy().tofile(file.name)
    ...     twinoar.MmapStorage(file.name, 32).get_slice("int64", 1, 3).tolist()
    [1, 2]
    """

    def __init__(self, filename: str, nbytes: int):
        try:
            self._bytes = np.memmap(filename, np.uint8, "r", shape=(nbytes,))
        except (OSError, ValueError) as error:
            raise FileError(f"{filename} cannot be mapped with {nbytes} bytes: {error}") from None

    def get_slice(
        self, dtype: Any = "uint8", start: int = 0, stop: int = -1, step: int = 1
    ) -> Tensor:
        """The elements from `start` up to `stop`, -1 for the end, as a vector of `dtype`.

        Raises ArgumentError where the bytes are no whole number of elements.
        """
        kind = dtype_of(dtype)
        if len(self._bytes) % kind.itemsize:
            raise ArgumentError(f"{len(self._bytes)} bytes are no whole number of {kind.name}")
        elements = self._bytes.view(kind.numpy)
        return to_tensor(np.array(elements[start : None if stop == -1 else stop : step]))
