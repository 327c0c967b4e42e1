"""Quantizers: what learns thresholds from tensors, by Paddle's older names for observers."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

from twinoar.core.public import declared
from twinoar.errors import ArgumentError
from twinoar.nn.layer import Layer
from twinoar.quantization.factory import QuanterFactory
from twinoar.quantization.observers import (
    AbsMaxChannelWiseWeightObserver,
    AbsmaxObserver,
    HistObserver,
    KLObserver,
)

HALF = 0.5  # of the greatest magnitude, where Paddle's search for the least divergence ends


class BaseQuantizer(abc.ABC):
    """Keeps an observer for each of some tensors, and makes thresholds of what they saw.

    quant_bits: bits of the integers, 2 to 16. Subclasses have `observer`. Raises ArgumentError.
    """

    def __init__(self, quant_bits: int = 8):
        if quant_bits not in range(2, 17):
            raise ArgumentError(f"quant_bits must be from 2 to 16, received {quant_bits!r}")
        self.quant_bits = quant_bits
        self.thresholds: list[Any] = []
        self._observers: list[Any] = []

    @abc.abstractmethod
    def observer(self) -> QuanterFactory:
        """The factory of the observers that it stands for."""

    def sample_data(self, layer: Layer, tensors: Sequence[Any]) -> None:
        """Look at tensors of a layer, the same number each time. Raises ArgumentError."""
        if not self._observers:
            self._observers = [self.observer()._instance(layer) for _ in tensors]
        if len(tensors) != len(self._observers):
            raise ArgumentError(
                f"expected {len(self._observers)} tensors as before, received {len(tensors)}"
            )
        for observer, tensor in zip(self._observers, tensors, strict=True):
            observer(tensor)

    def cal_thresholds(self) -> None:
        """Make `thresholds`, a number for each tensor, or a list of one for each channel.

        Raises ArgumentError where nothing was seen.
        """
        if not self._observers:
            raise ArgumentError("no data was seen", cure="call sample_data first")
        self.thresholds = [observer.scales().tolist() for observer in self._observers]


class AbsmaxQuantizer(BaseQuantizer):
    """The largest magnitude of all data.

    >>> quantizer = AbsmaxQuantizer()
    >>> quantizer.sample_data(twinoar.nn.ReLU(), [twinoar.to_tensor([1.0, -3.0])])
    >>> quantizer.cal_thresholds()
    >>> quantizer.thresholds
    [3.0]
    """

    def observer(self) -> QuanterFactory:
        """AbsmaxObserver."""
        return AbsmaxObserver(self.quant_bits)


class PerChannelAbsmaxQuantizer(BaseQuantizer):
    """The largest magnitude of each channel of a weight.

    >>> quantizer, layer = PerChannelAbsmaxQuantizer(), twinoar.nn.Linear(2, 2)
    >>> quantizer.sample_data(layer, [twinoar.to_tensor([[1.0, -3.0], [2.0, 0.0]])])
    >>> quantizer.cal_thresholds()
    >>> quantizer.thresholds
    [[2.0, 3.0]]
    """

    def observer(self) -> QuanterFactory:
        """AbsMaxChannelWiseWeightObserver."""
        return AbsMaxChannelWiseWeightObserver(quant_bits=self.quant_bits)


class HistQuantizer(BaseQuantizer):
    """The magnitude below which a part of the values lies, from a histogram.

    bins: of the histogram, even. upsample_bins: without effect, as ranges grow without a count
    being moved. hist_percent: the part. Raises ArgumentError.
    """

    def __init__(
        self,
        quant_bits: int = 8,
        bins: int = 1024,
        upsample_bins: int = 64,
        hist_percent: float = 0.99999,
    ):
        super().__init__(quant_bits)
        self.bins, self.upsample_bins, self.hist_percent = bins, upsample_bins, hist_percent

    def observer(self) -> QuanterFactory:
        """HistObserver."""
        return HistObserver(
            quant_bits=self.quant_bits, bins_count=self.bins, percent=self.hist_percent
        )


class KLQuantizer(BaseQuantizer):
    """The magnitude to clip at so that integers tell most of how values are distributed.

    bins: of the histogram, even. upsample_bins: without effect, as of HistQuantizer. Raises
    ArgumentError.
    """

    def __init__(self, quant_bits: int = 8, bins: int = 1024, upsample_bins: int = 64):
        super().__init__(quant_bits)
        self.bins, self.upsample_bins = bins, upsample_bins

    def observer(self) -> QuanterFactory:
        """KLObserver."""
        return KLObserver(quant_bits=self.quant_bits, bins_count=self.bins, least_share=HALF)


SUPPORT_ACT_QUANTIZERS = [AbsmaxQuantizer, HistQuantizer, KLQuantizer]
SUPPORT_WT_QUANTIZERS = [AbsmaxQuantizer, PerChannelAbsmaxQuantizer]
__all__ = declared(globals(), "SUPPORT_ACT_QUANTIZERS", "SUPPORT_WT_QUANTIZERS")
