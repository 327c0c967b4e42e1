"""DataLoader: batches of Tensors from a dataset, read here or in worker processes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from twinoar.core.interpreter import current, placing
from twinoar.core.op.explain import Told
from twinoar.eager.place import place_of
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.io.batch_sampler import BatchSampler
from twinoar.io.collate import default_collate_fn, to_tensors
from twinoar.io.dataset import IterableDataset, UnsizedError
from twinoar.io.pool import PoolOptions, WorkerPool
from twinoar.io.sampler import RandomSampler, SequenceSampler, positive_count, truth_value
from twinoar.io.source import End, Source


class DataLoader(Told):
    """Iterates over a dataset in batches; each pass is an epoch, and `loader()` is one too.

    dataset: a Dataset, an IterableDataset, or any sequence.
    feed_list: static variables that the fields are for; with return_list=False a batch is a list
    of one dict from their names to Tensors, otherwise it is the collated batch. Where operators run
    at once a loader without feed_list gives the collated batch in any case.
    places: the device of the batches, or a list of which the first is; None for the chosen one.
    batch_sampler: an iterable of lists of indices, instead of batch_size, shuffle and drop_last.
    batch_size: samples in a batch; None passes each sample on by itself. shuffle: in an order
    drawn from NumPy's global state. drop_last: leave out a last batch that is not full.
    collate_fn: makes a batch of a list of samples; its arrays become Tensors, its tuples lists.
    num_workers: processes that read; 0 reads in this one. The batches and their order are the
    same for any number, unless samples draw random numbers: each worker has a seed of its own.
    use_buffer_reader, reader_buffer_size: accepted; batches are in host memory, so there is no
    copy to a device to run ahead of.
    prefetch_factor: batches each worker reads ahead. use_shared_memory: pass arrays through
    shared memory, in which on Linux the Tensors of a batch lie, else through pipes. timeout:
    seconds to wait for a worker's batch; 0 is no limit. worker_init_fn: called in each worker with
    its number.
    persistent_workers: keep the processes between epochs.

    Raises ArgumentError for what does not fit together, WorkerError where a worker fails or dies.

    >>> loader = DataLoader([1, 2, 3], batch_size=2)
    >>> [batch.tolist() for batch in loader], len(loader)
    ([[1, 2], [3]], 2)
    """

    def __init__(
        self,
        dataset: Any,
        feed_list: Sequence[Any] | None = None,
        places: Any = None,
        return_list: bool = True,
        batch_sampler: Iterable[Sequence[int]] | None = None,
        batch_size: int | None = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Callable[[Any], Any] | None = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        prefetch_factor: int = 2,
        use_shared_memory: bool = True,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        persistent_workers: bool = False,
        *,
        reader_buffer_size: int = 2,
    ) -> None:
        if not isinstance(dataset, IterableDataset) and not hasattr(dataset, "__getitem__"):
            raise TypeMismatchError(
                f"expected a Dataset, received {type(dataset).__name__}",
                cure="subclass io.Dataset or io.IterableDataset, "
                "or wrap arrays in io.TensorDataset",
            )
        self.dataset, self.feed_list = dataset, feed_list
        self.places = places
        self._place = _first_place(places)
        return_list = bool(return_list) or (feed_list is None and current().runs)
        self.return_list = return_list
        self.collate_fn = collate_fn
        self.batch_size = batch_size if batch_sampler is None else None
        self.drop_last = truth_value("drop_last", drop_last)
        self.use_buffer_reader, self.reader_buffer_size = use_buffer_reader, reader_buffer_size
        self.num_workers = _not_negative("num_workers", num_workers)
        self.prefetch_factor = positive_count("prefetch_factor", prefetch_factor)
        self.use_shared_memory = use_shared_memory
        self.timeout = _not_negative("timeout", timeout)
        self.worker_init_fn = worker_init_fn
        self.persistent_workers = persistent_workers
        self._shuffle = truth_value("shuffle", shuffle)
        if not return_list and feed_list is None:
            raise ArgumentError(
                "return_list=False wants feed_list, the variables to feed", cure="return_list=True"
            )
        _check_batching(dataset, batch_sampler, batch_size, shuffle, drop_last)
        self.batch_sampler = self._chosen_batch_sampler(batch_sampler)
        self._epoch = 0
        self._pool: WorkerPool | None = None

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            raise UnsizedError(
                "a loader over an IterableDataset has no length", cure="count the batches"
            )
        return len(self.dataset if self.batch_sampler is None else self.batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        if self.num_workers == 0:
            return self._read_here()
        return self._read_in_workers()

    def __call__(self) -> Iterator[Any]:
        """An iterator over one epoch."""
        return iter(self)

    def _chosen_batch_sampler(self, given: Any) -> Any:
        is_stream = isinstance(self.dataset, IterableDataset)
        if given is not None or is_stream or self.batch_size is None:
            return given
        return BatchSampler(
            self.dataset,
            shuffle=self._shuffle,
            batch_size=self.batch_size,
            drop_last=self.drop_last,
        )

    def _source(self) -> Source:
        is_batched = self.batch_size is not None or self.batch_sampler is not None
        collate = self.collate_fn or (default_collate_fn if is_batched else _unchanged)
        return Source(self.dataset, collate, is_batched, self.batch_size, self.drop_last)

    def _tasks(self) -> Iterable[Any]:
        """What to fetch in one epoch: see `Source.fetcher`."""
        if isinstance(self.dataset, IterableDataset):
            return itertools.repeat(None)
        if self.batch_sampler is not None:
            return self.batch_sampler
        return RandomSampler(self.dataset) if self._shuffle else SequenceSampler(self.dataset)

    def _read_here(self) -> Iterator[Any]:
        source = self._source()
        fetch = source.fetcher()
        foreign = source.collate is not default_collate_fn  # its arrays may be the dataset's own
        for task in self._tasks():
            batch = fetch(task)
            if batch is End:
                return
            with placing(self._place):
                made = to_tensors(batch, copy=foreign)
            yield self._delivered(made)

    def _read_in_workers(self) -> Iterator[Any]:
        pool = self._open_pool()
        try:
            for batch in pool.batches(self._tasks()):
                with placing(self._place):
                    made = to_tensors(batch)
                yield self._delivered(made)
        finally:
            if not self.persistent_workers:
                pool.close()

    def _open_pool(self) -> WorkerPool:
        self._epoch += 1
        if self._pool is not None and not self._pool.closed:
            return self._pool
        options = PoolOptions(
            self.num_workers,
            self.prefetch_factor,
            self.use_shared_memory,
            self.timeout,
            self.worker_init_fn,
        )
        pool = WorkerPool(self._source(), options, self._epoch)
        self._pool = pool if self.persistent_workers else None
        return pool

    def _delivered(self, batch: Any) -> Any:
        """`batch` as return_list and feed_list ask for it."""
        if self.return_list or self.feed_list is None:
            return batch
        fields = batch if isinstance(batch, list) else [batch]
        names = [variable.name for variable in self.feed_list]
        if len(names) != len(fields):
            raise ArgumentError(
                f"feed_list has {len(names)} variables, a batch has {len(fields)} fields"
            )
        return [dict(zip(names, fields, strict=True))]


def _unchanged(sample: Any) -> Any:
    return sample


def _check_batching(
    dataset: Any, batch_sampler: Any, batch_size: Any, shuffle: bool, drop_last: bool
) -> None:
    is_stream = isinstance(dataset, IterableDataset)
    if batch_sampler is not None and (batch_size != 1 or shuffle or drop_last):
        raise ArgumentError(
            "batch_size, shuffle and drop_last are for the batch sampler to decide",
            cure="leave them out, or leave out batch_sampler",
        )
    if is_stream and (shuffle or batch_sampler is not None):
        raise ArgumentError(
            "an IterableDataset decides its own order: it takes no shuffle and no batch_sampler",
            cure="shuffle in its __iter__",
        )
    if batch_size is not None:
        positive_count("batch_size", batch_size)


def _first_place(places: Any) -> Any:
    """The place that batches lie on. Raises ArgumentError for a device that there is not."""
    named = list(places) if isinstance(places, (list, tuple)) else [places]
    found = [None if place is None else place_of(place) for place in named]
    return found[0] if found else None


def _not_negative(name: str, value: Any) -> Any:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeMismatchError(f"expected {name} to be a number, received {value!r}")
    if value < 0:
        raise ArgumentError(f"expected {name} of at least 0, received {value}")
    return value
