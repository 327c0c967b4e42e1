"""Collectives by the names of `paddle.distributed`: those of `stream`, without its switches."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.distributed.communication import stream
from twinoar.distributed.communication.stream import ReduceOp, Task, Tensors
from twinoar.distributed.group import Group


def all_reduce(
    tensor: Tensor, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True
) -> Task:
    """Combine the tensors of all processes, in each of them: this one's stays as it is.

    Returns a finished task. Raises TypeMismatchError, ArgumentError.

    >>> import twinoar
    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> task = all_reduce(x)
    >>> x.tolist(), task.wait()
    ([1.0, 2.0], True)
    """
    return stream.all_reduce(tensor, op, group, sync_op)


def reduce(
    tensor: Tensor,
    dst: int,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Combine the tensors of all processes in process `dst`: the tensor stays as it is."""
    return stream.reduce(tensor, dst, op, group, sync_op)


def broadcast(tensor: Tensor, src: int, group: Group | None = None, sync_op: bool = True) -> Task:
    """Give all processes the tensor of process `src`: it stays as it is."""
    return stream.broadcast(tensor, src, group, sync_op)


def all_gather(
    tensor_list: Tensors, tensor: Tensor, group: Group | None = None, sync_op: bool = True
) -> Task:
    """The tensors of all processes, in a list that is empty or has one for each, or in one tensor.

    >>> import twinoar
    >>> found = []
    >>> task = all_gather(found, twinoar.to_tensor([1, 2]))
    >>> [x.tolist() for x in found]
    [[1, 2]]
    """
    return stream.all_gather(tensor_list, tensor, group, sync_op)


def gather(
    tensor: Tensor,
    gather_list: MutableSequence[Tensor] | None = None,
    dst: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """The tensors of all processes, in a list of process `dst`."""
    return stream.gather(tensor, gather_list, dst, group, sync_op)


def scatter(
    tensor: Tensor,
    tensor_list: Sequence[Tensor] | None = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Each process gets one tensor of process `src`: this one the only one, into `tensor`."""
    return stream.scatter(tensor, tensor_list, src, group, sync_op)


def reduce_scatter(
    tensor: Tensor,
    tensor_list: Sequence[Tensor],
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Each process gets one part of the tensors, combined: this one the only one."""
    return stream.reduce_scatter(tensor, tensor_list, op, group, sync_op)


def alltoall(
    out_tensor_list: Tensors,
    in_tensor_list: Tensor | Sequence[Tensor],
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Each process sends each one a tensor: this one itself its only one."""
    return stream.alltoall(out_tensor_list, in_tensor_list, group, sync_op)


def alltoall_single(
    out_tensor: Tensor,
    in_tensor: Tensor,
    in_split_sizes: Sequence[int] | None = None,
    out_split_sizes: Sequence[int] | None = None,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Each process sends each one rows of a tensor: this one all of them to itself."""
    return stream.alltoall_single(
        out_tensor, in_tensor, out_split_sizes, in_split_sizes, group, sync_op
    )


def send(tensor: Tensor, dst: int = 0, group: Group | None = None, sync_op: bool = True) -> Any:
    """Send a tensor to another process. There is none: raises UnsupportedError."""
    return stream.send(tensor, dst, group, sync_op)


def recv(tensor: Tensor, src: int = 0, group: Group | None = None, sync_op: bool = True) -> Any:
    """Receive a tensor from another process. There is none: raises UnsupportedError."""
    return stream.recv(tensor, src, group, sync_op)
