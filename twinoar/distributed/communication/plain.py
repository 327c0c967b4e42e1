"""Collectives by the names of `paddle.distributed`: those of `stream`, without its switches."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.op.explain import call_misfit
from twinoar.core.values import Value as Tensor
from twinoar.distributed.communication import stream
from twinoar.distributed.communication.stream import ReduceOp
from twinoar.distributed.group import Group
from twinoar.runtime.collective import Task


def _plain(collective: Callable[..., Any], **spelled: str) -> Callable[..., Any]:
    """`collective` without use_calc_stream; spelled: the names of its arguments here."""
    whole = inspect.signature(collective)
    *parameters, _ = whole.parameters.values()
    named = [p.replace(name=spelled.get(p.name, p.name)) for p in parameters]
    taken = whole.replace(parameters=named)

    @functools.wraps(collective)
    def call(*args: Any, **kwargs: Any) -> Any:
        unfit = call_misfit(collective.__name__, taken, args, kwargs)
        if unfit is not None:
            raise unfit
        given = taken.bind(*args, **kwargs)
        given.apply_defaults()
        return collective(*given.args)

    call.__signature__ = taken  # type: ignore[attr-defined]
    call.__module__ = __name__
    return call


all_reduce = _plain(stream.all_reduce)
broadcast = _plain(stream.broadcast)
all_gather = _plain(stream.all_gather, tensor_or_tensor_list="tensor_list")
gather = _plain(stream.gather)
scatter = _plain(stream.scatter, tensor_or_tensor_list="tensor_list")
reduce_scatter = _plain(stream.reduce_scatter, tensor_or_tensor_list="tensor_list")
alltoall = _plain(
    stream.alltoall,
    out_tensor_or_tensor_list="out_tensor_list",
    in_tensor_or_tensor_list="in_tensor_list",
)
send = _plain(stream.send)
recv = _plain(stream.recv)


def reduce(
    tensor: Tensor,
    dst: int,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Combine the tensors of all processes in that of process `dst`; those of others stay."""
    return stream.reduce(tensor, dst, op, group, sync_op)


def alltoall_single(
    out_tensor: Tensor,
    in_tensor: Tensor,
    in_split_sizes: Sequence[int] | None = None,
    out_split_sizes: Sequence[int] | None = None,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Each process sends each one rows of a tensor, and gets rows of each."""
    return stream.alltoall_single(
        out_tensor, in_tensor, out_split_sizes, in_split_sizes, group, sync_op
    )
