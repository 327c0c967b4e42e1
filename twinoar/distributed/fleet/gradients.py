"""What processes of one network do with gradients and parameters; one process has nothing to do."""

# what is imported is what is exported

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.core.public import exported


def fused_allreduce_gradients(parameter_list: Iterable[Any], hcg: Any) -> None:
    """Add up the gradients of all processes: they stay as they are."""


def fused_allreduce_gradients_with_group(
    parameter_list: Iterable[Any],
    group: Any,
    bucket_size: int = 128 * 1024 * 1024,
    scale: float | None = None,
) -> None:
    """Add up the gradients of a group, times `scale`."""
    for parameter in parameter_list if scale is not None else ():
        if parameter.grad is not None:
            parameter.grad.set_value(parameter.grad * scale)


def sync_params_buffers(
    model: Any,
    comm_group: Any = None,
    src_rank: int = 0,
    is_model_parallel: bool = False,
    fuse_params: bool = True,
    is_moe_sharding_parallel: bool = False,
) -> None:
    """Give all processes the parameters of process `src_rank`: they stay as they are."""


def broadcast_input_data(hcg: Any, *inputs: Any, **kwargs: Any) -> Any:
    """Give all processes the inputs of the first: they are returned."""
    return inputs, kwargs


def broadcast_mp_parameters(model: Any, hcg: Any, fuse_params: bool = True) -> None:
    """Give all processes the parameters of the first: they stay as they are."""


broadcast_dp_parameters = broadcast_sharding_parameters = broadcast_mp_parameters
broadcast_sep_parameters = broadcast_moe_sharding_parameters = broadcast_mp_parameters


def unwrap_optimizer(optimizer: Any, optimizer_instances: tuple = ()) -> Any:
    """The optimizer inside wrappers: itself."""
    return optimizer


def obtain_optimizer_parameters_list(optimizer: Any) -> list[Any]:
    """The parameters that an optimizer trains."""
    return list(optimizer._trained())


__all__ = exported(globals())
