"""Steps of data-parallel training on two ranks of one thread each, beside torch's DDP on gloo.

    python benchmarks/data_parallel.py --torch PYTHON [--works enc r18] [--blocks 5]

Each framework is a job of two processes on this machine, and the jobs take turns. They begin with
the same weights, each rank with its own batch; the losses of first steps are compared on rank 0.
`--latency`, within a job of two processes, measures an all_reduce of 4 B in a compiled step beside
MPI's own: twinoar launch --nproc_per_node 2 benchmarks/data_parallel.py --latency
"""

from __future__ import annotations

import argparse
import functools
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from turns import Work, medians, serve, started, table
from works import WORKS, mean, read, write

HERE = Path(__file__).parent
RANKS = 2
CHECKED_STEPS = 3
TOLERANCE = 2e-3  # of three steps in another order of additions
OURS, PEER = "twinoar", "torch DDP"
MANY, TURNS = 20, 7  # all_reduces in a step, and turns that steps take


def batch_of(name: str, folder: Path, rank: int) -> tuple[Any, Any, Any]:
    """The batch of a rank, which is that of the work turned round for the second, and weights."""
    x, labels, weights = read(name, folder)
    return (x, labels, weights) if rank == 0 else (x[::-1].copy(), labels[::-1].copy(), weights)


def ours(folder: Path, names: list[str]) -> None:
    """One rank of a job of twinoar."""
    import works_paddle

    import twinoar as paddle
    import twinoar.distributed as dist

    dist.init_parallel_env()

    def make(name: str) -> Work:
        work = WORKS[name]
        x, labels, weights = batch_of(name, folder, dist.get_rank())
        model = works_paddle.models(paddle)[work.model]()
        model.set_state_dict(weights)
        model = paddle.DataParallel(model)
        rule = works_paddle.optimizer_of(paddle, model, work)
        cast = works_paddle.autocast_of(paddle, work)
        step = works_paddle.train_step(paddle, model, rule, cast)
        run = paddle.jit.to_static(step, full_graph=True)
        return functools.partial(run, paddle.to_tensor(x), paddle.to_tensor(labels))

    take_part(OURS, names, make, dist.get_rank())


def torchs(folder: Path, names: list[str]) -> None:
    """One rank of a job of torch."""
    import torch
    import works_torch
    from torch.nn.parallel import DistributedDataParallel

    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo")
    rank = torch.distributed.get_rank()
    mode = os.environ.get("TORCH_MODE", "eager")

    def make(name: str) -> Work:
        work = WORKS[name]
        array, label_array, weights = batch_of(name, folder, rank)
        model = works_torch.MODELS[work.model]()
        state = works_torch.state_of(weights)
        counts = {k: v for k, v in model.state_dict().items() if k.endswith("num_batches_tracked")}
        model.load_state_dict(state | counts)
        autocast = functools.partial(torch.autocast, "cpu", torch.bfloat16, enabled=False)
        wraps = functools.partial(torch.compile, dynamic=False)
        compiled = wraps if mode == "compile" else works_torch.as_it_is
        x, labels = torch.from_numpy(array), torch.from_numpy(label_array)
        parallel = DistributedDataParallel(model)
        return works_torch.train_step(parallel, work.optimizer, compiled, autocast, x, labels)

    take_part(f"{PEER} {mode}", names, make, rank)


def take_part(name: str, names: list[str], make: Any, rank: int) -> None:
    """Rank 0 answers; the others make the same steps, which wait for it, until the job ends.

    A job has one work, so that all ranks are at the same.
    """
    if rank == 0:
        serve(name, {n: functools.partial(make, n) for n in names}, mean)
    work = make(names[0])
    while True:
        work()


def commands(given: argparse.Namespace, folder: Path, name: str) -> list[list[str | Path]]:
    """What starts the job of each framework."""
    script = Path(__file__)
    launch = [sys.executable, "-m", "twinoar.distributed.launch", "--nproc_per_node", str(RANKS)]
    found: list[list[str | Path]] = [[*launch, script, "ours", folder, name]]
    for mode in given.modes if given.torch else ():
        found.append([sys.executable, script, "start", folder, name, mode, given.torch])
    return found


