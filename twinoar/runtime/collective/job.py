"""What the environment says of the job: which process this is, and how many there are.

`paddle.distributed.launch` sets Paddle's variables. Without it, those of `mpirun` (Open MPI,
MPICH) and of Slurm's `srun` say the same.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import time
from pathlib import Path

from twinoar.errors import ArgumentError, DistributedError
from twinoar.late import dataclass

SIZE, RANK = "PADDLE_TRAINERS_NUM", "PADDLE_TRAINER_ID"
RANKS_FOLDER, LOG_FOLDER = "PADDLE_RANKS_DIR", "PADDLE_LOG_DIR"
HERE, FIRST_PORT = "127.0.0.1", 6170  # Paddle's first
MEETING_SECONDS = 0.01  # how often a rank looks whether the others are there


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
    names = PADDLE if os.environ.get(RANK, "").strip() or started is None else started
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


def announce_rank() -> None:
    """Let the environment say what Paddle's launcher says to a process of a job, for scripts.

    Nothing happens in a process that no launcher of MPI has started. In a folder that
    PADDLE_RANKS_DIR names, the launcher finds which process each rank is; of a rank above 0 all
    output goes into a file of PADDLE_LOG_DIR, where that is set.
    """
    job = this_job()
    if job.started_by is None:
        return
    os.environ.update(environment_of(job))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    os.environ.setdefault("OMP_NUM_THREADS", str(max(cores // max(job.local_size, 1), 1)))
    folder, logs = os.environ.get(RANKS_FOLDER), os.environ.get(LOG_FOLDER)
    if folder:
        (Path(folder) / f"{job.rank}.pid").write_text(str(os.getpid()))
        atexit.register(_note_end, Path(folder) / f"{job.rank}.done")
    if logs and job.rank:
        with (Path(logs) / f"workerlog.{job.rank}").open("wb") as file:
            for stream in (1, 2):
                os.dup2(file.fileno(), stream)


class Processes:
    """The processes of the ranks on this machine, as a launcher notes them in a folder."""

    def __init__(self) -> None:
        folder = os.environ.get(RANKS_FOLDER)
        self._folder = Path(folder) if folder else None

    def killed(self) -> set[int]:
        """The ranks whose processes are gone without having ended by themselves."""
        found = {r for r, process in self.ranks().items() if not is_there(process)}
        return {r for r in found if not self.has_ended(r)}

    def has_ended(self, rank: int) -> bool:
        """Whether a rank has ended by itself."""
        return self._folder is not None and (self._folder / f"{rank}.done").exists()

    def ranks(self) -> dict[int, int]:
        """The numbers of the processes that have begun, by rank."""
        found: dict[int, int] = {}
        for file in () if self._folder is None else self._folder.glob("*.pid"):
            with contextlib.suppress(FileNotFoundError, ValueError):  # one that is being written
                found[int(file.stem)] = int(file.read_text())
        return found


def meet(job: Job, seconds: float) -> None:
    """Return when all ranks have come here, where the launcher lets ranks of this machine see that.

    What starts MPI in all of them waits for each without an end, and cannot say for whom. Raises
    DistributedError for a rank that has ended, or has not come after so many seconds.
    """
    there = os.environ.get(RANKS_FOLDER)
    if not there or job.local_size != job.size:
        return
    folder, processes, begun = Path(there), Processes(), time.monotonic()
    (folder / f"{job.rank}.joins").touch()
    while missing := [r for r in range(job.size) if not (folder / f"{r}.joins").exists()]:
        ended = [r for r in missing if processes.has_ended(r)]
        ended += [r for r in processes.killed() if r in missing]
        is_late = time.monotonic() - begun > seconds
        if ended or is_late:
            what = "has ended" if ended else f"has not come after {seconds:.0f} seconds"
            raise DistributedError(
                f"rank {(ended or missing)[0]} {what}, and rank {job.rank} waits for it to join",
                cure="let all processes call init_parallel_env, or fleet.init",
            )
        time.sleep(MEETING_SECONDS)


def is_there(process: int) -> bool:
    """Whether a process runs, by its number; one whose end nobody has asked for does not."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
    except PermissionError:
        return True


def _note_end(file: Path) -> None:
    """Tell the launcher that this rank has ended by itself; one that is killed does not."""
    with contextlib.suppress(OSError):  # the launcher may have ended first
        file.touch()


def environment_of(job: Job) -> dict[str, str]:
    """Paddle's variables of a rank."""
    nodes = -(-job.size // max(job.local_size, 1))
    given = os.environ.get("PADDLE_TRAINER_ENDPOINTS", "").split(",")
    endpoints = given if len(given) == job.size and given[0] else endpoints_of([HERE], job.size)
    return {
        RANK: str(job.rank),
        SIZE: str(job.size),
        "PADDLE_LOCAL_RANK": str(job.local_rank),
        "PADDLE_GLOBAL_RANK": str(job.rank),
        "PADDLE_LOCAL_SIZE": str(job.local_size),
        "PADDLE_GLOBAL_SIZE": str(job.size),
        "PADDLE_NNODES": str(nodes),
        "PADDLE_RANK_IN_NODE": str(job.local_rank),
        "PADDLE_CURRENT_ENDPOINT": endpoints[job.rank],
        "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints),
    }


def endpoints_of(hosts: list[str], each: int) -> list[str]:
    """A name for each rank, an address as Paddle's are; nothing listens there.

    >>> endpoints_of(["127.0.0.1"], 2)
    ['127.0.0.1:6170', '127.0.0.1:6171']
    """
    return [f"{host}:{FIRST_PORT + n}" for host in hosts for n in range(each)]
