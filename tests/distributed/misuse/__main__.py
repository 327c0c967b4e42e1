"""Run random programs of ranks, and show those of which something wrong came."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.distributed.misuse.judging import faults
from tests.distributed.misuse.playing import Outcome, played
from tests.distributed.misuse.programs import Action, program
from twinoar.runtime.collective import current_world, in_world, run_ranks

ROOT = Path(__file__).parents[3]
SECONDS = 2.0  # that a wait lasts at most
HANGS_SECONDS = 120.0
AT_ONCE = 4  # programs of threads
OF_A_JOB = 50  # programs; MPICH has some hundreds of communicators


def on_threads(seed: int, size: int, seconds: float = SECONDS) -> list[str]:
    """The faults of one program, whose ranks are threads."""
    programs = program(seed, size)
    return faults(
        programs, run_ranks(size, lambda: played(programs[current_world().rank], seconds))
    )


def on_processes(seeds: range) -> list[tuple[int, list[str], list[list[Outcome]]]]:
    """The faults of programs, in all ranks of an MPI job; empty on ranks above 0."""
    from mpi4py import MPI

    from twinoar.backends.mpi.engine import Engine
    from twinoar.runtime.collective import World
    from twinoar.runtime.collective.mpi import Departures, MpiCommunicator

    everyone, found = MPI.COMM_WORLD, []
    for seed in seeds:
        programs = program(seed, everyone.size)
        everyone.Barrier()
        watch = threading.Timer(HANGS_SECONDS, _hangs, (seed,))
        watch.daemon = True
        watch.start()
        comm = everyone.Dup()
        departures = Departures(comm)
        there = MpiCommunicator(comm, range(comm.size), departures, native=Engine)
        with in_world(World(there)):
            own = played(programs[comm.rank], SECONDS)
        departures.tell()  # as a process does that ends
        gathered = everyone.gather(own)
        watch.cancel()
        if gathered is not None:
            found.append((seed, faults(programs, gathered), gathered))
    return found


def _hangs(seed: int) -> None:
    print(f"HANGS: program {seed}", flush=True)
    os._exit(3)


def shown(programs: list[list[Action]]) -> str:
    """A program as text."""
    return "\n".join(
        f"    rank {r}: {a.kind} {a.mistake} group {a.group} root {a.root} peer {a.peer} "
        f"{a.dtype}{list(a.shape)} {a.reduction}{' task' if a.is_task else ''}"
        for r, own in enumerate(programs)
        for a in own
    )


def _in_jobs(given: argparse.Namespace) -> int:
    """Run programs in jobs of so many each, as processes may have few communicators."""
    wrong = 0
    for first in range(given.seed, given.seed + given.count, OF_A_JOB):
        count = min(OF_A_JOB, given.seed + given.count - first)
        command = [sys.executable, "-m", "twinoar.distributed.launch", "--nproc_per_node"]
        numbers = ["--job", "--seed", str(first), "--count", str(count)]
        done = subprocess.run(
            [*command, str(given.processes), __file__, *numbers],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
        wrong += done.returncode != 0
    return wrong


def main() -> None:
    """Read the arguments, run, and tell."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--processes", type=int, default=0, help="of an MPI job; else threads")
    options.add_argument("--job", action="store_true", help="this is a process of such a job")
    given = options.parse_args()
    if given.processes:
        raise SystemExit(min(_in_jobs(given), 1))
    seeds, begun = range(given.seed, given.seed + given.count), time.perf_counter()
    if given.job:
        found = [(seed, wrong) for seed, wrong, _ in on_processes(seeds)]
        if not found:
            return
    else:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = list(
                zip(seeds, pool.map(lambda s: on_threads(s, 2 + s % 3), seeds), strict=True)
            )
    wrong = {seed: text for seed, text in found if text}
    for seed, text in wrong.items():
        print(f"program {seed}:\n{shown(program(seed, _size(given, seed)))}", *text, sep="\n  ")
    seconds = time.perf_counter() - begun
    print(f"{len(found)} programs, {len(wrong)} wrong, {seconds:.0f} s", flush=True)
    if wrong:
        raise SystemExit(1)


def _size(given: argparse.Namespace, seed: int) -> int:
    return int(os.environ.get("PADDLE_TRAINERS_NUM", 1)) if given.job else 2 + seed % 3


if __name__ == "__main__":
    main()
