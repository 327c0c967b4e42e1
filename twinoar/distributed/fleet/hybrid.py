"""What `fleet` makes of a network, an optimizer and a Program where several processes train."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.interpreter import derived, using
from twinoar.distributed.data_parallel import DataParallel, share_state
from twinoar.distributed.fleet.pipeline import PipelineLayer
from twinoar.distributed.fleet.strategy import DistributedStrategy
from twinoar.distributed.fleet.topology import HybridCommunicateGroup
from twinoar.distributed.group import Group
from twinoar.distributed.sharded_optimizer import ShardedOptimizer
from twinoar.errors import UnsupportedError
from twinoar.nn.clip import ClipGradByGlobalNorm, needs_clip, scaled, squared_norm
from twinoar.nn.layer import Layer
from twinoar.ops.collective.all_reduce import all_reduce_avg, all_reduce_sum
from twinoar.ops.collective.root import broadcast_from
from twinoar.ops.create.fill import full
from twinoar.ops.math.root import sqrt
from twinoar.optimizer import Optimizer
from twinoar.runtime.collective import current_world
from twinoar.static.mode import building, default_startup_program


def divided_model(
    model: Layer, groups: HybridCommunicateGroup, strategy: DistributedStrategy
) -> Layer:
    """The network whose gradients are means over the processes that train on other data.

    What is not divided among the processes of tensor parallelism begins equal on them. Raises
    UnsupportedError for a pipeline.
    """
    if isinstance(model, PipelineLayer):
        raise UnsupportedError(
            "a PipelineLayer in several processes: stages run in one", cure="use mp_degree"
        )
    divided = groups._group(("model",))
    if divided.nranks > 1:
        share_state(model, current_world().of(divided.id), is_divided)
    return DataParallel(
        model,
        comm_buffer_size=strategy.fuse_grad_size_in_MB,
        find_unused_parameters=strategy.find_unused_parameters,
        group=groups.averaged_group(),
    )


def is_divided(parameter: Any) -> bool:
    """Whether each process of tensor parallelism has another part of a parameter."""
    return bool(getattr(parameter, "is_distributed", False))


def divided_optimizer(optimizer: Optimizer, groups: HybridCommunicateGroup) -> Any:
    """The optimizer whose moments the processes of sharding share, and that clips by all norms.

    Raises UnsupportedError where both sharding and tensor parallelism clip by the norm of all.
    """
    divided, shared = groups._group(("model",)), groups._group(("sharding",))
    if divided.nranks > 1:
        for part in optimizer._groups:
            if isinstance(part.grad_clip, ClipGradByGlobalNorm):
                if shared.nranks > 1:
                    raise UnsupportedError(
                        "ClipGradByGlobalNorm with both mp_degree and sharding_degree above 1",
                        cure="leave one of them 1, or clip by ClipGradByNorm",
                    )
                part.grad_clip = ClipOverRanks(part.grad_clip.clip_norm, divided)
    return ShardedOptimizer(optimizer, shared) if shared.nranks > 1 else optimizer


class ClipOverRanks(ClipGradByGlobalNorm):
    """Clips by the norm of all gradients, also of the parts of parameters that others have."""

    def __init__(self, clip_norm: float, group: Group):
        super().__init__(clip_norm)
        self._group = group

    def __call__(self, pairs: Sequence[Any]) -> list[Any]:
        """(parameter, clipped gradient) of each pair."""
        own, all_have = (full([], 0.0, "float32") for _ in range(2))
        for p, g in pairs:
            if g is not None and needs_clip(p):
                square = squared_norm(g)
                own = own + square if is_divided(p) else own
                all_have = all_have if is_divided(p) else all_have + square
        norm = sqrt(all_reduce_sum(own, self._group.id) + all_have)
        return [
            (p, scaled(g, norm, self.clip_norm) if g is not None and needs_clip(p) else g)
            for p, g in pairs
        ]


def minimize_in_program(
    optimizer: Optimizer,
    group: Group,
    loss: Any,
    startup: Any,
    parameters: Any,
    no_grad_set: Any,
) -> Any:
    """`optimizer.minimize` of a Program's loss, by the means of gradients over processes.

    Parameters begin with the values of the first process: its startup Program gives them to all.
    """
    pairs = optimizer.backward(loss, startup, parameters, no_grad_set)
    with building(loss.home.program, startup, "backward"), using(derived(False)):
        means = [(p, None if g is None else all_reduce_avg(g, group.id)) for p, g in pairs]
    first = startup or default_startup_program()
    with building(first, None, "optimize"), using(derived(False)):
        for p, _ in pairs:
            state = first.states.get(p.name)
            if state is not None and state in first.updates:  # what the startup Program gives it
                value = first.updates[state]
                first.update(state, broadcast_from(value, 0, group.id))
    return optimizer._apply([(p, g) for p, g in means if g is not None], startup), means
