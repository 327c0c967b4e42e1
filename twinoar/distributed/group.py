"""Groups of processes, as users hold them; what moves data in one is its Communicator."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np

from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.runtime.collective import (
    Communicator,
    current_world,
    has_joined,
    leave_world,
)
from twinoar.runtime.collective.local import alone

TIMEOUT_MILLISECONDS = 30 * 60 * 1000
BACKENDS = ("gloo", "mpi", "nccl", "bkcl", "xccl", "flagcx", "heter")
NAME = "_default_pg"
ALL = 0  # the number of the group of all processes
ALONE = 1  # that of each by itself


class Group:
    """Processes that communicate.

    rank: that of this process in the group, -1 where it is not in it. ranks: those of the members
    in the world. id: the number by which Programs name the group.

    >>> group = new_group([0])
    >>> group.rank, group.nranks, group.ranks, group.get_group_rank(0)
    (0, 1, [0], 0)
    """

    process_group = None

    def __init__(
        self, rank_in_group: int, id: int, ranks: Sequence[int], pg: Any = None, name: Any = None
    ):
        self.rank, self.id, self.ranks, self.name = rank_in_group, id, list(ranks), name
        self.backend = "GLOO"  # the name of what Paddle has for processors

    @property
    def nranks(self) -> int:
        """The number of processes."""
        return len(self.ranks)

    @property
    def world_size(self) -> int:
        """The number of processes, -1 where this process is none of them."""
        return self.nranks if self.rank >= 0 else -1

    def is_member(self) -> bool:
        """Whether this process is one of them."""
        return self.rank >= 0

    def get_group_rank(self, rank: int) -> int:
        """The rank in the group of the process whose rank in the world is given; else -1."""
        return self.ranks.index(rank) if rank in self.ranks else -1

    def get_global_rank(self, rank: int) -> int:
        """The rank in the world of the process whose rank in the group is given; else -1."""
        return self.ranks[rank] if 0 <= rank < self.nranks else -1

    def __repr__(self) -> str:
        ranks = ", ".join(map(str, self.ranks))
        return (
            f"rank: {self.rank}, nranks: {self.nranks}, id: {self.id}, ranks: {ranks}; "
            f"name: {self.name}"
        )


def world_group() -> Group:
    """The group of all processes: of this one, where none are connected."""
    world = current_world()
    found: Group | None = world.faces.get(ALL)
    if found is None:
        found = world.faces[ALL] = Group(world.rank, ALL, world.all.ranks, name=NAME)
    return found


def new_group(
    ranks: Sequence[int] | None = None,
    backend: str | None = None,
    timeout: timedelta = timedelta(milliseconds=TIMEOUT_MILLISECONDS),
    nccl_comm_init_option: int = 0,
    nccl_config: Any = None,
) -> Group:
    """A group of the processes with these ranks; None means all. All processes call it.

    timeout: how long a member waits for others before it is an error. backend: a name that Paddle
    has; data travels by MPI whatever it is. Raises ArgumentError for ranks that there are not, and
    DistributedError, on all processes, where they call it with different ranks.

    >>> new_group().nranks
    1
    """
    world = current_world()
    members = list(range(world.size)) if ranks is None else sorted(ranks)
    wrong = [r for r in members if not (isinstance(r, int) and 0 <= r < world.size)]
    if wrong or not members or len(set(members)) < len(members):
        raise ArgumentError(
            f"a group of the ranks {members}: the ranks of this world are 0 to {world.size - 1}, "
            "each once at most",
            cure="leave out ranks for all of them",
        )
    if backend is not None and backend.lower() not in BACKENDS:
        raise ArgumentError(f"expected backend among {BACKENDS}, received {backend!r}")
    number, made = world.all.split(members, next(world.numbers), timeout.total_seconds())
    world.numbers = itertools.count(number + 1)
    world.communicators[number] = made
    rank = -1 if made is None else made.rank
    world.faces[number] = found = Group(rank, number, members, name=f"{NAME}{number}")
    return found


def groups_along(mesh: np.ndarray, axis: int) -> list[Group]:
    """The groups of the ranks along an axis of a block of them, for each line along it.

    All processes call it, those that are in no line too. Groups of the same ranks are made once.
    """
    faces = current_world().faces
    found = []
    for line in np.moveaxis(mesh, axis, -1).reshape(-1, mesh.shape[axis]).tolist():
        key = f"along {line}"
        made: Group | None = faces.get(key)
        if made is None or faces.get(made.id) is not made:  # nobody has destroyed it
            made = faces[key] = new_group(line)
        found.append(made)
    return found


def group_alone() -> Group:
    """The group of this process by itself, in any world; nothing travels."""
    world = current_world()
    if world.size == 1:
        return world_group()
    found: Group | None = world.faces.get(ALONE)
    if found is None:
        world.communicators[ALONE] = alone().all
        found = world.faces[ALONE] = Group(0, ALONE, [world.rank], name=NAME + "_alone")
    return found


def get_group(id: int = ALL) -> Group | None:
    """The group that `new_group` made with this number; None, with a warning, if it did not.

    0 is the group of connected processes: one process by itself has none.
    """
    if id == ALL and has_joined():
        return world_group()
    found: Group | None = current_world().faces.get(id) if id != ALL else None
    if found is None:
        warnings.warn(f"Group {id} is not initialized.", stacklevel=2)
    return found


def get_backend(group: Group | None = None) -> str:
    """What moves data on processors, by Paddle's name: "GLOO"; it is MPI here."""
    return member(group).backend


