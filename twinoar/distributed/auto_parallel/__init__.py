"""Tensors, layers and networks on a mesh of processes."""

from twinoar.core.public import exported
from twinoar.distributed.auto_parallel.dist_model import DistModel, Strategy, to_static
from twinoar.distributed.auto_parallel.parts import (
    LocalLayer,
    dtensor_from_local,
    dtensor_to_local,
    local_map,
)
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
    dtensor_from_fn,
    enable_auto_dp,
    in_auto_parallel_align_mode,
    reshard,
    shard_op,
    shard_tensor,
    unshard_dtensor,
)
from twinoar.distributed.auto_parallel.training import (
    ShardingStage1,
    ShardingStage2,
    ShardingStage3,
    shard_dataloader,
    shard_layer,
    shard_optimizer,
    shard_scaler,
)

__all__ = exported(globals())
