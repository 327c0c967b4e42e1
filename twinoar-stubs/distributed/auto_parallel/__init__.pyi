"""Tensors, layers and networks on a mesh of processes."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.distributed
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.distributed import ColWiseParallel as ColWiseParallel
from twinoar.distributed import ContextParallel as ContextParallel
from twinoar.distributed import ConvParallel as ConvParallel
from twinoar.distributed import DistAttr as DistAttr
from twinoar.distributed import DistModel as DistModel
from twinoar.distributed import LocalLayer as LocalLayer
from twinoar.distributed import Partial as Partial
from twinoar.distributed import Placement as Placement
from twinoar.distributed import PrepareContextParallel as PrepareContextParallel
from twinoar.distributed import PrepareLayerInput as PrepareLayerInput
from twinoar.distributed import PrepareLayerOutput as PrepareLayerOutput
from twinoar.distributed import ProcessMesh as ProcessMesh
from twinoar.distributed import ReduceType as ReduceType
from twinoar.distributed import Replicate as Replicate
from twinoar.distributed import RowWiseParallel as RowWiseParallel
from twinoar.distributed import SequenceParallelBegin as SequenceParallelBegin
from twinoar.distributed import SequenceParallelDisable as SequenceParallelDisable
from twinoar.distributed import SequenceParallelEnable as SequenceParallelEnable
from twinoar.distributed import SequenceParallelEnd as SequenceParallelEnd
from twinoar.distributed import Shard as Shard
from twinoar.distributed import ShardingStage1 as ShardingStage1
from twinoar.distributed import ShardingStage2 as ShardingStage2
from twinoar.distributed import ShardingStage3 as ShardingStage3
from twinoar.distributed import SplitPoint as SplitPoint
from twinoar.distributed import Strategy as Strategy
from twinoar.distributed import dtensor_from_fn as dtensor_from_fn
from twinoar.distributed import dtensor_from_local as dtensor_from_local
def dtensor_to_local(dist_tensor: twinoar._TensorLike, mesh: twinoar.distributed.ProcessMesh | None = None, placements: collections.abc.Sequence[twinoar.distributed.Placement] | None = None) -> twinoar.Tensor:
    """The part of a tensor that this process has, first lying as `placements`, where given."""
from twinoar.distributed import enable_auto_dp as enable_auto_dp
from twinoar.distributed import get_mesh as get_mesh
from twinoar.distributed import in_auto_parallel_align_mode as in_auto_parallel_align_mode
from twinoar.distributed import local_map as local_map
from twinoar.distributed import parallelize as parallelize
from twinoar.distributed import reshard as reshard
from twinoar.distributed import set_mesh as set_mesh
from twinoar.distributed import shard_dataloader as shard_dataloader
from twinoar.distributed import shard_layer as shard_layer
from twinoar.distributed import shard_op as shard_op
from twinoar.distributed import shard_optimizer as shard_optimizer
from twinoar.distributed import shard_scaler as shard_scaler
from twinoar.distributed import shard_tensor as shard_tensor
from twinoar.distributed import to_distributed as to_distributed
from twinoar.distributed import to_static as to_static
from twinoar.distributed import unshard_dtensor as unshard_dtensor
