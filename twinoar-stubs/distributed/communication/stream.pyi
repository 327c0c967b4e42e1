"""Collectives of one rank: what one process sends comes back to it."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.distributed
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def all_gather(tensor_or_tensor_list: twinoar._TensorLike | collections.abc.MutableSequence[twinoar._TensorLike], tensor: twinoar._TensorLike, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """The tensors of all processes, in a list that is empty or has one for each, or in one tensor."""
@overload
def all_gather(*args: Any, tensor_or_tensor_list: Any = ..., tensor: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def all_reduce(tensor: twinoar._TensorLike, op: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Combine the tensors of all processes, in each of them: this one's stays as it is."""
@overload
def all_reduce(*args: Any, tensor: Any = ..., op: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def alltoall(out_tensor_or_tensor_list: twinoar._TensorLike | collections.abc.MutableSequence[twinoar._TensorLike], in_tensor_or_tensor_list: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Each process sends each one a tensor: this one itself its only one."""
@overload
def alltoall(*args: Any, out_tensor_or_tensor_list: Any = ..., in_tensor_or_tensor_list: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def alltoall_single(out_tensor: twinoar._TensorLike, in_tensor: twinoar._TensorLike, out_split_sizes: collections.abc.Sequence[Any] | None = None, in_split_sizes: collections.abc.Sequence[Any] | None = None, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Each process sends each one rows of a tensor: this one all of them to itself."""
@overload
def alltoall_single(*args: Any, out_tensor: Any = ..., in_tensor: Any = ..., out_split_sizes: Any = ..., in_split_sizes: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def broadcast(tensor: twinoar._TensorLike, src: Any, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Give all processes the tensor of process `src`: it stays as it is."""
@overload
def broadcast(*args: Any, tensor: Any = ..., src: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def gather(tensor: twinoar._TensorLike, gather_list: collections.abc.MutableSequence[twinoar._TensorLike] | None = None, dst: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """The tensors of all processes, in a list of process `dst`."""
@overload
def gather(*args: Any, tensor: Any = ..., gather_list: Any = ..., dst: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
def recv(tensor: twinoar._TensorLike, src: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> Any:
    """Receive a tensor from another process"""
@overload
def reduce(tensor: twinoar._TensorLike, dst: Any = 0, op: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Combine the tensors of all processes in process `dst`: the tensor stays as it is."""
@overload
def reduce(*args: Any, tensor: Any = ..., dst: Any = ..., op: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def reduce_scatter(tensor: twinoar._TensorLike, tensor_or_tensor_list: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], op: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Each process gets one part of the tensors, combined: this one the only one."""
@overload
def reduce_scatter(*args: Any, tensor: Any = ..., tensor_or_tensor_list: Any = ..., op: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def scatter(tensor: twinoar._TensorLike, tensor_or_tensor_list: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike] | None = None, src: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Each process gets one tensor of process `src`: this one the only one, into `tensor`."""
@overload
def scatter(*args: Any, tensor: Any = ..., tensor_or_tensor_list: Any = ..., src: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
def send(tensor: twinoar._TensorLike, dst: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> Any:
    """Send a tensor to another process"""
