"""Parts of weights, and where they lie in the whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.distributed.fleet.topology import group_for
from twinoar.distributed.group import Group, member
from twinoar.errors import ArgumentError, TypeMismatchError


class ShardedWeight:
    """A part of a weight, and where it lies in the whole."""

    def __init__(
        self,
        key: str,
        local_tensor: Tensor,
        local_shape: tuple[int, ...],
        global_shape: tuple[int, ...],
        global_offset: tuple[int, ...],
        is_flattened: bool = False,
        flattened_range: slice | None = None,
    ):
        self.key, self.local_tensor = key, local_tensor
        self.local_shape, self.global_shape = tuple(local_shape), tuple(global_shape)
        self.global_offset = tuple(global_offset)
        self.is_flattened, self.flattened_range = is_flattened, flattened_range

    def write(self, value: Tensor) -> None:
        """Give the part, which has the shape of `value`, other elements."""
        self.local_tensor.set_value(value)

    def __repr__(self) -> str:
        return (
            f"ShardedWeight(\n  key={self.key},\n  local_tensor=Tensor(shape="
            f"{self.local_tensor.shape}),\n  local_shape={self.local_shape},\n  global_shape="
            f"{self.global_shape},\n  global_offset={self.global_offset},\n  flattened_range="
            f"{self.flattened_range}\n)"
        )


class PartOnMesh(ShardedWeight):
    """The part that this process has of a tensor on a mesh."""

    def __init__(self, key: str, tensor: Any):
        self._buffer = tensor._data
        local = tensor._local_value()
        offset = self._buffer.offset
        super().__init__(key, local, tuple(local.shape), tuple(tensor.shape), offset)

    def write(self, value: Tensor) -> None:
        """Give the part other elements: those of the tensor on this process."""
        self._buffer.local = value.numpy()


def part_on_mesh(key: str, tensor: Any) -> ShardedWeight:
    """The part of a tensor on a mesh. Raises ArgumentError for sums that are not added up yet."""
    if any(p.is_partial() for p in tensor.placements):
        raise ArgumentError(
            f"{key} lies as {tensor.placements}: its parts are to be combined",
            cure="reshard it to Replicate() or Shard(dim) before it is saved",
        )
    return PartOnMesh(key, tensor)


ShardedStateDict = dict[str, ShardedWeight]


def shard_weight(key: str, weight: Tensor, axis: int, group: Group) -> ShardedWeight:
    """The part of a weight that this process of a group has, of equal parts along an axis.

    weight: this process's part; in a group of one the whole.

    >>> part = shard_weight("w", twinoar.ones([2, 3]), 0, twinoar.distributed.new_group([0]))
    >>> part.local_shape, part.global_offset
    ((2, 3), (0, 0))
    """
    if not isinstance(weight, Tensor):
        raise TypeMismatchError(f"weight: expected a Tensor, received {type(weight).__name__}")
    if not 0 <= axis < max(weight.ndim, 1):
        raise ArgumentError(f"axis {axis} of a weight of {weight.ndim} dimensions")
    there = member(group)
    shape = tuple(weight.shape)
    whole = tuple(n * there.nranks if a == axis else n for a, n in enumerate(shape))
    begin = tuple(n * there.rank if a == axis else 0 for a, n in enumerate(shape))
    return ShardedWeight(key, weight, shape, whole, begin)


def whole_weight(key: str, weight: Tensor) -> ShardedWeight:
    """A weight that each process has whole."""
    shape = tuple(weight.shape)
    return ShardedWeight(key, weight, shape, shape, (0,) * len(shape))


def build_sharded_state_dict(
    state_dict: Mapping[str, Any], shard_rules: Mapping[str, int] | None = None, prefix: str = ""
) -> ShardedStateDict:
    """The parts that this process has of the weights of a state.

    shard_rules: by the name, the axis along which the processes of `fleet.init` that divide a
    network have divided it; others are whole. prefix: of the keys.
    """
    rules = dict(shard_rules or {})
    unknown = sorted(rules.keys() - state_dict.keys())
    if unknown:
        raise ArgumentError(f"shard_rules names {unknown[0]!r}, which the state has not")
    group = group_for("model")
    return {
        prefix + name: shard_weight(prefix + name, weight, rules[name], group)
        if name in rules
        else whole_weight(prefix + name, weight)
        for name, weight in state_dict.items()
    }
