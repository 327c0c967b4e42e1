"""Parts of weights, and where they lie in the whole: of one process, the whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.values import Value as Tensor
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

    def __repr__(self) -> str:
        return (
            f"ShardedWeight(\n  key={self.key},\n  local_tensor=Tensor(shape="
            f"{self.local_tensor.shape}),\n  local_shape={self.local_shape},\n  global_shape="
            f"{self.global_shape},\n  global_offset={self.global_offset},\n  flattened_range="
            f"{self.flattened_range}\n)"
        )


ShardedStateDict = dict[str, ShardedWeight]


def shard_weight(key: str, weight: Tensor, axis: int, group: Group) -> ShardedWeight:
    """The part of a weight that this process of a group has: the whole.

    >>> import twinoar
    >>> part = shard_weight("w", twinoar.ones([2, 3]), 0, twinoar.distributed.new_group([0]))
    >>> part.local_shape, part.global_offset
    ((2, 3), (0, 0))
    """
    if not isinstance(weight, Tensor):
        raise TypeMismatchError(f"weight: expected a Tensor, received {type(weight).__name__}")
    if not 0 <= axis < max(weight.ndim, 1):
        raise ArgumentError(f"axis {axis} of a weight of {weight.ndim} dimensions")
    member(group)
    shape = tuple(weight.shape)
    return ShardedWeight(key, weight, shape, shape, (0,) * len(shape))


def build_sharded_state_dict(
    state_dict: Mapping[str, Any], shard_rules: Mapping[str, int] | None = None, prefix: str = ""
) -> ShardedStateDict:
    """The parts that this process has of the weights of a state: the whole of each.

    shard_rules: by the name, the axis along which it would be divided. prefix: of the keys.
    """
    rules = dict(shard_rules or {})
    unknown = sorted(rules.keys() - state_dict.keys())
    if unknown:
        raise ArgumentError(f"shard_rules names {unknown[0]!r}, which the state has not")
    group = member(None)
    return {
        prefix + name: shard_weight(prefix + name, weight, rules.get(name, 0), group)
        for name, weight in state_dict.items()
    }
