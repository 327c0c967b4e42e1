"""UniformObserver: a range of values, divided into equal steps; what is common to observers."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, DTypeError
from twinoar.quantization.base_observer import BaseObserver

NOT_REAL = "cb"  # NumPy's kinds of complex numbers, and of booleans
LEAST = 1e-8  # a scale of values that are all 0; PaddleSlim's


class UniformObserver(BaseObserver, metaclass=abc.ABCMeta):
    """Makes a scale and a zero point of the range in which values lie.

    A value x becomes clip(round(x / scale * n) + zero_point, low, high), where n is
    2^(quant_bits - 1) - 1 and (low, high) is `qmin_qmax`. Subclasses have `observe`, which gathers,
    and `limits`, which says the range; it is widened to have 0 in it, so that padding stays exact.
    quant_bits: of the integers, 2 to 16. sign: False for integers from 0. symmetric: False for a
    zero point that makes both ends of the range integers of their own; n is then still what a scale
    is divided by. Raises ArgumentError. Sources: Nagel et al. 2021, arXiv 2106.08295, section 2.2;
    Jacob et al. 2018, arXiv 1712.05877, equation 1.
    """

    _min: Any
    _max: Any
    _scale: Any
    _zero_point: Any

    def __init__(self, quant_bits: int = 8, sign: bool = True, symmetric: bool = True):
        super().__init__()
        if quant_bits not in range(2, 17):
            raise ArgumentError(f"quant_bits must be from 2 to 16, received {quant_bits!r}")
        self._quant_bits, self._sign, self._symmetric = quant_bits, sign, symmetric
        self._forget()

    @abc.abstractmethod
    def observe(self, values: np.ndarray) -> None:
        """Gather what is needed from values: an array of float64 with elements, all finite."""

    @abc.abstractmethod
    def limits(self) -> tuple[Any, Any] | None:
        """The least and the greatest value to be told apart, in float64; None if none were seen."""

    def forward(self, input: Any) -> Any:  # Paddle's name
        """Look at values, and return them as they are.

        Raises ArgumentError for nan and inf, DTypeError for what are no real numbers.
        """
        seen = input.numpy()
        if seen.dtype.kind in NOT_REAL:
            raise DTypeError(
                f"values to observe must be real numbers, received {input.dtype.name}",
                cure="leave the layer out: QuantConfig.add_layer_config(layer)",
            )
        values = np.asarray(seen, np.float64)
        if not np.isfinite(values).all():
            raise ArgumentError(
                "values to observe must be finite, received nan or inf",
                cure="run the network on data on which its values are finite",
            )
        if values.size:
            self._forget()
            self.observe(values)
        return input

    @property
    def qmin_qmax(self) -> tuple[int, int]:
        """The least and the greatest integer."""
        half = 2 ** (self._quant_bits - 1)
        return (-half, half - 1) if self._sign else (0, 2 * half - 1)

    def cal_thresholds(self) -> None:
        """Compute scales and zero points from what was seen; without anything they stay None."""
        found = self.limits()
        if found is None:
            return
        low, high = np.minimum(found[0], 0.0), np.maximum(found[1], 0.0)
        least, greatest = self.qmin_qmax
        if self._symmetric:
            scale = np.maximum(np.maximum(-low, high), LEAST)
            zero = np.full(np.shape(scale), 0 if self._sign else 2 ** (self._quant_bits - 1))
        else:
            step = np.maximum((high - low) / (greatest - least), LEAST)
            zero = np.clip(least - np.round(low / step), least, greatest)
            scale = step * (2 ** (self._quant_bits - 1) - 1)
        self._min, self._max = low, high
        self._scale = to_tensor(np.asarray(scale, np.float32))
        self._zero_point = to_tensor(np.asarray(zero, np.float32))

    cal_scales_zero_points = cal_thresholds

    def min_value(self) -> Any:
        """The least value that has an integer of its own; None if nothing was seen."""
        self._compute()
        return self._min

    def max_value(self) -> Any:
        """The greatest value that has an integer of its own; None if nothing was seen."""
        self._compute()
        return self._max

    def scales(self) -> Any:
        """What 2^(quant_bits - 1) - 1 stands for, float32; None if nothing was seen."""
        self._compute()
        return self._scale

    def zero_points(self) -> Any:
        """The integers that stand for 0, float32; None if nothing was seen."""
        self._compute()
        return self._zero_point

    def quant_axis(self) -> int:
        """-1: one scale for all elements."""
        return -1

    def bit_length(self) -> int:
        """How many bits the integers have."""
        return self._quant_bits

    def _compute(self) -> None:
        if self._scale is None:
            self.cal_thresholds()

    def _forget(self) -> None:
        self._min = self._max = self._scale = self._zero_point = None
