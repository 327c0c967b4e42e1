"""The largest magnitude of all data."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import float32
from twinoar.core.interpreter import current
from twinoar.errors import ArgumentError
from twinoar.ops.create.fill import fill
from twinoar.ops.math.cast import astype
from twinoar.ops.math.select import maximum
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.quant._integers import limit_of
from twinoar.ops.reduce.extreme import max_op
from twinoar.quantization.base_observer import BaseObserver
from twinoar.quantization.factory import ObserverFactory

UNSEEN = -1.0  # no magnitude


class AbsmaxObserver(ObserverFactory):
    """Takes the largest magnitude of all data as the scale.

    quant_bits: bits of the integers.

    >>> import twinoar as paddle
    >>> observer = AbsmaxObserver(quant_bits=8)._instance(None)
    >>> for numbers in ([1.0, -3.0], [2.0, 2.0]):
    ...     seen = observer(paddle.to_tensor(numbers))
    >>> observer.scales().item()
    3.0
    """

    def __init__(self, quant_bits: int = 8):
        super().__init__(quant_bits=quant_bits)

    def _get_class(self) -> type:
        return AbsmaxObserverLayer


class AbsmaxObserverLayer(BaseObserver):
    """The observer itself."""

    def __init__(self, layer: Any, quant_bits: int = 8):
        super().__init__()
        limit_of(quant_bits)  # refuses what are no bits
        self._quant_bits = quant_bits
        self.register_buffer("_max", fill((), UNSEEN, float32), persistable=False)

    def forward(self, input: Any) -> Any:
        """x, which is remembered if it has the largest magnitude."""
        new = maximum(self._max, astype(max_op(magnitude(input)), float32))
        new.stop_gradient = True
        current().rebind(self._max, new)
        return input

    def cal_thresholds(self) -> None:
        """Nothing: the scale is what was seen."""

    def scales(self) -> Any:
        """The largest magnitude, []. Raises ArgumentError before any data was seen."""
        if self._max.item() == UNSEEN:
            raise ArgumentError(
                "the observer has seen no data",
                cure="call the network on some batches before it is converted",
            )
        return self._max

    def zero_points(self) -> Any:
        """0, []."""
        return fill((), 0.0, float32)

    def quant_axis(self) -> int:
        """-1: there is one scale."""
        return -1

    def bit_length(self) -> int:
        """Bits of the integers."""
        return self._quant_bits
