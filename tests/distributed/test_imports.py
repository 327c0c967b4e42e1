"""Modules inside `paddle.distributed` that programs import from are served."""

import importlib

import pytest

from twinoar import compat

IMPORTS = [
    ("paddle.distributed", "get_rank"),
    ("paddle.distributed", "ReduceOp"),
    ("paddle.distributed.parallel", "ParallelEnv"),
    ("paddle.distributed.parallel", "DataParallel"),
    ("paddle.distributed.parallel", "sync_params_buffers"),
    ("paddle.distributed.collective", "_get_global_group"),
    ("paddle.distributed.communication", "stream"),
    ("paddle.distributed.communication.group", "Group"),
    ("paddle.distributed.fleet", "fleet"),
    ("paddle.distributed.fleet", "auto"),
    ("paddle.distributed.auto_parallel", "ProcessMesh"),
    ("paddle.distributed.fleet.dataset", "QueueDataset"),
    ("paddle.distributed.checkpoint.save_state_dict", "save_state_dict"),
    ("paddle.distributed.auto_parallel.intermediate.parallelize", "parallelize"),
    ("paddle.distributed.fleet.base", "role_maker"),
    ("paddle.distributed.fleet.base.role_maker", "PaddleCloudRoleMaker"),
    ("paddle.distributed.fleet.base.topology", "ParallelMode"),
    ("paddle.distributed.fleet.base.distributed_strategy", "DistributedStrategy"),
    ("paddle.distributed.fleet.data_generator", "MultiSlotDataGenerator"),
    ("paddle.distributed.fleet.layers.mpu.mp_layers", "ColumnParallelLinear"),
    ("paddle.distributed.fleet.layers.mpu.random", "get_rng_state_tracker"),
    ("paddle.distributed.fleet.meta_parallel", "PipelineLayer"),
    ("paddle.distributed.fleet.meta_parallel.parallel_layers.random", "get_rng_state_tracker"),
    ("paddle.distributed.fleet.recompute", "recompute"),
    ("paddle.distributed.fleet.utils", "recompute"),
    ("paddle.distributed.fleet.utils.fs", "LocalFS"),
    ("paddle.distributed.fleet.utils.hybrid_parallel_util", "fused_allreduce_gradients"),
    ("paddle.distributed.fleet.utils.log_util", "logger"),
    ("paddle.distributed.fleet.utils.sequence_parallel_utils", "RowSequenceParallelLinear"),
    ("paddle.distributed.fleet.utils.sequence_parallel_utils", "ScatterOp"),
    ("paddle.distributed.fleet.meta_parallel.pipeline_parallel", "PipelineParallel"),
    ("paddle.distributed.fleet.meta_parallel.parallel_layers.pp_layers", "SharedLayerDesc"),
    ("paddle.distributed.auto_parallel.ring_attention", "RingFlashAttention"),
    ("paddle.distributed.utils", "global_scatter"),
    ("paddle.distributed.utils.moe_utils", "global_gather"),
    ("paddle.distributed.models.moe.utils", "_number_count"),
    ("paddle.incubate.distributed.models.moe", "MoELayer"),
    ("paddle.incubate.distributed.models.moe.gate", "GShardGate"),
    ("paddle.incubate.distributed.models.moe.gate.gshard_gate", "GShardGate"),
    ("paddle.incubate.distributed.models.moe.grad_clip", "ClipGradForMOEByGlobalNorm"),
    ("paddle.incubate.distributed.models.moe.moe_layer", "MoELayer"),
    ("paddle.distributed.sharding", "group_sharded_parallel"),
    ("paddle.incubate.distributed.fleet", "recompute_sequential"),
]


@pytest.fixture
def _served():
    compat.install()
    yield
    compat.uninstall()


@pytest.mark.usefixtures("_served")
@pytest.mark.parametrize(("module", "name"), IMPORTS, ids=[".".join(row) for row in IMPORTS])
def test_a_name_is_imported_from_where_programs_expect_it(module, name):
    assert getattr(importlib.import_module(module), name) is not None
