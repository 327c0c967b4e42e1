"""Joints: where channels can be made smaller by one layer and larger by the next, all else equal.

They are found in the network's Program, so that nothing else reads what is between the layers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.core.ir.program import Operator, Variable
from twinoar.errors import ArgumentError
from twinoar.nn import Layer
from twinoar.slim.quant.uses import Uses


@dataclass(frozen=True, slots=True)
class Side:
    """A parameter and the axis of it along which the channels of a joint lie."""

    tensor: Any
    axis: int

    def channels(self) -> np.ndarray:
        """The numbers of each channel: [C,M], float64."""
        rows = np.moveaxis(self.tensor.numpy().astype(np.float64), self.axis, 0)
        return rows.reshape(len(rows), -1)

    def multiply(self, factors: np.ndarray) -> None:
        """Multiply each channel by a factor, in place."""
        shape = [1] * len(self.tensor.shape)
        shape[self.axis] = -1
        found = self.tensor.numpy().astype(np.float64) * factors.reshape(shape)
        self.tensor.set_value(found.astype(self.tensor.numpy().dtype))


@dataclass(frozen=True, slots=True)
class Joint:
    """Channels that some parameters make, and that others multiply, and nothing else reads.

    makers: the weight that makes them first, and what is added to them. readers: weights. is_norm:
    whether a normalization makes them. is_direct: whether nothing is between.
    """

    makers: tuple[Side, ...]
    readers: tuple[Side, ...]
    is_norm: bool
    is_direct: bool

    def scale(self, factors: np.ndarray) -> None:
        """Divide channels by positive factors where they are made, multiply where they are read.

        factors: [C]. What the network computes stays the same. Raises ArgumentError.
        """
        if not (np.isfinite(factors) & (factors > 0)).all():
            raise ArgumentError("factors of channels must be positive and finite")
        for side in self.makers:
            side.multiply(1.0 / factors)
        for side in self.readers:
            side.multiply(factors)


# f(x) = s f(x / s) for s > 0, and channels stay where they are.
HOMOGENEOUS = (
    *("relu", "leaky_relu", "dropout", "assign"),
    *("max_pool2d", "avg_pool2d", "adaptive_avg_pool2d", "adaptive_max_pool2d"),
)
SAME_CHANNELS = ("flatten", "reshape", "squeeze")


def joints(model: Layer, inputs: Any) -> list[Joint]:
    """The joints of a network, in the order in which it runs.

    inputs: the shapes of the inputs, as `Network` takes them. Makers are Linear, Conv2D, BatchNorm,
    LayerNorm and RMSNorm with a weight, readers Linear and Conv2D of one group or one for each
    channel. Parameters that are used twice are part of none. Raises ArgumentError without inputs,
    and what the conversion of `forward` raises.

    >>> nn = twinoar.nn
    >>> net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
    >>> [(j.makers[0].tensor is net[0].weight, len(j.readers)) for j in joints(net, [1, 4])]
    [(True, 1)]
    """
    uses = Uses(model, inputs)
    found = (_joint(uses, o) for o in uses.program.main.ops if o.op.name in MAKERS)
    return [joint for joint in found if joint is not None]


def _joint(uses: Uses, o: Operator) -> Joint | None:
    makers = MAKERS[o.op.name](uses, o)
    if makers is None:
        return None
    out = o.results[0]
    if o.op.name == "conv2d":
        bias, out = uses.with_bias(o)
        makers = makers if bias is None else (*makers, Side(bias, 0))
    readers = _readers(uses, out)
    if not readers:
        return None
    is_direct = all(reader.op.name in READERS for reader, _ in uses.of(out))
    return Joint(makers, tuple(readers), o.op.name in NORMS, is_direct)


def _readers(uses: Uses, out: Variable) -> list[Side] | None:
    """The weights that multiply what all readers of a value come to; None if others read it."""
    if uses.is_result(out):
        return None
    found: list[Side] = []
    for o, index in uses.of(out):
        reader = READERS.get(o.op.name)
        if index == 0 and reader is not None:
            side = reader(uses, o)
            later = None if side is None else [side]
        else:
            later = _readers(uses, o.results[0]) if index == 0 and _passes(uses, o) else None
        if later is None:
            return None
        found += later
    return found


def _passes(uses: Uses, o: Operator) -> bool:
    """Whether factors of channels pass through an operator."""
    if _has_more_read(uses, o):
        return False
    if o.op.name in SAME_CHANNELS:
        before, after = o.operands[0].spec.shape, o.results[0].spec.shape
        return len(before) == 4 and before[2:] == (1, 1) and tuple(after) == before[:2]
    return o.op.name in HOMOGENEOUS and not o.attrs.get("training")


def _sides(uses: Uses, o: Operator, axis: int, at: int) -> tuple[Side, ...] | None:
    """A weight, the operand `at`, and the bias after it; None where another place reads them."""
    weight, bias = uses.parameter(o.operands[at]), None
    if weight is None:
        return None
    if at + 1 < len(o.operands) and o.operands[at + 1] is not None:
        bias = uses.parameter(o.operands[at + 1])
        if bias is None:
            return None
    return (Side(weight, axis),) if bias is None else (Side(weight, axis), Side(bias, 0))


def _linear(uses: Uses, o: Operator) -> tuple[Side, ...] | None:
    return _sides(uses, o, 1, 1)


def _convolution(uses: Uses, o: Operator) -> tuple[Side, ...] | None:
    weight = uses.parameter(o.operands[1])
    return None if weight is None or _is_channels_last(o) else (Side(weight, 0),)


def _norm(uses: Uses, o: Operator) -> tuple[Side, ...] | None:
    """A normalization over the last axis, of one result."""
    last = len(o.operands[0].spec.shape) - 1
    is_over_last = o.attrs.get("begin_norm_axis", last) == last and o.attrs.get("rank", 1) == 1
    return _sides(uses, o, 0, 1) if is_over_last and not _has_more_read(uses, o) else None


def _batch_norm(uses: Uses, o: Operator) -> tuple[Side, ...] | None:
    if _is_channels_last(o) or _has_more_read(uses, o):
        return None
    return _sides(uses, o, 0, 3)


def _has_more_read(uses: Uses, o: Operator) -> bool:
    return any(uses.of(v) or uses.is_result(v) for v in o.results[1:])


def _read_by_linear(uses: Uses, o: Operator) -> Side | None:
    weight = uses.parameter(o.operands[1])
    return None if weight is None else Side(weight, 0)


def _read_by_convolution(uses: Uses, o: Operator) -> Side | None:
    weight, groups = uses.parameter(o.operands[1]), o.attrs["groups"]
    if weight is None or _is_channels_last(o):
        return None
    if groups == 1:
        return Side(weight, 1)
    return Side(weight, 0) if groups == weight.shape[0] == o.operands[0].spec.shape[1] else None


def _is_channels_last(o: Operator) -> bool:
    return str(o.attrs["data_format"]).endswith("C")


NORMS = ("layer_norm", "rms_norm", "batch_norm")
MAKERS: dict[str, Callable[[Uses, Operator], tuple[Side, ...] | None]] = {
    "linear": _linear,
    "conv2d": _convolution,
    "layer_norm": _norm,
    "rms_norm": _norm,
    "batch_norm": _batch_norm,
}
READERS: dict[str, Callable[[Uses, Operator], Side | None]] = {
    "linear": _read_by_linear,
    "conv2d": _read_by_convolution,
}
