"""Steps that ranks on a slow network take, beside those that a plan predicts.

    .venv/bin/python benchmarks/planning.py --ranks 2 --latency-ms 1 --gbit 1

Ranks are processes in network namespaces, which root can make. They measure the network once; a
plan made of that file, and of steps in one process, is held against steps that they then take. It
says why it is skipped where namespaces are not allowed. What else the machine does makes all of it
slower, and relaying most: let it be idle.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import twinoar as paddle
import twinoar.distributed as dist
from benchmarks.namespaces import NotAllowed, cluster
from twinoar import config, nn
from twinoar.distributed.planning import Network, Split, measure_network, plan, step_of
from twinoar.distributed.planning.running import seconds_of_step
from twinoar.static import InputSpec

WIDTH, BATCH, STEPS, RUNS = 384, 256, 3, 8
ALLOWED = 0.2  # of the measured step
SECONDS = 400
BUCKET_BYTES = 25 << 20
CASES: dict[str, tuple[int, Split]] = {
    "data": (2, Split(2)),
    "DataParallel": (2, Split(2)),
    "sharded 1": (2, Split(2, stage=1)),
    "tensor": (2, Split(1, 2)),
    "data of 4": (4, Split(4)),
    "data + tensor": (4, Split(2, 2)),
}


def perceptron() -> Any:
    """A network that begins alike on all ranks."""
    numbers = np.random.default_rng(0)
    made = nn.Sequential(
        nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Linear(2 * WIDTH, WIDTH),
        nn.GELU(), nn.Linear(WIDTH, 16),
    )  # fmt: skip
    for p in made.parameters():
        p.set_value((numbers.standard_normal(p.shape) * 0.05).astype("float32"))
    return made


def loss_of(network: Any) -> Callable[..., Any]:
    """What is trained."""
    return lambda x, y: nn.functional.cross_entropy(network(x), y)


def step_on(case: str) -> Callable[[], Any]:
    """A step of a case, on this rank."""
    split = CASES[case][1]
    network = perceptron()
    adam = paddle.optimizer.Adam(1e-3, parameters=network.parameters())
    numbers = np.random.default_rng(1)
    x = numbers.standard_normal((BATCH, WIDTH)).astype("float32")
    y = numbers.integers(0, 16, BATCH)
    if case == "DataParallel":
        network = paddle.DataParallel(network)
        rows = slice(dist.get_rank() * BATCH // 2, (dist.get_rank() + 1) * BATCH // 2)
        x, y = (paddle.to_tensor(v[rows]) for v in (x, y))
    else:
        x, y = _laid(network, adam, split, x, y)

    @paddle.jit.to_static
    def step(x: Any, y: Any) -> Any:
        loss = loss_of(network)(x, y)
        loss.backward()
        adam.step()
        adam.clear_grad()
        return loss

    return lambda: step(x, y)


def _laid(network: Any, adam: Any, split: Split, x: Any, y: Any) -> tuple[Any, Any]:
    ranks = np.arange(split.ranks).reshape(split.data, split.tensor)
    mesh = dist.ProcessMesh(ranks, dim_names=["dp", "mp"])
    cut = {"0": dist.ColWiseParallel(), "2": dist.RowWiseParallel(), "4": dist.ColWiseParallel()}
    plans = {"mp_config": {"parallelize_plan": cut}} if split.tensor > 1 else {}
    dist.parallelize(network, adam, mesh, {**plans, "dp_config": {"sharding_level": split.stage}})
    lying = [dist.Shard(0), dist.Replicate()]
    return dist.shard_tensor(x, mesh, lying), dist.shard_tensor(y, mesh, lying)


def rank(folder: Path) -> None:
    """Measure the network, and then steps."""
    dist.init_parallel_env()
    network = measure_network()
    file = folder / "network.json"
    if dist.get_rank() == 0:
        network.write(file)
    dist.barrier()
    share = step_of(loss_of(perceptron()), inputs(), BATCH // dist.get_world_size())
    alone: list[float] = []
    dist.all_gather_object(alone, seconds_of_step(share))  # all at once, as in a step
    found = {"alone": max(alone)}
    with config.override(network=str(file)):
        for case, (count, _) in CASES.items():
            if count == dist.get_world_size():
                found[case] = _measured(step_on(case))
    if dist.get_rank() == 0:
        (folder / "steps.json").write_text(json.dumps(found))


def _measured(step: Callable[[], Any]) -> float:
    """The seconds of a step of the slowest rank, in the quickest of a few runs."""
    for _ in range(3):
        step()
    times = []
    for _ in range(RUNS):
        dist.barrier()
        began = time.perf_counter()
        for _ in range(STEPS):
            step()
        dist.barrier()
        times.append((time.perf_counter() - began) / STEPS)
    gathered: list[float] = []
    dist.all_gather_object(gathered, statistics.median(times))
    return max(gathered)


def inputs() -> list[InputSpec]:
    """What the network reads, of any number of samples."""
    return [InputSpec([None, WIDTH], "float32"), InputSpec([None], "int64")]


def predicted(case: str, network: Network, alone: float) -> Any:
    """The plan of a case. alone: seconds of a step of one rank's share, without the others."""
    split = CASES[case][1]
    bucket = BUCKET_BYTES if case == "DataParallel" else 0
    return plan(
        loss_of(perceptron()), split.ranks, network, BATCH, inputs(), [split],
        bucket_bytes=bucket, step_seconds=alone,
    )[0]  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ranks", type=int, default=2, choices=(2, 4))
    options.add_argument("--latency-ms", type=float, default=1.0)
    options.add_argument("--gbit", type=float, default=1.0)
    options.add_argument("--rank", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.rank is not None:
        rank(given.rank)
        return
    link = given.latency_ms / 1e3, given.gbit * 1e9 / 8
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, __file__, "--rank", name]
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        os.environ.update(threads)
        try:
            with cluster(given.ranks, *link) as there:
                there.run(command, threads, SECONDS)
                how = there.emulated_by
        except NotAllowed as reason:
            print(f"skipped: {reason}")
            return
        network = Network.read(folder / "network.json")
        measured = json.loads((folder / "steps.json").read_text())
    print(f"{given.ranks} ranks, {given.latency_ms} ms and {given.gbit} Gbit/s by {how}")
    worst, alone = 0.0, measured.pop("alone")
    for case, seconds in measured.items():
        row = predicted(case, network, alone)
        error = row.seconds / seconds - 1
        worst = max(worst, abs(error))
        print(
            f"{case:<16} measured {seconds * 1e3:8.2f} ms, predicted {row.seconds * 1e3:8.2f} ms "
            f"({error:+.0%}): compute {row.compute * 1e3:.2f}, network {row.network * 1e3:.2f} "
            f"in {row.collectives} collectives"
        )
    if worst > ALLOWED:
        raise SystemExit(f"a step differs by {worst:.0%}, expected at most {ALLOWED:.0%}")


if __name__ == "__main__":
    main()
