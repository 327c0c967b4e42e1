"""`paddle.distributed.fsdp`: parameters divided among processes: one has them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from twinoar.distributed.auto_parallel.process_mesh import check_alone
from twinoar.distributed.world import refuse_many
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
    """A layer whose parameters processes would divide: itself.

    Raises UnsupportedError where several processes train, which `parallelize` with a
    "sharding_level" of 3 is for, and for mp_policy and offload_policy.

    >>> layer = twinoar.nn.Linear(2, 2)
    >>> fully_shard(layer) is layer
    True
    """
    if not isinstance(module, Layer):
        raise TypeMismatchError(f"expected a Layer, received {type(module).__name__}")
    refuse_many("fully_shard")
    if mesh is not None:
        check_alone(mesh)
    for name, given in (("mp_policy", mp_policy), ("offload_policy", offload_policy)):
        if given is not None:
            raise UnsupportedError(f"{name} is not served", cure=f"leave out {name}")
    return module


__all__ = ["fully_shard"]
