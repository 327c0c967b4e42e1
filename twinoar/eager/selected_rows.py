"""SelectedRows of tensors: what Paddle shows as the `.grad` of a table of `embedding(sparse=True)`.

It is a Tensor by name, of which users look at shape, rows and elements as in Paddle; operators that
do not know it find no data to compute with, and say so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.device import to_host
from twinoar.core.printing import format_tensor
from twinoar.eager.tensor import Tensor
from twinoar.errors import UnsupportedError
from twinoar.ops.index.selected_rows import CURE, SelectedRows, selected_rows


class RowTensor(SelectedRows, Tensor):  # type: ignore[misc]  # `detach` gives SelectedRows
    """SelectedRows in eager mode. shape, numpy() and tolist() are of the vectors, as in Paddle."""

    producer = None

    @property
    def _data(self) -> Any:
        """Nothing that an operator could take for the gradient."""
        raise UnsupportedError(
            f"a row-sparse gradient of {self.spec} is no operand of operators that take all rows",
            cure=CURE,
        )

    @property
    def shape(self) -> list[int]:
        """That of the vectors."""
        found: list[int] = self.vectors.shape
        return found

    ndim = property(lambda self: self.vectors.ndim)
    size = property(lambda self: self.vectors.size)
    dtype = property(lambda self: self.vectors.dtype)
    place = property(lambda self: self.vectors.place)
    nbytes = property(lambda self: self.vectors.nbytes)

    @property
    def name(self) -> str:
        """The name of the vectors."""
        found: str = self.vectors.name
        return found

    @name.setter
    def name(self, name: str) -> None:
        self.vectors.name = name

    def rows(self) -> list[int]:
        """Which row each vector is of."""
        found: list[int] = self.positions.tolist()
        return found

    def numpy(self, blocking: bool = True) -> np.ndarray:
        """The vectors."""
        found: np.ndarray = self.vectors.numpy()
        return found

    def tolist(self) -> Any:
        """The vectors as nested lists."""
        return self.vectors.tolist()

    def compact(self) -> SelectedRows:
        """It without the places that are of no row."""
        rows = to_host(self.positions._data)
        kept = rows >= 0
        if kept.all():
            return self
        vectors = Tensor(to_host(self.vectors._data)[kept])
        return selected_rows(Tensor(rows[kept]), vectors, self._height)

    def __len__(self) -> int:
        return len(self.vectors)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        found: np.ndarray = self.vectors.__array__(dtype, copy)
        return found

    def __reduce__(self) -> tuple:
        return selected_rows, (self.positions, self.vectors, self._height)

    def __deepcopy__(self, memo: dict) -> RowTensor:
        new = RowTensor(self.positions, self.vectors, self._height)
        memo[id(self)] = new
        return new

    def __repr__(self) -> str:
        text = format_tensor(self, "Tensor")
        head, mark, rest = text.partition(f"stop_gradient={self.stop_gradient},")
        return f"{head}{mark} rows={self.rows()},{rest}"

    __str__ = __repr__
