"""Tensors, layers and networks on a mesh of processes, of which there is one."""

from twinoar.core.public import exported
from twinoar.distributed.auto_parallel.dist_model import DistModel, Strategy, to_static
from twinoar.distributed.auto_parallel.placement import (
    Partial,
    Placement,
    ReduceType,
    Replicate,
    Shard,
)
from twinoar.distributed.auto_parallel.plans import (
    ColWiseParallel,
    ContextParallel,
    ConvParallel,
    PrepareContextParallel,
    PrepareLayerInput,
    PrepareLayerOutput,
    RowWiseParallel,
    SequenceParallelBegin,
    SequenceParallelDisable,
    SequenceParallelEnable,
    SequenceParallelEnd,
    SplitPoint,
    parallelize,
    to_distributed,
)
from twinoar.distributed.auto_parallel.process_mesh import ProcessMesh, get_mesh, set_mesh
from twinoar.distributed.auto_parallel.sharding import (
    DistAttr,
    LocalLayer,
    ShardingStage1,
    ShardingStage2,
    ShardingStage3,
    dtensor_from_fn,
    dtensor_from_local,
    enable_auto_dp,
    in_auto_parallel_align_mode,
    local_map,
    reshard,
    shard_dataloader,
    shard_layer,
    shard_op,
    shard_optimizer,
    shard_scaler,
    shard_tensor,
    unshard_dtensor,
)

__all__ = exported(globals())
