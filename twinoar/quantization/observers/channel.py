"""Observers of weights that have a scale for each channel of what the layer makes."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.quantization.factory import ObserverFactory
from twinoar.quantization.observers.threshold import SHARES, rounded
from twinoar.quantization.observers.uniform import UniformObserver

# The axis of weights along which the channels of results lie.
CHANNEL_AXIS: dict[type[nn.Layer], int] = {
    nn.Conv1D: 0,
    nn.Conv2D: 0,
    nn.Conv3D: 0,
    nn.Conv1DTranspose: 1,
    nn.Conv2DTranspose: 1,
    nn.Conv3DTranspose: 1,
    nn.Linear: 1,
    nn.Embedding: 0,
}


def channel_axis(layer: Any) -> int:
    """Along which axis of the weight of a layer channels lie. Raises ArgumentError."""
    found = [axis for kind, axis in CHANNEL_AXIS.items() if isinstance(layer, kind)]
    if not found:
        kinds = ", ".join(kind.__name__ for kind in CHANNEL_AXIS)
        raise ArgumentError(
            f"no axis of channels is known of {type(layer).__name__}, but of {kinds}",
            cure="quantize the layer by an observer with one scale",
        )
    return found[0]


class AbsMaxChannelWiseWeightObserver(ObserverFactory):
    """Makes observers of the largest magnitude of each channel of a weight.

    quant_bits: of the integers. The layer, by its class, says along which axis channels lie; an
    observer of a layer of another class raises ArgumentError.

    >>> layer = twinoar.nn.Linear(2, 3)
    >>> observer = AbsMaxChannelWiseWeightObserver()._instance(layer)
    >>> _ = observer(twinoar.to_tensor([[1.0, -2.0, 3.0], [-4.0, 1.0, 0.0]]))
    >>> observer.scales().tolist(), observer.quant_axis()
    ([4.0, 2.0, 3.0], 1)
    """

    def _get_class(self) -> type:
        return AbsMaxChannelWiseWeightObserverLayer


class ChannelWiseObserver(UniformObserver):
    """A scale for each index along the axis of channels; subclasses have `largest`.

    Of weights that are seen several times the last counts: they replace each other.
    """

    def __init__(self, layer: Any, quant_bits: int = 8):
        super().__init__(quant_bits)
        self._axis = channel_axis(layer)
        self._largest: np.ndarray | None = None

    @abc.abstractmethod
    def largest(self, channels: np.ndarray) -> np.ndarray:
        """Where to clip each row of channels [C,M]: [C]."""

    def observe(self, values: np.ndarray) -> None:
        """Take the weight."""
        rows = np.moveaxis(values, self._axis, 0)
        self._largest = self.largest(rows.reshape(len(rows), -1))

    def limits(self) -> tuple[Any, Any] | None:
        """0 and the magnitudes at which channels are clipped."""
        return None if self._largest is None else (0.0, self._largest)

    def quant_axis(self) -> int:
        """The axis of channels."""
        return self._axis


class AbsMaxChannelWiseWeightObserverLayer(ChannelWiseObserver):
    """See AbsMaxChannelWiseWeightObserver."""

    def largest(self, channels: np.ndarray) -> np.ndarray:
        """The largest magnitude of each."""
        return np.asarray(np.abs(channels).max(axis=1))


class MSEChannelWiseWeightObserver(ObserverFactory):
    """Makes observers that clip each channel of a weight where the mean square error is least.

    quant_bits: of the integers. The shares `SHARES` of its largest magnitude are tried for each
    channel. Otherwise as AbsMaxChannelWiseWeightObserver.

    >>> observer = MSEChannelWiseWeightObserver(quant_bits=2)._instance(twinoar.nn.Linear(4, 1))
    >>> _ = observer(twinoar.to_tensor([[1.0], [0.5], [0.5], [0.5]]))
    >>> round(observer.scales().item(), 2)
    0.62
    """

    def _get_class(self) -> type:
        return MSEChannelWiseWeightObserverLayer


class MSEChannelWiseWeightObserverLayer(ChannelWiseObserver):
    """See MSEChannelWiseWeightObserver."""

    def largest(self, channels: np.ndarray) -> np.ndarray:
        """Where the mean square error of each is least."""
        candidates = SHARES[::-1, None, None] * np.abs(channels).max(axis=1, keepdims=True)
        errors = [
            np.square(channels - rounded(channels, clip, self.bit_length())).mean(axis=1)
            for clip in candidates
        ]
        best = np.argmin(errors, axis=0)  # [C]
        return np.asarray(candidates[best, np.arange(len(channels)), 0])
