"""The world of one process: who this process is, and what the environment says of others.

The variables of the environment are those that Paddle's launcher sets. More than one process is
refused wherever the size of the world is asked for: whatever follows from it would be wrong.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

from twinoar.core.public import declared
from twinoar.errors import ArgumentError, UnsupportedError

ONE_PROCESS = "this version trains in one process"
START_ONCE = "start the script once: by python, or with --nproc_per_node 1, --nnodes 1"
SIZE = "PADDLE_TRAINERS_NUM"
RANK = "PADDLE_TRAINER_ID"
TIMEOUT_MILLISECONDS = 30 * 60 * 1000


def refuse_more(what: str, count: Any, cure: str = START_ONCE) -> None:
    """Raise UnsupportedError where `count`, the number that `what` names, is more than one."""
    if isinstance(count, int) and count > 1:
        raise UnsupportedError(f"{what} is {count}: {ONE_PROCESS}", cure=cure)


def refused_alone(what: str, cure: str) -> UnsupportedError:
    """The error for what has no meaning where there is one process."""
    return UnsupportedError(f"{what} has no meaning in a world of one process", cure=cure)


def environment_number(name: str, default: int) -> int:
    """An integer from the environment. Raises ArgumentError where it is none."""
    text = os.environ.get(name, "").strip() or str(default)
    try:
        return int(text)
    except ValueError:
        raise ArgumentError(
            f"the environment variable {name} is {text!r}, expected an integer",
            cure=f"unset {name}, or give it a number",
        ) from None


def _checked_size() -> int:
    refuse_more(f"the environment variable {SIZE}", environment_number(SIZE, 1))
    rank = environment_number(RANK, 0)
    if rank:
        raise ArgumentError(
            f"the environment variable {RANK} is {rank}, the only rank of one process is 0",
            cure=f"unset {RANK}",
        )
    return 1


class ParallelEnv:
    """Which process this is: rank 0 of one.

    Raises UnsupportedError where the environment says that several processes train.

    >>> env = ParallelEnv()
    >>> env.rank, env.world_size, env.local_rank, env.nranks
    (0, 1, 0, 1)
    """

    rank = local_rank = device_id = dev_id = 0
    nrings = 1
    device_type = ""
    pg_timeout = TIMEOUT_MILLISECONDS

    def __init__(self) -> None:
        self.world_size = self.nranks = _checked_size()
        self.current_endpoint = os.environ.get("PADDLE_CURRENT_ENDPOINT", "")
        self.trainer_endpoints = os.environ.get("PADDLE_TRAINER_ENDPOINTS", "").split(",")


def get_rank(group: Any = None) -> int:
    """The rank of this process: 0, or its rank in `group`.

    >>> get_rank()
    0
    """
    _checked_size()
    return 0 if group is None else group.rank


def get_world_size(group: Any = None) -> int:
    """The number of processes: 1, or that of `group`.

    Raises UnsupportedError where the environment says that several processes train.

    >>> get_world_size()
    1
    """
    size = _checked_size()
    return size if group is None else group.world_size


def init_parallel_env(nccl_config: Any = None) -> None:
    """Join the other processes. There are none: a warning says so, as Paddle's does.

    Raises UnsupportedError where the environment says that several processes train.
    """
    _checked_size()
    warnings.warn(
        "there is one process: init_parallel_env has nothing to connect it to", stacklevel=2
    )


def is_available() -> bool:
    """Whether the package is there: True."""
    return True


def is_initialized() -> bool:
    """Whether processes are connected: one by itself is not, so False as in Paddle."""
    return False


def create_nccl_config(nccl_config: Any = None) -> None:
    """Settings of a library for GPUs: None, nothing here reads them."""


def gloo_init_parallel_env(rank_id: int, rank_num: int, server_endpoint: str) -> None:
    """Join the other processes on CPUs. Raises UnsupportedError for more than one of them."""
    refuse_more("rank_num", rank_num, "call it with rank_num=1, or leave it out")
    if rank_id:
        raise ArgumentError(f"rank_id is {rank_id}, the only rank of one process is 0")


def gloo_barrier() -> None:
    """Wait for the other processes: there are none."""


def gloo_release() -> None:
    """Leave the other processes: there are none."""


__all__ = declared(globals(), but=("environment_number", "refuse_more", "refused_alone"))
