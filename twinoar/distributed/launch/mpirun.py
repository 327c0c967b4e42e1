"""Processes of an MPI job on these machines: `mpirun` of the wheel, and a watch over its ranks."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from twinoar.errors import MissingModuleError
from twinoar.runtime.collective.job import LOG_FOLDER, RANKS_FOLDER, endpoints_of, is_there

LOOK_SECONDS = 0.1  # how often the watch looks whether all ranks are there
PATIENCE_SECONDS = 1.0  # for mpirun to end the others, before it is ended itself
FORWARDED = ("PADDLE_", "TWINOAR_", "FLAGS_", "OMP_", "PYTHON")  # to other machines
MPIRUN = "TWINOAR_MPIRUN"
LIBRARY_OF_MPI4PY = ("MPI4PY_LIBMPI", "MPI4PY_MPIABI")  # with which users choose it


@dataclass(frozen=True)
class Plan:
    """What to start: `each` processes on each of `hosts`, all of one command.

    log_folder: where rank N writes workerlog.N; rank 0 is shown as well. None: all is shown.
    """

    each: int
    command: Sequence[str]
    hosts: Sequence[str] = ("127.0.0.1",)
    log_folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many processes there are."""
        return self.each * len(self.hosts)

    @property
    def is_here(self) -> bool:
        """Whether all of them are on this machine."""
        return all(host in ("127.0.0.1", "localhost") for host in self.hosts)


def find_mpirun() -> str:
    """`mpirun` beside this Python, where the wheels put it, or of the system.

    TWINOAR_MPIRUN names another, such as MPICH's `mpiexec.hydra` where both wheels are installed.
    Raises MissingModuleError where there is none.
    """
    name = os.environ.get(MPIRUN) or "mpirun"
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise MissingModuleError(
            f"several processes need {name}, which is not there",
            cure="pip install twinoar[distributed]"
            if name == "mpirun"
            else f"let {MPIRUN} name a program that starts an MPI job",
        )
    return found


def is_mpich(mpirun: str) -> bool:
    """Whether it starts processes of MPICH, or an MPI of its kin; else of Open MPI."""
    said = subprocess.run([mpirun, "--version"], capture_output=True, text=True).stdout
    return "HYDRA" in said.upper() or "MPICH" in said.upper()


def library_of(mpirun: str) -> Path | None:
    """The library of the MPI that connects the processes, where it lies as wheels have it.

    Where both wheels are installed, mpi4py is to load that one, and not the one that it finds.
    """
    name = "libmpi.so.12" if is_mpich(mpirun) else "libmpi.so.40"
    found = Path(mpirun).parent.parent / "lib" / name
    return found if found.exists() else None


def command_of(plan: Plan, mpirun: str) -> list[str]:
    """The command line for a plan, of Open MPI or MPICH."""
    if is_mpich(mpirun):
        places = [] if plan.is_here else ["-hosts", ",".join(plan.hosts), "-ppn", str(plan.each)]
        return [mpirun, "-n", str(plan.size), *places, "-bind-to", "none", *plan.command]
    places = []
    if not plan.is_here:
        places = ["--host", ",".join(f"{host}:{plan.each}" for host in plan.hosts)]
        for name in (n for n in os.environ if n.startswith(FORWARDED)):
            places += ["-x", name]
    # Ranks share cores among their threads; bound to one core each they could not.
    shared = ["--oversubscribe", "--bind-to", "none"]
    return [mpirun, "-n", str(plan.size), *places, *shared, *plan.command]


def environment_of(plan: Plan, folder: str, mpirun: str) -> dict[str, str]:
    """What the processes find in their environment. mpirun: what starts them."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    found = {
        "OMP_NUM_THREADS": str(max(cores // (plan.size if plan.is_here else plan.each), 1)),
        **os.environ,
        "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints_of(list(plan.hosts), plan.each)),
        "OMPI_MCA_mpi_yield_when_idle": "1",  # ranks may be more than cores
        **plan.environment,
    }
    library = library_of(mpirun)
    if library is not None and not any(name in os.environ for name in LIBRARY_OF_MPI4PY):
        found[LIBRARY_OF_MPI4PY[0]] = str(library)
    if plan.is_here:
        found[RANKS_FOLDER] = folder
    if plan.log_folder is not None:
        found[LOG_FOLDER] = str(plan.log_folder.absolute())
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # containers often have no other user
        found.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return found


class Running:
    """A job that runs: `wait` gives its exit code. A rank that dies ends all others.

    lost: the rank that was gone first while others went on; None where none was.
    """

    def __init__(self, plan: Plan):
        self.plan, self.is_stopped = plan, False
        self.lost: int | None = None
        self.folder = tempfile.mkdtemp(prefix="twinoar-ranks-")
        output = None
        if plan.log_folder is not None:
            plan.log_folder.mkdir(parents=True, exist_ok=True)
            output = subprocess.PIPE
        mpirun = find_mpirun()
        self.process = subprocess.Popen(
            command_of(plan, mpirun),
            env=environment_of(plan, self.folder, mpirun),
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            start_new_session=True,  # Ctrl-C comes by `stop`, once
        )
        self._ended = threading.Event()
        threads = [threading.Thread(target=self._watch, daemon=True)]
        if plan.log_folder is not None:
            log = plan.log_folder / "workerlog.0"
            threads.append(threading.Thread(target=_tee, args=(self.process.stdout, log)))
        for thread in threads:
            thread.start()
        self._threads = threads

    def wait(self, timeout: float | None = None) -> int | None:
        """The exit code, or None if it still runs after `timeout` seconds."""
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        except KeyboardInterrupt:
            self.stop(signal.SIGINT)
            raise
        self._ended.set()
        for thread in self._threads:
            thread.join()
        shutil.rmtree(self.folder, ignore_errors=True)
        return code

    def stop(self, number: int = signal.SIGTERM) -> None:
        """End all processes: by a signal, and by force if that does not help."""
        self.is_stopped = True
        self._end(number)

    def _end(self, number: int = signal.SIGTERM) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)
            try:
                self.process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                for _, process in self._ranks():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
        self._ended.set()

    def _ranks(self) -> Iterator[tuple[int, int]]:
        """Rank and process number of those that have begun."""
        for file in Path(self.folder).glob("*.pid"):
            text = file.read_text()
            if text:
                yield int(file.stem), int(text)

    def _watch(self) -> None:
        """Name the first rank that is gone while others go on, and see that they end."""
        while not self._ended.wait(LOOK_SECONDS):
            ranks = dict(self._ranks())
            gone = [r for r in sorted(ranks) if not is_there(ranks[r])]
            others = len(ranks) - len(gone)
            if not gone or not others or (Path(self.folder) / f"{gone[0]}.done").exists():
                continue
            self.lost = gone[0]
            text = f"rank {gone[0]} (process {ranks[gone[0]]}) has ended unexpectedly"
            print(f"launch: {text}: all other ranks end", file=sys.stderr, flush=True)
            if not self._ended.wait(PATIENCE_SECONDS):
                self._end()
            return


def _tee(source: Any, file: Path) -> None:
    """Show what comes, and write it into a file."""
    stream: BinaryIO = source
    with file.open("wb") as log:
        while chunk := os.read(stream.fileno(), 65536):
            for target in (log, sys.stdout.buffer):
                target.write(chunk)
                target.flush()
