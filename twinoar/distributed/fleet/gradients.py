"""What processes of one network do with gradients and parameters, by the names inside fleet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.core.interpreter import current, recording, using
from twinoar.core.public import declared
from twinoar.distributed.data_parallel import MEGABYTE, average_gradients, is_alone, share_state
from twinoar.distributed.fleet.agreement import add_parts
from twinoar.distributed.fleet.topology import group_for, is_divided
from twinoar.distributed.group import communicator_of, member
from twinoar.distributed.world import get_world_size
from twinoar.eager.tensor import Tensor
from twinoar.errors import UnsupportedError


def fused_allreduce_gradients(parameter_list: Iterable[Any], hcg: Any) -> None:
    """Let the gradients be their means over the processes that train on other data."""
    if get_world_size() > 1:
        group = group_for("data") if hcg is None else hcg.averaged_group()
        parameters = list(parameter_list)
        _average(parameters, group)
        if hcg is not None:
            with using(recording(False)) as here:
                add_parts(here, parameters, hcg.sequence_parts())


def _average(parameters: Iterable[Any], group: Any) -> None:
    reached = [p for p in parameters if p.grad is not None]
    if group.nranks > 1 and reached:
        with using(recording(False)):
            average_gradients(current(), reached, group.id, 25 * MEGABYTE)


def fused_allreduce_gradients_with_group(
    parameter_list: Iterable[Any],
    group: Any,
    bucket_size: int = 128 * 1024 * 1024,
    scale: float | None = None,
) -> None:
    """Let the gradients be their means over a group, or their sums times `scale`."""
    parameters = list(parameter_list)
    there = member(group)
    _average(parameters, there)
    factor = 1.0 if scale is None else scale * there.nranks
    for parameter in parameters if factor != 1.0 else ():
        if parameter.grad is not None:
            parameter.grad.set_value(parameter.grad * factor)


def sync_params_buffers(
    model: Any,
    comm_group: Any = None,
    src_rank: int = 0,
    is_model_parallel: bool = False,
    fuse_params: bool = True,
    is_moe_sharding_parallel: bool = False,
) -> None:
    """Give all processes the parameters of the first. Raises UnsupportedError for another."""
    there = member(comm_group)
    if src_rank != there.ranks[0]:
        raise UnsupportedError(
            f"src_rank {src_rank}: parameters come from the first of the group, {there.ranks[0]}"
        )
    if there.nranks > 1:
        share_state(model, communicator_of(comm_group))


def broadcast_input_data(hcg: Any, *inputs: Any, **kwargs: Any) -> Any:
    """Give the processes that divide a network the inputs of the first of them."""
    there = communicator_of(hcg.get_model_parallel_group())
    if there.size == 1:
        return inputs, kwargs
    given = [_packed(x) for x in (*inputs, *kwargs.values())]
    found = [_unpacked(x) for x in there.all_gather_object(given)[0]]
    return tuple(found[: len(inputs)]), dict(zip(kwargs, found[len(inputs) :], strict=True))


class _Sent:
    """A tensor on its way, as an array."""

    def __init__(self, array: Any):
        self.array = array


def _packed(x: Any) -> Any:
    return _Sent(x.numpy()) if isinstance(x, Tensor) else x


def _unpacked(x: Any) -> Any:
    return Tensor(x.array) if isinstance(x, _Sent) else x


def broadcast_mp_parameters(model: Any, hcg: Any, fuse_params: bool = True) -> None:
    """Give all processes of a group what none of them has apart, from the first of them."""
    groups = (hcg.get_model_parallel_group(), hcg.averaged_group())
    for there in groups:
        if there.nranks > 1:
            share_state(model, communicator_of(there), _is_own)


def _is_own(parameter: Any) -> bool:
    return is_divided(parameter) or is_alone(parameter)


broadcast_dp_parameters = broadcast_sharding_parameters = broadcast_mp_parameters
broadcast_sep_parameters = broadcast_moe_sharding_parameters = broadcast_mp_parameters


def unwrap_optimizer(optimizer: Any, optimizer_instances: tuple = ()) -> Any:
    """The optimizer inside wrappers: itself."""
    return optimizer


def obtain_optimizer_parameters_list(optimizer: Any) -> list[Any]:
    """The parameters that an optimizer trains."""
    return list(optimizer._trained())


__all__ = declared(globals())
