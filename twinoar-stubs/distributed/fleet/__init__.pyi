"""`paddle.distributed.fleet`: training by ranks, or by workers with parameter servers."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.distributed
import twinoar.distributed.fleet
import twinoar.nn
import twinoar.optimizer
from typing import Any, Literal, overload

import numpy as _numpy

class CommunicateTopology:
    """Ranks in a block whose axes have names: the last one's neighbours are next to each other."""
    def __init__(self, hybrid_group_names: collections.abc.Sequence[builtins.str] = ..., dims: collections.abc.Sequence[Any] = ...) -> None: ...
    def get_hybrid_group_names(self) -> builtins.list[builtins.str]:
        """The names of the axes."""
    def get_dim(self, axis_name: builtins.str) -> builtins.int:
        """The size of an axis."""
    def get_dim_size(self, axis_name: builtins.str) -> builtins.int:
        """The size of an axis."""
    def world_size(self) -> builtins.int:
        """The number of ranks."""
    def get_rank(self, **args: Any) -> builtins.int:
        """The rank at the place that names each axis."""
    def get_coord(self, rank: Any) -> Any:
        """The place of a rank, a named tuple."""
    def get_axis_list(self, axis_name: builtins.str, index: Any) -> builtins.list[builtins.int]:
        """The ranks at one index of an axis."""
    def get_comm_list(self, axis_name: builtins.str) -> builtins.list[builtins.list[builtins.int]]:
        """The groups of ranks that differ along one axis alone."""
    def get_fused_ranks(self, fused_axis: collections.abc.Sequence[builtins.str]) -> builtins.list[builtins.list[builtins.int]]:
        """The groups of ranks that differ along some axes alone."""
    def get_rank_from_stage(self, global_rank: Any, **kwargs: Any) -> builtins.int:
        """The rank at the place of another, but for the axes that are given."""
    coordinate: Any
class DistributedStrategy:
    """How training would be divided among processes; one process uses what has a meaning for it."""
    def __init__(self) -> None: ...
    def check_degrees(self) -> None:
        """Raise UnsupportedError for a way to divide a network that is not served."""
    def sizes(self, count: Any) -> builtins.dict[builtins.str, builtins.int]:
        """How many of `count` processes lie along each axis; the rest are for data."""
    def axes(self) -> builtins.list[builtins.str]:
        """The axes along which processes lie, the last ones' neighbours next to each other."""
    def check_step(self, has_servers: builtins.bool = False) -> None:
        """Raise UnsupportedError for what would change a step, and is not done here."""
    def save_to_prototxt(self, output: builtins.str) -> None:
        """Write what differs from the defaults, one `name: value` a line."""
    def load_from_prototxt(self, pb_file: builtins.str) -> None:
        """Read what `save_to_prototxt` has written."""
    def __getattr__(self, name: builtins.str) -> Any: ...
