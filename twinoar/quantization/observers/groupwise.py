"""The largest magnitudes of groups of rows of a weight."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import float32
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal
from twinoar.ops.math.select import select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.quant._integers import limit_of
from twinoar.ops.reduce.extreme import max_op
from twinoar.ops.shape.reshape import reshape
from twinoar.quantization.base_observer import BaseObserver
from twinoar.quantization.factory import ObserverFactory

SIZES = (64, 128)  # of groups, that kernels for such weights have
LEAST = 1e-8  # the scale of a group of zeros


class GroupWiseWeightObserver(ObserverFactory):
    """Takes the largest magnitude of each group of rows, in each column of a weight.

    quant_bits: bits of the integers. group_size: rows of a group, 64 or 128.

    >>> import twinoar as paddle
    >>> observer = GroupWiseWeightObserver(quant_bits=4, group_size=64)._instance(None)
    >>> seen = observer(paddle.ones([128, 3]))
    >>> observer.scales().shape
    [2, 3]
    """

    def __init__(self, quant_bits: int = 8, group_size: int = 128):
        super().__init__(quant_bits=quant_bits, group_size=group_size)

    def _get_class(self) -> type:
        return GroupWiseWeightObserverLayer


class GroupWiseWeightObserverLayer(BaseObserver):
    """The observer itself."""

    def __init__(self, layer: Any, quant_bits: int = 8, group_size: int = 128):
        super().__init__()
        limit_of(quant_bits)  # refuses what are no bits
        if group_size not in SIZES:
            raise ArgumentError(f"group_size must be 64 or 128, received {group_size!r}")
        self._quant_bits, self.group_size = quant_bits, group_size
        self._max: Any = None

    def forward(self, inputs: Any) -> Any:
        """The weight [K,N], of which the scales are found. Raises ShapeError."""
        if inputs.ndim != 2 or inputs.shape[0] % self.group_size:
            raise ShapeError(
                f"expected [K,N] with groups of {self.group_size} rows, received {inputs.spec}"
            )
        rows, columns = inputs.shape
        grouped = reshape(inputs, (rows // self.group_size, self.group_size, columns))
        largest = astype(max_op(magnitude(grouped), (1,)), float32)
        self._max = select(equal(largest, 0.0), LEAST, largest).detach()
        return inputs

    def min_value(self) -> float:
        """0, the least magnitude."""
        return 0.0

    def max_value(self) -> Any:
        """The largest magnitudes, [K / group_size,N]; None before any data was seen."""
        return self._max

    def cal_thresholds(self) -> None:
        """Nothing: the scales are what was seen."""

    def scales(self) -> Any:
        """The largest magnitudes, [K / group_size,N]. Raises ArgumentError before there are any."""
        if self._max is None:
            raise ArgumentError(
                "the observer has seen no data",
                cure="call the network on some batches before it is converted",
            )
        return self._max

    def zero_points(self) -> Any:
        """0, of the shape of the scales."""
        return self.scales() * 0.0

    def quant_axis(self) -> int:
        """-1: groups are told by the shape of the scales."""
        return -1

    def bit_length(self) -> int:
        """Bits of the integers."""
        return self._quant_bits
