"""`paddle.distributed` for a world of one process: rank 0 of 1, with what that means for each name."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import datetime
import enum
import multiprocessing.process
import twinoar
import twinoar.distributed
import twinoar.io
import twinoar.nn
import twinoar.optimizer
import types
from typing import Any, Literal, overload

import numpy as _numpy

class ColWiseParallel:
    """Divide the columns of a linear layer or an embedding"""
    divides: collections.abc.Mapping[builtins.str, twinoar.distributed.Placement]
    def __init__(self, gather_output: builtins.bool = False) -> None: ...
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let the weight lie by columns, and the bias with them."""
    gather_output: builtins.bool
class ContextParallel(twinoar.distributed.PrepareContextParallel):
    """Divide the positions that an attention is asked for."""
class ConvParallel:
    """Divide the output channels of a convolution."""
    divides: collections.abc.Mapping[builtins.str, twinoar.distributed.Placement]
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let the parameters, or those that are named, lie so."""
class CountFilterEntry:
    """A row is taken in when it has been asked for so often, 0 or more."""
    def __init__(self, count_filter: Any) -> None: ...
from twinoar import DataParallel as DataParallel
class DistAttr:
    """A mesh, and for each dimension of a tensor the name of the mesh's, or None."""
    def __init__(self, mesh: twinoar.distributed.ProcessMesh, sharding_specs: collections.abc.Sequence[builtins.str | None]) -> None: ...
    process_mesh: Any
    sharding_specs: Any
class DistModel:
    """A network that is called with batches: a step, a loss or outputs, by its mode."""
    def __init__(self, layer: twinoar.nn.Layer, loader: Any, loss: Any = None, optimizer: Any = None, strategy: twinoar.distributed.Strategy | None = None, metrics: Any = None, input_spec: Any = None) -> None: ...
    def train(self) -> None:
        """Take a step with each call from now on."""
    def eval(self) -> None:
        """Give the loss of each call from now on."""
    def predict(self) -> None:
        """Give the outputs of each call from now on."""
    def __call__(self, *args: Any) -> Any: ...
    def state_dict(self, mode: builtins.str = 'all', split_fusion: builtins.bool = True) -> builtins.dict[builtins.str, Any]:
        """The states of the network ('param'), of the optimizer ('opt'), or of both ('all')."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Give the network, and the optimizer where there are entries of it, their states."""
    def dist_main_program(self, mode: builtins.str | None = None) -> Any:
        """The Program that one process has of it: raises UnsupportedError, it is not divided."""
    def dist_startup_program(self, mode: builtins.str | None = None) -> Any:
        """The Program that one process has of it: raises UnsupportedError, it is not divided."""
    def serial_main_program(self, mode: builtins.str | None = None) -> Any:
        """The Program that one process has of it: raises UnsupportedError, it is not divided."""
    def serial_startup_program(self, mode: builtins.str | None = None) -> Any:
        """The Program that one process has of it: raises UnsupportedError, it is not divided."""
    network: twinoar.nn.Layer
class InMemoryDataset:
    """Files of slots that are read into memory, and shuffled there."""
    def __init__(self) -> None: ...
    def update_settings(self, **kwargs: Any) -> None:
        """Change arguments of `init`."""
    def load_into_memory(self, is_shuffle: builtins.bool = False) -> None:
        """Read the files"""
    def preload_into_memory(self, thread_num: Any = None) -> None:
        """`load_into_memory`, which is done on return."""
    def wait_preload_done(self) -> None:
        """Wait for `preload_into_memory`: it is done."""
    def local_shuffle(self) -> None:
        """Bring the lines into an order by chance, which the seed of `twinoar.seed` decides."""
    def global_shuffle(self, fleet: Any = None, thread_num: Any = 12) -> None:
        """Bring the lines of all processes into an order by chance, and divide them evenly."""
    def release_memory(self) -> None:
        """Forget the lines."""
    def get_memory_data_size(self, fleet: Any = None) -> builtins.int:
        """The number of lines in memory, with `fleet` of all processes, which all call it."""
    def get_shuffle_data_size(self, fleet: Any = None) -> builtins.int:
        """The number of lines in memory, with `fleet` of all processes, which all call it."""
    def slots_shuffle(self, slots: collections.abc.Sequence[builtins.str]) -> None:
        """Shuffle the values of single slots: raises UnsupportedError."""
    def init(self, batch_size: Any = 1, thread_num: Any = 1, use_var: collections.abc.Sequence[Any] = ..., pipe_command: builtins.str = 'cat', input_type: Any = 0, fs_name: builtins.str = '', fs_ugi: builtins.str = '', download_cmd: builtins.str = 'cat') -> None:
        """Say what a line is: values of `use_var`, in their order and of their dtypes."""
    def set_filelist(self, filelist: collections.abc.Sequence[builtins.str]) -> None:
        """Name the files."""
    def __iter__(self) -> collections.abc.Iterator[builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]]: ...
