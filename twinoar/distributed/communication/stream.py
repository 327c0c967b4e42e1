"""Collectives of one rank: what one process sends comes back to it.

Where the result replaces a tensor (`all_reduce`, `broadcast`, `reduce`) that tensor stays as it is;
elsewhere the result is a copy, without a gradient as in Paddle. sync_op, use_calc_stream: when the
result is there; it always is.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any

from twinoar.core.interpreter import recording, using
from twinoar.core.op.explain import explained
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.group import Group, member, rank_in
from twinoar.distributed.world import refused_alone
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.jit.runtime.calls import call
from twinoar.ops.create.fill import assign, clone
from twinoar.ops.shape.reshape import reshape

Tensors = Tensor | MutableSequence[Tensor]


class ReduceOp:
    """How `all_reduce` and its kin combine the tensors of the processes."""

    SUM, MAX, MIN, PROD, AVG = range(5)


OPERATIONS = range(ReduceOp.SUM, ReduceOp.AVG + 1)


class Task:
    """What a collective returns: it is done.

    >>> Task().wait(), Task().is_completed()
    (True, True)
    """

    def wait(self, timeout: Any = None) -> bool:
        """True: there is nothing to wait for."""
        return True

    def is_completed(self) -> bool:
        """True."""
        return True

    def synchronize(self) -> None:
        """Nothing is on its way."""


@explained
def all_reduce(
    tensor: Tensor,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Combine the tensors of all processes, in each of them: this one's stays as it is.

    Returns a finished task. Raises TypeMismatchError, ArgumentError.

    >>> import twinoar
    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> task = all_reduce(x)
    >>> x.tolist(), task.wait()
    ([1.0, 2.0], True)
    """
    return _done(group, sync_op, use_calc_stream, [tensor], op)


