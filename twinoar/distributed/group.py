"""Groups of processes: in a world of one, each has rank 0 alone."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.world import ONE_PROCESS, TIMEOUT_MILLISECONDS
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError

FIRST_NUMBER = 10  # numbers below are for groups that Paddle makes by itself
BACKENDS = ("gloo", "nccl", "bkcl", "xccl", "flagcx", "heter")
NAME = "_default_pg"


class Group:
    """Processes that communicate: rank 0, by itself.

    >>> group = new_group([0])
    >>> group.rank, group.nranks, group.ranks, group.get_group_rank(0)
    (0, 1, [0], 0)
    """

    process_group = None

    def __init__(
        self, rank_in_group: int, id: int, ranks: Sequence[int], pg: Any = None, name: Any = None
    ):
        self.rank, self.id, self.ranks, self.name = rank_in_group, id, list(ranks), name
        self.backend = "GLOO"

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


WORLD = Group(0, 0, [0], name=NAME)
_groups: dict[int, Group] = {}
_numbers = itertools.count(FIRST_NUMBER)


def new_group(
    ranks: Sequence[int] | None = None,
    backend: str | None = None,
    timeout: timedelta = timedelta(milliseconds=TIMEOUT_MILLISECONDS),
    nccl_comm_init_option: int = 0,
    nccl_config: Any = None,
) -> Group:
    """A group of the processes with these ranks: [0], or None for all.

    The other arguments say how data travels, and nothing does. Raises UnsupportedError for other
    ranks.

    >>> new_group().nranks
    1
    """
    members = [0] if ranks is None else list(ranks)
    if members != [0]:
        raise UnsupportedError(
            f"a group of the ranks {members}: {ONE_PROCESS}, its rank is 0",
            cure="leave out ranks, or pass [0]",
        )
    if backend is not None and backend.lower() not in BACKENDS:
        raise ArgumentError(f"expected backend among {BACKENDS}, received {backend!r}")
    number = next(_numbers)
    _groups[number] = Group(0, number, members, name=f"{NAME}{number}")
    return _groups[number]


def get_group(id: int = 0) -> Group | None:
    """The group that `new_group` made with this number; None, with a warning, if it did not.

    0 is the group of connected processes: one process by itself has none.
    """
    if id not in _groups:
        warnings.warn(f"Group {id} is not initialized.", stacklevel=2)
    return _groups.get(id)


def get_backend(group: Group | None = None) -> str:
    """What moves data between processes: "GLOO" in name, nothing moves."""
    return member(group).backend


def destroy_process_group(group: Group | None = None) -> None:
    """Forget a group, or all."""
    if group is None:
        _groups.clear()
    else:
        _groups.pop(member(group).id, None)


def shutdown_process_group(group: Group | None = None) -> None:
    """Let go of connections: there are none."""


def restart_process_group(group: Group | None = None) -> None:
    """Connect again: there is nothing to connect."""


def barrier(group: Group | None = None) -> None:
    """Wait until all processes are here: this one is."""
    member(group)


def wait(tensor: Tensor, group: Group | None = None, use_calc_stream: bool = True) -> None:
    """Wait until a tensor has been sent or received: it has."""
    member(group)
    if not isinstance(tensor, Tensor):
        raise TypeMismatchError(f"wait takes a Tensor, received {type(tensor).__name__}")


def member(group: Group | None) -> Group:
    """The group that is meant. Raises ArgumentError where this process is not in it."""
    if group is None:
        return WORLD
    if not isinstance(group, Group):
        raise TypeMismatchError(
            f"group: expected a Group, received {type(group).__name__}", cure="pass new_group(...)"
        )
    if not group.is_member():
        raise ArgumentError(f"this process, rank 0, is not in the group of ranks {group.ranks}")
    return group


def rank_in(group: Group | None, rank: int, what: str) -> int:
    """The rank in the group of a process, which is there. Raises ArgumentError."""
    found = member(group).get_group_rank(rank)
    if found < 0:
        raise ArgumentError(
            f"{what}: rank {rank} is not in the group of ranks {member(group).ranks}",
            cure="the only process has rank 0",
        )
    return found


# By the names inside Paddle that programs take.
_default_group_name = NAME


def _get_global_group() -> Group:
    return WORLD


_get_default_group = _get_global_group


__all__ = declared(globals(), but=("WORLD", "member", "rank_in"))
