"""What processes that divide a network decide together: norms of all gradients, and overflows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from twinoar.distributed.data_parallel import MEGABYTE, average_gradients, is_alone
from twinoar.distributed.fleet.topology import HybridCommunicateGroup, is_divided
from twinoar.distributed.group import Group
from twinoar.nn.clip import ClipGradByGlobalNorm, needs_clip, scaled, squared_norm
from twinoar.ops.collective.all_reduce import all_reduce_max, all_reduce_sum
from twinoar.ops.create.fill import full, zeros
from twinoar.ops.index.selected_rows import merged
from twinoar.ops.math.root import sqrt
from twinoar.runtime.collective import current_world

DIVIDED = ("pipe", "model")  # the axes along which processes have other parameters


class ClipOverRanks(ClipGradByGlobalNorm):
    """Clips by the norm of all gradients, also of parameters that others have, or have parts of.

    group: the processes that divide a network. counts_whole: whether this one counts what all of
    tensor parallelism have; one of them does. experts: those that share experts.
    """

    is_over_ranks = True

    def __init__(
        self,
        clip_norm: float,
        group: Group,
        counts_whole: bool = True,
        experts: Group | None = None,
    ):
        super().__init__(clip_norm)
        self._group, self._counts_whole, self._experts = group, counts_whole, experts

    def __call__(self, pairs: Sequence[Any]) -> list[Any]:
        """(parameter, clipped gradient) of each pair."""
        pairs = [(p, g if g is None else merged(g)) for p, g in pairs]
        total, of_experts = (full([], 0.0, "float32") for _ in range(2))
        for p, g in pairs:
            if g is not None and needs_clip(p) and self._counts(p):
                square = squared_norm(g).astype("float32")
                if is_alone(p):
                    of_experts = of_experts + square
                else:
                    total = total + square
        if self._experts is not None and self._experts.nranks > 1:
            of_experts = all_reduce_sum(of_experts, self._experts.id)
        norm = sqrt(all_reduce_sum(total + of_experts, self._group.id))
        return [
            (p, scaled(g, norm, self.clip_norm) if g is not None and needs_clip(p) else g)
            for p, g in pairs
        ]

    def _counts(self, parameter: Any) -> bool:
        """Whether a parameter counts here: what several processes have counts once."""
        if not getattr(parameter, "is_firstly_shared", True):  # stage of the pipeline
            return False
        return self._counts_whole or is_divided(parameter)


def divided_scaler(scaler: Any, groups: HybridCommunicateGroup) -> Any:
    """The GradScaler for which an overflow in one process that divides a network is one in all."""
    divided = groups._group(DIVIDED)
    if divided.nranks > 1:
        scaler.agree = partial(overflow_of_any, divided.id)
    return scaler


def overflow_of_any(group: int, found: Any) -> Any:
    """Whether a gradient of any rank overflowed, [1], bool; found is None where there are none."""
    own = zeros([1], "bool") if found is None else found.reshape([1])
    return all_reduce_max(own, group)


def add_parts(here: Any, parameters: Sequence[Any], parts: int) -> None:
    """Make means of gradients over parts of one sequence their sums."""
    for p in parameters if parts > 1 else ():
        g = here.gradients.read(here, p)
        if g is not None:
            here.gradients.set(here, p, g * parts)


class Experts:
    """The parameters of a network's experts, of which the processes with other data share some.

    Tokens of all of them have met each expert: its gradient is a sum over them, and becomes the
    mean that other gradients are. Where several processes have the same experts, over those too.
    """

    def __init__(self, layers: Any, groups: HybridCommunicateGroup):
        sharing, copies = (groups._group((axis,)) for axis in ("expert", "moe_sharding"))
        self._parameters = [p for p in layers.parameters() if is_alone(p) and not p.stop_gradient]
        self._copies = copies
        factor = groups.sequence_parts() / sharing.nranks
        for p in self._parameters if factor != 1 else ():
            p.register_hook(lambda g: g * factor)
        if copies.nranks > 1 and self._parameters:
            share_parameters(self._parameters, copies)

    def average(self, here: Any) -> None:
        """Let gradients be their means over the processes that have the same experts."""
        if self._copies.nranks > 1 and self._parameters:
            average_gradients(here, self._parameters, self._copies.id, 25 * MEGABYTE)


def share_parameters(parameters: Sequence[Any], group: Group) -> None:
    """Give all processes of a group the values of the first."""
    there = current_world().of(group.id)
    for p in parameters:
        p.set_value(there.broadcast(p.numpy(), 0))
