"""Rounding of weights by the largest magnitude of each channel, as it is in every step."""

from __future__ import annotations

from typing import Any

from twinoar.nn.quant.fake_quant import FakeQuantChannelWiseAbsMax
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.factory import QuanterFactory
from twinoar.quantization.observers.channel import channel_axis


class FakeQuanterChannelWiseAbsMaxObserver(QuanterFactory):
    """Makes quanters that round each channel of a weight by its largest magnitude.

    bit_length: of the integers. dtype: of the scales. name: what the name of the scales begins
    with. The layer, by its class, says along which axis channels lie; a quanter of a layer of
    another class raises ArgumentError.

    >>> layer = twinoar.nn.Linear(2, 2)
    >>> quanter = FakeQuanterChannelWiseAbsMaxObserver(bit_length=4)._instance(layer)
    >>> quanter(twinoar.to_tensor([[0.3, 7.0], [7.0, 14.0]])).tolist()
    [[0.0, 8.0], [7.0, 14.0]]
    >>> quanter.scales().tolist(), quanter.quant_axis()
    ([7.0, 14.0], 1)
    """

    def __init__(self, bit_length: int = 8, dtype: Any = "float32", name: str | None = None):
        super().__init__(bit_length=bit_length, dtype=dtype, name=name)

    def _get_class(self) -> type:
        return FakeQuanterChannelWiseAbsMaxObserverLayer


class FakeQuanterChannelWiseAbsMaxObserverLayer(FakeQuantChannelWiseAbsMax, BaseQuanter):
    """The quanter itself; in evaluation mode its scales stand still."""

    def __init__(
        self, layer: Any, bit_length: int = 8, dtype: Any = "float32", name: str | None = None
    ):
        axis = channel_axis(layer)
        channels = layer.weight.shape[axis]
        super().__init__(name, channels, bit_length, axis, dtype, quant_on_weight=True)

    @property
    def is_unseen(self) -> bool:
        """True while no weight has passed in training."""
        return not self._scale.numpy().any()

    def scales(self) -> Any:
        """The largest magnitudes, [C]."""
        return self._scale

    def zero_points(self) -> None:
        """None: 0 is 0."""

    def quant_axis(self) -> int:
        """The axis of channels."""
        return self._quant_axis

    def bit_length(self) -> int:
        """Bits of the integers."""
        return self._quant_bits