class LocalLayer(twinoar.nn.Layer):
    """Base of layers that compute with parts: arguments come as parts, results lie as is said."""
    def __init__(self, out_dist_attrs: collections.abc.Sequence[Any], grad_dist_attrs: collections.abc.Sequence[Any] = ...) -> None: ...
    def __call__(self, *inputs: Any, **kwargs: Any) -> Any: ...
    out_dist_attrs: collections.abc.Sequence[Any]
    grad_dist_attrs: collections.abc.Sequence[Any]
class P2POp:
    """A tensor that one process sends to another: `op` is `isend` or `irecv`."""
    def __init__(self, op: collections.abc.Callable[..., Any], tensor: twinoar._TensorLike, peer: Any, group: Any = None) -> None: ...
    op: collections.abc.Callable[..., Any]
    tensor: twinoar.Tensor
    peer: builtins.int
    group: Any
class ParallelEnv:
    """Which process this is, of how many, by the environment that a launcher has set."""
    nrings: builtins.int
    device_type: builtins.str
    pg_timeout: builtins.int
    def __init__(self) -> None: ...
    rank: Any
    world_size: Any
    nranks: Any
    device_id: Any
    dev_id: Any
    local_rank: Any
    current_endpoint: Any
    trainer_endpoints: Any
class ParallelMode:
    """What is divided among processes."""
    DATA_PARALLEL: builtins.int
    TENSOR_PARALLEL: builtins.int
    PIPELINE_PARALLEL: builtins.int
    SHARDING_PARALLEL: builtins.int
    SEGMENT_PARALLEL: builtins.int
class Partial(twinoar.distributed.Placement):
    """The tensors of the processes are combined to the whole, by default summed."""
    def __init__(self, reduce_type: twinoar.distributed.ReduceType = ...) -> None: ...
    def reduce_type(self) -> twinoar.distributed.ReduceType:
        """How they are combined."""
    def is_partial(self) -> builtins.bool:
        """True."""
class Placement:
    """Base of the three."""
    def is_shard(self, dim: Any = None) -> builtins.bool:
        """Whether each process has a part, of dimension `dim` where that is given."""
    def is_replicated(self) -> builtins.bool:
        """Whether each process has the whole."""
    def is_partial(self) -> builtins.bool:
        """Whether the tensors of the processes are combined to the whole."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
class PrepareContextParallel:
    """Divide the positions of inputs, [batch,position,*]"""
    def __init__(self, backend: builtins.str = 'p2p') -> None: ...
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let inputs lie divided."""
    backend: builtins.str
class PrepareLayerInput:
    """Change what goes into a layer: `fn(mesh)` makes the hook."""
    def __init__(self, fn: collections.abc.Callable[..., Any] | None = None) -> None: ...
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Register the hook."""
    fn: collections.abc.Callable[..., Any] | None
class PrepareLayerOutput(twinoar.distributed.PrepareLayerInput):
    """Change what comes out of a layer: `fn(mesh)` makes the hook."""
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Register the hook."""
class ProbabilityEntry:
    """A new row is taken in with this probability, above 0 and below 1."""
    def __init__(self, probability: Any) -> None: ...
