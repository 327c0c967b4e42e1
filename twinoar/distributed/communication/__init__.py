"""Collectives, objects between processes, and what one sends to another."""

from twinoar.core.public import exported
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

__all__ = exported(globals(), "stream")
