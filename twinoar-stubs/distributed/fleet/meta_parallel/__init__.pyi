"""`paddle.distributed.fleet.meta_parallel`: networks that processes would divide."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.distributed.fleet
import twinoar.distributed.fleet.meta_parallel
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class ColumnParallelLinear(twinoar.nn.Layer):
    """`x @ weight + bias`, of which each process of a group computes some columns."""
    def __init__(self, in_features: Any, out_features: Any, weight_attr: Any = None, has_bias: builtins.bool | None = None, gather_output: builtins.bool = True, fuse_matmul_bias: builtins.bool = False, mp_group: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """`x @ weight + bias`."""
    gather_output: builtins.bool
    model_parallel_group: Any
    rank: Any
    world_size: Any
    is_mp: Any
    weight: twinoar.nn.Parameter
    bias: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class LayerDesc:
    """A layer that is made when its stage is: its class, and the arguments."""
    def __init__(self, layer_func: collections.abc.Callable[..., Any], *inputs: Any, **kwargs: Any) -> None: ...
    def build_layer(self, **extra_kwargs: Any) -> Any:
        """The layer."""
    layer_func: collections.abc.Callable[..., Any]
    inputs: Any
    kwargs: Any
class NoPipelineParallel(twinoar.nn.Layer):
    """A PipelineLayer that trains in one process: `fleet.distributed_model` makes it."""
    def __init__(self, layers: twinoar.distributed.fleet.meta_parallel.PipelineLayer, strategy: twinoar.distributed.fleet.DistributedStrategy, hcg: Any = None) -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layers compute."""
    def train_batch(self, data: Any, optimizer: Any, lr_scheduler: Any = None, scaler: Any = None, loss_fn_idx: Any = 0) -> Any:
        """One step on (inputs, labels): the mean loss of the parts; gradients are averaged."""
    def eval_batch(self, data: Any, compute_loss: builtins.bool = True, loss_fn_idx: Any = 0) -> Any:
        """The mean loss of (inputs, labels), or the outputs of the parts."""
    micro_batch_size: Any
    accumulate_steps: Any
class ParallelCrossEntropy(twinoar.nn.Layer):
    """Cross entropy of logits, of whose classes each process of a group has some: [..., 1]."""
    def __init__(self, mp_group: Any = None, name: builtins.str | None = None, ignore_index: Any = -100) -> None: ...
    def forward(self, input: twinoar._TensorLike, label: twinoar._TensorLike) -> twinoar.Tensor:
        """The cross entropy of each row."""
    model_parallel_group: Any
    name: builtins.str | None
    ignore_index: builtins.int
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class PipelineLayer(twinoar.nn.Layer):
    """Layers in turn, cut into stages; each process makes those of its own."""
    def __init__(self, layers: collections.abc.Sequence[Any], num_stages: Any = None, topology: twinoar.distributed.fleet.CommunicateTopology | None = None, loss_fn: Any = None, seg_method: Any = 'uniform', recompute_interval: Any = 0, recompute_ctx: Any = None, num_virtual_pipeline_stages: Any = None, use_cudagraph: builtins.bool = False, use_dualpipev: builtins.bool = False) -> None: ...
    def get_stage_from_index(self, layer_idx: Any) -> builtins.int:
        """The process, counted along the pipeline, that has a layer"""
    def get_num_virtual_stages(self) -> builtins.int:
        """How many chunks of layers each process has."""
    def get_model_chunks(self) -> builtins.list[builtins.list[collections.abc.Callable[..., Any]]] | None:
        """The functions of each chunk of this process; None where there is one chunk."""
    def allreduce_shared_weight_gradients(self) -> None:
        """Let the gradients of shared weights be their sums over the stages that have them."""
    def forward(self, input: Any, chunk_id: Any = None) -> Any:
        """What the last layer of this process returns, or of one of its chunks."""
    segment_parts: Any
    shared_layers: Any
    run_function: Any
    shared_comm: Any
