"""Datasets: what has samples to give, and datasets made of others.

A map-style dataset gives sample number i (`Dataset`); an iterable one gives a stream
(`IterableDataset`). How samples become batches is no matter of this file.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from twinoar.core.op.explain import Told, told
from twinoar.eager.tensor import Tensor
from twinoar.errors import (
    ArgumentError,
    AxisError,
    ShapeError,
    TwinoarError,
    TypeMismatchError,
    UnsupportedError,
)
from twinoar.io.seeding import epoch_generator


class UnsizedError(TypeMismatchError, ValueError, RuntimeError):
    """The length or an item of something that is only a stream.

    A TypeError, so that `list(stream)` does without the length; a ValueError and a RuntimeError,
    because those are what Paddle raises.
    """

    __str__ = TwinoarError.__str__


class Dataset(Told):
    """A map-style dataset: subclasses define `__getitem__(index)` and `__len__()`.

    >>> class Squares(Dataset):
    ...     def __getitem__(self, index):
    ...         return index * index
    ...     def __len__(self):
    ...         return 4
    >>> Squares()[3], len(Squares())
    (9, 4)
    """

    def __getitem__(self, idx: int) -> Any:
        _missing(self, "__getitem__")

    def __len__(self) -> int:
        _missing(self, "__len__")


class IterableDataset(Dataset):
    """A dataset that is a stream: subclasses define `__iter__()`.

    In a loader with workers every worker iterates a copy of its own; `get_worker_info()` says
    which share is its.

    >>> class Count(IterableDataset):
    ...     def __iter__(self):
    ...         yield from range(3)
    >>> list(Count())
    [0, 1, 2]
    """

    def __iter__(self) -> Iterator[Any]:
        _missing(self, "__iter__")

    def __getitem__(self, idx: int) -> NoReturn:
        raise UnsizedError(
            f"{type(self).__name__} is an IterableDataset and has no items by number",
            cure="iterate over it",
        )

    def __len__(self) -> int:
        raise UnsizedError(
            f"{type(self).__name__} is an IterableDataset and has no length",
            cure="count what it yields",
        )


class TensorDataset(Dataset):
    """Tensors side by side: sample i is the tuple of their rows i.

    tensors: Tensors [N, ...] with the same N. Raises ShapeError where N differs.

    >>> data = TensorDataset([twinoar.to_tensor([[1.0], [2.0]]), twinoar.to_tensor([7, 8])])
    >>> [field.tolist() for field in data[1]]
    [[2.0], 8]
    """

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        if isinstance(tensors, Tensor) or not tensors:
            raise TypeMismatchError(
                f"expected a sequence of at least one tensor, received {type(tensors).__name__}",
                cure="TensorDataset([images, labels])",
            )
        self.tensors = tensors
        self._arrays = [np.asarray(tensor) for tensor in tensors]
        shapes = [array.shape for array in self._arrays]
        if len({shape[:1] for shape in shapes}) != 1 or shapes[0] == ():
            raise ShapeError(
                f"expected tensors with equally many rows, received shapes {shapes}",
                cure="cut them to one length: their first sizes must be equal",
            )

    def __getitem__(self, index: int) -> tuple[Tensor, ...]:
        return tuple(Tensor(np.asarray(array[index])) for array in self._arrays)

    def __len__(self) -> int:
        return len(self._arrays[0])

    def _rows(self, indices: np.ndarray, empty: Callable[..., np.ndarray]) -> list[np.ndarray]:
        """The samples of `indices`, [N], all at once: an array [N, ...] for each tensor.

        indices: from -len to len - 1. empty: makes an array of a shape and a dtype.
        """
        made = [empty((len(indices), *a.shape[1:]), a.dtype) for a in self._arrays]
        for array, rows in zip(self._arrays, made, strict=True):
            np.take(array, indices, axis=0, out=rows, mode="wrap")  # "raise" would copy twice
        return made


class ComposeDataset(Dataset):
    """Map-style datasets side by side: the fields of sample i are those of all of them.

    datasets: of equal lengths. Raises ArgumentError where the lengths differ.

    >>> pairs = ComposeDataset([Subset("ab", [0, 1]), Subset([(1, 2), (3, 4)], [0, 1])])
    >>> pairs[1]
    ('b', 3, 4)
    """

    def __init__(self, datasets: Sequence[Dataset]) -> None:
        self.datasets = _all_map_style(datasets)
        lengths = [len(dataset) for dataset in self.datasets]
        if len(set(lengths)) != 1:
            raise ArgumentError(f"expected datasets of equal lengths, received lengths {lengths}")

    def __len__(self) -> int:
        return len(self.datasets[0])

    def __getitem__(self, idx: int) -> tuple[Any, ...]:
        return tuple(itertools.chain.from_iterable(_fields(data[idx]) for data in self.datasets))


class ChainDataset(IterableDataset):
    """Iterable datasets one after the other.

    >>> class Count(IterableDataset):
    ...     def __iter__(self):
    ...         yield from range(2)
    >>> list(ChainDataset([Count(), Count()]))
    [0, 1, 0, 1]
    """

    def __init__(self, datasets: Sequence[IterableDataset]) -> None:
        self.datasets = _nonempty(datasets)
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise TypeMismatchError(
                    f"expected IterableDatasets, received {type(dataset).__name__}",
                    cure="ConcatDataset puts map-style datasets one after the other",
                )

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self.datasets)


class ConcatDataset(Dataset):
    """Map-style datasets one after the other; negative indices count from the end.

    >>> both = ConcatDataset([Subset("abc", [0, 1, 2]), Subset("xy", [0, 1])])
    >>> both[3], both[-1], len(both)
    ('x', 'y', 5)
    """

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = _all_map_style(datasets)
        self.cumulative_sizes = list(itertools.accumulate(len(data) for data in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        index = idx + len(self) if idx < 0 else idx
        if not 0 <= index < len(self):
            raise AxisError(f"expected an index below {len(self)}, received {idx}")
        part = bisect.bisect_right(self.cumulative_sizes, index)
        start = self.cumulative_sizes[part - 1] if part else 0
        return self.datasets[part][index - start]


class Subset(Dataset):
    """The samples of `dataset` at `indices`, in that order.

    >>> list(Subset("abcd", [3, 0]))
    ['d', 'a']
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, idx: int) -> Any:
        return self.dataset[self.indices[idx]]

    def __len__(self) -> int:
        return len(self.indices)


