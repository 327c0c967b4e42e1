"""Collectives on tensors, with all their switches.

What a tensor receives it receives in place, without a gradient, as in Paddle: where it had a
history before, gradients go on by that. The operators under them, `twinoar.ops.collective`, have
gradients that go through ranks. sync_op=False: return at once; the result is there after `wait()`
of the task, or after the next collective of the group. use_calc_stream: needs sync_op.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

import numpy as np

from twinoar.core.interpreter import current, recording, using
from twinoar.core.op.explain import explained
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.group import Group, communicator_of, member, rank_in
from twinoar.distributed.world import refused_alone
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.jit.runtime.calls import call
from twinoar.ops.collective import all_reduce as reduced
from twinoar.ops.collective import exchange, message, root
from twinoar.ops.create.fill import assign, clone
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.shape.concat import concat, split
from twinoar.ops.shape.reshape import reshape
from twinoar.runtime.collective import Task, current_world, in_world

Tensors = Tensor | MutableSequence[Tensor]


class ReduceOp:
    """How `all_reduce` and its kin combine the tensors of the processes."""

    SUM, MAX, MIN, PROD, AVG = range(5)


NAMES = ("sum", "max", "min", "prod", "avg")  # by ReduceOp


@explained
def all_reduce(
    tensor: Tensor,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Combine the tensors of all processes, in each of them.

    tensor: [*], of one shape and dtype on all processes; it gets the result. Returns a task.
    Raises DistributedError, on all processes, where they call different things.

    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> task = all_reduce(x)
    >>> x.tolist(), task.wait()
    ([1.0, 2.0], True)
    """
    there = _checked(group, sync_op, use_calc_stream, [tensor], op)
    return _begin(
        there,
        sync_op,
        lambda: reduced.ALL_REDUCE[NAMES[op]](tensor.detach(), there.id),
        lambda found: _fill(tensor, found, "all_reduce"),
    )