class PipelineParallel(twinoar.nn.Layer):
    """A PipelineLayer whose stages are in several processes: `fleet.distributed_model` makes it."""
    def __init__(self, layers: twinoar.distributed.fleet.meta_parallel.PipelineLayer, hcg: twinoar.distributed.fleet.HybridCommunicateGroup, strategy: twinoar.distributed.fleet.DistributedStrategy) -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layers of this process compute."""
    def is_pipeline_first_stage(self, ignore_virtual: builtins.bool = False) -> builtins.bool:
        """Whether this process has the first layers."""
    def is_pipeline_last_stage(self, ignore_virtual: builtins.bool = False) -> builtins.bool:
        """Whether this process has the last layers."""
    def get_static_scheduler(self) -> builtins.str:
        """What this process does, as Paddle writes it: 'f0;f1;b0;b1;'."""
    def train_batch(self, data: Any, optimizer: Any, lr_scheduler: Any = None, scaler: Any = None, loss_fn_idx: Any = 0, return_micro_batch_loss: builtins.bool = False) -> Any:
        """One step on (inputs, labels): the mean loss of the parts, on all stages."""
    def forward_backward_pipeline(self, data: Any, scaler: Any = None, static_scheduler: builtins.bool = False, return_micro_batch_loss: builtins.bool = False, loss_fn_idx: Any = 0) -> Any:
        """The loss of a batch, whose gradients are added to those of the parameters."""
    def eval_batch(self, data: Any, compute_loss: builtins.bool = False, loss_fn_idx: Any = 0, return_host_tensor: builtins.bool = False) -> Any:
        """The mean loss of (inputs, labels) on all stages, or what this one returns, by part."""
    micro_batch_size: Any
    accumulate_steps: Any
    num_stages: Any
    stage_id: Any
    chunks: Any
    global_rank: Any
    pp_group: Any
    schedule_mode: builtins.str
    schedule: builtins.tuple[builtins.tuple[Any, ...], ...]
class RNGStatesTracker:
    """States of random numbers by name, each of which goes on where it was left."""
    def __init__(self) -> None: ...
    def reset(self) -> None:
        """Forget all."""
    def add(self, name: builtins.str, seed: Any) -> None:
        """Make a state of a seed"""
    def get_states_tracker(self) -> builtins.dict[builtins.str, Any]:
        """The states by name."""
    def set_states_tracker(self, states: builtins.dict[builtins.str, Any]) -> None:
        """Put states in the place of all."""
    def rng_state(self, name: builtins.str = 'model_parallel_rng') -> collections.abc.Iterator[None]:
        """Draw from the state `name` within the block"""
    states_: builtins.dict[builtins.str, Any]
    seeds_: builtins.set[builtins.int]
class RowParallelLinear(twinoar.nn.Layer):
    """`x @ weight + bias`, of which each process of a group multiplies some columns of x."""
    def __init__(self, in_features: Any, out_features: Any, weight_attr: Any = None, has_bias: builtins.bool = True, input_is_parallel: builtins.bool = False, fuse_matmul_bias: builtins.bool = False, mp_group: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """`x @ weight + bias`."""
    input_is_parallel: builtins.bool
    model_parallel_group: Any
    rank: Any
    world_size: Any
    is_mp: Any
    weight: twinoar.nn.Parameter
    bias: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class SharedLayerDesc(twinoar.distributed.fleet.meta_parallel.LayerDesc):
    """A layer that stands in several places by one key, with one weight."""
    def __init__(self, key: builtins.str, layer_func: collections.abc.Callable[..., Any], forward_func: collections.abc.Callable[..., Any] | None = None, shared_weight_attr: builtins.str = 'weight', *inputs: Any, **kwargs: Any) -> None: ...
    layer_name: builtins.str
    forward_func: collections.abc.Callable[..., Any] | None
    shared_weight_attr: builtins.str
class VocabParallelEmbedding(twinoar.nn.Layer):
    """Rows of a table by their numbers, of which each process of a group has some."""
    def __init__(self, num_embeddings: Any, embedding_dim: Any, weight_attr: Any = None, mp_group: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """The rows x of the table"""
    num_embeddings: builtins.int
    rows: builtins.int
    model_parallel_group: Any
    rank: Any
    world_size: Any
    is_mp: Any
    weight: twinoar.nn.Parameter
    bias: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
def get_rng_state_tracker() -> twinoar.distributed.fleet.meta_parallel.RNGStatesTracker:
    """The tracker that layers draw from."""
def model_parallel_random_seed(seed: Any = None) -> None:
    """Seed the random numbers, equally in all processes, and those of the tracker apart."""
