"""Batches by the names of inputs, from whatever gives data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError

Batches = Callable[[], Iterator[dict[str, np.ndarray]]]


def wrap_dataloader(dataloader: Any, names: Sequence[str]) -> Batches | None:
    """A function that begins anew with the batches of a loader: arrays by these names.

    dataloader: a DataLoader, a list, or a function that returns an iterable; of dictionaries, lists
    of arrays in the order of names, or single arrays. What a batch has beside that, such as labels,
    is left out. None for None.

    >>> batches = wrap_dataloader([[np.ones(2), np.zeros(2)]], ["x"])
    >>> [sorted(batch) for batch in batches()]
    [['x']]
    """
    if dataloader is None:
        return None
    return lambda: (_named(batch, names) for batch in _iterable(dataloader))


def _iterable(source: Any) -> Iterable[Any]:
    found: Iterable[Any] = source() if callable(source) else source
    return found


def _named(batch: Any, names: Sequence[str]) -> dict[str, np.ndarray]:
    if isinstance(batch, (list, tuple)) and len(batch) == 1 and isinstance(batch[0], Mapping):
        batch = batch[0]
    if isinstance(batch, Mapping):
        if lacking := [name for name in names if name not in batch]:
            raise ArgumentError(
                f"a batch lacks {', '.join(lacking)}, it has {', '.join(map(str, batch))}"
            )
        return {name: np.asarray(batch[name]) for name in names}
    arrays = list(batch) if isinstance(batch, (list, tuple)) else [batch]
    if len(arrays) < len(names):
        raise ArgumentError(f"a batch has {len(arrays)} arrays, the model reads {', '.join(names)}")
    return {name: np.asarray(array) for name, array in zip(names, arrays, strict=False)}
