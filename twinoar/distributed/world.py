"""Who this process is among those that train together, and how it joins them."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from typing import Any

from twinoar.backends.mpi.engine import Engine
from twinoar.core.public import declared
from twinoar.distributed.group import TIMEOUT_MILLISECONDS, world_group
from twinoar.errors import ArgumentError, DistributedError, MissingModuleError, UnsupportedError
from twinoar.runtime import collective
from twinoar.runtime.collective import (
    current_world,
    has_joined,
    join_world,
    rank_and_size,
    this_job,
)
from twinoar.runtime.collective.job import meet

ONE_PROCESS = "this part of twinoar trains in one process"
START_ONCE = "start the script once: by python, or with --nproc_per_node 1, --nnodes 1"
LAUNCH = "start it by python -m paddle.distributed.launch --nproc_per_node N script.py"


def refuse_more(what: str, count: Any, cure: str = START_ONCE) -> None:
    """Raise UnsupportedError where `count`, the number that `what` names, is more than one."""
    if isinstance(count, int) and count > 1:
        raise UnsupportedError(f"{what} is {count}: {ONE_PROCESS}", cure=cure)


def refuse_many(what: str) -> None:
    """Raise UnsupportedError where several processes train, for what is not for them yet."""
    refuse_more(f"{what}: the number of processes", get_world_size(), START_ONCE)


def refused_alone(what: str, cure: str) -> UnsupportedError:
    """The error for what has no meaning where there is one process."""
    return UnsupportedError(f"{what} has no meaning in a world of one process", cure=cure)


class ParallelEnv:
    """Which process this is, of how many, by the environment that a launcher has set.

    >>> env = ParallelEnv()
    >>> env.rank, env.world_size, env.local_rank, env.nranks
    (0, 1, 0, 1)
    """

    nrings = 1
    device_type = ""
    pg_timeout = TIMEOUT_MILLISECONDS

    def __init__(self) -> None:
        self.rank = get_rank()
        self.world_size = self.nranks = get_world_size()
        self.device_id = self.dev_id = 0
        self.local_rank = self.rank if has_joined_threads() else this_job().local_rank
        self.current_endpoint = os.environ.get("PADDLE_CURRENT_ENDPOINT", "")
        self.trainer_endpoints = os.environ.get("PADDLE_TRAINER_ENDPOINTS", "").split(",")


def has_joined_threads() -> bool:
    """Whether ranks are threads of this process, of which the environment says nothing."""
    return has_joined() and this_job().size != current_world().size


def get_rank(group: Any = None) -> int:
    """The rank of this process in the world, or in `group`: -1 where it is not in it.

    >>> get_rank()
    0
    """
    if group is not None:
        return int(group.rank)
    return rank_and_size()[0]


def get_world_size(group: Any = None) -> int:
    """The number of processes, or that of `group`.

    >>> get_world_size()
    1
    """
    if group is not None:
        return int(group.world_size)
    return rank_and_size()[1]


def init_parallel_env(nccl_config: Any = None) -> Any:
    """Join the other processes, which all call it; returns their group.

    Where there are none a warning says so, as Paddle's does, and None is returned. Raises
    DistributedError where the environment speaks of processes that no launcher of MPI has started,
    MissingModuleError without mpi4py.
    """
    if not has_joined():
        job = this_job()
        if job.size <= 1:
            warnings.warn(
                "there is one process: init_parallel_env has nothing to connect it to", stacklevel=2
            )
            return None
        if job.started_by is None:
            raise DistributedError(
                f"the environment speaks of {job.size} processes, MPI has not started this one",
                cure=LAUNCH,
            )
        if multiprocessing.parent_process() is not None:
            raise DistributedError(
                f"this process was started by rank {job.rank} and is none of the job's",
                cure='let the script train within if __name__ == "__main__":',
            )
        meet(job, TIMEOUT_MILLISECONDS / 1000)
        join_world(_joined_job(job.size))
    return world_group()


def _joined_job(size: int) -> Any:
    try:
        engine = collective.mpi
    except ImportError as error:
        raise MissingModuleError(
            f"{size} processes need MPI, which cannot be loaded: {error}",
            cure="pip install twinoar[distributed]",
        ) from None
    world = engine.join_job(Engine)
    if world.size != size:
        raise DistributedError(
            f"the environment speaks of {size} processes, MPI has connected {world.size}",
            cure=LAUNCH,
        )
    return world


def is_available() -> bool:
    """Whether the package is there: True."""
    return True


def is_initialized() -> bool:
    """Whether processes are connected: one by itself is not, so False as in Paddle."""
    return has_joined()


def create_nccl_config(nccl_config: Any = None) -> None:
    """Settings of a library for GPUs: None, nothing here reads them."""


def gloo_init_parallel_env(rank_id: int, rank_num: int, server_endpoint: str) -> None:
    """Join the other processes. Raises ArgumentError where they are not those of the job."""
    if rank_num > 1:
        init_parallel_env()
    if (rank_id, rank_num) != (get_rank(), get_world_size()):
        raise ArgumentError(
            f"rank_id {rank_id} of {rank_num}: this process has rank {get_rank()} of "
            f"{get_world_size()}",
            cure=LAUNCH,
        )


def gloo_barrier() -> None:
    """Wait for the other processes."""
    current_world().all.barrier()


def gloo_release() -> None:
    """Leave the other processes: that happens when this one ends."""


__all__ = declared(
    globals(),
    but=(
        "Engine", "has_joined_threads", "meet", "refuse_many", "refuse_more", "refused_alone",
    ),
)  # fmt: skip
