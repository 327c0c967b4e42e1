"""What `fleet` makes of a network, an optimizer and a Program where several processes train."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.interpreter import derived, using
from twinoar.distributed.data_parallel import DataParallel, is_alone, share_state
from twinoar.distributed.fleet.agreement import DIVIDED, ClipOverRanks, Experts, add_parts
from twinoar.distributed.fleet.pipeline import PipelineLayer
from twinoar.distributed.fleet.pipeline_parallel import PipelineParallel
from twinoar.distributed.fleet.strategy import DistributedStrategy
from twinoar.distributed.fleet.topology import HybridCommunicateGroup, is_divided
from twinoar.distributed.group import Group
from twinoar.distributed.sharded_optimizer import ShardedOptimizer
from twinoar.errors import TypeMismatchError, UnsupportedError
from twinoar.nn.clip import ClipGradByGlobalNorm
from twinoar.nn.layer import Layer
from twinoar.ops.collective.all_reduce import all_reduce_avg
from twinoar.ops.collective.root import broadcast_from
from twinoar.optimizer import Optimizer
from twinoar.runtime.collective import current_world
from twinoar.static.mode import building, default_startup_program


def divided_model(
    model: Layer, groups: HybridCommunicateGroup, strategy: DistributedStrategy
) -> Layer:
    """The network whose gradients are means over the processes that train on other data.

    What is not divided among the processes of tensor parallelism begins equal on them. Raises
    TypeMismatchError where the processes of a pipeline are given what has no stages.
    """
    stages = groups._group(("pipe",)).nranks
    if stages > 1:
        if not isinstance(model, PipelineLayer):
            raise TypeMismatchError(
                f"pp_degree is {stages}: expected a PipelineLayer, received {type(model).__name__}",
                cure="write the network as a PipelineLayer of its layers",
            )
        return PipelineParallel(model, groups, strategy)
    divided = groups._group(("model",))
    if divided.nranks > 1:
        share_state(model, current_world().of(divided.id), is_divided)
    return SegmentParallel(
        model,
        comm_buffer_size=strategy.fuse_grad_size_in_MB,
        find_unused_parameters=strategy.find_unused_parameters,
        group=groups.averaged_group(),
        parts=groups.sequence_parts(),
        experts=Experts(model, groups),
    )


def _is_for_one(clip: Any) -> bool:
    """Whether a clip takes the norm of the gradients of one process; one of experts does not."""
    return isinstance(clip, ClipGradByGlobalNorm) and not hasattr(clip, "moe_group")


class SegmentParallel(DataParallel):
    """A network whose gradients are means over data and sums over parts of one sequence."""

    def __init__(self, layers: Layer, parts: int, experts: Experts, **options: Any):
        super().__init__(layers, **options)
        self._parts, self._experts = parts, experts

    def _average(self, here: Any, reached: Sequence[Any]) -> None:
        super()._average(here, reached)
        add_parts(here, reached, self._parts)
        self._experts.average(here)


def divided_optimizer(optimizer: Optimizer, groups: HybridCommunicateGroup) -> Any:
    """The optimizer whose moments the processes of sharding share, and that clips by all norms.

    Raises UnsupportedError where processes that share moments have experts of their own.
    """
    shared, experts = groups._group(("sharding",)), groups._group(("expert",))
    if shared.nranks > 1 and any(is_alone(p) for p in optimizer._trained()):
        raise UnsupportedError(
            "sharding_degree with experts: their moments are those of one process already",
            cure="leave sharding_degree 1; dp_degree and ep_degree do the rest",
        )
    if groups._group(DIVIDED).nranks > 1 or experts.nranks > 1:
        apart = groups._group(("pipe", "sharding", "model"))  # each clips what it updates
        is_first = groups._group(("model",)).rank == 0
        for part in optimizer._groups:
            clip: Any = part.grad_clip
            if _is_for_one(clip):
                part.grad_clip = ClipOverRanks(clip.clip_norm, apart, is_first, experts)
    return ShardedOptimizer(optimizer, shared) if shared.nranks > 1 else optimizer


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
