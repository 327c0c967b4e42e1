"""Samplers: orders in which the samples of a dataset are taken, one index at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any

import numpy as np

from twinoar.core.op.explain import Told
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.io.seeding import epoch_generator


class Sampler(Told):
    """Base of all samplers: subclasses define `__iter__()`, and `__len__()` where they know it.

    data_source: what is sampled from; only its length matters.
    """

    def __init__(self, data_source: Sized | None = None) -> None:
        self.data_source: Any = data_source

    def __iter__(self) -> Iterator[Any]:
        name = type(self).__name__
        raise UnsupportedError(f"{name} has no __iter__", cure=f"define __iter__ in {name}")


class SequenceSampler(Sampler):
    """All samples in order.

    >>> list(SequenceSampler("abc"))
    [0, 1, 2]
    """

    def __init__(self, data_source: Sized) -> None:
        super().__init__(data_source)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """Samples in random order, a new one for each epoch.

    replacement: draw each sample from all. num_samples: how many to take (default: all).
    generator: indices to take as they are, instead of drawing; NumPy's global state otherwise.
    Raises ArgumentError for a count that is not positive, or too large without replacement.

    >>> np.random.seed(0)
    >>> list(RandomSampler(range(5)))
    [2, 0, 1, 3, 4]
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Iterable[int] | None = None,
    ) -> None:
        super().__init__(data_source)
        self.replacement = truth_value("replacement", replacement)
        self._num_samples, self.generator = num_samples, generator
        positive_count("num_samples", self.num_samples)
        if not replacement and self.num_samples > len(data_source):
            raise ArgumentError(
                f"expected num_samples of at most {len(data_source)}, the size of the data source, "
                f"received {self.num_samples}",
                cure="replacement=True",
            )

    @property
    def num_samples(self) -> int:
        """How many indices an epoch has."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        if self.generator is not None:
            return self._given(self.generator)
        total, draw = len(self.data_source), epoch_generator()
        if self.replacement:
            return iter(draw.choice(total, self.num_samples).tolist())
        return iter(draw.permutation(total)[: self.num_samples].tolist())

    def _given(self, generator: Iterable[int]) -> Iterator[int]:
        for _, index in zip(range(self.num_samples), generator, strict=False):
            yield index

    def __len__(self) -> int:
        return self.num_samples


class WeightedRandomSampler(Sampler):
    """Indices 0 to len(weights) - 1 drawn with chances in proportion to `weights`.

    weights: [N], not negative, not all zero. num_samples: how many to draw.
    Raises ArgumentError for other weights, and where fewer than num_samples are positive without
    replacement.

    >>> np.random.seed(0)
    >>> list(WeightedRandomSampler([0.1, 0.3, 0.5, 0.7, 0.2], 5))
    [3, 3, 3, 3, 2]
    """

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True) -> None:
        super().__init__()
        self.weights = np.asarray(weights, dtype=np.float64)
        self.num_samples = positive_count("num_samples", num_samples)
        self.replacement = truth_value("replacement", replacement)
        if self.weights.ndim != 1 or np.any(self.weights < 0) or not np.any(self.weights > 0):
            raise ArgumentError(
                "expected a list of weights that are not negative, at least one of them positive, "
                f"received {self.weights.tolist()}"
            )
        positive = np.count_nonzero(self.weights)
        if not replacement and num_samples > positive:
            raise ArgumentError(
                f"expected at most {positive} samples, the number of positive weights, "
                f"received num_samples={num_samples}",
                cure="replacement=True",
            )

    def __iter__(self) -> Iterator[int]:
        chances = self.weights / self.weights.sum()
        drawn = epoch_generator().choice(
            len(chances), self.num_samples, replace=self.replacement, p=chances
        )
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """The given indices in random order.

    >>> np.random.seed(0)
    >>> list(SubsetRandomSampler([1, 3, 5, 7]))
    [5, 7, 3, 1]
    """

    def __init__(self, indices: Sequence[int]) -> None:
        super().__init__()
        if not len(indices):
            raise ArgumentError("expected at least one index, received none")
        self.indices = indices

    def __iter__(self) -> Iterator[int]:
        return (self.indices[i] for i in epoch_generator().permutation(len(self.indices)).tolist())

    def __len__(self) -> int:
        return len(self.indices)


def positive_count(name: str, count: Any) -> int:
    """`count` as an int; raises ArgumentError unless it is a positive integer."""
    if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count <= 0:
        raise ArgumentError(f"expected {name} to be a positive integer, received {count!r}")
    return int(count)


def truth_value(name: str, value: Any) -> bool:
    """`value`; raises TypeMismatchError unless it is a bool."""
    if not isinstance(value, bool):
        raise TypeMismatchError(
            f"expected {name} to be True or False, received {value!r}", cure="pass True or False"
        )
    return value