@told
def random_split(
    dataset: Any, lengths: Sequence[int | float], generator: np.random.RandomState | None = None
) -> list[Subset]:
    """Disjoint random subsets of `dataset`, of the given lengths.

    lengths: sample counts that add up to `len(dataset)`, or fractions that add up to 1; what
    rounding down leaves over goes to the first subsets, one sample each. generator: where the
    permutation comes from; None takes NumPy's global state (`np.random.seed`).
    Returns one Subset per length. Raises ArgumentError where the lengths do not add up.

    >>> import numpy as np
    >>> np.random.seed(0)
    >>> train, test = random_split(range(10), [7, 3])
    >>> list(train), list(test)
    ([2, 8, 4, 9, 1, 6, 7], [3, 0, 5])
    """
    total = len(dataset)
    counts = _counts(lengths, total)
    if min(counts, default=0) < 0 or sum(counts) != total:
        raise ArgumentError(
            f"expected lengths that add up to {total}, the size of the dataset, "
            f"received {list(lengths)}",
            cure="give lengths with that sum, or fractions with sum 1",
        )
    order = (epoch_generator() if generator is None else generator).permutation(total).tolist()
    ends = itertools.accumulate(counts)
    return [Subset(dataset, order[end - n : end]) for end, n in zip(ends, counts, strict=True)]


def _counts(lengths: Sequence[int | float], total: int) -> list[int]:
    """`lengths` as sample counts, where they may be fractions."""
    if not any(isinstance(length, float) for length in lengths):
        return [int(length) for length in lengths]
    if not math.isclose(sum(lengths), 1.0) or min(lengths) < 0:
        raise ArgumentError(f"expected fractions that add up to 1, received {list(lengths)}")
    counts = [math.floor(total * length) for length in lengths]
    for part in range(total - sum(counts)):
        counts[part % len(counts)] += 1
    return counts


def _fields(sample: Any) -> Iterable[Any]:
    return sample if isinstance(sample, (list, tuple)) else (sample,)


def _nonempty(datasets: Iterable[Any]) -> list[Any]:
    given = list(datasets)
    if not given:
        raise ArgumentError("expected at least one dataset, received none")
    return given


def _all_map_style(datasets: Iterable[Any]) -> list[Any]:
    given = _nonempty(datasets)
    for dataset in given:
        if isinstance(dataset, IterableDataset):
            raise TypeMismatchError(
                f"expected map-style datasets, {type(dataset).__name__} is an IterableDataset",
                cure="ChainDataset puts iterable datasets one after the other",
            )
    return given


def _missing(dataset: Dataset, method: str) -> NoReturn:
    name = type(dataset).__name__
    raise UnsupportedError(f"{name} has no {method}", cure=f"define {method} in {name}")
