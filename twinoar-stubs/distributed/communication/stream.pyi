"""Collectives on tensors, with all their switches."""

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
    """Combine the tensors of all processes, in each of them."""
@overload
def all_reduce(*args: Any, tensor: Any = ..., op: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def alltoall(out_tensor_or_tensor_list: twinoar._TensorLike | collections.abc.MutableSequence[twinoar._TensorLike], in_tensor_or_tensor_list: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Each process sends each one a tensor, and gets one of each, in the order of ranks."""
@overload
def alltoall(*args: Any, out_tensor_or_tensor_list: Any = ..., in_tensor_or_tensor_list: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def alltoall_single(out_tensor: twinoar._TensorLike, in_tensor: twinoar._TensorLike, out_split_sizes: collections.abc.Sequence[Any] | None = None, in_split_sizes: collections.abc.Sequence[Any] | None = None, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Each process sends each one rows of a tensor, and gets rows of each."""
@overload
def alltoall_single(*args: Any, out_tensor: Any = ..., in_tensor: Any = ..., out_split_sizes: Any = ..., in_split_sizes: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def broadcast(tensor: twinoar._TensorLike, src: Any, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Give the tensors of all processes the value of that of process `src`."""
@overload
def broadcast(*args: Any, tensor: Any = ..., src: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def gather(tensor: twinoar._TensorLike, gather_list: collections.abc.MutableSequence[twinoar._TensorLike] | None = None, dst: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """The tensors of all processes, in a list of process `dst`."""
@overload
def gather(*args: Any, tensor: Any = ..., gather_list: Any = ..., dst: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def recv(tensor: twinoar._TensorLike, src: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Receive a tensor of another process, of this one's shape and dtype, into `tensor`."""
@overload
def recv(*args: Any, tensor: Any = ..., src: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def reduce(tensor: twinoar._TensorLike, dst: Any = 0, op: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Combine the tensors of all processes in that of process `dst`; those of others stay."""
@overload
def reduce(*args: Any, tensor: Any = ..., dst: Any = ..., op: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def reduce_scatter(tensor: twinoar._TensorLike, tensor_or_tensor_list: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], op: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Each process gets one part of the tensors of all, combined."""
@overload
def reduce_scatter(*args: Any, tensor: Any = ..., tensor_or_tensor_list: Any = ..., op: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def scatter(tensor: twinoar._TensorLike, tensor_or_tensor_list: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike] | None = None, src: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Each process gets one tensor of process `src`, into `tensor`."""
@overload
def scatter(*args: Any, tensor: Any = ..., tensor_or_tensor_list: Any = ..., src: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
@overload
def send(tensor: twinoar._TensorLike, dst: Any = 0, group: twinoar.distributed._Group | None = None, sync_op: builtins.bool = True, use_calc_stream: builtins.bool = False) -> twinoar.distributed._Task:
    """Send a tensor to another process, which receives it."""
@overload
def send(*args: Any, tensor: Any = ..., dst: Any = ..., group: Any = ..., sync_op: Any = ..., use_calc_stream: Any = ..., out: Any = ...) -> twinoar.distributed._Task: ...
