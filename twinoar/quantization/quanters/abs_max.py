"""Rounding by a moving average of largest magnitudes."""

from __future__ import annotations

from typing import Any

from twinoar.nn.quant.fake_quant import FakeQuantMovingAverageAbsMax
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.factory import QuanterFactory


class FakeQuanterWithAbsMaxObserver(QuanterFactory):
    """Rounds values to what integers stand for, by a moving average of largest magnitudes.

    moving_rate: r in state = r * state + 1, accum = r * accum + max |x|, scale = accum / state.
    bit_length: bits of the integers. dtype: of the states. name: what names of the states begin
    with.

    >>> quanter = FakeQuanterWithAbsMaxObserver(bit_length=4)._instance(None).train()
    >>> quanter(twinoar.to_tensor([0.3, -1.0])).shape
    [2]
    >>> round(quanter.scales().item(), 4)
    1.0
    """

    def __init__(
        self,
        moving_rate: float = 0.9,
        bit_length: int = 8,
        dtype: Any = "float32",
        name: str | None = None,
    ):
        super().__init__(name=name, moving_rate=moving_rate, bit_length=bit_length, dtype=dtype)

    def _get_class(self) -> type:
        return FakeQuanterWithAbsMaxObserverLayer


class FakeQuanterWithAbsMaxObserverLayer(FakeQuantMovingAverageAbsMax, BaseQuanter):
    """The quanter itself; in evaluation mode its scale stands still."""

    def __init__(
        self,
        layer: Any,
        name: str | None = None,
        moving_rate: float = 0.9,
        bit_length: int = 8,
        dtype: Any = "float32",
    ):
        super().__init__(name, moving_rate, bit_length, dtype)

    def scales(self) -> Any:
        """The largest magnitude, [1]."""
        return self._scale

    def zero_points(self) -> None:
        """None: 0 is 0."""

    def quant_axis(self) -> int:
        """-1: there is one scale."""
        return -1

    def bit_length(self) -> int:
        """Bits of the integers."""
        return self._quant_bits
