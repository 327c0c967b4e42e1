"""Clipping by the norm of all gradients, where each process has experts of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.interpreter import recording, using
from twinoar.core.public import declared
from twinoar.distributed.group import Group
from twinoar.errors import ArgumentError
from twinoar.nn.clip import ClipGradByGlobalNorm as Plain
from twinoar.nn.clip import needs_clip, scaled, squared_norm
from twinoar.ops.collective.all_reduce import all_reduce_sum
from twinoar.ops.create.fill import zeros
from twinoar.ops.index.selected_rows import merged
from twinoar.ops.math.root import sqrt


class ClipGradForMOEByGlobalNorm(Plain):
    """`nn.ClipGradByGlobalNorm` whose norm has the gradients of the experts of all processes.

    is_expert_param_func: whether a parameter is an expert's. moe_group: the processes that share
    experts. All of them clip together. Raises ArgumentError where several share experts and nothing
    says which parameters those are, as Paddle does.

    >>> layer = twinoar.nn.Linear(1, 1)
    >>> clip = ClipGradForMOEByGlobalNorm(1.0)
    >>> [(_, g)] = clip([(layer.bias, twinoar.to_tensor([4.0]))])
    >>> g.item()
    1.0
    """

    def __init__(
        self,
        clip_norm: float,
        is_expert_param_func: Callable[[Any], bool] | None = None,
        moe_group: Group | None = None,
        group_name: str = "default_moe_group",
    ):
        super().__init__(clip_norm)
        self.group_name, self.moe_group = group_name, moe_group
        self._is_shared = moe_group is not None and moe_group.nranks > 1
        if self._is_shared and is_expert_param_func is None:
            raise ArgumentError(
                "ClipGradForMOEByGlobalNorm: which parameters are experts'?",
                cure="pass is_expert_param_func",
            )
        self.is_expert_param_func = is_expert_param_func

    def __call__(self, params_grads: Sequence[Any]) -> list[Any]:
        """The pairs that have a gradient, with the gradients clipped."""
        with using(recording(False)):
            pairs = [(p, merged(g)) for p, g in params_grads if g is not None]
            norms = {True: zeros([]), False: zeros([])}
            for p, g in pairs:
                if needs_clip(p):
                    is_expert = self._is_shared and bool(self.is_expert_param_func(p))  # type: ignore[misc]
                    norms[is_expert] = norms[is_expert] + squared_norm(g).astype("float32")
            total = norms[False]
            if self._is_shared and self.moe_group is not None:
                total = total + all_reduce_sum(norms[True], self.moe_group.id)
            norm = sqrt(total)
            return [(p, scaled(g, norm, self.clip_norm) if needs_clip(p) else g) for p, g in pairs]


__all__ = declared(globals())
