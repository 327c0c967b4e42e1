"""Python objects between processes, and what one process sends to another.

Objects travel as pickles, which processes of one job trust. An object arrives as a copy.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

import numpy as np

from twinoar.core.values import Value as Tensor
from twinoar.distributed.communication import stream
from twinoar.distributed.communication.stream import no_other
from twinoar.distributed.group import Group, communicator_of, member, rank_in
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.jit.runtime.calls import call
from twinoar.runtime.collective import Communicator, Task


def all_gather_object(
    object_list: MutableSequence[Any], obj: Any, group: Group | None = None
) -> None:
    """The objects of all processes, at the end of a list.

    >>> found = []
    >>> all_gather_object(found, {"rank": 0})
    >>> found
    [{'rank': 0}]
    """
    for found in communicator_of(group).all_gather_object(obj):
        call(object_list.append)(found)  # as converted code would: it is journaled


def broadcast_object_list(
    object_list: MutableSequence[Any], src: int, group: Group | None = None
) -> None:
    """Give the lists of all processes the objects of process `src`."""
    source = rank_in(group, src, "src")
    _check_list(object_list, "object_list")
    there = communicator_of(group)
    given = list(object_list) if there.rank == source else len(object_list)
    found = there.all_gather_object(given)
    lengths = [len(x) if isinstance(x, list) else x for x in found]
    if len(set(lengths)) > 1:
        raise ArgumentError(
            f"broadcast_object_list: the lists have {lengths} objects, by rank, expected equally "
            "many"
        )
    if there.rank != source:
        object_list[:] = found[source]


def scatter_object_list(
    out_object_list: MutableSequence[Any],
    in_object_list: Sequence[Any] | None = None,
    src: int = 0,
    group: Group | None = None,
) -> None:
    """Each process gets one object of process `src`, as the only one of a list.

    >>> found = []
    >>> scatter_object_list(found, [{"rank": 0}], src=0)
    >>> found
    [{'rank': 0}]
    """
    source = rank_in(group, src, "src")
    there = communicator_of(group)
    if there.rank == source:
        _check_list(in_object_list, "in_object_list")
        if len(in_object_list or ()) != there.size:
            count = "one process, expected one" if there.size == 1 else f"{there.size} processes"
            raise ArgumentError(
                f"scatter_object_list: {len(in_object_list or ())} objects for {count}"
            )
    given = list(in_object_list or ()) if there.rank == source else None
    found = there.all_gather_object(given)[source][there.rank]
    call(out_object_list.clear)()
    call(out_object_list.append)(found)


def send_object_list(
    object_list: Sequence[Any],
    dst: int | None = None,
    group: Group | None = None,
    dst_in_group: int | None = None,
) -> None:
    """Send objects to another process, by its rank in the world or in the group."""
    there, peer = _peer(group, dst, dst_in_group, "dst", "send_object_list")
    _check_list(object_list, "object_list")
    data = np.frombuffer(pickle.dumps(list(object_list)), np.uint8)
    there.send(np.array([data.size, len(object_list)], np.int64), peer).wait()
    there.send(data, peer).wait()


def recv_object_list(
    object_list: MutableSequence[Any],
    src: int | None = None,
    group: Group | None = None,
    src_in_group: int | None = None,
) -> None:
    """Receive objects of another process into a list that has as many."""
    there, peer = _peer(group, src, src_in_group, "src", "recv_object_list")
    _check_list(object_list, "object_list")
    head = np.empty(2, np.int64)
    there.receive(head, peer).wait()
    data = np.empty(head[0], np.uint8)
    there.receive(data, peer).wait()
    if len(object_list) != head[1]:
        raise ArgumentError(
            f"recv_object_list: {head[1]} objects arrive, the list has {len(object_list)}",
            cure="make it [None] * count",
        )
    object_list[:] = pickle.loads(data.tobytes())


def _peer(
    group: Group | None, rank: int | None, in_group: int | None, argument: str, what: str
) -> tuple[Communicator, int]:
    there = communicator_of(group)
    if there.size == 1:
        raise no_other(what)
    if (rank is None) == (in_group is None):
        raise ArgumentError(f"{what}: pass either {argument} or {argument}_in_group")
    if rank is not None:
        return there, rank_in(group, rank, argument)
    assert in_group is not None
    return there, in_group


def isend(tensor: Tensor, dst: int, group: Group | None = None) -> Task:
    """Begin to send a tensor to another process; a task. It may be changed at once."""
    return stream.send(tensor, dst, group, sync_op=False)


def irecv(tensor: Tensor, src: int | None = None, group: Group | None = None) -> Task:
    """Begin to receive a tensor of another process; a task, whose `wait` brings it."""
    return stream.recv(tensor, src or 0, group, sync_op=False)


class P2POp:
    """A tensor that one process sends to another: `op` is `isend` or `irecv`."""

    def __init__(
        self, op: Callable[..., Any], tensor: Tensor, peer: int, group: Group | None = None
    ):
        if op not in (isend, irecv):
            raise ArgumentError("P2POp: op is distributed.isend or distributed.irecv")
        self.op, self.tensor, self.peer, self.group = op, tensor, peer, member(group)


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Task]:
    """Begin several of `P2POp`, in whatever order processes list them; their tasks."""
    if not p2p_op_list or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise TypeMismatchError("batch_isend_irecv takes a list of P2POp, at least one")
    return [op.op(op.tensor, op.peer, op.group) for op in p2p_op_list]


def _check_list(given: Any, what: str) -> None:
    if not isinstance(given, Sequence):
        raise TypeMismatchError(f"{what}: expected a list, received {type(given).__name__}")