def start_torch(folder: str, name: str, mode: str, python: str) -> None:
    """The two processes of a job of torch; this one stands for the first."""
    port = str(20_000 + os.getpid() % 20_000)
    common = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": str(RANKS)}
    more = {**os.environ, **common, "TORCH_MODE": mode, "OMP_NUM_THREADS": "1"}
    command = [python, __file__, "torchs", folder, name]
    second = subprocess.Popen(command, env={**more, "RANK": "1"}, stdin=subprocess.DEVNULL)
    first = subprocess.Popen(command, env={**more, "RANK": "0"})
    signal.signal(signal.SIGTERM, lambda number, frame: (first.kill(), second.kill()))
    first.wait()
    second.kill()


def latency() -> None:
    """What an all_reduce of 4 B adds to a compiled step, and what MPI's own adds behind one.

    A rank that is late lets both wait, so steps are compared with steps. That of many all_reduces
    tells what one takes where ranks go in step already.
    """
    from mpi4py import MPI

    import twinoar as paddle
    import twinoar.distributed as dist

    dist.init_parallel_env()
    x, comm = paddle.ones([1]), MPI.COMM_WORLD.Dup()
    buffers = [np.ones(1, np.float32), MPI.FLOAT], [np.ones(1, np.float32), MPI.FLOAT]

    def reduced(x: Any) -> Any:
        y = x * 2
        dist.all_reduce(y)
        return y + 1

    def reduced_often(x: Any) -> Any:
        y = x * 2
        for _ in range(MANY):
            dist.all_reduce(y)
            y = y * 0.5
        return y + 1

    alone = functools.partial(paddle.jit.to_static(lambda x: x * 2 + 1), x)
    bare = functools.partial(comm.Allreduce, *buffers)

    def followed() -> None:
        alone()
        bare()

    calls = {
        "step": alone,
        "step, then MPI_Allreduce": followed,
        "step with all_reduce": functools.partial(paddle.jit.to_static(reduced), x),
        f"step with {MANY}": functools.partial(paddle.jit.to_static(reduced_often), x),
        "MPI_Allreduce": bare,
    }
    found = _timed_in_turns(calls)
    if dist.get_rank() == 0:
        for name, (best, middle) in found.items():
            print(f"{name:26} best {best:6.2f} us, median {middle:6.2f} us")
        _, mpi, ours, many, _ = found.values()
        for k, what in enumerate(("best", "median")):
            each = (many[k] - ours[k]) / (MANY - 1)
            print(f"over MPI's own, {what}: {ours[k] - mpi[k]:.2f} us; each more {each:.2f} us")


def _timed_in_turns(calls: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """The best time of each call in us, and its median in the best of some turns."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for _ in range(TURNS):
        for name, call in calls.items():
            spent = []
            for _ in range(2000):
                begun = time.perf_counter()
                call()
                spent.append(time.perf_counter() - begun)
            found[name].append((min(spent) * 1e6, sorted(spent)[len(spent) // 2] * 1e6))
    return {name: (min(x[0] for x in f), min(x[1] for x in f)) for name, f in found.items()}


def compare(given: argparse.Namespace) -> None:
    """The seconds of a step by work and framework."""
    found = {}
    for name in given.works:
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text)
            write(name, folder)
            with started(commands(given, folder, name), 1) as peers:
                losses = {peer.name: peer.results(name, CHECKED_STEPS) for peer in peers}
                print(f"{name}: losses {losses}")
                first = losses[OURS]
                for other in losses.values():
                    if not np.allclose(other, first, rtol=TOLERANCE):
                        sys.exit(f"{name}: the losses of the first steps differ")
                found[name] = medians(peers, name, given.blocks, given.seconds, typical=min)
                for peer in peers:  # the other ranks wait for a step that does not come
                    peer.process.terminate()
    print(table(found, OURS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--torch", type=Path, help="interpreter that has torch")
    parser.add_argument("--modes", nargs="+", default=["eager"], choices=("eager", "compile"))
    parser.add_argument("--works", nargs="+", default=["enc", "r18"])
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    compare(parser.parse_args())


if __name__ == "__main__":
    if sys.argv[1:2] == ["ours"]:
        ours(Path(sys.argv[2]), sys.argv[3:])
    elif sys.argv[1:2] == ["torchs"]:
        torchs(Path(sys.argv[2]), sys.argv[3:])
    elif sys.argv[1:2] == ["start"]:
        start_torch(*sys.argv[2:6])
    elif sys.argv[1:2] == ["--latency"]:
        latency()
    else:
        main()
