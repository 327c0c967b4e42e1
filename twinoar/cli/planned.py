"""`twinoar plan`: a step on ranks that are not there is priced, or the network measured."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twinoar import compat
from twinoar.core.dim import SymbolicDim
from twinoar.core.spec import Spec
from twinoar.distributed import init_parallel_env
from twinoar.distributed.launch import run_plan
from twinoar.distributed.launch.mpirun import Plan
from twinoar.distributed.planning import Row, Speeds, Split, measure_network, plan, table
from twinoar.errors import ArgumentError
from twinoar.inspection.target import named_in
from twinoar.runtime.collective import current_world
from twinoar.runtime.collective.job import announce_rank, starter
from twinoar.static import InputSpec

MEBIBYTE = 1 << 20
SHOWN = 10  # splits, the fastest
AXES = 3  # of a split


def act(given: Any) -> int:
    """Measure, or plan, as the arguments say."""
    if given.measure is not None:
        return _measure(given.measure, given.ranks)
    lacking = [n for n in ("model", "ranks", "network") if getattr(given, n) is None]
    if lacking:
        raise ArgumentError(
            f"a plan needs {' and '.join(lacking)}",
            cure="twinoar plan model --ranks 4096 --network 25us,25Gbit/s",
        )
    rows = _rows(given)
    shown = rows if given.all else rows[:SHOWN]
    if given.json:
        print(json.dumps([row.as_dict() for row in shown], indent=1))
        return 0
    print(table(shown))
    if len(shown) < len(rows):
        print(f"and {len(rows) - len(shown)} more that take longer: --all")
    how = "a step measured here, scaled" if given.measured else "the roofline of a rank"
    print(f"compute: {how}")
    return 0


def _rows(given: Any) -> list[Row]:
    model, inputs = given.model, []
    file, colon, name = model.rpartition(":")
    if colon and file.endswith(".py"):
        compat.install()
        model = named_in(Path(file), name)
        inputs = [_declared(Spec.parse(text)) for text in given.inputs]
    return plan(
        model,
        given.ranks,
        given.network,
        8 * given.ranks if given.batch is None else given.batch,
        inputs,
        [_split(text) for text in given.splits] or None,
        given.optimizer,
        sizes=dict(_size(text) for text in given.size),
        microbatches=given.microbatches,
        bucket_bytes=int(given.buckets * MEBIBYTE),
        speeds=None if given.speeds is None else Speeds.parse(given.speeds),
        measured=given.measured,
    )


def _declared(spec: Spec) -> InputSpec:
    shape = [None if isinstance(n, SymbolicDim) else int(n) for n in spec.shape]
    return InputSpec(shape, spec.dtype.name)


def _size(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if not name or not number.isdigit():
        raise ArgumentError(f"--size {text}: expected NAME=NUMBER")
    return name, int(number)


def _split(text: str) -> Split:
    """The split that "8x2x1:3" says.

    >>> _split("8x2:3")
    Split(data=8, tensor=2, pipeline=1, stage=3)
    """
    shape, colon, stage = text.partition(":")
    parts = shape.split("x")
    if not all(p.isdigit() for p in [*parts, *([stage] if colon else [])]) or len(parts) > AXES:
        raise ArgumentError(f"--split {text}: expected DATAxTENSORxPIPELINE, and :STAGE")
    data, tensor, pipeline = [int(p) for p in parts] + [1] * (AXES - len(parts))
    return Split(data, tensor, pipeline, int(stage or 0))


def _measure(file: str, ranks: int | None) -> int:
    """Measure the network of this job, or of one of `ranks` processes that is started for it."""
    if starter() is None:
        command = [sys.executable, "-m", "twinoar", "plan", "--measure", file]
        if ranks is None or ranks < 2:
            raise ArgumentError(
                "one process has no network to measure",
                cure="pass --ranks 2, or start it on all machines: mpirun ... twinoar plan "
                "--measure FILE",
            )
        return run_plan(Plan(ranks, command))
    announce_rank()
    init_parallel_env()
    network = measure_network()
    if current_world().rank == 0:
        network.write(file)
        print(_summary(network.measured))
        print(f"{file} is the network of {current_world().size} ranks")
    return 0


def _summary(measured: Any) -> str:
    """What collectives of all ranks take, by bytes."""
    kinds = sorted(measured)
    count = max(max(points) for points in measured.values())
    sizes: Sequence[float] = [n for n, _ in measured[kinds[0]][count]]
    lines = [f"{'us':>10} " + " ".join(f"{kind:>14}" for kind in kinds)]
    for k, size in enumerate(sizes):
        times = (measured[kind][count][k][1] * 1e6 for kind in kinds)
        lines.append(f"{int(size):>10} " + " ".join(f"{t:14.1f}" for t in times))
    return "\n".join(lines)
