"""Data loading: datasets, samplers, and DataLoader with its worker processes."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.io
from typing import Any, Literal, overload

import numpy as _numpy

class BatchSampler(twinoar.io.Sampler):
    """Batches of indices, from a dataset or from a sampler."""
    def __init__(self, dataset: collections.abc.Sized | None = None, sampler: collections.abc.Iterable[Any] | None = None, shuffle: builtins.bool = False, batch_size: Any = 1, drop_last: builtins.bool = False) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[builtins.list[builtins.int]]: ...
    def __len__(self) -> builtins.int: ...
    batch_size: Any
    shuffle: Any
    drop_last: Any
    sampler: Any
class ChainDataset(twinoar.io.IterableDataset):
    """Iterable datasets one after the other."""
    def __init__(self, datasets: collections.abc.Sequence[twinoar.io.IterableDataset]) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    datasets: Any
class ComposeDataset(twinoar.io.Dataset):
    """Map-style datasets side by side: the fields of sample i are those of all of them."""
    def __init__(self, datasets: collections.abc.Sequence[twinoar.io.Dataset]) -> None: ...
    def __len__(self) -> builtins.int: ...
    def __getitem__(self, idx: Any) -> builtins.tuple[Any, ...]: ...
    datasets: Any
class ConcatDataset(twinoar.io.Dataset):
    """Map-style datasets one after the other; negative indices count from the end."""
    def __init__(self, datasets: collections.abc.Iterable[twinoar.io.Dataset]) -> None: ...
    def __len__(self) -> builtins.int: ...
    def __getitem__(self, idx: Any) -> Any: ...
    datasets: Any
    cumulative_sizes: Any
class DataLoader:
    """Iterates over a dataset in batches; each pass is an epoch, and `loader()` is one too."""
    def __init__(self, dataset: Any, feed_list: collections.abc.Sequence[Any] | None = None, places: Any = None, return_list: builtins.bool = True, batch_sampler: collections.abc.Iterable[collections.abc.Sequence[Any]] | None = None, batch_size: Any = 1, shuffle: builtins.bool = False, drop_last: builtins.bool = False, collate_fn: collections.abc.Callable[[Any], Any] | None = None, num_workers: Any = 0, use_buffer_reader: builtins.bool = True, prefetch_factor: Any = 2, use_shared_memory: builtins.bool = True, timeout: Any = 0, worker_init_fn: collections.abc.Callable[[builtins.int], None] | None = None, persistent_workers: builtins.bool = False, *, reader_buffer_size: Any = 2) -> None: ...
    def __len__(self) -> builtins.int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __call__(self) -> collections.abc.Iterator[Any]:
        """An iterator over one epoch."""
    dataset: Any
    feed_list: collections.abc.Sequence[Any] | None
    places: Any
    return_list: builtins.bool
    collate_fn: collections.abc.Callable[[Any], Any] | None
    batch_size: Any
    drop_last: Any
    use_buffer_reader: builtins.bool
    reader_buffer_size: builtins.int
    num_workers: Any
    prefetch_factor: Any
    use_shared_memory: builtins.bool
    timeout: Any
    worker_init_fn: collections.abc.Callable[[builtins.int], None] | None
    persistent_workers: builtins.bool
    batch_sampler: Any
class Dataset:
    """A map-style dataset: subclasses define `__getitem__(index)` and `__len__()`."""
    def __getitem__(self, idx: Any) -> Any: ...
    def __len__(self) -> builtins.int: ...
class DistributedBatchSampler(twinoar.io.BatchSampler):
    """The share of each batch that one of several processes takes."""
    def __init__(self, dataset: collections.abc.Sized, batch_size: Any, num_replicas: Any = None, rank: Any = None, shuffle: builtins.bool = False, drop_last: builtins.bool = False) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[builtins.list[builtins.int]]: ...
    def __len__(self) -> builtins.int: ...
    def set_epoch(self, epoch: Any) -> None:
        """Shuffle the next pass as epoch number `epoch`."""
    dataset: collections.abc.Sized
    shuffle: Any
    nranks: Any
    local_rank: Any
    epoch: Any
    num_samples: Any
    total_size: Any
class IterableDataset(twinoar.io.Dataset):
    """A dataset that is a stream: subclasses define `__iter__()`."""
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __getitem__(self, idx: Any) -> Any: ...
    def __len__(self) -> builtins.int: ...
class RandomSampler(twinoar.io.Sampler):
    """Samples in random order, a new one for each epoch."""
    def __init__(self, data_source: collections.abc.Sized, replacement: builtins.bool = False, num_samples: Any = None, generator: collections.abc.Iterable[Any] | None = None) -> None: ...
    @property
    def num_samples(self) -> builtins.int:
        """How many indices an epoch has."""
    def __iter__(self) -> collections.abc.Iterator[builtins.int]: ...
    def __len__(self) -> builtins.int: ...
    replacement: Any
    generator: collections.abc.Iterable[builtins.int] | None
class Sampler:
    """Base of all samplers: subclasses define `__iter__()`, and `__len__()` where they know it."""
    def __init__(self, data_source: collections.abc.Sized | None = None) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    data_source: Any
class SequenceSampler(twinoar.io.Sampler):
    """All samples in order."""
    def __init__(self, data_source: collections.abc.Sized) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[builtins.int]: ...
    def __len__(self) -> builtins.int: ...
class Subset(twinoar.io.Dataset):
    """The samples of `dataset` at `indices`, in that order."""
    def __init__(self, dataset: Any, indices: collections.abc.Sequence[Any]) -> None: ...
    def __getitem__(self, idx: Any) -> Any: ...
    def __len__(self) -> builtins.int: ...
    dataset: Any
    indices: collections.abc.Sequence[builtins.int]
class SubsetRandomSampler(twinoar.io.Sampler):
    """The given indices in random order."""
    def __init__(self, indices: collections.abc.Sequence[Any]) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[builtins.int]: ...
    def __len__(self) -> builtins.int: ...
    indices: collections.abc.Sequence[builtins.int]
class TensorDataset(twinoar.io.Dataset):
    """Tensors side by side: sample i is the tuple of their rows i."""
    def __init__(self, tensors: collections.abc.Sequence[twinoar._TensorLike]) -> None: ...
    def __getitem__(self, index: Any) -> builtins.tuple[twinoar.Tensor, ...]: ...
    def __len__(self) -> builtins.int: ...
    tensors: collections.abc.Sequence[twinoar.Tensor]
class WeightedRandomSampler(twinoar.io.Sampler):
    """Indices 0 to len(weights) - 1 drawn with chances in proportion to `weights`."""
    def __init__(self, weights: Any, num_samples: Any, replacement: builtins.bool = True) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[builtins.int]: ...
    def __len__(self) -> builtins.int: ...
    weights: Any
    num_samples: Any
    replacement: Any
@overload
def get_worker_info() -> twinoar.io._WorkerInfo | None:
    """The WorkerInfo of this process, or None outside of a DataLoader's workers."""
@overload
def get_worker_info(*args: Any, out: Any = ...) -> twinoar.io._WorkerInfo | None: ...
@overload
def random_split(dataset: Any, lengths: collections.abc.Sequence[Any], generator: _numpy.random.mtrand.RandomState | None = None) -> builtins.list[twinoar.io.Subset]:
    """Disjoint random subsets of `dataset`, of the given lengths."""
@overload
def random_split(*args: Any, dataset: Any = ..., lengths: Any = ..., generator: Any = ..., out: Any = ...) -> builtins.list[twinoar.io.Subset]: ...
class _WorkerInfo:
    """Which worker this process is."""
    dataset: Any
    id: builtins.int
    num_workers: builtins.int
    seed: builtins.int
    def __init__(self, id: Any, num_workers: Any, dataset: Any, seed: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
