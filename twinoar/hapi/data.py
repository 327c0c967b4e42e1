"""What the loops of a Model go over: loaders, their batches, and how many there are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.errors import TypeMismatchError
from twinoar.io import DataLoader, Dataset, DistributedBatchSampler, IterableDataset


def as_list(x: Any) -> list[Any]:
    """`x` as a list: nothing for None, itself alone where it is no list or tuple."""
    if x is None:
        return []
    return list(x) if isinstance(x, (list, tuple)) else [x]


def loader_of(
    data: Any, batch_size: int, shuffle: bool, drop_last: bool, num_workers: int
) -> Iterable[Any]:
    """`data` itself where it gives batches, else a DataLoader over it.

    The number of the epoch alone decides how samples are shuffled, as in Paddle's Model.

    Raises TypeMismatchError for what gives neither batches nor samples.
    """
    if isinstance(data, IterableDataset):
        return DataLoader(data, batch_size=batch_size, num_workers=num_workers)
    if isinstance(data, Dataset) or hasattr(data, "__getitem__"):
        batches = DistributedBatchSampler(data, batch_size, shuffle=shuffle, drop_last=drop_last)
        return DataLoader(data, batch_sampler=batches, num_workers=num_workers)
    if not isinstance(data, Iterable):
        raise TypeMismatchError(
            f"expected a Dataset or a DataLoader, received {type(data).__name__}",
            cure="samples come from a Dataset, batches from a DataLoader",
        )
    return data


def begin_at(loader: Any, epoch: int) -> None:
    """Shuffle the next pass of what `loader_of` made as that of an epoch."""
    if isinstance(loader.batch_sampler, DistributedBatchSampler):
        loader.batch_sampler.set_epoch(epoch)


def steps_of(loader: Any) -> int | None:
    """How many batches there are; None where that is not known."""
    try:
        return len(loader)
    except (TypeError, NotImplementedError):
        return None


def samples_in(inputs: list[Any]) -> int:
    """How many samples a batch has."""
    shape = getattr(inputs[0], "shape", None) if inputs else None
    return int(shape[0]) if shape else 1
