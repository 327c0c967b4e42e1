"""DataFeeder: from a batch of samples to what an Executor is fed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim
from twinoar.core.ir.program import Variable
from twinoar.eager.place import place_of
from twinoar.errors import ShapeError, TypeMismatchError
from twinoar.static.mode import default_main_program
from twinoar.static.program import Program


class DataFeeder:
    """Makes of samples, tuples with one field for each Variable, arrays by the Variables' names.

    feed_list: Variables, or their names in `program`, the default main Program. place: the CPU.
    Raises UnknownNameError or TypeMismatchError.

    >>> from twinoar import fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     inputs = [fluid.data("x", [None, 2]), fluid.data("label", [None, 1], "int64")]
    >>> feeder = fluid.DataFeeder(inputs, fluid.CPUPlace())
    >>> fed = feeder.feed([([1.0, 2.0], 0), ([3.0, 4.0], 1)])
    >>> fed["x"].tolist(), fed["label"].tolist()
    ([[1.0, 2.0], [3.0, 4.0]], [[0], [1]])
    """

    def __init__(self, feed_list: Sequence[Any], place: Any, program: Program | None = None):
        block = (default_main_program() if program is None else program).global_block()
        self.place = place_of(place)
        self.variables = [block.var(v) if isinstance(v, str) else v for v in feed_list]
        for v in self.variables:
            if not isinstance(v, Variable):
                raise TypeMismatchError(
                    f"feed_list takes Variables and names, received {type(v).__name__}"
                )

    def feed(self, iterable: Iterable[Sequence[Any]]) -> dict[str, np.ndarray]:
        """The samples as arrays by name. Raises ShapeError for fields that do not fit."""
        rows = list(iterable)
        wrong = next((row for row in rows if len(row) != len(self.variables)), None)
        if wrong is not None:
            raise ShapeError(
                f"expected samples with {len(self.variables)} fields, received {len(wrong)}",
                cure="give each sample one field for each Variable of feed_list",
            )
        columns = zip(*rows, strict=True) if rows else [()] * len(self.variables)
        return {
            v.name: batch_array(v, column)
            for v, column in zip(self.variables, columns, strict=True)
        }

    def feed_parallel(
        self, iterable: Iterable[Iterable[Sequence[Any]]], num_places: int | None = None
    ) -> Iterator[dict[str, np.ndarray]]:
        """What `feed` makes of each batch."""
        return map(self.feed, iterable)

    def decorate_reader(
        self,
        reader: Callable[[], Iterable[Any]],
        multi_devices: bool,
        num_places: int | None = None,
        drop_last: bool = True,
    ) -> Callable[[], Iterator[Any]]:
        """A reader of what `feed` makes of the batches of `reader`.

        multi_devices: give a list with one feed, as there is one device.
        """

        def decorated() -> Iterator[Any]:
            for batch in reader():
                yield [self.feed(batch)] if multi_devices else self.feed(batch)

        return decorated


def batch_array(v: Variable, column: Sequence[Any]) -> np.ndarray:
    """One field of all samples as the array that `v` takes: [N,*]. Raises ShapeError."""
    shape = [-1 if isinstance(d, SymbolicDim) else d for d in v.spec.shape]
    try:
        array = np.array(column, v.spec.dtype.numpy)
    except ValueError:
        raise ShapeError(
            f"the samples of {v.name} have different shapes", cure="pad them to one shape"
        ) from None
    if array.ndim == len(shape) or shape.count(-1) > 1:
        return array
    try:
        return array.reshape(shape)
    except ValueError:
        raise ShapeError(
            f"{v.name} must be {v.spec}, the batch has shape {list(array.shape)}"
        ) from None


__all__ = ["DataFeeder"]
