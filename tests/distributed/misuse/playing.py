"""A rank of a program: it makes its calls, and writes down what each brought."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import ml_dtypes
import numpy as np

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.misuse.programs import LEFT, Action, groups_of, other_of
from twinoar.errors import TwinoarError
from twinoar.runtime.collective import current_world

NOWHERE = 99  # a rank that there is not


@dataclass
class Outcome:
    """What a call brought: arrays, or an error of ours, or something else, which is wrong."""

    arrays: list[np.ndarray] = field(default_factory=list)
    error: str = ""
    crash: str = ""


def given(action: Action, rank: int, part: int = 0) -> np.ndarray:
    """What a rank gives: small whole numbers, so that results are exact in any order."""
    seed = [rank, action.number, part, len(action.shape)]
    values = np.random.default_rng(seed).integers(0, 3, action.shape)
    return values.astype(numpy_of(action.dtype))


def numpy_of(dtype: str) -> Any:
    """NumPy's dtype of a name."""
    return ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype)


def played(actions: list[Action], seconds: float) -> list[Outcome]:
    """What came of the calls of this rank."""
    world = current_world()
    groups = [None, *(made(ranks, seconds) for ranks in groups_of(world.size)[1:])]
    world.all.timeout = seconds
    found = []
    for action in actions:
        if action.kind == LEFT:
            break
        try:
            found.append(Outcome(arrays=_called(action, groups[action.group], world.rank)))
        except TwinoarError as error:
            found.append(Outcome(error=f"{type(error).__name__}: {str(error).splitlines()[0]}"))
        except Exception as error:
            found.append(Outcome(crash=f"{type(error).__name__}: {error}"))
    return found


def made(ranks: list[int], seconds: float) -> Any:
    """A group, as users make it."""
    return dist.new_group(ranks, timeout=timedelta(seconds=seconds))


def _called(a: Action, group: Any, rank: int) -> list[np.ndarray]:
    """Make the call; the arrays that it brings."""
    members = groups_of(dist.get_world_size())[a.group]
    count = len(members) + (a.mistake == "another count")
    x: Any = paddle.to_tensor(given(a, rank))
    parts: Any = [paddle.to_tensor(given(a, rank, n)) for n in range(count)]
    if a.mistake == "no tensor":
        x, parts = "x", ["x"] * count
    root = NOWHERE if a.mistake == "no such root" else a.root
    more = {"group": group, "sync_op": not a.is_task}
    reduction = getattr(dist.ReduceOp, a.reduction)
    out = paddle.zeros(a.shape, a.dtype)
    if a.kind == "message":
        return _message(a, x, out, group, rank, root)
    if a.kind == "barrier":
        dist.barrier(group)
        return []
    if a.kind == "objects":
        objects: list[Any] = []
        dist.all_gather_object(objects, (rank, a.number), group=group)
        return [np.array(objects)]
    found: list[Any] = []
    if a.kind == "all_reduce":
        task, found = dist.all_reduce(x, reduction, **more), [x]
    elif a.kind == "all_gather":
        task = dist.all_gather(found, x, **more)
    elif a.kind == "reduce_scatter":
        task, found = dist.reduce_scatter(out, parts, reduction, **more), [out]
    elif a.kind == "broadcast":
        task, found = dist.broadcast(x, root, **more), [x]
    elif a.kind == "reduce":
        task, found = dist.reduce(x, root, reduction, **more), [x]
    elif a.kind == "scatter":
        task, found = dist.scatter(x, parts if rank == root else None, root, **more), [x]
    elif a.kind == "gather":
        task = dist.gather(x, found, root, **more)
    elif a.kind == "alltoall":
        task = dist.alltoall(found, parts, **more)
    else:
        return _uneven(a, rank, members, more)
    task.wait()
    return [t.numpy() for t in found]


def _uneven(a: Action, rank: int, members: list[int], more: Any) -> list[np.ndarray]:
    """Rows to each: as many as the group's number of who takes them, plus one."""
    own = members.index(rank) + 1 if rank in members else 1
    sent, taken = rows_sent(len(members)), [own] * len(members)
    x: Any = paddle.to_tensor(uneven(a, rank, len(members)))
    if a.mistake:
        x = "x"
    out = paddle.zeros([sum(taken), *a.shape[1:]], a.dtype)
    dist.alltoall_single(out, x, in_split_sizes=sent, out_split_sizes=taken, **more).wait()
    return [out.numpy()]


def rows_sent(count: int) -> list[int]:
    """How many rows go to each rank of a group."""
    return [n + 1 for n in range(count)]


def uneven(a: Action, rank: int, count: int) -> np.ndarray:
    """The rows that a rank sends to those of its group."""
    shape = (sum(rows_sent(count)), *a.shape[1:])
    values = np.random.default_rng([rank, a.number, 7]).integers(0, 3, shape)
    return values.astype(numpy_of(a.dtype))


def _message(a: Action, x: Any, out: Any, group: Any, rank: int, root: int) -> list[np.ndarray]:
    is_sent = rank == a.root
    peer = NOWHERE if root == NOWHERE else other_of(a, rank)
    tensor = x if is_sent or a.mistake == "no tensor" else out
    if a.is_task:
        task = (dist.isend if is_sent else dist.irecv)(tensor, peer, group)
        if not is_sent:  # who sends need not wait
            task.wait()
    else:
        (dist.send if is_sent else dist.recv)(tensor, peer, group)
    return [] if is_sent else [out.numpy()]
