"""Names that Paddle keeps apart until they are settled."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.optimizer
from typing import Any, Literal, overload

import numpy as _numpy

class LookAhead:
    """Every k steps of an optimizer slow weights move towards the fast ones, which go on there."""
    def __init__(self, inner_optimizer: twinoar.optimizer.Optimizer, alpha: Any = ..., k: Any = 5, name: builtins.str | None = None) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def step(self) -> None:
        """A step of the inner optimizer, and every k steps one of the slow weights."""
    def minimize(self, loss: Any, *arguments: Any, **named: Any) -> builtins.tuple[builtins.list, builtins.list]:
        """As `step`, by `minimize` of the inner optimizer; returns what that returns."""
    def state_dict(self) -> builtins.dict[builtins.str, Any]:
        """The slow weights by name, the count of steps, and the state of the inner optimizer."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned, for parameters of the same names."""
    inner_optimizer: twinoar.optimizer.Optimizer
    alpha: builtins.float
    k: builtins.int
class ModelAverage:
    """The mean of the weights over the last steps, to test with: of what `step` has seen."""
    def __init__(self, average_window_rate: Any, parameters: collections.abc.Sequence[Any] | None = None, min_average_window: Any = 10000, max_average_window: Any = 10000, name: builtins.str | None = None) -> None: ...
    def step(self) -> None:
        """Take the weights as they are now into the mean."""
    def minimize(self, loss: Any, *arguments: Any, **named: Any) -> None:
        """The same as `step`: no gradient is asked for."""
    def state_dict(self) -> builtins.dict[builtins.str, Any]:
        """The sums over this window and the one before by name, and how many steps they are of."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned, for parameters of the same names."""
    def clear_grad(self, set_to_zero: builtins.bool = True) -> None:
        """Clear the gradients of the parameters."""
    def apply(self, executor: Any = None, need_restore: builtins.bool = True) -> collections.abc.Iterator[None]:
        """Within the block the parameters are their means."""
    def restore(self, executor: Any = None) -> None:
        """Give the parameters back what they were before `apply`."""
from . import asp as asp
from . import autograd as autograd
from . import autotune as autotune
from . import cc as cc
from . import distributed as distributed
def graph_khop_sampler(row: twinoar._TensorLike, colptr: twinoar._TensorLike, input_nodes: twinoar._TensorLike, sample_sizes: Any, sorted_eids: twinoar._TensorLike | None = None, return_eids: builtins.bool = False, name: builtins.str | None = None) -> Any:
    """Raises UnsupportedError: samples of several steps are taken one step after the other."""
def graph_reindex(x: twinoar._TensorLike, neighbors: twinoar._TensorLike, count: twinoar._TensorLike, value_buffer: Any = None, index_buffer: Any = None, flag_buffer_hashtable: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """The older name of `geometric.reindex_graph`; the flag is without effect."""
def graph_sample_neighbors(row: twinoar._TensorLike, colptr: twinoar._TensorLike, input_nodes: twinoar._TensorLike, eids: twinoar._TensorLike | None = None, perm_buffer: Any = None, sample_size: Any = -1, return_eids: builtins.bool = False, flag_perm_buffer: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, ...]:
    """The older name of `geometric.sample_neighbors`; the flag is without effect."""
def graph_send_recv(x: twinoar._TensorLike, src_index: twinoar._TensorLike, dst_index: twinoar._TensorLike, pool_type: Literal['sum', 'mean', 'max', 'min'] = 'sum', out_size: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The older name of `geometric.send_u_recv`."""
@overload
def identity_loss(x: twinoar._TensorLike, reduction: Any = 'none') -> twinoar.Tensor:
    """x as a loss: its sum, its mean, or as it is."""
@overload
def identity_loss(*args: Any, x: Any = ..., reduction: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def inference(function: Any = None, cache_static_model: builtins.bool = False, save_model_dir: builtins.str | None = None, memory_pool_init_size_mb: Any = 1000, precision_mode: builtins.str = 'float32', switch_ir_optim: builtins.bool = True, switch_ir_debug: builtins.bool = False, enable_cinn: builtins.bool = False, with_trt: builtins.bool = False, trt_precision_mode: builtins.str = 'float32', trt_use_static: builtins.bool = False, collect_shape: builtins.bool = False, enable_new_ir: builtins.bool = False, exp_enable_use_cutlass: builtins.bool = False, delete_pass_lists: Any = None, skip_prune_program: builtins.bool = False) -> Any:
    """A function, method or Layer, compiled and without gradients; without one, a decorator."""
from . import nn as nn
from . import optimizer as optimizer
from twinoar.geometric import segment_max as segment_max
from twinoar.geometric import segment_mean as segment_mean
from twinoar.geometric import segment_min as segment_min
from twinoar.geometric import segment_sum as segment_sum
@overload
def softmax_mask_fuse(x: twinoar._TensorLike, mask: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """softmax(x + mask) along the last axis."""
@overload
def softmax_mask_fuse(*args: Any, x: Any = ..., mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def softmax_mask_fuse_upper_triangle(x: twinoar._TensorLike) -> twinoar.Tensor:
    """softmax of x along the last axis, without what stands right of the diagonal."""
@overload
def softmax_mask_fuse_upper_triangle(*args: Any, x: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
