"""Python objects between processes, and what one process sends to another.

An object arrives as a copy, as if it had travelled.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.distributed.communication import stream
from twinoar.distributed.communication.stream import no_other
from twinoar.distributed.group import Group, member, rank_in
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.jit.runtime.calls import call


def all_gather_object(
    object_list: MutableSequence[Any], obj: Any, group: Group | None = None
) -> None:
    """The objects of all processes, at the end of a list.

    >>> found = []
    >>> all_gather_object(found, {"rank": 0})
    >>> found
    [{'rank': 0}]
    """
    member(group)
    call(object_list.append)(copy.deepcopy(obj))


def broadcast_object_list(object_list: Sequence[Any], src: int, group: Group | None = None) -> None:
    """Give all processes the objects of process `src`: they stay as they are."""
    rank_in(group, src, "src")
    _check_list(object_list, "object_list")


def scatter_object_list(
    out_object_list: MutableSequence[Any],
    in_object_list: Sequence[Any] | None = None,
    src: int = 0,
    group: Group | None = None,
) -> None:
    """Each process gets one object of process `src`, at the end of a list.

    >>> found = []
    >>> scatter_object_list(found, [{"rank": 0}], src=0)
    >>> found
    [{'rank': 0}]
    """
    rank_in(group, src, "src")
    _check_list(in_object_list, "in_object_list")
    if len(in_object_list or ()) != 1:
        raise ArgumentError(
            f"scatter_object_list: {len(in_object_list or ())} objects for one process, expected "
            "one"
        )
    call(out_object_list.clear)()
    call(out_object_list.append)(copy.deepcopy(in_object_list[0]))  # type: ignore[index]


def send_object_list(
    object_list: Sequence[Any],
    dst: int | None = None,
    group: Group | None = None,
    dst_in_group: int | None = None,
) -> None:
    """Send objects to another process. There is none: raises UnsupportedError."""
    raise no_other("send_object_list")


def recv_object_list(
    object_list: Sequence[Any],
    src: int | None = None,
    group: Group | None = None,
    src_in_group: int | None = None,
) -> None:
    """Receive objects from another process. There is none: raises UnsupportedError."""
    raise no_other("recv_object_list")


def isend(tensor: Tensor, dst: int, group: Group | None = None) -> Any:
    """Begin to send a tensor to another process. There is none: raises UnsupportedError."""
    return stream.send(tensor, dst, group, sync_op=False)


def irecv(tensor: Tensor, src: int | None = None, group: Group | None = None) -> Any:
    """Begin to receive a tensor from another process. There is none: raises UnsupportedError."""
    return stream.recv(tensor, src or 0, group, sync_op=False)


class P2POp:
    """A tensor that one process sends to another: `op` is `isend` or `irecv`."""

    def __init__(
        self, op: Callable[..., Any], tensor: Tensor, peer: int, group: Group | None = None
    ):
        if op not in (isend, irecv):
            raise ArgumentError("P2POp: op is distributed.isend or distributed.irecv")
        self.op, self.tensor, self.peer, self.group = op, tensor, peer, member(group)


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Any]:
    """Begin several of `P2POp`. There is no other process: raises UnsupportedError."""
    if not p2p_op_list or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise TypeMismatchError("batch_isend_irecv takes a list of P2POp, at least one")
    return [op.op(op.tensor, op.peer, op.group) for op in p2p_op_list]


def _check_list(given: Any, what: str) -> None:
    if not isinstance(given, Sequence):
        raise TypeMismatchError(f"{what}: expected a list, received {type(given).__name__}")