class ProcessMesh:
    """Ranks in a block whose dimensions have names, 'd0', 'd1', .."""
    def __init__(self, mesh: Any = None, dim_names: collections.abc.Sequence[builtins.str] | None = None, shape: collections.abc.Sequence[Any] | None = None, process_ids: collections.abc.Sequence[Any] | None = None) -> None: ...
    @property
    def ndim(self) -> builtins.int:
        """The number of dimensions."""
    @property
    def shape(self) -> builtins.list[builtins.int]:
        """The sizes of the dimensions."""
    @property
    def process_ids(self) -> builtins.list[builtins.int]:
        """The ranks, in a row."""
    @property
    def size(self) -> builtins.int:
        """The number of ranks."""
    def get_dim_size(self, dim: Any) -> builtins.int:
        """The size of a dimension, by its name or number."""
    def get_rank_by_dim_and_process_id(self, dim: Any, process_id: Any) -> builtins.int:
        """Where along a dimension a rank is; -1 if it is not in the mesh."""
    def get_mesh_with_dim(self, dim_name: builtins.str, index: Any = None) -> twinoar.distributed.ProcessMesh:
        """The mesh with that dimension first, or its part at `index` of it."""
    def get_submesh_with_dim(self, dim_name: builtins.str) -> twinoar.distributed.ProcessMesh:
        """The ranks along one dimension among which this process is."""
    def get_group(self, dim_name: builtins.str | None = None) -> twinoar.distributed._Group:
        """The group along a dimension in which this process is; the same one at each call."""
    def axis_of(self, dim: Any) -> builtins.int:
        """The number of a dimension that is given by its name or number"""
    def __getitem__(self, index: Any) -> twinoar.distributed.ProcessMesh: ...
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    mesh: Any
    dim_names: builtins.list[builtins.str]
class QueueDataset:
    """Files of slots that are read as they come"""
    def __init__(self) -> None: ...
    def init(self, batch_size: Any = 1, thread_num: Any = 1, use_var: collections.abc.Sequence[Any] = ..., pipe_command: builtins.str = 'cat', input_type: Any = 0, fs_name: builtins.str = '', fs_ugi: builtins.str = '', download_cmd: builtins.str = 'cat') -> None:
        """Say what a line is: values of `use_var`, in their order and of their dtypes."""
    def set_filelist(self, filelist: collections.abc.Sequence[builtins.str]) -> None:
        """Name the files."""
    def __iter__(self) -> collections.abc.Iterator[builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]]: ...
class ReduceOp:
    """How `all_reduce` and its kin combine the tensors of the processes."""
    SUM: builtins.int
    MAX: builtins.int
    MIN: builtins.int
    PROD: builtins.int
    AVG: builtins.int
class ReduceType(enum.IntEnum):
    """How the parts of a `Partial` tensor make the whole."""
    kRedSum = 0
    kRedMax = 1
    kRedMin = 2
    kRedProd = 3
    kRedAvg = 4
    kRedAny = 5
    kRedAll = 6
class Replicate(twinoar.distributed.Placement):
    """Each process has the whole."""
    def is_replicated(self) -> builtins.bool:
        """True."""
class RowWiseParallel:
    """Divide the rows of a linear layer or an embedding"""
    divides: collections.abc.Mapping[builtins.str, twinoar.distributed.Placement]
    def __init__(self, is_input_parallel: builtins.bool = True) -> None: ...
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let the parameters, or those that are named, lie so."""
    is_input_parallel: builtins.bool
class SequenceParallelBegin:
    """Divide positions from this layer on."""
    def __init__(self, need_transpose: builtins.bool = True) -> None: ...
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let outputs lie divided."""
    need_transpose: builtins.bool
