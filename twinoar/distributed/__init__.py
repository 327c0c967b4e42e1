"""`paddle.distributed` for a world of one process: rank 0 of 1, with what that means for each name.

Collectives give back what is sent, networks and optimizers are themselves. More than one process,
asked for by the environment, a group, a degree or an argument, is refused by name.
"""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.core.public import exported
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

MODULES = (
    "auto_parallel", "communication", "entry_attr", "fleet", "fsdp", "io", "passes",
    "rpc", "sharding",
)  # fmt: skip
# Names that are loaded when they are asked for, by the module here that has them.
LATE = {
    "auto_parallel": """
        ColWiseParallel ContextParallel ConvParallel DistAttr DistModel LocalLayer
        Partial Placement PrepareContextParallel PrepareLayerInput PrepareLayerOutput
        ProcessMesh ReduceType Replicate RowWiseParallel SequenceParallelBegin
        SequenceParallelDisable SequenceParallelEnable SequenceParallelEnd Shard
        ShardingStage1 ShardingStage2 ShardingStage3 SplitPoint Strategy dtensor_from_fn
        dtensor_from_local enable_auto_dp get_mesh in_auto_parallel_align_mode local_map
        parallelize reshard set_mesh shard_dataloader shard_layer shard_op
        shard_optimizer shard_scaler shard_tensor to_distributed to_static
        unshard_dtensor""",
    "saving": """
        load_merged_state_dict load_state_dict save_state_dict""",
    "dataset": """
        InMemoryDataset QueueDataset""",
    "entry_attr": """
        CountFilterEntry ProbabilityEntry ShowClickEntry""",
    "fleet.tensor_parallel": """
        split""",
    "fleet.topology": """
        ParallelMode""",
    "sharded_weight": """
        ShardedStateDict ShardedWeight build_sharded_state_dict shard_weight""",
    "sharding": """
        group_sharded_parallel save_group_sharded_model""",
}
LAZY = {name: module for module, names in LATE.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in LAZY:
        return getattr(importlib.import_module(f"{__name__}.{LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = exported(
    globals(),
    *("stream", *LAZY, *MODULES),
    but=("communication", "dtensor_from_local", "entry_attr"),
)
