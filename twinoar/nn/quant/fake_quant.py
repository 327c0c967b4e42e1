"""Layers that round values to what integers of few bits stand for."""

from __future__ import annotations

from typing import Any

from twinoar.core import unique_name
from twinoar.core.interpreter import current
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.quant._integers import limit_of
from twinoar.ops.quant.moving_average import (
    fake_quantize_dequantize_moving_average_abs_max,
    moving_average_abs_max_scale,
)
from twinoar.ops.quant.quantize_dequantize import (
    fake_channel_wise_quantize_dequantize_abs_max,
    fake_quantize_dequantize_abs_max,
)

FIRST_SCALE = 0.001  # Paddle's, of a quanter that has seen no data


def refuse_reduction(reduce_type: str | None) -> None:
    """Raise UnsupportedError for what would bring scales of processes together."""
    if reduce_type is not None:
        raise UnsupportedError(
            f"scales of all processes together, {reduce_type!r}, are not served",
            cure="leave reduce_type out",
        )


def check_rate(moving_rate: float) -> None:
    """Raise ArgumentError for what is no part of the past that stays."""
    if not 0 <= moving_rate < 1:
        raise ArgumentError(f"moving_rate must be from 0 and below 1, received {moving_rate!r}")


def state(layer: Layer, prefix: str, size: int, start: float, dtype: Any) -> Any:
    """A parameter of a layer that is not trained, of `size` equal elements."""
    attr = ParamAttr(
        name=unique_name.generate(prefix), initializer=Constant(start), trainable=False
    )
    return layer.create_parameter([size], attr, dtype)


def move(states: tuple[Any, ...], values: tuple[Any, ...]) -> None:
    """Let states have new values from now on."""
    for old, new in zip(states, values, strict=True):
        new.stop_gradient = True  # they are remembered, not differentiated
        current().rebind(old, new)


class Averaged(Layer):
    """A scale, and the count and the sum of the moving average that it is."""

    def __init__(self, prefix: str, starts: tuple[float, float, float], dtype: Any):
        super().__init__()
        scale, state_, accum = starts
        self._scale = state(self, f"{prefix}.scale", 1, scale, dtype)
        self._state = state(self, f"{prefix}.state", 1, state_, dtype)
        self._accum = state(self, f"{prefix}.accum", 1, accum, dtype)
        self._states = ("_scale", "_state", "_accum")

    def _remember(self, values: tuple[Any, ...]) -> None:
        move(tuple(getattr(self, name) for name in self._states), values)


class FakeQuantMovingAverageAbsMax(Averaged):
    """Rounds values by a moving average of largest magnitudes.

    name: what names of the states begin with. moving_rate: how much of the past stays. quant_bits:
    bits of the integers. dtype: of the states. reduce_type: None, as each process has scales of its
    own. In evaluation mode the states stand still. Raises ArgumentError, UnsupportedError.

    >>> layer = FakeQuantMovingAverageAbsMax(moving_rate=0.0, quant_bits=4)
    >>> layer(twinoar.to_tensor([0.3, -1.2, 7.0])).tolist()
    [0.0, -1.0, 7.0]
    """

    def __init__(
        self,
        name: str | None = None,
        moving_rate: float = 0.9,
        quant_bits: int = 8,
        dtype: Any = "float32",
        reduce_type: str | None = None,
    ):
        limit_of(quant_bits)  # refuses what are no bits
        refuse_reduction(reduce_type)
        check_rate(moving_rate)
        super().__init__(name or "quant_dequant", (FIRST_SCALE, 1.0, 1.0), dtype)
        self._moving_rate, self._quant_bits = moving_rate, quant_bits

    @property
    def is_unseen(self) -> bool:
        """True while no data has moved the scale."""
        return (self._state.item(), self._accum.item()) == (1.0, 1.0) and (
            abs(self._scale.item() - FIRST_SCALE) < FIRST_SCALE * 1e-3
        )

    def forward(self, input: Any) -> Any:
        """x rounded; in training the states move first."""
        given = {"moving_rate": self._moving_rate, "bit_length": self._quant_bits}
        if not self.training:
            return fake_quantize_dequantize_moving_average_abs_max(
                input, self._scale, is_test=True, **given
            )
        out, *new = fake_quantize_dequantize_moving_average_abs_max(
            input, self._scale, self._accum, self._state, **given
        )
        self._remember(tuple(new))
        return out