class SequenceParallelDisable(twinoar.distributed.SequenceParallelBegin):
    """Put positions together within this layer, and divide them behind it."""
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let inputs lie whole, and outputs divided."""
class SequenceParallelEnable:
    """Divide positions, [batch,position,*], within this layer."""
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let inputs lie divided, and outputs whole."""
class SequenceParallelEnd(twinoar.distributed.SequenceParallelBegin):
    """Put positions together behind this layer."""
    def apply(self, layer: twinoar.nn.Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let outputs lie whole."""
class Shard(twinoar.distributed.Placement):
    """Each process has a part of dimension `dim`."""
    def __init__(self, dim: Any) -> None: ...
    def get_dim(self) -> builtins.int:
        """The dimension."""
    def is_shard(self, dim: Any = None) -> builtins.bool:
        """True; with `dim`, whether it is this one."""
ShardedStateDict: types.GenericAlias
class ShardedWeight:
    """A part of a weight, and where it lies in the whole."""
    def __init__(self, key: builtins.str, local_tensor: twinoar._TensorLike, local_shape: builtins.tuple[Any, ...], global_shape: builtins.tuple[Any, ...], global_offset: builtins.tuple[Any, ...], is_flattened: builtins.bool = False, flattened_range: builtins.slice | None = None) -> None: ...
    def write(self, value: twinoar._TensorLike) -> None:
        """Give the part, which has the shape of `value`, other elements."""
    key: builtins.str
    local_tensor: twinoar.Tensor
    local_shape: Any
    global_shape: Any
    global_offset: Any
    is_flattened: builtins.bool
    flattened_range: builtins.slice | None
class ShardingStage1:
    """Moments that the processes along a dimension of a mesh divide: `shard_fn` of an optimizer."""
    divides_parameters: builtins.bool
    def __init__(self, sharding_mesh_dim: Any, mesh: twinoar.distributed.ProcessMesh | None = None) -> None: ...
    def __call__(self, key: builtins.str, param: Any, accumulator: Any) -> Any:
        """The moment `key` of a parameter, divided."""
    def placements(self, mesh: twinoar.distributed.ProcessMesh, param: Any) -> builtins.list[twinoar.distributed.Placement]:
        """How what belongs to a parameter lies: as it does, and cut along the dimension."""
    sharding_mesh_dim: builtins.int | builtins.str
    mesh: twinoar.distributed.ProcessMesh | None
class ShardingStage2(twinoar.distributed.ShardingStage1):
    """Moments that processes divide; gradients are summed up to the part that each needs."""
class ShardingStage3(twinoar.distributed.ShardingStage1):
    """Moments, gradients and parameters that processes divide."""
    divides_parameters: builtins.bool
class ShowClickEntry:
    """A row is weighed by the variables of these names, of shows and clicks."""
    def __init__(self, show_name: builtins.str, click_name: builtins.str) -> None: ...
class SplitPoint(enum.Enum):
    """Where a pipeline would be cut: before or behind a layer."""
    BEGINNING = 0
    END = 1
class Strategy:
    """How a DistModel is divided and computed: groups of settings, each with `enable`."""
    full_graph: builtins.bool
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any] | None = None) -> None: ...
    def check(self) -> None:
        """Raise UnsupportedError for what would change a step."""
def all_gather(tensor_list: twinoar._TensorLike | collections.abc.MutableSequence[twinoar._TensorLike], tensor: twinoar._TensorLike, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """The tensors of all processes, in a list that is empty or has one for each, or in one tensor."""
def all_gather_object(object_list: collections.abc.MutableSequence[Any], obj: Any, group: twinoar.distributed._Group | None = None) -> None:
    """The objects of all processes, at the end of a list."""
def all_reduce(tensor: twinoar._TensorLike, op: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """Combine the tensors of all processes, in each of them."""
def alltoall(out_tensor_list: twinoar._TensorLike | collections.abc.MutableSequence[twinoar._TensorLike], in_tensor_list: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """Each process sends each one a tensor, and gets one of each, in the order of ranks."""
def alltoall_single(out_tensor: twinoar._TensorLike, in_tensor: twinoar._TensorLike, in_split_sizes: collections.abc.Sequence[Any] | None = None, out_split_sizes: collections.abc.Sequence[Any] | None = None, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """Each process sends each one rows of a tensor, and gets rows of each."""
from . import auto_parallel as auto_parallel
def barrier(group: twinoar.distributed._Group | None = None) -> None:
    """Wait until all processes of the group are here."""
def batch_isend_irecv(p2p_op_list: collections.abc.Sequence[twinoar.distributed.P2POp]) -> builtins.list[twinoar.distributed._Task]:
    """Begin several of `P2POp`, in whatever order processes list them; their tasks."""
def broadcast(tensor: twinoar._TensorLike, src: Any, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """Give the tensors of all processes the value of that of process `src`."""
def broadcast_object_list(object_list: collections.abc.MutableSequence[Any], src: Any, group: twinoar.distributed._Group | None = None) -> None:
    """Give the lists of all processes the objects of process `src`."""
def build_sharded_state_dict(state_dict: collections.abc.Mapping[builtins.str, Any], shard_rules: collections.abc.Mapping[builtins.str, Any] | None = None, prefix: builtins.str = '') -> builtins.dict[builtins.str, twinoar.distributed.ShardedWeight]:
    """The parts that this process has of the weights of a state."""
def create_nccl_config(nccl_config: Any = None) -> None:
    """Settings of a library for GPUs: None, nothing here reads them."""
def destroy_process_group(group: twinoar.distributed._Group | None = None) -> None:
    """Forget a group, or all: this process is one by itself again."""
def dtensor_from_fn(fn: collections.abc.Callable[..., twinoar.Tensor], mesh: twinoar.distributed.ProcessMesh, placements: collections.abc.Sequence[twinoar.distributed.Placement], *args: Any, **kwargs: Any) -> twinoar.Tensor:
    """What `fn(*args, **kwargs)` makes, on a mesh."""
def dtensor_from_local(local_tensor: twinoar._TensorLike, mesh: twinoar.distributed.ProcessMesh, placements: collections.abc.Sequence[twinoar.distributed.Placement]) -> twinoar.Tensor:
    """The tensor of which each process gives its part"""
def enable_auto_dp() -> None:
    """Divide batches among processes: there is one."""
from . import fleet as fleet
from . import fsdp as fsdp
def gather(tensor: twinoar._TensorLike, gather_list: collections.abc.MutableSequence[twinoar._TensorLike] | None = None, dst: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """The tensors of all processes, in a list of process `dst`."""
def get_backend(group: twinoar.distributed._Group | None = None) -> builtins.str:
    """What moves data on processors, by Paddle's name: 'GLOO'; it is MPI here."""
def get_group(id: Any = 0) -> twinoar.distributed._Group | None:
    """The group that `new_group` made with this number; None, with a warning, if it did not."""
def get_mesh() -> twinoar.distributed.ProcessMesh | None:
    """The mesh that `set_mesh` was given; None before that."""
def get_rank(group: Any = None) -> builtins.int:
    """The rank of this process in the world, or in `group`: -1 where it is not in it."""
def get_world_size(group: Any = None) -> builtins.int:
    """The number of processes, or that of `group`."""
def gloo_barrier() -> None:
    """Wait for the other processes."""
def gloo_init_parallel_env(rank_id: Any, rank_num: Any, server_endpoint: builtins.str) -> None:
    """Join the other processes"""
def gloo_release() -> None:
    """Leave the other processes: that happens when this one ends."""
def group_sharded_parallel(model: twinoar.nn.Layer, optimizer: twinoar.optimizer.Optimizer, level: builtins.str, scaler: Any = None, group: twinoar.distributed._Group | None = None, offload: builtins.bool = False, sync_buffers: builtins.bool = False, buffer_max_size: Any = 8388608, segment_size: Any = 1048576, sync_comm: builtins.bool = False, dp_group: twinoar.distributed._Group | None = None, exclude_layer: collections.abc.Sequence[Any] | None = None) -> builtins.tuple[Any, Any, Any]:
    """Divide moments ('os'), gradients too ('os_g'), or parameters as well ('p_g_os')."""
def in_auto_parallel_align_mode() -> builtins.bool:
    """False."""
def init_parallel_env(nccl_config: Any = None) -> Any:
    """Join the other processes, which all call it; returns their group."""
from . import io as io
def irecv(tensor: twinoar._TensorLike, src: Any = None, group: twinoar.distributed._Group | None = None) -> twinoar.distributed._Task:
    """Begin to receive a tensor of another process; a task, whose `wait` brings it."""
def is_available() -> builtins.bool:
    """Whether the package is there: True."""
def is_initialized() -> builtins.bool:
    """Whether processes are connected: one by itself is not, so False as in Paddle."""
def isend(tensor: twinoar._TensorLike, dst: Any, group: twinoar.distributed._Group | None = None) -> twinoar.distributed._Task:
    """Begin to send a tensor to another process; a task"""
def launch(arguments: collections.abc.Sequence[builtins.str] | None = None) -> None:
    """Run the script that the command line names, in its processes, and end with their exit code."""
def load_merged_state_dict(path: builtins.str, prefix: builtins.str | None = None, unique_id: Any = None, offload: builtins.bool = False, aoa_config: Any = None, safetensors: builtins.bool = False) -> builtins.dict[builtins.str, twinoar.Tensor]:
    """All tensors of a checkpoint, by their names"""
def load_state_dict(state_dict: collections.abc.Mapping[builtins.str, Any], path: builtins.str, process_group: twinoar.distributed._Group | None = None, coordinator_rank: Any = 0, unique_id: Any = None, offload: builtins.bool = False, mw_name_compatibility: builtins.bool = True, aoa_config: Any = None, safetensors: builtins.bool = False, worker_groups: Any = None, comm_method: builtins.str = 'broadcast') -> None:
    """Give the tensors of a dict the values that `save_state_dict` has saved under their names."""
def local_map(func: collections.abc.Callable[..., Any], out_placements: collections.abc.Sequence[collections.abc.Sequence[twinoar.distributed.Placement] | None], in_placements: collections.abc.Sequence[collections.abc.Sequence[twinoar.distributed.Placement] | None] | None = None, process_mesh: twinoar.distributed.ProcessMesh | None = None, reshard_inputs: builtins.bool = False) -> collections.abc.Callable[..., Any]:
    """A function of parts, as one of tensors on a mesh."""
def new_group(ranks: collections.abc.Sequence[Any] | None = None, backend: builtins.str | None = None, timeout: datetime.timedelta = ..., nccl_comm_init_option: Any = 0, nccl_config: Any = None) -> twinoar.distributed._Group:
    """A group of the processes with these ranks; None means all"""
def parallelize(model: twinoar.nn.Layer, optimizer: twinoar.optimizer.Optimizer | None = None, mesh: twinoar.distributed.ProcessMesh | None = None, config: collections.abc.Mapping[builtins.str, Any] | None = None) -> builtins.tuple[twinoar.nn.Layer, twinoar.optimizer.Optimizer | None]:
    """A network and its optimizer, which lie on a mesh from now on: themselves."""
from . import passes as passes
def recv(tensor: twinoar._TensorLike, src: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """Receive a tensor of another process, of this one's shape and dtype, into `tensor`."""
def recv_object_list(object_list: collections.abc.MutableSequence[Any], src: Any = None, group: twinoar.distributed._Group | None = None, src_in_group: Any = None) -> None:
    """Receive objects of another process into a list that has as many."""
def reduce(tensor: twinoar._TensorLike, dst: Any, op: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """Combine the tensors of all processes in that of process `dst`; those of others stay."""
def reduce_scatter(tensor: twinoar._TensorLike, tensor_list: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], op: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """Each process gets one part of the tensors of all, combined."""
def reshard(dist_tensor: twinoar._TensorLike, mesh: twinoar.distributed.ProcessMesh, placements: collections.abc.Sequence[twinoar.distributed.Placement]) -> twinoar.Tensor:
    """The tensor, lying in another way, or on another mesh"""
def restart_process_group(group: twinoar.distributed._Group | None = None) -> None:
    """Connect again: the connections are there."""
from . import rpc as rpc
def save_group_sharded_model(model: twinoar.nn.Layer, output: builtins.str, optimizer: Any = None) -> None:
    """Save the state of the model in `output`/model.pdmodel, of the optimizer in model.pdopt."""
def save_state_dict(state_dict: collections.abc.Mapping[builtins.str, Any], path: builtins.str, process_group: twinoar.distributed._Group | None = None, coordinator_rank: Any = 0, unique_id: Any = None, async_save: builtins.bool = False, safetensors: builtins.bool = False, save_replicas: builtins.bool = False) -> None:
    """Save tensors, and dicts of them, in the folder `path`."""
def scatter(tensor: twinoar._TensorLike, tensor_list: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike] | None = None, src: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """Each process gets one tensor of process `src`, into `tensor`."""
def scatter_object_list(out_object_list: collections.abc.MutableSequence[Any], in_object_list: collections.abc.Sequence[Any] | None = None, src: Any = 0, group: twinoar.distributed._Group | None = None) -> None:
    """Each process gets one object of process `src`, as the only one of a list."""
def send(tensor: twinoar._TensorLike, dst: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True) -> twinoar.distributed._Task:
    """Send a tensor to another process, which receives it."""
def send_object_list(object_list: collections.abc.Sequence[Any], dst: Any = None, group: twinoar.distributed._Group | None = None, dst_in_group: Any = None) -> None:
    """Send objects to another process, by its rank in the world or in the group."""
def set_mesh(mesh: twinoar.distributed.ProcessMesh) -> None:
    """Make a mesh the one that `get_mesh` gives."""
def shard_dataloader(dataloader: twinoar.io.DataLoader, meshes: twinoar.distributed.ProcessMesh | collections.abc.Sequence[twinoar.distributed.ProcessMesh], input_keys: collections.abc.Sequence[builtins.str] | None = None, shard_dims: Any = None, is_dataset_splitted: builtins.bool = False, dense_tensor_idx: Any = None) -> Any:
    """A DataLoader whose batches lie on a mesh, cut along `shard_dims` of it."""
def shard_layer(layer: twinoar.nn.Layer, process_mesh: twinoar.distributed.ProcessMesh, shard_fn: collections.abc.Callable[..., Any] | None = None, input_fn: collections.abc.Callable[..., Any] | None = None, output_fn: collections.abc.Callable[..., Any] | None = None) -> twinoar.nn.Layer:
    """A layer whose parameters and buffers lie on a mesh: itself."""
def shard_op(op: collections.abc.Callable[..., Any], process_mesh: Any = None, *args: Any, **kwargs: Any) -> Any:
    """A function whose operands processes divide: itself, as they do that by how operands lie."""
def shard_optimizer(optimizer: twinoar.optimizer.Optimizer, shard_fn: collections.abc.Callable[..., Any] | twinoar.distributed.ShardingStage1 | None = None, gradient_accumulation_steps: Any = 1) -> twinoar.optimizer.Optimizer:
    """An optimizer whose moments lie as `shard_fn(key, param, moment)` says: itself."""
def shard_scaler(scaler: Any) -> Any:
    """A GradScaler that processes share: itself, as what it asks of gradients is asked of all."""
def shard_tensor(data: Any, mesh: twinoar.distributed.ProcessMesh, placements: collections.abc.Sequence[twinoar.distributed.Placement], dtype: Any = None, place: Any = None, stop_gradient: builtins.bool | None = None) -> twinoar.Tensor:
    """A tensor of which each process of a mesh keeps its part; a parameter becomes one itself."""
def shard_weight(key: builtins.str, weight: twinoar._TensorLike, axis: Any, group: twinoar.distributed._Group) -> twinoar.distributed.ShardedWeight:
    """The part of a weight that this process of a group has, of equal parts along an axis."""
from . import sharding as sharding
def shutdown_process_group(group: twinoar.distributed._Group | None = None) -> None:
    """Let go of connections: MPI keeps them until the process ends."""
def spawn(func: collections.abc.Callable[..., Any], args: collections.abc.Iterable[Any] = ..., nprocs: Any = -1, join: builtins.bool = True, daemon: builtins.bool = False, **options: Any) -> twinoar.distributed._MultiprocessContext | twinoar.distributed._RanksContext:
    """Run `func(*args)` in `nprocs` new processes, and wait for them."""
def split(x: twinoar._TensorLike, size: collections.abc.Sequence[Any], operation: builtins.str, axis: Any = 0, num_partitions: Any = 1, gather_out: builtins.bool = True, weight_attr: Any = None, bias_attr: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """A linear layer or an embedding in a Program, whose weight processes share."""
from twinoar.distributed.communication import stream as stream
def to_distributed(model: twinoar.nn.Layer, optimizer: twinoar.optimizer.Optimizer, dataloader: Any, device_num: Any, node_num: Any = 1, config: Any = None) -> builtins.tuple[twinoar.nn.Layer, twinoar.optimizer.Optimizer, Any]:
    """A network, an optimizer and batches as devices would divide them: themselves for one."""
def to_static(layer: twinoar.nn.Layer, loader: Any = None, loss: Any = None, optimizer: Any = None, strategy: twinoar.distributed.Strategy | None = None, input_spec: Any = None) -> twinoar.distributed.DistModel:
    """A network, its loss and its optimizer as a DistModel, whose network is compiled."""
def unshard_dtensor(dist_tensor: twinoar._TensorLike) -> twinoar.Tensor:
    """The whole of a tensor that lies on a mesh, as an ordinary tensor on each process."""
def wait(tensor: twinoar._TensorLike, group: twinoar.distributed._Group | None = None, use_calc_stream: builtins.bool = True) -> None:
    """Wait until what was begun in the group is done, so that the tensor has its value."""
class _Group:
    """Processes that communicate."""
    process_group: Any
    def __init__(self, rank_in_group: Any, id: Any, ranks: collections.abc.Sequence[Any], pg: Any = None, name: Any = None) -> None: ...
    @property
    def nranks(self) -> builtins.int:
        """The number of processes."""
    @property
    def world_size(self) -> builtins.int:
        """The number of processes, -1 where this process is none of them."""
    def is_member(self) -> builtins.bool:
        """Whether this process is one of them."""
    def get_group_rank(self, rank: Any) -> builtins.int:
        """The rank in the group of the process whose rank in the world is given; else -1."""
    def get_global_rank(self, rank: Any) -> builtins.int:
        """The rank in the world of the process whose rank in the group is given; else -1."""
    rank: builtins.int
    id: builtins.int
    ranks: Any
    name: Any
    backend: Any
class _Task:
    """Work that was begun"""
    def __init__(self, finish: collections.abc.Callable[[], None] | None = None) -> None: ...
    @classmethod
    def done(cls) -> twinoar.distributed._Task:
        """A task that has ended."""
    def finishes(self, finish: collections.abc.Callable[[], None]) -> None:
        """Let `wait` call this once the work has ended."""
    def end(self, error: builtins.BaseException | None = None) -> None:
        """Say that the work has ended, or failed."""
    def wait(self, timeout: Any = None) -> builtins.bool:
        """Wait until the work has ended, and what it brings is where it belongs."""
    def is_completed(self) -> builtins.bool:
        """Whether the work has ended; `wait` is still what brings its result."""
    def synchronize(self) -> None:
        """As `wait`."""
    is_told: Any
class _MultiprocessContext:
    """The process of `spawn`"""
    def __init__(self, process: multiprocessing.process.BaseProcess, errors: Any) -> None: ...
    def join(self, timeout: Any = None) -> builtins.bool:
        """Wait for the process; False if it still runs after `timeout` seconds."""
    processes: Any
class _RanksContext:
    """The processes of `spawn`, which are ranks of a job"""
    def __init__(self, running: Any, folder: builtins.str) -> None: ...
    def join(self, timeout: Any = None) -> builtins.bool:
        """Wait for the processes; False if they still run after `timeout` seconds."""
    processes: Any
