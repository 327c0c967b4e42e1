"""WeightedAverage: a mean that is collected batch by batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.errors import ArgumentError


class WeightedAverage:
    """The mean of values, each with a weight.

    >>> average = WeightedAverage()
    >>> average.add(value=2.0, weight=1)
    >>> average.add(value=4.0, weight=3)
    >>> float(average.eval())
    3.5
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all values."""
        self.total: Any = 0.0
        self.weight = 0.0

    def add(self, value: Any, weight: float) -> None:
        """Take in a value: a number or an ndarray."""
        self.total = self.total + np.asarray(value) * weight
        self.weight += weight

    def eval(self) -> Any:
        """The mean. Raises ArgumentError where there is no weight."""
        if self.weight == 0:
            raise ArgumentError("there is no mean before the first value", cure="call add")
        return self.total / self.weight


__all__ = ["WeightedAverage"]
