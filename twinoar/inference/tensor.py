"""Handles: where the inputs of a Predictor are put, and its outputs are found."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim
from twinoar.core.ir.program import Variable
from twinoar.eager.feed import feed_array
from twinoar.eager.tensor import Tensor as EagerTensor
from twinoar.errors import ProgramError, ShapeError, TypeMismatchError, UnsupportedError
from twinoar.inference.types import DataType


class _Held(threading.local):
    """What a handle holds for one thread."""

    array: np.ndarray | None = None
    reshaped: tuple[int, ...] | None = None


class Tensor:
    """An input or output of a Predictor, by name; made by `get_input_handle` and its like.

    What it holds, each thread has for itself: the thread that runs puts the inputs, and finds the
    outputs.
    """

    def __init__(self, variable: Variable, name: str):
        self._variable, self._name = variable, name
        self._held = _Held()

    def name(self) -> str:
        """The name in the model."""
        return self._name

    def reshape(self, shape: Sequence[int]) -> None:
        """Say which shape is to come, or give the data that is there another one.

        Raises ShapeError where the data does not fit.
        """
        held = self._held
        held.reshaped = tuple(shape)
        if held.array is not None and held.array.size == math.prod(held.reshaped):
            held.array = held.array.reshape(held.reshaped)

    def copy_from_cpu(self, data: np.ndarray) -> None:
        """Take a copy of an array of the input's dtype. Raises TypeMismatchError, DTypeError."""
        self.share_external_data(np.array(self._checked(data)))

    def share_external_data(self, data: Any) -> None:
        """Take an array, or a Tensor, without a copy. Raises TypeMismatchError, DTypeError."""
        array = self._checked(data)
        declared = self._variable.spec.shape
        fits = array.ndim == len(declared) and all(
            isinstance(d, SymbolicDim) or d == n for d, n in zip(declared, array.shape, strict=True)
        )
        if not fits:
            raise ShapeError(
                f"input {self._name} is {self._variable.spec}, received shape {list(array.shape)}",
                cure="reshape the array",
            )
        self._held.array = array

    def copy_to_cpu(self) -> np.ndarray:
        """A copy of the data. Raises ProgramError where there is none yet."""
        return np.array(self._data())

    def shape(self) -> list[int]:
        """The sizes of the data, or of what `reshape` announced; -1 where they are not known."""
        held = self._held
        if held.array is not None:
            return list(held.array.shape)
        if held.reshaped is not None:
            return list(held.reshaped)
        return [d if isinstance(d, int) else -1 for d in self._variable.spec.shape]

    def type(self) -> DataType:
        """The element type."""
        return DataType.of(self._variable.spec.dtype)

    def lod(self) -> list[list[int]]:
        """The levels of detail: none, as sequences are padded."""
        return []

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Accepted where it is empty. Raises UnsupportedError for levels of detail."""
        if len(lod):
            raise UnsupportedError(
                "levels of detail are not supported",
                cure="pad the sequences, and give their lengths as an input",
            )

    def _checked(self, data: Any) -> np.ndarray:
        if not isinstance(data, (np.ndarray, EagerTensor)):
            raise TypeMismatchError(
                f"input {self._name} takes an ndarray, received {type(data).__name__}",
                cure="convert it with numpy.asarray",
            )
        return feed_array(self._variable, data)

    def _data(self) -> np.ndarray:
        if self._held.array is None:
            raise ProgramError(
                f"{self._name} has no data yet in this thread",
                cure="an input gets it by copy_from_cpu, an output by predictor.run(), both in the "
                "thread that runs",
            )
        return self._held.array
