"""Observers of extremes: of all values, averaged over samples, or of the last batches most."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.quantization.factory import ObserverFactory
from twinoar.quantization.observers.uniform import UniformObserver


class MinMaxObserver(ObserverFactory):
    """Makes observers of the least and the greatest of all values.

    quant_bits: of the integers. sign: True for integers of both signs. symmetric: True for 0 as
    zero point.

    >>> observer = MinMaxObserver()._instance(None)
    >>> _ = observer(twinoar.to_tensor([-1.0, 0.0, 4.1]))
    >>> observer.zero_points().item()
    50.0
    """

    def _get_class(self) -> type:
        return MinMaxObserverLayer


class MinMaxObserverLayer(UniformObserver):
    """See MinMaxObserver."""

    def __init__(
        self, layer: Any, quant_bits: int = 8, sign: bool = False, symmetric: bool = False
    ):
        super().__init__(quant_bits, sign, symmetric)
        self._low, self._high = np.inf, -np.inf

    def observe(self, values: np.ndarray) -> None:
        """Widen the range."""
        self._low = min(self._low, float(values.min()))
        self._high = max(self._high, float(values.max()))

    def limits(self) -> tuple[Any, Any] | None:
        """The least and the greatest value."""
        return None if self._low > self._high else (self._low, self._high)


class AVGObserver(ObserverFactory):
    """Makes observers of the mean, over samples, of the largest magnitude in each.

    quant_bits: of the integers. Samples lie along the first axis. Every sample counts alike, also
    where batches differ in size, where PaddleSlim takes the mean of those of batches.

    >>> observer = AVGObserver()._instance(None)
    >>> _ = observer(twinoar.to_tensor([[1.0, -4.0], [2.0, 0.0]]))
    >>> observer.scales().item()
    3.0
    """

    def _get_class(self) -> type:
        return AVGObserverLayer


class AVGObserverLayer(UniformObserver):
    """See AVGObserver."""

    def __init__(self, layer: Any, quant_bits: int = 8):
        super().__init__(quant_bits)
        self._sum, self._samples = 0.0, 0

    def observe(self, values: np.ndarray) -> None:
        """Add the largest magnitude of each sample."""
        rows = np.abs(values).reshape(len(values) if values.ndim else 1, -1)
        self._sum += float(rows.max(axis=1).sum())
        self._samples += len(rows)

    def limits(self) -> tuple[Any, Any] | None:
        """0 and the mean."""
        return (0.0, self._sum / self._samples) if self._samples else None


class EMAObserver(ObserverFactory):
    """Makes observers of the moving average of the largest magnitudes of batches.

    quant_bits: of the integers. moving_rate: r, from 0 to 1. After magnitudes m_1 to m_n the scale
    is sum(r^(n - i) m_i) / sum(r^(n - i)), as of Paddle's moving_average_abs_max_scale. Raises
    ArgumentError when an observer is made with another rate.

    >>> observer = EMAObserver(moving_rate=0.5)._instance(None)
    >>> for x in [3.0, -6.0]:
    ...     _ = observer(twinoar.to_tensor([x]))
    >>> observer.scales().item()
    5.0
    """

    def _get_class(self) -> type:
        return EMAObserverLayer


class EMAObserverLayer(UniformObserver):
    """See EMAObserver."""

    def __init__(self, layer: Any, quant_bits: int = 8, moving_rate: float = 0.9):
        super().__init__(quant_bits)
        if not 0 <= moving_rate <= 1:
            raise ArgumentError(f"moving_rate must be from 0 to 1, received {moving_rate!r}")
        self._rate, self._sum, self._weights = moving_rate, 0.0, 0.0

    def observe(self, values: np.ndarray) -> None:
        """Add the largest magnitude, and let those before it count less."""
        self._sum = self._rate * self._sum + float(np.abs(values).max())
        self._weights = self._rate * self._weights + 1.0

    def limits(self) -> tuple[Any, Any] | None:
        """0 and the average."""
        return (0.0, self._sum / self._weights) if self._weights else None