class FakeQuantAbsMax(Layer):
    """Rounds values by their largest magnitude.

    name: what the name of the scale begins with. quant_bits: bits of the integers. dtype: of the
    scale. quant_on_weight: keep the scale as a parameter that is not trained. reduce_type: None.
    Raises ArgumentError, UnsupportedError.

    >>> FakeQuantAbsMax(quant_bits=4)(twinoar.to_tensor([0.3, -1.2, 7.0])).tolist()
    [0.0, -1.0, 7.0]
    """

    def __init__(
        self,
        name: str | None = None,
        quant_bits: int = 8,
        dtype: Any = "float32",
        quant_on_weight: bool = False,
        reduce_type: str | None = None,
    ):
        super().__init__()
        limit_of(quant_bits)  # refuses what are no bits
        refuse_reduction(reduce_type)
        self._quant_bits = quant_bits
        prefix = f"{name or 'quant_dequant'}.scale"
        self._scale = state(self, prefix, 1, FIRST_SCALE, dtype) if quant_on_weight else None

    def forward(self, input: Any) -> Any:
        """x rounded."""
        out, scale = fake_quantize_dequantize_abs_max(input, bit_length=self._quant_bits)
        if self._scale is not None and self.training:
            move((self._scale,), (scale,))
        return out


class FakeQuantChannelWiseAbsMax(Layer):
    """Rounds weights by the largest magnitude of each channel.

    name: what the name of the scales begins with. channel_num: how many channels there are.
    quant_bits: bits of the integers. quant_axis: that of channels. dtype: of the scales.
    quant_on_weight: True, as nothing else has channels to rely on. reduce_type: None. Raises
    ArgumentError, UnsupportedError.

    >>> layer = FakeQuantChannelWiseAbsMax(None, 2, quant_bits=4, quant_on_weight=True)
    >>> layer(twinoar.to_tensor([[0.3, 7.0], [0.6, 14.0]])).tolist()
    [[0.0, 7.0], [0.0, 14.0]]
    """

    def __init__(
        self,
        name: str | None = None,
        channel_num: int | None = None,
        quant_bits: int = 8,
        quant_axis: int = 0,
        dtype: Any = "float32",
        quant_on_weight: bool = False,
        reduce_type: str | None = None,
    ):
        super().__init__()
        if not quant_on_weight or channel_num is None:
            raise ArgumentError(
                "scales of channels are for weights whose number of channels is known",
                cure="set quant_on_weight, and give channel_num",
            )
        limit_of(quant_bits)  # refuses what are no bits
        refuse_reduction(reduce_type)
        self._quant_bits, self._quant_axis = quant_bits, quant_axis
        self._scale = state(self, f"{name or 'quant_dequant'}.scale", channel_num, 0.0, dtype)

    def forward(self, input: Any) -> Any:
        """x rounded."""
        out, scale = fake_channel_wise_quantize_dequantize_abs_max(
            input, bit_length=self._quant_bits, quant_axis=self._quant_axis
        )
        if self.training:
            move((self._scale,), (scale,))
        return out


class MovingAverageAbsMaxScale(Averaged):
    """Leaves values as they are, and keeps a moving average of their largest magnitudes.

    name: what names of the states begin with. moving_rate: how much of the past stays. dtype: of
    the states. reduce_type: None. Raises ArgumentError, UnsupportedError.

    >>> layer = MovingAverageAbsMaxScale()
    >>> layer(twinoar.to_tensor([1.0, -2.0])).tolist(), layer._scale.item()
    ([1.0, -2.0], 2.0)
    """

    def __init__(
        self,
        name: str | None = None,
        moving_rate: float = 0.9,
        dtype: Any = "float32",
        reduce_type: str | None = None,
    ):
        refuse_reduction(reduce_type)
        check_rate(moving_rate)
        super().__init__(name or "outscale", (0.0, 0.0, 0.0), dtype)
        self._moving_rate = moving_rate

    def forward(self, input: Any) -> Any:
        """x."""
        if not self.training:
            return input
        out, *new = moving_average_abs_max_scale(
            input, self._accum, self._state, moving_rate=self._moving_rate
        )
        self._remember(tuple(new))
        return out
