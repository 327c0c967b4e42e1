"""What feeds a training loop in Paddle 1.8: DataLoader over a Dataset or generator, PyReader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ProgramError, ShapeError, UnsupportedError
from twinoar.fluid.core import EOFException
from twinoar.fluid.data_feeder import batch_array
from twinoar.io import loader
from twinoar.io.collate import default_collate_fn
from twinoar.reader import Reader, batch, buffered
from twinoar.static.mode import default_main_program

AHEAD = 2  # batches to read ahead where nobody says how many


class GeneratorLoader:
    """Batches that a generator gives, ready to be fed: `DataLoader.from_generator` makes it.

    feed_list: the Variables to feed, one for each field. capacity: how many batches a thread reads
    ahead, if use_double_buffer. iterable: `for data in loader()`; otherwise `start()`, Executors
    that run without a feed, until EOFException, and `reset()`. return_list: a batch is a list of
    tensors, as it is always in dynamic mode; otherwise a list with a dict of arrays by name.
    """

    def __init__(
        self,
        feed_list: Sequence[Variable] | None = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        use_multiprocess: bool = False,
    ):
        self.iterable = iterable
        self._variables = list(feed_list or ())
        self._capacity = (capacity or AHEAD) if use_double_buffer else 0
        self._as_list = return_list or current().runs
        self._reader: Reader | None = None
        self._running: Iterator[list[np.ndarray]] | None = None
        if not iterable:
            if not self._variables:
                raise ArgumentError("a loader that is not iterable needs a feed_list")
            default_main_program().__dict__.setdefault("loaders", []).append(self)

    def set_sample_generator(
        self, reader: Reader, batch_size: int, drop_last: bool = True, places: Any = None
    ) -> GeneratorLoader:
        """Take samples, tuples with one field for each Variable, and make batches of them."""
        return self.set_sample_list_generator(batch(reader, batch_size, drop_last), places)

    def set_sample_list_generator(self, reader: Reader, places: Any = None) -> GeneratorLoader:
        """Take batches that are lists of samples."""

        def batches() -> Iterator[list[np.ndarray]]:
            for samples in reader():
                yield self._arrays(list(zip(*samples, strict=True)))

        return self.set_batch_generator(batches, places)

    def set_batch_generator(self, reader: Reader, places: Any = None) -> GeneratorLoader:
        """Take batches that are arrays or tensors, one for each Variable."""
        self._reader = reader
        return self

    def __call__(self) -> Iterator[Any]:
        return iter(self)

    def __iter__(self) -> Iterator[Any]:
        if not self.iterable:
            raise ProgramError(
                "the loader is not iterable", cure="call start(), or make it with iterable=True"
            )
        return (self._shown(fields) for fields in self._batches())

    def start(self) -> None:
        """Begin an epoch: Executors that run without a feed take its batches."""
        if self.iterable:
            raise ProgramError("an iterable loader is not started", cure="loop over it")
        self._running = self._batches()

    def reset(self) -> None:
        """End the epoch."""
        self._running = None

    def next_feed(self) -> dict[str, np.ndarray]:
        """The next batch by name. Raises EOFException after the last one."""
        assert self._running is not None
        fields = next(self._running, None)
        if fields is None:
            raise EOFException("the loader has no more batches")
        return self._by_name(fields)

    @property
    def is_started(self) -> bool:
        """True between `start` and `reset`."""
        return self._running is not None

    def _batches(self) -> Iterator[list[np.ndarray]]:
        if self._reader is None:
            raise ProgramError(
                "the loader has no source", cure="call set_batch_generator or a kin of it"
            )
        source = buffered(self._reader, self._capacity) if self._capacity else self._reader
        return (self._arrays(fields) for fields in source())

    def _arrays(self, fields: Any) -> list[np.ndarray]:
        given = fields if isinstance(fields, (list, tuple)) else [fields]
        if not self._variables:
            return [np.asarray(field) for field in given]
        if len(given) != len(self._variables):
            raise ShapeError(
                f"expected {len(self._variables)} fields in a batch, received {len(given)}"
            )
        return [batch_array(v, field) for v, field in zip(self._variables, given, strict=True)]

    def _shown(self, fields: list[np.ndarray]) -> Any:
        if self._as_list:
            return [Tensor(field) for field in fields]
        return [self._by_name(fields)]

    def _by_name(self, fields: list[np.ndarray]) -> dict[str, np.ndarray]:
        return {v.name: field for v, field in zip(self._variables, fields, strict=True)}


class DataLoader(loader.DataLoader):
    """Batches of a Dataset; see `paddle.io.DataLoader`.

    feed_list: the Variables to feed, one for each field. return_list: a batch is a list of tensors,
    as it is always in dynamic mode; otherwise a list with a dict of tensors by name.
    """

    def __init__(
        self,
        dataset: Any,
        feed_list: Sequence[Variable] | None = None,
        places: Any = None,
        return_list: bool = False,
        batch_sampler: Any = None,
        batch_size: int = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        use_shared_memory: bool = True,
        timeout: int = 0,
        worker_init_fn: Callable[[int], None] | None = None,
    ):
        super().__init__(
            dataset,
            feed_list,
            places,
            True,
            batch_sampler,
            batch_size,
            shuffle,
            drop_last,
            collate_fn,
            num_workers,
            use_buffer_reader,
            use_shared_memory=use_shared_memory,
            timeout=timeout,
            worker_init_fn=worker_init_fn,
        )
        names = [v.name for v in feed_list or ()]
        self._feed_names = None if return_list or current().runs or not names else names

    def __iter__(self) -> Iterator[Any]:
        if self._feed_names is None:
            return super().__iter__()
        names = self._feed_names
        return ([dict(zip(names, fields, strict=True))] for fields in super().__iter__())

    @staticmethod
    def from_generator(
        feed_list: Sequence[Variable] | None = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        use_multiprocess: bool = False,
    ) -> GeneratorLoader:
        """A loader of what a generator gives; see `GeneratorLoader`.

        >>> import numpy as np
        >>> from twinoar import fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [None, 2])
        ...     batches = fluid.io.DataLoader.from_generator([x], capacity=2)
        >>> _ = batches.set_sample_generator(lambda: ([[i, i]] for i in range(4)), batch_size=2)
        >>> [data[0]["x"].tolist() for data in batches()]
        [[[0.0, 0.0], [1.0, 1.0]], [[2.0, 2.0], [3.0, 3.0]]]
        """
        return GeneratorLoader(
            feed_list, capacity, use_double_buffer, iterable, return_list, use_multiprocess
        )

    @staticmethod
    def from_dataset(dataset: Any, places: Any, drop_last: bool = True) -> Any:
        """Raise UnsupportedError: use a Dataset of `paddle.io`, or from_generator."""
        raise UnsupportedError(
            "there are no fluid.dataset files", cure="use DataLoader.from_generator"
        )


class PyReader(GeneratorLoader):
    """The older name of `DataLoader.from_generator`, whose methods begin with `decorate_`."""

    def __init__(
        self,
        feed_list: Sequence[Variable] | None = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
    ):
        super().__init__(feed_list, capacity, use_double_buffer, iterable, return_list)

    def decorate_sample_generator(
        self,
        sample_generator: Reader,
        batch_size: int,
        drop_last: bool = True,
        places: Any = None,
    ) -> None:
        """Take samples, and make batches of them."""
        self.set_sample_generator(sample_generator, batch_size, drop_last, places)

    def decorate_sample_list_generator(self, reader: Reader, places: Any = None) -> None:
        """Take batches that are lists of samples."""
        self.set_sample_list_generator(reader, places)

    def decorate_batch_generator(self, reader: Reader, places: Any = None) -> None:
        """Take batches that are arrays or tensors."""
        self.set_batch_generator(reader, places)


def started_loaders(program: Any) -> Iterable[GeneratorLoader]:
    """The loaders of a Program that are between `start` and `reset`."""
    return [one for one in getattr(program, "loaders", ()) if one.is_started]


__all__ = ["DataLoader", "PyReader", "default_collate_fn"]
