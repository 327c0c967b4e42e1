"""Metric: the base of what is measured over the batches of an epoch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class Metric(ABC):
    """A measure that is collected batch by batch; subclasses define `reset`, `update`,
    `accumulate` and `name`.

    Its use: `compute(outputs, labels)` makes of a batch what `update` wants, `update` takes it in,
    `accumulate` gives the measure over all batches since `reset`.

    >>> class Largest(Metric):
    ...     def reset(self):
    ...         self.value = 0
    ...     def update(self, batch):
    ...         self.value = max(self.value, *batch)
    ...     def accumulate(self):
    ...         return self.value
    ...     def name(self):
    ...         return "largest"
    >>> largest = Largest()
    >>> largest.reset(); largest.update([1, 5]); largest.update([2, 3])
    >>> largest.accumulate()
    5
    """

    @abstractmethod
    def reset(self) -> None:
        """Forget all batches."""

    @abstractmethod
    def update(self, *args: Any) -> Any:
        """Take in a batch, given as `compute` returns it."""

    @abstractmethod
    def accumulate(self) -> Any:
        """The measure over all batches since the last reset."""

    @abstractmethod
    def name(self) -> str | list[str]:
        """The name, or the names where `accumulate` gives several values."""

    def compute(self, *args: Any) -> Any:
        """What `update` wants of the network's outputs and the labels: here, these as they are.

        It may use operators, and is part of the Program where the model is a static one.
        """
        return args
