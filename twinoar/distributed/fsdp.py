"""`paddle.distributed.fsdp`: parameters that processes divide; one has them all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from twinoar.core.tree import flatten
from twinoar.distributed.auto_parallel.process_mesh import check_alone
from twinoar.distributed.data_parallel import share_state
from twinoar.distributed.group import communicator_of
from twinoar.distributed.sharded_parameters import (
    DividedGradients,
    divide_parameters,
    mesh_of,
    off_mesh,
    on_mesh,
)
from twinoar.distributed.world import get_world_size
from twinoar.errors import TypeMismatchError, UnsupportedError
from twinoar.nn.layer import Layer


def fully_shard(
    module: Layer,
    *,
    mesh: Any = None,
    reshard_after_forward: bool | int | None = None,
    shard_placement_fn: Callable[..., Any] | None = None,
    mp_policy: Any = None,
    offload_policy: Any = None,
    ignored_params: Iterable[Any] | None = None,
    enable_tensor_fusion_and_overlap: bool = True,
) -> Layer:
    """A layer whose parameters all processes divide: itself.

    Each has a part of every parameter, of its gradient, and of the moments that an optimizer of
    them makes; whoever needs one whole puts it together for that call. Each process gives its rows
    of the batch, and gets its rows of what the layer computes; gradients are means over the
    processes. Of a layer that stands in another which is divided later, the outer one divides the
    rest. mesh: all processes in one dimension, which is the default. reshard_after_forward,
    enable_tensor_fusion_and_overlap: without effect; parameters are never kept whole. Raises
    UnsupportedError for mp_policy, offload_policy, shard_placement_fn and ignored_params, and for
    another mesh.

    >>> layer = twinoar.nn.Linear(2, 2)
    >>> fully_shard(layer) is layer
    True
    """
    if not isinstance(module, Layer):
        raise TypeMismatchError(f"expected a Layer, received {type(module).__name__}")
    refused = {
        "mp_policy": mp_policy,
        "offload_policy": offload_policy,
        "shard_placement_fn": shard_placement_fn,
        "ignored_params": ignored_params,
    }
    for name, given in refused.items():
        if given is not None:
            raise UnsupportedError(f"{name} is not served", cure=f"leave out {name}")
    if get_world_size() == 1:
        if mesh is not None:
            check_alone(mesh)
        return module
    chosen = mesh_of(None)
    if mesh is not None and list(mesh.process_ids) != list(chosen.process_ids):
        raise UnsupportedError(
            f"a mesh of the processes {mesh.process_ids} of {get_world_size()}",
            cure="leave out mesh: all processes divide the parameters",
        )
    _divide(module, chosen)
    return module


def _divide(module: Layer, mesh: Any) -> None:
    """Divide a layer that is given whole tensors, as a user calls it, or those on a mesh."""
    share_state(module, communicator_of(None), lambda x: x.placements is not None)
    divide_parameters(module, mesh)
    object.__setattr__(module, "_divided_gradients", DividedGradients(module, mesh))
    depth = threading.local()

    def enter(_: Any, inputs: Any) -> Any:
        depth.is_outside = not _has_divided(inputs)
        return tuple(on_mesh(list(inputs), mesh)) if depth.is_outside else None

    def leave(_: Any, inputs: Any, outputs: Any) -> Any:
        return off_mesh(outputs, mesh, inputs) if depth.is_outside else None

    module.register_forward_pre_hook(enter)
    module.register_forward_post_hook(leave)


def _has_divided(inputs: Any) -> bool:
    """Whether a tensor among the inputs lies on a mesh: then another layer has put it there."""
    return any(getattr(x, "placements", None) is not None for x in flatten(inputs)[0])


__all__ = ["fully_shard"]