class Fleet:
    """The entrance to distributed training"""
    def __init__(self) -> None: ...
    def init(self, role_maker: Any = None, is_collective: builtins.bool = False, strategy: twinoar.distributed.fleet.DistributedStrategy | None = None, log_level: Any = 'INFO') -> twinoar.distributed.fleet.Fleet:
        """Join the other workers, which all call it, and make the groups of the strategy."""
    @property
    def util(self) -> twinoar.distributed.fleet.UtilBase:
        """What workers do together."""
    def get_hybrid_communicate_group(self) -> twinoar.distributed.fleet.HybridCommunicateGroup:
        """The groups of this worker"""
    def get_hybrid_parallel_topology(self) -> twinoar.distributed.fleet.CommunicateTopology:
        """How the ranks lie."""
    def is_first_worker(self) -> builtins.bool:
        """Whether this is the first worker."""
    def worker_index(self) -> builtins.int:
        """The number of this worker."""
    def worker_num(self) -> builtins.int:
        """The number of workers."""
    def node_num(self) -> builtins.int:
        """The number of machines."""
    def local_rank(self) -> builtins.str | None:
        """What the environment says in PADDLE_RANK_IN_NODE."""
    def local_device_ids(self) -> builtins.str | None:
        """What the environment says in PADDLE_LOCAL_DEVICE_IDS."""
    def world_device_ids(self) -> builtins.str | None:
        """What the environment says in PADDLE_WORLD_DEVICE_IDS."""
    def is_worker(self) -> builtins.bool:
        """Whether this process trains."""
    def is_coordinator(self) -> builtins.bool:
        """False."""
    def is_server(self) -> builtins.bool:
        """Whether this process keeps parameters."""
    def server_num(self) -> builtins.int:
        """The number of servers."""
    def server_index(self) -> builtins.int:
        """The number of this server."""
    def worker_endpoints(self, to_string: builtins.bool = False) -> builtins.list[builtins.str] | builtins.str:
        """The addresses of the workers."""
    def server_endpoints(self, to_string: builtins.bool = False) -> builtins.list[builtins.str] | builtins.str:
        """The addresses of the servers."""
    def barrier_worker(self) -> None:
        """Wait for the other workers."""
    def all_reduce(self, input: Any, mode: builtins.str = 'sum') -> Any:
        """The sum, 'mean' or 'max' over workers."""
    def init_worker(self, scopes: Any = None) -> None:
        """Connect to the servers, where there are any; before or after the startup Program."""
    def stop_worker(self) -> None:
        """Leave the servers, which end when all workers have."""
    def init_server(self, dirname: builtins.str | None = None, var_names: Any = None, **kwargs: Any) -> None:
        """Make the tables that this server keeps: new ones, or those saved in a folder."""
    def run_server(self) -> None:
        """Serve until all workers have left"""
    def load_model(self, path: builtins.str, mode: Any = 0) -> None:
        """Let servers load what `save_persistables` saved, with any number of servers."""
    def shrink(self, threshold: Any = None) -> builtins.int:
        """Drop rows of tables that are shown and clicked too seldom; how many."""
    def save_dense_params(self, executor: Any, dirname: builtins.str, scope: Any, program: Any, var_names: Any = None) -> None:
        """Save the parameters that a worker has whole: see `distributed.io.save_persistables`."""
    def print_table_stat(self, table_id: Any, pass_id: Any = 0, threshold: Any = 0) -> None:
        """Print how many rows each table has."""
    def distributed_optimizer(self, optimizer: twinoar.optimizer.Optimizer, strategy: twinoar.distributed.fleet.DistributedStrategy | None = None) -> Any:
        """The optimizer for a Program, whose `minimize` is that of Fleet."""
    def minimize(self, loss: Any, startup_program: Any = None, parameter_list: collections.abc.Iterable[Any] | None = None, no_grad_set: Any = None) -> Any:
        """What the optimizer's `minimize` does"""
    def save(self, dirname: builtins.str, feed: collections.abc.Sequence[Any] = ..., fetch: collections.abc.Sequence[Any] = ..., **configs: Any) -> None:
        """Save a model for inference where `feed` and `fetch` are given, else the parameters."""
    def save_inference_model(self, executor: Any, dirname: builtins.str, feeded_var_names: collections.abc.Sequence[builtins.str], target_vars: collections.abc.Sequence[Any], main_program: Any = None, export_for_deployment: builtins.bool = True, mode: Any = 0) -> None:
        """Save a model for inference at `dirname`/model."""
    def save_persistables(self, executor: Any, dirname: builtins.str, main_program: Any = None, mode: Any = 0) -> None:
        """Save the parameters and moments of a Program in a folder: see `distributed.io`."""
    def collective_perf(self, comm_type: builtins.str, round: Any = 50, size_and_time: Any = None) -> None:
        """Measure what travels between processes: raises UnsupportedError, nothing does."""
    def amp_init(self, *args: Any, **kwargs: Any) -> None:
        """Make parameters of low precision ready: raises UnsupportedError."""
    def qat_init(self, *args: Any, **kwargs: Any) -> None:
        """Make quantization ready: raises UnsupportedError."""
    def check_save_pre_patch_done(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    def get_fl_client(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    def init_coordinator(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    def load_inference_model(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    def load_one_table(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    def make_fl_strategy(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    def save_cache_model(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    def save_cache_table(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    def save_one_table(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    def set_date(self, *args: Any, **kwargs: Any) -> Any:
        """What Paddle's own servers do: raises UnsupportedError."""
    user_defined_optimizer: Any
class HybridCommunicateGroup:
    """The groups of this process along each axis of a topology"""
    def __init__(self, topology: twinoar.distributed.fleet.CommunicateTopology, hybrid_configs: Any = None, experts: Any = 1) -> None: ...
    def get_parallel_mode(self) -> builtins.int:
        """What is divided: one of ParallelMode."""
    def topology(self) -> twinoar.distributed.fleet.CommunicateTopology:
        """How the ranks lie."""
    def get_global_rank(self) -> builtins.int:
        """The rank in the world."""
    def get_stage_id(self) -> builtins.int:
        """The stage of a pipeline that runs here."""
    def get_rank_from_stage(self, stage_id: Any, **kwargs: Any) -> builtins.int:
        """The rank of a stage."""
    def create_fuse_group(self, fused_strategy_list: collections.abc.Sequence[builtins.str], nccl_config: Any = None) -> Any:
        """Groups over several axes: their ranks, and the one of this process"""
    def averaged_group(self) -> twinoar.distributed._Group:
        """The processes that train on other data, or other positions of it."""
    def sequence_parts(self) -> builtins.int:
        """How many processes divide the positions of one sequence: gradients are sums over them."""
    def get_data_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_data_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_data_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_data_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_model_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_model_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_model_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_model_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_pipe_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_pipe_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_pipe_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_pipe_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_sharding_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_sharding_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_sharding_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_sharding_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_sep_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_sep_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_sep_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_sep_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_check_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_check_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_check_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_check_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_dp_sep_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_dp_sep_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_dp_sep_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_dp_sep_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_pp_mp_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_pp_mp_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_pp_mp_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_pp_mp_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_expert_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_expert_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_expert_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_expert_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_moe_sharding_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_moe_sharding_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_moe_sharding_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_moe_sharding_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_context_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_context_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_context_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_context_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_cp_sharding_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_cp_sharding_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_cp_sharding_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_cp_sharding_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    def get_cp_mp_parallel_group(self, *args: Any, **kwargs: Any) -> twinoar.distributed._Group:
        """The group of this process along these axes."""
    def get_cp_mp_parallel_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the group along these axes."""
    def get_cp_mp_parallel_world_size(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The number of ranks along these axes."""
    def get_cp_mp_parallel_group_src_rank(self, *args: Any, **kwargs: Any) -> builtins.int:
        """The rank in the world of the first of the group along these axes."""
    nranks: Any
    global_rank: Any
    stage_id: Any
    is_first_stage: Any
    is_last_stage: Any
class MultiSlotDataGenerator:
    """Slots of integers or floats: the number of values, and the values, for each."""
    def __init__(self) -> None: ...
    def set_batch(self, batch_size: Any) -> None:
        """So many samples go to `generate_batch` together."""
    def generate_sample(self, line: builtins.str | None) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
        """A function that yields the samples of a line: lists of (name of slot, values)."""
    def generate_batch(self, samples: builtins.list[Any]) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
        """A function that yields the samples of a batch: as they are."""
    def run_from_memory(self) -> None:
        """Write the samples of no line, as text."""
    def run_from_stdin(self) -> None:
        """Write the samples of each line of standard input, as text."""
    batch_size_: Any
class MultiSlotStringDataGenerator:
    """Slots of strings: the number of values, and the values, for each."""
    def __init__(self) -> None: ...
    def set_batch(self, batch_size: Any) -> None:
        """So many samples go to `generate_batch` together."""
    def generate_sample(self, line: builtins.str | None) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
        """A function that yields the samples of a line: lists of (name of slot, values)."""
    def generate_batch(self, samples: builtins.list[Any]) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
        """A function that yields the samples of a batch: as they are."""
    def run_from_memory(self) -> None:
        """Write the samples of no line, as text."""
    def run_from_stdin(self) -> None:
        """Write the samples of each line of standard input, as text."""
    batch_size_: Any
class PaddleCloudRoleMaker:
    """Who this process is, by the environment; with is_collective a rank of a job."""
    def __init__(self, is_collective: builtins.bool = False, **kwargs: Any) -> None: ...
    @property
    def has_servers(self) -> builtins.bool:
        """Whether it is a process of a job with parameter servers."""
    def to_string(self) -> builtins.str:
        """What is known of the process, in one line."""
class Role:
    """What a process does."""
    WORKER: builtins.int
    SERVER: builtins.int
    HETER_WORKER: builtins.int
    ALL: builtins.int
    COORDINATOR: builtins.int
class UserDefinedRoleMaker:
    """Who this process is, by the arguments."""
    def __init__(self, is_collective: builtins.bool = False, init_gloo: builtins.bool = False, **kwargs: Any) -> None: ...
    @property
    def has_servers(self) -> builtins.bool:
        """Whether it is a process of a job with parameter servers."""
    def to_string(self) -> builtins.str:
        """What is known of the process, in one line."""
class UtilBase:
    """What workers do together, on Python numbers and arrays."""
    role_maker: Any
    def all_reduce(self, input: Any, mode: builtins.str = 'sum', comm_world: builtins.str = 'worker') -> Any:
        """The sum, 'min', 'max' or 'mean' over workers, an array where `input` is a list."""
    def all_gather(self, input: Any, comm_world: builtins.str = 'worker') -> Any:
        """What each worker has, a list; `input` itself where there is one."""
    def barrier(self, comm_world: builtins.str = 'worker') -> None:
        """Wait for the other workers."""
    def get_file_shard(self, files: builtins.list[builtins.str]) -> builtins.list[builtins.str]:
        """This worker's part of the files, which lie side by side"""
    def get_heter_file_shard(self, files: builtins.list[builtins.str]) -> builtins.list[builtins.str]:
        """This worker's part of the files, which lie side by side"""
    def print_on_rank(self, message: builtins.str, rank_id: Any) -> None:
        """Print on the worker with this rank."""
from twinoar.distributed import auto_parallel as auto
def distributed_model(model: twinoar.nn.Layer) -> twinoar.nn.Layer:
    """The network as all processes train it: one whose gradients are means over them."""
def distributed_optimizer(optimizer: twinoar.optimizer.Optimizer, strategy: twinoar.distributed.fleet.DistributedStrategy | None = None) -> Any:
    """The optimizer as all processes use it; for a Program Fleet, whose `minimize` checks."""
def distributed_scaler(scaler: Any) -> Any:
    """The GradScaler as all processes use it: where they divide a network, one for all of them."""
def get_log_level_code() -> builtins.int:
    """The level as a number."""
def get_log_level_name() -> builtins.str:
    """The level by its name."""
from . import meta_parallel as meta_parallel
from . import metrics as metrics
def set_log_level(level: Any) -> None:
    """Log from this level on: a number, or a name such as 'INFO'"""
from . import utils as utils
