"""Which channels of its results an operator makes of which channels of its operands.

There is a rule for each family of primitives, and operators that compute element by element need
none. What has no rule keeps all its channels. Operators with bodies are expanded before, so batch
norm, attention and users' own operators follow from what they are made of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from twinoar.core.ir.program import Operator
from twinoar.slim.groups import FIXED, NEUTRAL, Groups, spread


class Channels(Protocol):
    """What the rules ask for: labels of operands, and of weights along one axis."""

    groups: Groups

    def of(self, operand: Any) -> np.ndarray:
        """The label of each element."""

    def weight(self, operand: Any, axis: int) -> np.ndarray | None:
        """Labels along an axis of what is a parameter of the network; None for anything else."""

    def product(self, operand: Any, positions: int) -> None:
        """Note that a weight takes part in so many multiplications for each of its elements."""

    def keep(self, operand: Any) -> None:
        """Say that no channel of an operand can be removed."""


Rule = Callable[[Channels, Operator], "list[np.ndarray] | None"]
ELEMENTWISE = (
    "clip pow remainder floor_divide gelu silu swish mish softplus softsign tanhshrink stanh relu6 "
    "leaky_relu elu log_sigmoid dropout wait without_gradient"
)
CHANNELS = 1  # the axis of channels where the layout is NCHW


def rule_of(o: Operator) -> Rule | None:
    """The rule for an operator, None where its channels are unknown."""
    name = o.op.name
    if "scalar" in o.op.rules or name in ELEMENTWISE.split():
        return elementwise
    return RULES.get(name)


def is_unchanged(o: Operator) -> bool:
    """Whether an operator gives what it is given, as a reshape to the same shape does."""
    return o.op.name == "reshape" and tuple(o.operands[0].spec.shape) == _shape(o)


def elementwise(channels: Channels, o: Operator) -> list[np.ndarray]:
    """Channels that meet go together. What is spread over several channels keeps its own."""
    groups, shape = channels.groups, _shape(o)
    found = np.full(shape, NEUTRAL)
    for x in sorted(o.operands, key=lambda x: -_size(x)):
        labels = channels.of(x)
        whole = labels.reshape((1,) * (len(shape) - labels.ndim) + labels.shape)
        spread_over = [a for a in groups.varying(found) if whole.shape[a] == 1 and shape[a] > 1]
        if spread_over:
            groups.fix(labels)
            continue
        groups.join(found, whole)
        found = np.where(found == NEUTRAL, whole, found)
    return [found]


def moved(channels: Channels, o: Operator) -> list[np.ndarray]:
    """The operator's own kernel moves the labels as it moves the elements."""
    found = _run(o, [channels.of(x) for x in o.operands])
    for labels in found:
        channels.groups.tie_all_but_one(labels)
    return found


def joined(channels: Channels, o: Operator) -> list[np.ndarray]:
    """As `moved`, for what puts arrays in a row: these have equal sizes along the other axes."""
    (labels,) = _run(o, [channels.of(x) for x in o.operands])
    channels.groups.tie_all_but_one(labels, int(o.attrs["axis"]) % labels.ndim)
    return [labels]