def destroy_process_group(group: Group | None = None) -> None:
    """Forget a group, or all: this process is one by itself again."""
    world = current_world()
    if group is None or group.id == ALL:
        world.all.queue.drain()
        leave_world()
        return
    number = member(group).id
    world.faces.pop(number, None)
    world.communicators.pop(number, None)


def shutdown_process_group(group: Group | None = None) -> None:
    """Let go of connections: MPI keeps them until the process ends."""


def restart_process_group(group: Group | None = None) -> None:
    """Connect again: the connections are there."""


def barrier(group: Group | None = None) -> None:
    """Wait until all processes of the group are here."""
    communicator_of(group).barrier()


def wait(tensor: Tensor, group: Group | None = None, use_calc_stream: bool = True) -> None:
    """Wait until what was begun in the group is done, so that the tensor has its value."""
    if not isinstance(tensor, Tensor):
        raise TypeMismatchError(f"wait takes a Tensor, received {type(tensor).__name__}")
    communicator_of(group).queue.drain()


def member(group: Group | None) -> Group:
    """The group that is meant. Raises ArgumentError where this process is not in it."""
    if group is None:
        return world_group()
    if not isinstance(group, Group):
        raise TypeMismatchError(
            f"group: expected a Group, received {type(group).__name__}", cure="pass new_group(...)"
        )
    if not group.is_member():
        raise ArgumentError(
            f"this process, rank {current_world().rank}, is not in the group of ranks "
            f"{group.ranks}",
            cure="call it on members alone: if group.is_member()",
        )
    return group


def communicator_of(group: Group | None) -> Communicator:
    """What moves data in a group. Raises ArgumentError where this process is not in it."""
    return current_world().of(member(group).id)


def rank_in(group: Group | None, rank: int, what: str) -> int:
    """The rank in the group of a process, which is there. Raises ArgumentError."""
    found = member(group).get_group_rank(rank)
    if found < 0:
        raise ArgumentError(
            f"{what}: rank {rank} is not in the group of ranks {member(group).ranks}",
            cure="src and dst are ranks in the world, also in a group",
        )
    return found


# By the names inside Paddle that programs take.
_default_group_name = NAME
_get_global_group = world_group
_get_default_group = world_group


__all__ = declared(
    globals(),
    but=(
        "ALL",
        "ALONE",
        "communicator_of",
        "group_alone",
        "groups_along",
        "member",
        "rank_in",
        "world_group",
    ),
)
