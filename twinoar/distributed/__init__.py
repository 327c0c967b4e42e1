"""`paddle.distributed` for a world of one process: rank 0 of 1, with what that means for each name.

Collectives give back what is sent, networks and optimizers are themselves. More than one process,
asked for by the environment, a group, a degree or an argument, is refused by name.
"""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.distributed.communication import (
    P2POp,
    ReduceOp,
    all_gather,
    all_gather_object,
    all_reduce,
    alltoall,
    alltoall_single,
    batch_isend_irecv,
    broadcast,
    broadcast_object_list,
    gather,
    irecv,
    isend,
    recv,
    recv_object_list,
    reduce,
    reduce_scatter,
    scatter,
    scatter_object_list,
    send,
    send_object_list,
    stream,
)
from twinoar.distributed.data_parallel import DataParallel
from twinoar.distributed.group import (
    barrier,
    destroy_process_group,
    get_backend,
    get_group,
    new_group,
    restart_process_group,
    shutdown_process_group,
    wait,
)
from twinoar.distributed.launch import launch
from twinoar.distributed.spawning import spawn
from twinoar.distributed.world import (
    ParallelEnv,
    create_nccl_config,
    get_rank,
    get_world_size,
    gloo_barrier,
    gloo_init_parallel_env,
    gloo_release,
    init_parallel_env,
    is_available,
    is_initialized,
)

MODULES = ("communication", "fleet", "io", "sharding")
LAZY = {
    "ParallelMode": "twinoar.distributed.fleet.topology",
    "group_sharded_parallel": "twinoar.distributed.sharding",
    "save_group_sharded_model": "twinoar.distributed.sharding",
    "split": "twinoar.distributed.fleet.tensor_parallel",
}


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "DataParallel",
    "P2POp",
    "ParallelEnv",
    "ParallelMode",
    "ReduceOp",
    "all_gather",
    "all_gather_object",
    "all_reduce",
    "alltoall",
    "alltoall_single",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "broadcast_object_list",
    "create_nccl_config",
    "destroy_process_group",
    "fleet",
    "gather",
    "get_backend",
    "get_group",
    "get_rank",
    "get_world_size",
    "gloo_barrier",
    "gloo_init_parallel_env",
    "gloo_release",
    "init_parallel_env",
    "io",
    "irecv",
    "is_available",
    "is_initialized",
    "isend",
    "launch",
    "new_group",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_scatter",
    "restart_process_group",
    "scatter",
    "scatter_object_list",
    "send",
    "send_object_list",
    "sharding",
    "shutdown_process_group",
    "spawn",
    "split",
    "stream",
    "wait",
]
