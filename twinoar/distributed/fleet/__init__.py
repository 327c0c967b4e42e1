"""`paddle.distributed.fleet`: training by ranks, or by workers with parameter servers."""

from twinoar.core.public import exported
from twinoar.distributed import auto_parallel as auto
from twinoar.distributed.fleet import meta_parallel, metrics, utils
from twinoar.distributed.fleet.data_generator import (
    MultiSlotDataGenerator,
    MultiSlotStringDataGenerator,
)
from twinoar.distributed.fleet.entrance import (
    WITH_SERVERS,
    Fleet,
    UtilBase,
    distributed_model,
    distributed_optimizer,
    distributed_scaler,
    fleet,
)
from twinoar.distributed.fleet.log import (
    get_log_level_code,
    get_log_level_name,
    set_log_level,
)
from twinoar.distributed.fleet.role import PaddleCloudRoleMaker, Role, UserDefinedRoleMaker
from twinoar.distributed.fleet.strategy import DistributedStrategy
from twinoar.distributed.fleet.topology import CommunicateTopology, HybridCommunicateGroup

# Functions of the module are methods of the one Fleet.
FUNCTIONS = (
    "all_reduce", "amp_init", "barrier_worker", "collective_perf", "get_hybrid_communicate_group",
    "init", "init_server", "init_worker", "is_coordinator", "is_first_worker", "is_server",
    "is_worker", "load_model", "local_device_ids", "local_rank", "minimize", "node_num",
    "print_table_stat", "run_server", "save", "save_dense_params", "save_inference_model",
    "save_persistables", "server_endpoints", "server_index", "server_num", "shrink", "stop_worker",
    "util",
    "worker_endpoints", "worker_index", "worker_num", "world_device_ids", *sorted(WITH_SERVERS),
)  # fmt: skip
globals().update({name: getattr(fleet, name) for name in FUNCTIONS})
rank, nranks, world_size = fleet.worker_index, fleet.worker_num, fleet.worker_num
rank_in_node = fleet.local_rank


__all__ = exported(
    globals(),
    *("auto", "meta_parallel", "metrics", "utils"),
    but=(*FUNCTIONS, "fleet", "nranks", "rank", "rank_in_node", "world_size"),
)
