"""What processes that divide a network decide together: norms of all gradients, and overflows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from twinoar.distributed.fleet.topology import HybridCommunicateGroup, is_divided
from twinoar.distributed.group import Group
from twinoar.nn.clip import ClipGradByGlobalNorm, needs_clip, scaled, squared_norm
from twinoar.ops.collective.all_reduce import all_reduce_max, all_reduce_sum
from twinoar.ops.create.fill import full, zeros
from twinoar.ops.math.root import sqrt

DIVIDED = ("pipe", "model")  # the axes along which processes have other parameters


class ClipOverRanks(ClipGradByGlobalNorm):
    """Clips by the norm of all gradients, also of parameters that others have, or have parts of.

    group: the processes that divide a network. counts_whole: whether this one counts what all of
    tensor parallelism have; one of them does.
    """

    def __init__(self, clip_norm: float, group: Group, counts_whole: bool = True):
        super().__init__(clip_norm)
        self._group, self._counts_whole = group, counts_whole

    def __call__(self, pairs: Sequence[Any]) -> list[Any]:
        """(parameter, clipped gradient) of each pair."""
        total = full([], 0.0, "float32")
        for p, g in pairs:
            if g is not None and needs_clip(p) and self._counts(p):
                total = total + squared_norm(g)
        norm = sqrt(all_reduce_sum(total, self._group.id))
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
