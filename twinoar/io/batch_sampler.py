"""Batch samplers: orders in which samples are taken, one batch of indices at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sized
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.io.dataset import IterableDataset
from twinoar.io.sampler import (
    RandomSampler,
    Sampler,
    SequenceSampler,
    positive_count,
    truth_value,
)
from twinoar.runtime.collective import rank_and_size


class BatchSampler(Sampler):
    """Batches of indices, from a dataset or from a sampler.

    dataset: gives the length; shuffle: in random order. sampler: any iterable of indices, instead
    of a dataset. drop_last: leave out a last batch that is not full.
    Raises ArgumentError where both or neither of dataset and sampler are given.

    >>> list(BatchSampler(range(5), batch_size=2))
    [[0, 1], [2, 3], [4]]
    >>> list(BatchSampler(sampler=[3, 1, 2], batch_size=2, drop_last=True))
    [[3, 1]]
    """

    def __init__(
        self,
        dataset: Sized | None = None,
        sampler: Iterable[int] | None = None,
        shuffle: bool = False,
        batch_size: int = 1,
        drop_last: bool = False,
    ) -> None:
        super().__init__(dataset)
        self.batch_size = positive_count("batch_size", batch_size)
        self.shuffle = truth_value("shuffle", shuffle)
        self.drop_last = truth_value("drop_last", drop_last)
        self.sampler = _chosen_sampler(dataset, sampler, shuffle)

    def __iter__(self) -> Iterator[list[int]]:
        batch: list[int] = []
        for index in self.sampler:
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        return batch_count(len(self.sampler), self.batch_size, self.drop_last)  # type: ignore[arg-type]


class DistributedBatchSampler(BatchSampler):
    """The share of each batch that one of several processes takes.

    dataset: split into batches of num_replicas * batch_size; of each, this process takes the
    batch_size indices at its rank. The dataset is repeated from its start until all processes get
    equally many. shuffle: permuted by the number of the epoch, the same in all processes; the
    number rises by one with each pass, or is set by `set_epoch`.
    num_replicas, rank: by default how many processes train, and which this is. Raises ArgumentError
    for a rank out of range.

    >>> list(DistributedBatchSampler(range(10), batch_size=2, num_replicas=2, rank=1))
    [[2, 3], [6, 7], [9]]
    """

    def __init__(
        self,
        dataset: Sized,
        batch_size: int,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = False,
        drop_last: bool = False,
    ) -> None:
        super().__init__(dataset, None, False, batch_size, drop_last)
        self.dataset, self.shuffle = dataset, truth_value("shuffle", shuffle)
        own, size = rank_and_size()
        self.nranks = size if num_replicas is None else positive_count("num_replicas", num_replicas)
        self.local_rank = own if rank is None else rank
        if not 0 <= self.local_rank < self.nranks:
            raise ArgumentError(
                f"expected a rank from 0 to {self.nranks - 1}, received {self.local_rank}"
            )
        self.epoch = 0
        self.num_samples = math.ceil(len(dataset) / self.nranks)
        self.total_size = self.num_samples * self.nranks

    def __iter__(self) -> Iterator[list[int]]:
        indices = np.resize(np.arange(len(self.dataset)), self.total_size)
        if self.shuffle:
            np.random.RandomState(self.epoch).shuffle(indices)
            self.epoch += 1
        mine = self._share(indices).tolist()
        for start in range(0, len(mine), self.batch_size):
            batch = mine[start : start + self.batch_size]
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def _share(self, indices: np.ndarray) -> np.ndarray:
        """What this rank takes: its part of each full batch, then of the rest."""
        whole = self.total_size - self.total_size % (self.nranks * self.batch_size)
        full = indices[:whole].reshape(-1, self.nranks, self.batch_size)[:, self.local_rank]
        rest = indices[whole:].reshape(self.nranks, -1)[self.local_rank]
        return np.concatenate([full.ravel(), rest])

    def __len__(self) -> int:
        return batch_count(self.num_samples, self.batch_size, self.drop_last)

    def set_epoch(self, epoch: int) -> None:
        """Shuffle the next pass as epoch number `epoch`."""
        self.epoch = epoch


def batch_count(samples: int, batch_size: int, drop_last: bool) -> int:
    """How many batches there are of `samples` samples."""
    return samples // batch_size if drop_last else math.ceil(samples / batch_size)


def _chosen_sampler(dataset: Any, sampler: Any, shuffle: bool) -> Iterable[int]:
    if (dataset is None) == (sampler is None):
        given = "neither" if dataset is None else "both"
        raise ArgumentError(f"expected a dataset or a sampler, received {given}")
    if sampler is not None:
        if shuffle:
            raise ArgumentError(
                "shuffle=True has no meaning with a sampler: the sampler decides the order",
                cure="RandomSampler",
            )
        return sampler
    if isinstance(dataset, IterableDataset):
        raise ArgumentError("expected a dataset with a length, received an IterableDataset")
    return RandomSampler(dataset) if shuffle else SequenceSampler(dataset)
