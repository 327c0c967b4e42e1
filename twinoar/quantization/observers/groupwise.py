"""The largest magnitudes of groups of rows of a weight."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, ShapeError
from twinoar.quantization.factory import ObserverFactory
from twinoar.quantization.observers.uniform import UniformObserver

SIZES = (64, 128)  # of groups, that kernels for such weights have


class GroupWiseWeightObserver(ObserverFactory):
    """Takes the largest magnitude of each group of rows, in each column of a weight.

    quant_bits: bits of the integers. group_size: rows of a group, 64 or 128.

    >>> observer = GroupWiseWeightObserver(quant_bits=4, group_size=64)._instance(None)
    >>> seen = observer(twinoar.ones([128, 3]))
    >>> observer.scales().shape
    [2, 3]
    """

    def __init__(self, quant_bits: int = 8, group_size: int = 128):
        super().__init__(quant_bits=quant_bits, group_size=group_size)

    def _get_class(self) -> type:
        return GroupWiseWeightObserverLayer


class GroupWiseWeightObserverLayer(UniformObserver):
    """See GroupWiseWeightObserver."""

    def __init__(self, layer: Any, quant_bits: int = 8, group_size: int = 128):
        super().__init__(quant_bits)
        if group_size not in SIZES:
            raise ArgumentError(f"group_size must be 64 or 128, received {group_size!r}")
        self.group_size = group_size
        self._largest: np.ndarray | None = None

    def observe(self, values: np.ndarray) -> None:
        """Take the weight, [K,N]. Raises ShapeError where groups do not divide its rows."""
        if values.ndim != 2 or len(values) % self.group_size:
            raise ShapeError(
                f"expected [K,N] with groups of {self.group_size} rows, "
                f"received {list(values.shape)}"
            )
        grouped = np.abs(values).reshape(-1, self.group_size, values.shape[1])
        self._largest = grouped.max(axis=1)

    def limits(self) -> tuple[Any, Any] | None:
        """0 and the largest magnitudes, [K / group_size,N]."""
        return None if self._largest is None else (0.0, self._largest)