@explained
def reduce(
    tensor: Tensor,
    dst: int = 0,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Combine the tensors of all processes in that of process `dst`; those of others stay."""
    there = _checked(group, sync_op, use_calc_stream, [tensor], op)
    target = rank_in(group, dst, "dst")
    return _begin(
        there,
        sync_op,
        lambda: root.ROOT_REDUCE[NAMES[op]](tensor.detach(), target, there.id),
        lambda found: _fill(tensor, found, "reduce") if there.rank == target else None,
    )


@explained
def broadcast(
    tensor: Tensor,
    src: int,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Give the tensors of all processes the value of that of process `src`."""
    there = _checked(group, sync_op, use_calc_stream, [tensor])
    source = rank_in(group, src, "src")
    return _begin(
        there,
        sync_op,
        lambda: root.broadcast_from(tensor.detach(), source, there.id),
        lambda found: _fill(tensor, found, "broadcast"),
    )


@explained
def all_gather(
    tensor_or_tensor_list: Tensors,
    tensor: Tensor,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """The tensors of all processes, in a list that is empty or has one for each, or in one tensor.

    >>> found = []
    >>> task = all_gather(found, twinoar.to_tensor([1, 2]))
    >>> [x.tolist() for x in found]
    [[1, 2]]
    """
    there = _checked(group, sync_op, use_calc_stream, [tensor])
    _check_receiver(tensor_or_tensor_list, there, "all_gather")
    return _begin(
        there,
        sync_op,
        lambda: exchange.all_gather_rows(tensor.detach(), there.id, there.nranks),
        lambda found: _deliver(found, tensor.shape, tensor_or_tensor_list, there, "all_gather"),
    )


@explained
def gather(
    tensor: Tensor,
    gather_list: MutableSequence[Tensor] | None = None,
    dst: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """The tensors of all processes, in a list of process `dst`."""
    there = _checked(group, sync_op, use_calc_stream, [tensor])
    target = rank_in(group, dst, "dst")
    if gather_list is None and there.rank == target:
        raise ArgumentError(
            "gather: process dst needs a list for what it gathers", cure="pass gather_list=[]"
        )
    shape = tensor.shape

    def receive(found: Tensor) -> None:
        if there.rank == target:
            assert gather_list is not None
            _deliver(found, shape, gather_list, there, "gather")

    return _begin(
        there,
        sync_op,
        lambda: root.root_gather(_rows(tensor.detach()), target, there.id, there.nranks),
        receive,
    )


@explained
def scatter(
    tensor: Tensor,
    tensor_or_tensor_list: Tensor | Sequence[Tensor] | None = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Each process gets one tensor of process `src`, into `tensor`."""
    there = _checked(group, sync_op, use_calc_stream, [tensor])
    source = rank_in(group, src, "src")
    if there.rank == source:
        if tensor_or_tensor_list is None:
            raise ArgumentError("scatter: process src needs the tensors that it sends")
        sent = _joined(tensor_or_tensor_list, there, "scatter")
    else:
        rows = _rows(tensor.detach())
        sent = concat([zeros_of(rows.spec)] * there.nranks)
    return _begin(
        there,
        sync_op,
        lambda: root.root_scatter(sent, source, there.id, there.nranks),
        lambda found: _fill(tensor, found, "scatter"),
    )


@explained
def reduce_scatter(
    tensor: Tensor,
    tensor_or_tensor_list: Tensor | Sequence[Tensor],
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Each process gets one part of the tensors of all, combined."""
    there = _checked(group, sync_op, use_calc_stream, [tensor], op)
    sent = _joined(tensor_or_tensor_list, there, "reduce_scatter")
    return _begin(
        there,
        sync_op,
        lambda: exchange.reduce_scatter_rows(sent, NAMES[op], there.id, there.nranks),
        lambda found: _fill(tensor, found, "reduce_scatter"),
    )


@explained
def alltoall(
    out_tensor_or_tensor_list: Tensors,
    in_tensor_or_tensor_list: Tensor | Sequence[Tensor],
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Each process sends each one a tensor, and gets one of each, in the order of ranks."""
    there = _checked(group, sync_op, use_calc_stream, [])
    is_one = isinstance(in_tensor_or_tensor_list, Tensor)
    if isinstance(out_tensor_or_tensor_list, Tensor) != is_one:
        raise TypeMismatchError("alltoall takes two tensors or two lists of tensors")
    sent = _joined(in_tensor_or_tensor_list, there, "alltoall")
    shape = [-1, *sent.shape[1:]] if is_one else list(in_tensor_or_tensor_list[0].shape)
    _check_receiver(out_tensor_or_tensor_list, there, "alltoall")
    return _begin(
        there,
        sync_op,
        lambda: exchange.all_to_all_rows(sent, (), (), there.id),
        lambda found: _deliver(found, shape, out_tensor_or_tensor_list, there, "alltoall"),
    )


@explained
def alltoall_single(
    out_tensor: Tensor,
    in_tensor: Tensor,
    out_split_sizes: Sequence[int] | None = None,
    in_split_sizes: Sequence[int] | None = None,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Each process sends each one rows of a tensor, and gets rows of each.

    in_split_sizes, out_split_sizes: how many rows go to each process, and come from each; by
    default equally many.
    """
    there = _checked(group, sync_op, use_calc_stream, [out_tensor, in_tensor])
    sizes = []
    for given, tensor in ((in_split_sizes, in_tensor), (out_split_sizes, out_tensor)):
        rows = tensor.shape[0] if tensor.shape else 1
        if given and (len(given) != there.nranks or sum(given) != rows):
            raise ShapeError(
                f"alltoall_single: split sizes {list(given)} for {there.nranks} processes and "
                f"{rows} rows",
                cure="leave out the sizes, or pass one for each process that add up to the rows",
            )
        even = tuple([rows // there.nranks] * there.nranks)
        sizes.append(tuple(given) if given else even)
    sent, taken = sizes if in_split_sizes or out_split_sizes else ((), ())
    return _begin(
        there,
        sync_op,
        lambda: exchange.all_to_all_rows(in_tensor.detach(), sent, taken, there.id),
        lambda found: _fill(out_tensor, found, "alltoall_single"),
    )


@explained
def send(
    tensor: Tensor,
    dst: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Send a tensor to another process, which receives it.

    Returns once it has left, or with sync_op=False a task. Raises UnsupportedError where the
    process is this one.
    """
    there = _checked(group, sync_op, use_calc_stream, [tensor])
    peer = _other(there, dst, "dst", "send")
    if sync_op or not current().runs:
        message.send_to(tensor.detach(), peer, there.id)
        return Task.done()
    return communicator_of(there).send(tensor.numpy(), peer)


@explained
def recv(
    tensor: Tensor,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Receive a tensor of another process, of this one's shape and dtype, into `tensor`.

    With sync_op=False a task is returned, whose `wait` brings it. Raises DistributedError where
    another size or dtype arrives, UnsupportedError where the process is this one.
    """
    there = _checked(group, sync_op, use_calc_stream, [tensor])
    peer = _other(there, src, "src", "recv")
    if sync_op or not current().runs:
        found = message.receive_from(tuple(tensor.shape), tensor.dtype, peer, there.id)
        _fill(tensor, found, "recv")
        return Task.done()
    array = np.empty(tensor.shape, tensor.dtype.numpy)
    receiving = communicator_of(there).receive(array, peer)
    receiving.finishes(lambda: _fill(tensor, to_tensor(array), "recv"))
    return receiving


def no_other(what: str) -> Exception:
    """The error of what needs a second process."""
    return refused_alone(what, "guard it by `if get_world_size() > 1`; a copy is x.clone()")


def _other(there: Group, rank: int, argument: str, what: str) -> int:
    """The rank in the group of a process that is not this one."""
    peer = rank_in(there, rank, argument)
    if there.nranks == 1:
        raise no_other(what)
    if peer == there.rank:
        raise ArgumentError(f"{what}: rank {rank} is this process", cure="a copy is x.clone()")
    return peer


def _checked(
    group: Group | None, sync_op: bool, use_calc_stream: bool, tensors: Sequence[Any], op: int = 0
) -> Group:
    """The group, once the arguments are found to be right."""
    there = member(group)
    if use_calc_stream and not sync_op:
        raise ArgumentError(
            "use_calc_stream=True needs sync_op=True", cure="leave out use_calc_stream"
        )
    if op not in range(len(NAMES)):
        raise ArgumentError(f"expected a ReduceOp, received {op!r}", cure="pass ReduceOp.SUM")
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeMismatchError(f"expected a Tensor, received {type(tensor).__name__}")
    return there


def _begin(
    there: Group, is_waited_for: bool, compute: Callable[[], Any], receive: Callable[[Any], None]
) -> Task:
    """Compute, and let tensors receive: now, or in the group's queue where one runs eagerly."""
    if is_waited_for or not current().runs:
        if current().runs:
            communicator_of(there).queue.drain()  # what was begun before may be what is sent now
        with using(recording(False)):
            receive(compute())
        return Task.done()
    here, world, found = recording(False), current_world(), []

    def work() -> None:
        with in_world(world), using(here):
            found.append(compute())

    def finish() -> None:
        with using(here):
            receive(found.pop())

    task = Task(finish)
    communicator_of(there).queue.put(work, task)
    return task


def _rows(x: Tensor) -> Tensor:
    """x, a scalar as [1]."""
    return x if x.shape else reshape(x, [1])


def _joined(given: Any, there: Group, what: str) -> Tensor:
    """The tensors that one process sends, one for each, below each other."""
    with using(recording(False)):
        if isinstance(given, Tensor):
            rows = _rows(given.detach())
            if isinstance(rows.shape[0], int) and rows.shape[0] % there.nranks:
                raise ShapeError(
                    f"{what}: {there.nranks} processes cannot share {rows.shape[0]} rows equally"
                )
            return rows
        parts = list(given)
        _check_count(parts, there, what)
        for part in parts:
            if not isinstance(part, Tensor):
                raise TypeMismatchError(f"expected a Tensor, received {type(part).__name__}")
            if part.shape != parts[0].shape or part.dtype != parts[0].dtype:
                raise ShapeError(
                    f"{what}: the tensors of a list have one shape and dtype, received "
                    f"{part.dtype}{part.shape} beside {parts[0].dtype}{parts[0].shape}"
                )
        return concat([_rows(p.detach()) for p in parts])


def _check_count(tensors: Sequence[Any], there: Group, what: str) -> None:
    if len(tensors) != there.nranks:
        count = "one process, expected one" if there.nranks == 1 else f"{there.nranks} processes"
        raise ArgumentError(f"{what}: {len(tensors)} tensors for {count}")


def _check_receiver(receiver: Any, there: Group, what: str) -> None:
    """Raise for what cannot take what arrives, before anything is sent."""
    if isinstance(receiver, Tensor):
        return
    if receiver and not isinstance(receiver[0], Tensor):
        raise TypeMismatchError(
            f"{what}: the list has to be empty or of tensors, received {type(receiver[0]).__name__}"
        )
    if receiver:
        _check_count(receiver, there, what)


def _deliver(
    found: Tensor, shape: Sequence[int], receiver: Tensors, there: Group, what: str
) -> None:
    """Put the tensors that arrive into a list, empty or of tensors, or into one tensor.

    found: [nranks*n,*]. shape: of one of them.
    """
    if isinstance(receiver, Tensor):
        _fill(receiver, found, what)
        return
    parts = [found] if there.nranks == 1 else split(found, there.nranks)
    parts = [p if list(p.shape) == list(shape) else reshape(p, list(shape)) for p in parts]
    if not receiver:
        for part in parts:
            call(receiver.append)(clone(part))  # as converted code would: it is journaled
        return
    _check_count(receiver, there, what)
    for kept, part in zip(receiver, parts, strict=True):
        _fill(kept, part, what)


def _fill(receiver: Any, tensor: Tensor, what: str) -> None:
    if receiver.dtype != tensor.dtype:
        raise DTypeError(
            f"{what}: a tensor of {tensor.dtype} for one of {receiver.dtype}",
            cure="make both of one dtype",
        )
    if receiver.shape != tensor.shape and [*receiver.shape, *tensor.shape] == [1]:
        tensor = reshape(tensor, receiver.shape)
    if list(receiver.shape) != list(tensor.shape):
        raise ShapeError(f"{what}: a tensor of shape {tensor.shape} for one of {receiver.shape}")
    with using(recording(False)):
        assign(tensor, receiver)


__all__ = declared(globals(), but=("NAMES", "ReduceOp", "no_other"))
