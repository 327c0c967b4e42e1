"""The largest magnitude of all data."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.quantization.factory import ObserverFactory
from twinoar.quantization.observers.uniform import UniformObserver


class AbsmaxObserver(ObserverFactory):
    """Takes the largest magnitude of all data as the scale.

    quant_bits: bits of the integers.

    >>> observer = AbsmaxObserver(quant_bits=8)._instance(None)
    >>> for numbers in ([1.0, -3.0], [2.0, 2.0]):
    ...     seen = observer(twinoar.to_tensor(numbers))
    >>> observer.scales().item()
    3.0
    """

    def __init__(self, quant_bits: int = 8):
        super().__init__(quant_bits=quant_bits)

    def _get_class(self) -> type:
        return AbsmaxObserverLayer


class AbsmaxObserverLayer(UniformObserver):
    """See AbsmaxObserver."""

    def __init__(self, layer: Any, quant_bits: int = 8):
        super().__init__(quant_bits)
        self._largest: float | None = None

    def observe(self, values: np.ndarray) -> None:
        """Remember the largest magnitude."""
        self._largest = max(self._largest or 0.0, float(np.abs(values).max()))

    def limits(self) -> tuple[Any, Any] | None:
        """0 and the largest magnitude."""
        return None if self._largest is None else (0.0, self._largest)
