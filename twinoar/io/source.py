"""What a loader reads: a dataset, and how its samples become batches of arrays.

The same code runs in the loader's process and in its workers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from twinoar.io.collate import default_collate_fn, empty
from twinoar.io.dataset import IterableDataset, TensorDataset
from twinoar.late import dataclass


class End:
    """The answer to a task when the stream has ended."""


@dataclass(frozen=True, slots=True)
class Source:
    """A dataset with its batching.

    collate: makes a batch of a list of samples, or of one sample where not is_batched.
    batch_size, drop_last: for streams; a map-style dataset is told the indices of each batch.
    """

    dataset: Any
    collate: Callable[[Any], Any]
    is_batched: bool
    batch_size: int | None
    drop_last: bool

    @property
    def is_stream(self) -> bool:
        """True for an IterableDataset."""
        return isinstance(self.dataset, IterableDataset)

    def fetcher(self) -> Callable[[Any], Any]:
        """A function from a task to a batch, for one epoch.

        A task is a list of indices, or one index where not is_batched; a stream ignores it and
        answers `End` after its last batch.
        """
        if self.is_stream:
            batches = self._batches_of_stream()
            return lambda task: next(batches, End)
        if not self.is_batched:
            return lambda index: self.collate(self.dataset[index])
        gives_rows = getattr(type(self.dataset), "__getitem__", None) is TensorDataset.__getitem__
        if gives_rows and self.collate is default_collate_fn:
            return self._batch_of_rows
        return self._batch_of_samples

    def _batch_of_samples(self, indices: Iterable[Any]) -> Any:
        return self.collate([self.dataset[index] for index in indices])

    def _batch_of_rows(self, indices: Any) -> Any:
        """What the samples of a TensorDataset are collated to, without making them."""
        wanted, length = np.asarray(indices), len(self.dataset)
        if wanted.ndim != 1 or wanted.dtype.kind != "i":
            return self._batch_of_samples(indices)
        if wanted.min() < -length or wanted.max() >= length:
            return self._batch_of_samples(indices)  # which says what is wrong
        return self.dataset._rows(wanted, empty)

    def _batches_of_stream(self) -> Iterator[Any]:
        if self.batch_size is None:
            yield from map(self.collate, self.dataset)
            return
        for samples in _groups(self.dataset, self.batch_size):
            if len(samples) == self.batch_size or not self.drop_last:
                yield self.collate(samples)


def _groups(samples: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """`samples` in lists of `size`; the last one may be shorter."""
    stream = iter(samples)
    while group := list(itertools.islice(stream, size)):
        yield group
