"""Processes that compute together: what moves arrays between them, behind one face.

`Communicator` is that face, as one rank of one group sees it. `local` runs ranks as threads of one
process, in lock step and in NumPy: it says what everything means. `mpi` runs them as processes of
an MPI job. `current` knows which of them is
current here.
"""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.runtime.collective.call import REDUCTIONS, Call, combined
from twinoar.runtime.collective.communicator import NOBODY, Communicator
from twinoar.runtime.collective.current import (
    current_world,
    has_joined,
    in_world,
    join_world,
    leave_world,
    rank_and_size,
    run_ranks,
)
from twinoar.runtime.collective.job import this_job
from twinoar.runtime.collective.task import Task
from twinoar.runtime.collective.world import World


def __getattr__(name: str) -> Any:
    if name == "mpi":  # to import it is to start MPI
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "NOBODY", "REDUCTIONS", "Call", "Communicator", "Task", "World", "combined", "current_world",
    "has_joined", "in_world", "join_world", "leave_world", "rank_and_size", "run_ranks", "this_job",
]  # fmt: skip
