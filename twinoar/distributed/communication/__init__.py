"""Collectives, objects between processes, and what one sends to another."""

from twinoar.distributed.communication import stream
from twinoar.distributed.communication.objects import (
    P2POp,
    all_gather_object,
    batch_isend_irecv,
    broadcast_object_list,
    irecv,
    isend,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from twinoar.distributed.communication.plain import (
    all_gather,
    all_reduce,
    alltoall,
    alltoall_single,
    broadcast,
    gather,
    recv,
    reduce,
    reduce_scatter,
    scatter,
    send,
)
from twinoar.distributed.communication.stream import ReduceOp

__all__ = [
    "P2POp",
    "ReduceOp",
    "all_gather",
    "all_gather_object",
    "all_reduce",
    "alltoall",
    "alltoall_single",
    "batch_isend_irecv",
    "broadcast",
    "broadcast_object_list",
    "gather",
    "irecv",
    "isend",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_scatter",
    "scatter",
    "scatter_object_list",
    "send",
    "send_object_list",
    "stream",
]
