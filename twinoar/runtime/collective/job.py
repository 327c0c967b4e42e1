"""What the environment says of the job: which process this is, and how many there are.

`paddle.distributed.launch` sets Paddle's variables. Without it, those of `mpirun` (Open MPI,
MPICH) and of Slurm's `srun` say the same.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from twinoar.errors import ArgumentError

SIZE, RANK = "PADDLE_TRAINERS_NUM", "PADDLE_TRAINER_ID"


@dataclass(frozen=True, slots=True)
class Names:
    """The variables of one launcher."""

    launcher: str
    rank: str
    size: str
    local_rank: str
    local_size: str


PADDLE = Names("the launcher", RANK, SIZE, "PADDLE_LOCAL_RANK", "PADDLE_LOCAL_SIZE")
STARTERS = (
    Names(
        "Open MPI",
        "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_LOCAL_RANK",
        "OMPI_COMM_WORLD_LOCAL_SIZE",
    ),
    Names("MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
    Names("Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"),
)


@dataclass(frozen=True, slots=True)
class Job:
    """Rank `rank` of `size`; of those on this machine, `local_rank` of `local_size`.

    started_by: what started the processes so that MPI can connect them; None if nothing did.
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    local_size: int = 1
    started_by: str | None = None


def starter() -> Names | None:
    """The variables of what started this process as one of an MPI job; None if nothing did."""
    return next((n for n in STARTERS if n.rank in os.environ and n.size in os.environ), None)


def this_job() -> Job:
    """The job that the environment describes. Raises ArgumentError where it makes no sense."""
    started = starter()
    names = PADDLE if os.environ.get(SIZE, "").strip() or started is None else started
    rank, size = environment_number(names.rank, 0), environment_number(names.size, 1)
    if not 0 <= rank < max(size, 1):
        raise ArgumentError(
            f"the environment variable {names.rank} is {rank}, and {names.size} is {size}",
            cure=f"unset {names.rank}" if size == 1 else f"ranks are 0 to {size - 1}",
        )
    own = started or names
    return Job(
        rank,
        size,
        environment_number(own.local_rank, rank),
        environment_number(own.local_size, size),
        None if started is None else started.launcher,
    )


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
