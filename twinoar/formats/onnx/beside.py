"""The elements of tensors in a file beside the model, as models that are larger than 2 GiB need."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from twinoar.formats.onnx.schema import CODE_OF_DTYPE
from twinoar.formats.onnx.tensors import OUTSIDE

ALIGNED = 1 << 16  # bytes: pages of Windows, which maps files from such places only
SMALL = 1 << 10  # bytes; what is smaller stays in the model, where shapes can be read


class Beside:
    """Collects arrays for a file, whose name a model says, and writes it.

    location: that name, which is relative to the model.
    """

    def __init__(self, location: str):
        self.location = location
        self.arrays: list[tuple[int, np.ndarray]] = []
        self.end = 0

    def add(self, tensor: Any, name: str, array: np.ndarray) -> None:
        """Say in a Tensor message where the elements will be."""
        tensor.name, tensor.data_type = name, CODE_OF_DTYPE[array.dtype.name]
        tensor.dims.extend(array.shape)
        tensor.data_location = OUTSIDE
        offset = -(-self.end // ALIGNED) * ALIGNED
        told = {"location": self.location, "offset": offset, "length": array.nbytes}
        for key, value in told.items():
            tensor.external_data.add(key=key, value=str(value))
        self.arrays.append((offset, array))
        self.end = offset + array.nbytes

    def write(self, file: BinaryIO) -> None:
        """Write all arrays, with zeros between them."""
        at = 0
        for offset, array in self.arrays:
            file.write(bytes(offset - at))
            file.write(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).data.cast("B"))
            at = offset + array.nbytes