@explained
def reduce(
    tensor: Tensor,
    dst: int = 0,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Combine the tensors of all processes in process `dst`: the tensor stays as it is."""
    rank_in(group, dst, "dst")
    return _done(group, sync_op, use_calc_stream, [tensor], op)


@explained
def broadcast(
    tensor: Tensor,
    src: int,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Give all processes the tensor of process `src`: it stays as it is."""
    rank_in(group, src, "src")
    return _done(group, sync_op, use_calc_stream, [tensor])


@explained
def all_gather(
    tensor_or_tensor_list: Tensors,
    tensor: Tensor,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """The tensors of all processes, in a list that is empty or has one for each, or in one tensor.

    >>> import twinoar
    >>> found = []
    >>> task = all_gather(found, twinoar.to_tensor([1, 2]))
    >>> [x.tolist() for x in found]
    [[1, 2]]
    """
    done = _done(group, sync_op, use_calc_stream, [tensor])
    _deliver([tensor], tensor_or_tensor_list, "all_gather")
    return done


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
    rank_in(group, dst, "dst")
    if gather_list is None:
        raise ArgumentError(
            "gather: process dst needs a list for what it gathers", cure="pass gather_list=[]"
        )
    done = _done(group, sync_op, use_calc_stream, [tensor])
    _deliver([tensor], gather_list, "gather")
    return done


@explained
def scatter(
    tensor: Tensor,
    tensor_or_tensor_list: Tensor | Sequence[Tensor] | None = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Each process gets one tensor of process `src`: this one the only one, into `tensor`."""
    rank_in(group, src, "src")
    if tensor_or_tensor_list is None:
        raise ArgumentError("scatter: process src needs the tensors that it sends")
    sent = _parts(tensor_or_tensor_list, "scatter")
    done = _done(group, sync_op, use_calc_stream, [tensor, *sent])
    _fill(tensor, sent[0], "scatter")
    return done


@explained
def reduce_scatter(
    tensor: Tensor,
    tensor_or_tensor_list: Tensor | Sequence[Tensor],
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Each process gets one part of the tensors, combined: this one the only one."""
    sent = _parts(tensor_or_tensor_list, "reduce_scatter")
    done = _done(group, sync_op, use_calc_stream, [tensor, *sent], op)
    _fill(tensor, sent[0], "reduce_scatter")
    return done


@explained
def alltoall(
    out_tensor_or_tensor_list: Tensors,
    in_tensor_or_tensor_list: Tensor | Sequence[Tensor],
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task:
    """Each process sends each one a tensor: this one itself its only one."""
    sent = _parts(in_tensor_or_tensor_list, "alltoall")
    done = _done(group, sync_op, use_calc_stream, sent)
    if isinstance(out_tensor_or_tensor_list, Tensor) != isinstance(
        in_tensor_or_tensor_list, Tensor
    ):
        raise TypeMismatchError("alltoall takes two tensors or two lists of tensors")
    _deliver(sent, out_tensor_or_tensor_list, "alltoall")
    return done


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
    """Each process sends each one rows of a tensor: this one all of them to itself."""
    done = _done(group, sync_op, use_calc_stream, [out_tensor, in_tensor])
    for sizes, tensor in ((in_split_sizes, in_tensor), (out_split_sizes, out_tensor)):
        if sizes and list(sizes) != tensor.shape[:1]:
            raise ShapeError(
                f"alltoall_single: split sizes {list(sizes)} for one process and {tensor.shape[0]} "
                "rows",
                cure="leave out the sizes, or pass the number of rows",
            )
    _fill(out_tensor, in_tensor, "alltoall_single")
    return done


def send(
    tensor: Tensor,
    dst: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Any:
    """Send a tensor to another process. There is none: raises UnsupportedError."""
    rank_in(group, dst, "dst")
    raise no_other("send")


def recv(
    tensor: Tensor,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Any:
    """Receive a tensor from another process. There is none: raises UnsupportedError."""
    rank_in(group, src, "src")
    raise no_other("recv")


def no_other(what: str) -> Exception:
    """The error of what needs a second process."""
    return refused_alone(what, "guard it by `if get_world_size() > 1`; a copy is x.clone()")


def _done(
    group: Group | None, sync_op: bool, use_calc_stream: bool, tensors: Sequence[Any], op: int = 0
) -> Task:
    """A finished task, once the arguments are found to be right."""
    member(group)
    if use_calc_stream and not sync_op:
        raise ArgumentError(
            "use_calc_stream=True needs sync_op=True", cure="leave out use_calc_stream"
        )
    if op not in OPERATIONS:
        raise ArgumentError(f"expected a ReduceOp, received {op!r}", cure="pass ReduceOp.SUM")
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeMismatchError(f"expected a Tensor, received {type(tensor).__name__}")
    return Task()


def _parts(given: Any, what: str) -> list[Tensor]:
    """The tensors that one process sends: one."""
    parts = [given] if isinstance(given, Tensor) else list(given)
    if len(parts) != 1:
        raise ArgumentError(f"{what}: {len(parts)} tensors for one process, expected one")
    return parts


def _deliver(sent: Sequence[Tensor], receiver: Tensors, what: str) -> None:
    """Put the tensors that arrive into a list, empty or of tensors, or into one tensor."""
    if isinstance(receiver, Tensor):
        _fill(receiver, sent[0], what)
    elif not receiver:
        call(receiver.append)(clone(sent[0].detach()))  # as converted code would: it is journaled
    else:
        _fill(_parts(receiver, what)[0], sent[0], what)


def _fill(receiver: Any, tensor: Tensor, what: str) -> None:
    if not isinstance(receiver, Tensor):
        raise TypeMismatchError(
            f"{what}: the list has to be empty or of tensors, received {type(receiver).__name__}"
        )
    if receiver.dtype != tensor.dtype:
        raise DTypeError(
            f"{what}: a tensor of {tensor.dtype} for one of {receiver.dtype}",
            cure="make both of one dtype",
        )
    if receiver.shape == [1] and tensor.shape == []:
        tensor = reshape(tensor, [1])
    if receiver.shape != tensor.shape:
        raise ShapeError(f"{what}: a tensor of shape {tensor.shape} for one of {receiver.shape}")
    with using(recording(False)):
        assign(tensor, receiver)


__all__ = declared(globals(), but=("ReduceOp", "Task", "no_other"))
