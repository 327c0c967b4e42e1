"""Observers of how values are distributed: they clip the few that are far from the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.quantization.factory import ObserverFactory
from twinoar.quantization.observers.histogram import Histogram
from twinoar.quantization.observers.threshold import least_divergence, least_error, percentiles
from twinoar.quantization.observers.uniform import UniformObserver


class HistObserver(ObserverFactory):
    """Makes observers that leave out so many of the least and of the greatest values.

    quant_bits: of the integers. bins_count: of the histogram, even. percent: which part of the
    values lies below the end of the range, and above its beginning. sign, symmetric: as of
    MinMaxObserver.

    >>> observer = HistObserver(percent=0.75)._instance(None)
    >>> _ = observer(twinoar.linspace(-1.0, 1.0, 4097))
    >>> round(observer.scales().item(), 2)
    0.5
    """

    def _get_class(self) -> type:
        return PercentHistObserverLayer


class BaseHistObserver(UniformObserver):
    """Counts values in a histogram; subclasses have `limits`, which says where to clip."""

    def __init__(
        self,
        quant_bits: int = 8,
        bins_count: int = 2048,
        sign: bool = True,
        symmetric: bool = True,
    ):
        super().__init__(quant_bits, sign, symmetric)
        self.histogram = Histogram(bins_count)

    def observe(self, values: np.ndarray) -> None:
        """Count values."""
        self.histogram.add(values)


class PercentHistObserverLayer(BaseHistObserver):
    """See HistObserver."""

    def __init__(
        self,
        layer: Any,
        quant_bits: int = 8,
        bins_count: int = 2048,
        percent: float = 0.999,
        sign: bool = True,
        symmetric: bool = True,
    ):
        super().__init__(quant_bits, bins_count, sign, symmetric)
        if not 0.5 < percent <= 1:
            raise ArgumentError(f"percent must be above 0.5 and at most 1, received {percent!r}")
        self._percent = percent

    def limits(self) -> tuple[Any, Any] | None:
        """What so many values lie between."""
        seen = self.histogram
        if not seen.total:
            return None
        low, high = percentiles(seen.counts, seen.edges, self._percent)
        return max(low, seen.least), min(high, seen.greatest)


class KLObserver(ObserverFactory):
    """Makes observers that clip where integers tell most of how magnitudes are distributed.

    quant_bits: of the integers. bins_count: of the histogram, even. least_share: of the greatest
    magnitude, below which nothing is clipped; PaddleSlim's is a half. See `least_divergence`.

    >>> observer = KLObserver()._instance(None)
    >>> _ = observer(twinoar.to_tensor([0.5, 1.0, 0.25, 0.75] * 99 + [100.0]))
    >>> observer.scales().item() <= 100.0
    True
    """

    def _get_class(self) -> type:
        return KLObserverLayer


class KLObserverLayer(BaseHistObserver):
    """See KLObserver."""

    def __init__(
        self, layer: Any, quant_bits: int = 8, bins_count: int = 2048, least_share: float = 0.0
    ):
        super().__init__(quant_bits, bins_count)
        if not 0 <= least_share <= 1:
            raise ArgumentError(f"least_share must be from 0 to 1, received {least_share!r}")
        levels = 2 ** (quant_bits - 1) - 1
        if bins_count < 2 * levels:
            raise ArgumentError(
                f"{quant_bits} bits need a bins_count of {2 * levels}, received {bins_count}"
            )
        self._levels, self._least_share = levels, least_share
        self.histogram = Histogram(bins_count, low=0.0)

    def observe(self, values: np.ndarray) -> None:
        """Count magnitudes."""
        self.histogram.add(np.abs(values))

    def limits(self) -> tuple[Any, Any] | None:
        """0 and where to clip."""
        seen = self.histogram
        if not seen.total:
            return None
        kept = least_divergence(seen.counts, self._levels, self._least_share)
        return 0.0, min(float(seen.edges[kept]), seen.greatest)


class MSEObserver(ObserverFactory):
    """Makes observers that clip where the mean square of what rounding changes is least.

    quant_bits: of the integers. bins_count: of the histogram, even. See `least_error`. All batches
    count, where PaddleSlim compares each batch by itself.

    >>> observer = MSEObserver(quant_bits=4)._instance(None)
    >>> _ = observer(twinoar.to_tensor([0.1, 0.9, -0.6, 0.3] * 99 + [1.5]))
    >>> 0.8 < observer.scales().item() < 1.5
    True
    """

    def _get_class(self) -> type:
        return MSEObserverLayer


class MSEObserverLayer(BaseHistObserver):
    """See MSEObserver."""

    power = 2

    def __init__(self, layer: Any, quant_bits: int = 8, bins_count: int = 2048):
        super().__init__(quant_bits, bins_count)

    def limits(self) -> tuple[Any, Any] | None:
        """0 and where to clip."""
        seen = self.histogram
        if not seen.total:
            return None
        largest = max(abs(seen.least), abs(seen.greatest))
        bits = self.bit_length()
        return 0.0, least_error(seen.counts, seen.edges, largest, bits, self.power)


class EMDObserver(ObserverFactory):
    """Makes observers that clip where rounding moves the distribution of values least.

    quant_bits: of the integers. bins_count: of the histogram, even. It is the earth mover's
    distance, see `least_error`; PaddleSlim compares means and standard deviations by that name.

    >>> observer = EMDObserver()._instance(None)
    >>> _ = observer(twinoar.to_tensor([0.5, -1.0]))
    >>> observer.scales().item() <= 1.0
    True
    """

    def _get_class(self) -> type:
        return EMDObserverLayer


class EMDObserverLayer(MSEObserverLayer):
    """See EMDObserver."""

    power = 1