def padded(channels: Channels, o: Operator) -> list[np.ndarray]:
    """Channels that are added can't be removed, as their number is fixed."""
    labels = channels.of(o.operands[0])
    widths = _run(o, [np.zeros_like(labels)], value=1)[0]  # 1 where it pads
    found = _run(o, [labels], value=FIXED)[0]
    outside = widths.astype(bool)
    along = channels.groups.varying(found)
    if not set(along) & set(channels.groups.varying(outside.astype(np.int64))):
        return [labels]
    for axis in set(range(found.ndim)) - {CHANNELS}:  # borders of images belong to their channels
        first = np.take(found, [found.shape[axis] // 2], axis)
        found = np.where(outside, first, found)
    return [found]


def split(channels: Channels, o: Operator) -> list[np.ndarray]:
    """Equal parts lose the same channels, so that they are equal parts again."""
    labels, axis = channels.of(o.operands[0]), int(o.attrs["axis"])
    parts = _run(o, [labels])
    if axis % labels.ndim in channels.groups.varying(labels):
        if len({part.shape for part in parts}) == 1:
            for part in parts[1:]:
                channels.groups.join(parts[0], part)
        else:
            channels.groups.fix(labels)
    return parts


def sliced(channels: Channels, o: Operator) -> list[np.ndarray]:
    """A slice of channels is one of equal parts, or its bounds hold for these channels alone."""
    groups, labels = channels.groups, channels.of(o.operands[0])
    varying = set(groups.varying(labels))
    for axis, start, end in zip(
        o.attrs["axes"], o.attrs["starts"], o.attrs["ends"], strict=True
    ):  # fmt: skip
        if axis % labels.ndim not in varying:
            continue
        size = labels.shape[axis]
        low, high, _ = slice(start, end).indices(size)
        width = high - low
        if width == size:
            continue
        if width < 2 or size % width or low % width:
            groups.fix(labels)
            continue
        parts = np.split(labels, size // width, axis)
        for part in parts[1:]:
            groups.join(parts[0], part)
    return _run(o, [labels])


def reduced(channels: Channels, o: Operator) -> list[np.ndarray]:
    """What is summed up over channels needs them all; within a channel it is that channel's."""
    labels = channels.of(o.operands[0])
    given = o.attrs.get("axis")
    listed = given if isinstance(given, (tuple, list)) else [] if given is None else [given]
    axes = tuple(int(a) % labels.ndim for a in listed) or tuple(range(labels.ndim))
    if set(axes) & set(channels.groups.varying(labels)):
        channels.groups.fix(labels)
    return [labels.max(axes).reshape(v.spec.shape) for v in o.results]


def along(channels: Channels, o: Operator) -> list[np.ndarray]:
    """As `reduced`, where results have the shape of the operand."""
    labels = channels.of(o.operands[0])
    axis = o.attrs.get("axis")
    axes = set(range(labels.ndim)) if axis is None else {int(axis) % labels.ndim}
    if axes & set(channels.groups.varying(labels)):
        channels.groups.fix(labels)
    return [labels for _ in o.results]


def pooled(channels: Channels, o: Operator) -> list[np.ndarray] | None:
    """Windows lie within a channel."""
    labels = _by_channel(channels, o)
    if labels is None:
        return None
    return [spread(labels, CHANNELS, v.spec.shape) for v in o.results]


def convolution(channels: Channels, o: Operator) -> list[np.ndarray] | None:
    """Filters are channels of the result. A group of filters stays or goes as a whole."""
    weight = o.operands[1]
    labels, inner, outer = _by_channel(channels, o), channels.weight(weight, 1), None
    if labels is None or inner is None:
        return None
    outer = channels.weight(weight, 0)
    assert outer is not None
    count = int(o.attrs["groups"])
    if count == 1:
        channels.groups.join(labels, inner)
    else:
        channels.groups.fix(inner)
        by_group = [x.reshape(count, -1) for x in (labels, outer)]
        channels.groups.join(by_group[0], by_group[0][:, :1])
        channels.groups.join(by_group[1], by_group[0][:, :1])
    shape = _shape(o)
    channels.product(weight, int(np.prod(shape)) // shape[CHANNELS])
    return [spread(outer, CHANNELS, shape)]


def transposed_convolution(channels: Channels, o: Operator) -> list[np.ndarray] | None:
    """A weight's first axis is that of the operand here, its second that of the result."""
    weight = o.operands[1]
    labels, inner = _by_channel(channels, o), channels.weight(weight, 0)
    if labels is None or inner is None or int(o.attrs["groups"]) != 1:
        return None
    outer = channels.weight(weight, 1)
    assert outer is not None
    channels.groups.join(labels, inner)
    channels.product(weight, labels.size and int(np.prod(o.operands[0].spec.shape)) // labels.size)
    return [spread(outer, CHANNELS, _shape(o))]


def product(channels: Channels, o: Operator) -> list[np.ndarray] | None:
    """A weight's columns are channels of the result."""
    x, weight = o.operands
    if o.attrs["transpose_x"] or len(weight.spec.shape) != 2:
        return None
    inner_axis = int(bool(o.attrs["transpose_y"]))
    inner, labels = channels.weight(weight, inner_axis), channels.of(x)
    if inner is None or set(channels.groups.varying(labels)) - {labels.ndim - 1}:
        return None
    outer = channels.weight(weight, 1 - inner_axis)
    assert outer is not None
    channels.groups.join(labels, inner)
    shape = _shape(o)
    channels.product(weight, int(np.prod(shape)) // len(outer))
    return [spread(outer, len(shape) - 1, shape)]


def gathered(channels: Channels, o: Operator) -> list[np.ndarray] | None:
    """Places that are gathered belong to the channels that they are of."""
    labels, axis = channels.of(o.operands[0]), int(o.attrs.get("axis", 0))
    if axis % labels.ndim in channels.groups.varying(labels):
        return None
    shape, index = _shape(o), len(o.operands[1].spec.shape)
    one = np.take(labels, np.zeros([1] * index, np.int64), axis)
    return [np.broadcast_to(one, shape)]


def looked_up(channels: Channels, o: Operator) -> list[np.ndarray] | None:
    """A table's columns are channels of the result."""
    columns = channels.weight(o.operands[1], 1)
    shape = _shape(o)
    return None if columns is None else [spread(columns, len(shape) - 1, shape)]


FAMILIES: tuple[tuple[Rule, str], ...] = (
    (moved, "reshape transpose squeeze unsqueeze flatten flip broadcast_to unbind tile"),
    (joined, "concat stack"),
    (reduced, "sum mean prod all any logsumexp max min amax amin var argmax argmin"),
    (along, "softmax log_softmax cumsum cumprod sort"),
    (padded, "pad_constant"),
    (split, "split"),
    (sliced, "slice"),
    (gathered, "gather"),
    (pooled, "max_pool2d max_pool3d avg_pool2d avg_pool3d adaptive_avg_pool2d adaptive_avg_pool3d"),
    (pooled, "max_pool2d_with_position max_pool3d_with_position"),
    (pooled, "max_pool2d_with_index max_pool3d_with_index"),
    (convolution, "conv2d conv3d"),
    (transposed_convolution, "conv2d_grad_x conv3d_grad_x"),
    (product, "matmul"),
    (looked_up, "embedding"),
)
RULES: dict[str, Rule] = {name: rule for rule, names in FAMILIES for name in names.split()}


def _by_channel(channels: Channels, o: Operator) -> np.ndarray | None:
    """The label of each channel of an image; None where the layout is another."""
    if not str(o.attrs.get("data_format", "NC")).startswith("NC"):
        return None
    labels = channels.of(o.operands[0])
    if set(channels.groups.varying(labels)) - {CHANNELS}:
        return None
    return labels[(0, slice(None)) + (0,) * (labels.ndim - 2)]


def _run(o: Operator, operands: list[np.ndarray], **other: Any) -> list[np.ndarray]:
    assert o.op.kernel_rule is not None
    found = o.op.kernel_rule(*operands, **{**o.attrs, **other})
    return list(found) if isinstance(found, (tuple, list)) else [found]


def _shape(o: Operator) -> tuple[int, ...]:
    return tuple(o.results[0].spec.shape)


def _size(x: Any) -> int:
    return int(np.prod(x.spec.shape)) if hasattr(x, "spec") else 0
