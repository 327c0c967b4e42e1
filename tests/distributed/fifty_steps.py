"""Fifty steps of every network in every way of dividing them, held against one process.

    python -m tests.distributed.fifty_steps --write
    python -m tests.distributed.fifty_steps --network lenet --way "mesh hybrid 2x2" --again 5
    python -m tests.distributed.fifty_steps --processes --way "DataParallel 2"

Ranks are threads in lock step, or with --processes those of a job. Tells of each case the greatest
difference of a parameter, relative to the greatest element of it, whether another run has the same
bits, and how many bytes of an optimizer's moments a rank has at most. Ends with 1 where one is
above the tolerance, or bits differ. --write puts the table into docs/distributed.md; cases are
kept in a file, so what is run later is added to what is there.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import twinoar.distributed as dist
from tests.distributed.as_one_process import (
    BATCH,
    NETWORKS,
    TOLERANCE,
    WAYS,
    Trained,
    Way,
    difference,
    is_same,
    ranks_of,
    train,
)

STEPS = 50
KEPT = Path("build/fifty_steps.jsonl")
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "distributed.md"
BEGIN = "<!-- written by: python -m tests.distributed.fifty_steps --write -->"
END = "<!-- end -->"
PATIENCE_SECONDS = 1200
NAMES = {
    "mlp": "MLP", "lenet": "LeNet", "transformer": "transformer", "resnet18": "ResNet-18",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """What came of one network in one way."""

    network: str
    way: str
    steps: int
    error: float
    same: bool
    moments: int
    alone: int
    seconds: float
    where: str = "threads"

    @property
    def is_right(self) -> bool:
        """Whether it is what one process comes to, and again."""
        return self.error <= TOLERANCE and self.same

    def line(self) -> str:
        """It as one line."""
        bits = "same bits" if self.same else "OTHER BITS"
        return (
            f"{self.network:<12} {self.way:<28} {self.where:<10} {self.error:.1e}  {bits}  moments "
            f"{self.moments:>10} of {self.alone:>10} B  {self.seconds:.0f} s"
        )


def case(name: str, title: str, steps: int, again: int, alone: Trained, processes: bool) -> Case:
    """Train in one way, `again` times more, and compare."""
    began, way = time.perf_counter(), WAYS[title]
    run = processes_of if processes else ranks_of
    first = run(name, way, steps)
    same = all(is_same(first, run(name, way, steps)) for _ in range(again))
    return Case(
        name,
        title,
        steps,
        difference([f.parameters for f in first], alone.parameters),
        same,
        max(f.moments for f in first),
        alone.moments,
        time.perf_counter() - began,
        "processes" if processes else "threads",
    )


def processes_of(name: str, way: Way, steps: int) -> list[Trained]:
    """What each rank has after the steps, in processes of an MPI job."""
    title = next(t for t, w in WAYS.items() if w == way)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "twinoar.distributed.launch", "--nproc_per_node"]
        options = ["--network", name, "--way", title, "--steps", str(steps), "--job", folder]
        done = subprocess.run(
            [*command, str(way.ranks), __file__, *options],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=PATIENCE_SECONDS,
        )
        if done.returncode:
            raise SystemExit(f"{name} {title}: the job has ended with {done.returncode}")
        files = [Path(folder) / f"{rank}.pickle" for rank in range(way.ranks)]
        return [pickle.loads(file.read_bytes()) for file in files]


def as_rank(given: argparse.Namespace) -> None:
    """What a process of a job does."""
    dist.init_parallel_env()
    with warnings.catch_warnings(action="ignore"):
        found = train(given.network[0], WAYS[given.way[0]], given.steps)
    (Path(given.job) / f"{dist.get_rank()}.pickle").write_bytes(pickle.dumps(found))


def kept() -> dict[tuple[str, str, str], Case]:
    """The cases that were run, the last of each."""
    if not KEPT.exists():
        return {}
    cases = (Case(**json.loads(line)) for line in KEPT.read_text().splitlines())
    return {(c.network, c.way, c.where): c for c in cases}


def keep(found: Case) -> None:
    """Remember a case."""
    KEPT.parent.mkdir(exist_ok=True)
    with KEPT.open("a") as file:
        file.write(json.dumps(asdict(found)) + "\n")


def table(cases: Sequence[Case]) -> str:
    """The cases as a page has them: a row for each way, a column for each network."""
    known = {(c.network, c.way): c for c in cases if c.where == "threads"}
    names = [n for n in NETWORKS if any(c.network == n for c in cases)]
    rows = [["way", *(NAMES[n] for n in names), "moments of a rank"]]
    rows.append(["---"] * len(rows[0]))
    for way in WAYS:
        found = [known.get((n, way)) for n in names]
        shares = [c.moments / c.alone for c in found if c is not None]
        if shares:
            least, most = min(shares), max(shares)
            share = f"{least:.0%}" if most - least < 0.005 else f"{least:.0%} to {most:.0%}"
            rows.append([way, *(_shown(c) for c in found), share])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _shown(found: Case | None) -> str:
    if found is None:
        return ""
    bits = "" if found.same else ", other bits"
    steps = "" if found.steps == STEPS else f", {found.steps} steps"
    return f"{found.error:.0e}{bits}{steps}".replace("0e+00", "0")


def write(cases: Sequence[Case]) -> None:
    """Put the table into the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{table(cases)}\n\n{END}{after}")


def main() -> None:
    """Read the arguments, run, and tell."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--network", choices=NETWORKS, action="append")
    options.add_argument("--way", choices=WAYS, action="append")
    options.add_argument("--steps", type=int, default=STEPS)
    options.add_argument("--again", type=int, default=1, help="how often a run is repeated")
    options.add_argument("--processes", action="store_true", help="ranks are processes of a job")
    options.add_argument("--write", action="store_true", help="put the table into the page")
    options.add_argument("--new", action="store_true", help="run no case that is kept")
    options.add_argument("--forget", action="store_true", help="keep nothing of this run")
    options.add_argument("--job", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.job:
        as_rank(given)
        return
    where, is_right = "processes" if given.processes else "threads", True
    for name in given.network or NETWORKS:
        alone: dict[int, Trained] = {}
        for title in given.way or WAYS:
            if given.new and (name, title, where) in kept():
                continue
            parts = WAYS[title].parts(NETWORKS[name])
            if parts not in alone:
                alone[parts] = train(name, None, given.steps, parts)
            assert BATCH % parts == 0
            found = case(name, title, given.steps, given.again, alone[parts], given.processes)
            if not given.forget:
                keep(found)
            is_right &= found.is_right
            print(found.line(), flush=True)
    if given.write:
        write(list(kept().values()))
    if not is_right:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
