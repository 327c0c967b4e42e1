"""Ranks that are killed while they train: how long it takes until all others have ended.

    python -m tests.distributed.deaths --moments 20 --ranks 3 --seed 1

starts so many jobs, kills a random rank of each at a random moment, from its start on, and tells of
each how long the others lived and whether the rank was named. Exits with 1 if one was not, or lived
longer than two seconds.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

LONGEST_SECONDS = 2.0
PATIENCE_SECONDS = 90


def train(folder: Path) -> None:
    """What a rank of such a job does: it trains in compiled steps, until it is killed."""
    rank = os.environ["PADDLE_TRAINER_ID"]
    (folder / f"{rank}.begun").write_text(str(os.getpid()))
    import twinoar as paddle
    import twinoar.distributed as dist

    dist.init_parallel_env()
    net = paddle.nn.Sequential(
        paddle.nn.Linear(64, 300), paddle.nn.GELU(), paddle.nn.Linear(300, 64)
    )
    model = paddle.DataParallel(net)
    adam = paddle.optimizer.Adam(1e-3, parameters=model.parameters())

    @paddle.jit.to_static
    def step(x):
        loss = model(x).square().mean()
        loss.backward()
        adam.step()
        adam.clear_grad()
        return loss

    x = paddle.ones([8, 64])
    for number in range(1_000_000):
        step(x)
        if number == 2:
            (folder / f"{rank}.trains").touch()


def killed(ranks: int, rank: int, after: str, seconds: float) -> tuple[float, str]:
    """Kill a rank so many seconds after all have "begun", or do what they do.

    Returns how long the others lived, in seconds, and what the launcher said.
    """
    with TemporaryDirectory() as text:
        folder = Path(text)
        launch = [sys.executable, "-m", "twinoar.distributed.launch"]
        command = [*launch, "--nproc_per_node", str(ranks)]
        job = subprocess.Popen(
            [*command, __file__, "train", text],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not all((folder / f"{r}.{after}").exists() for r in range(ranks)):
            if job.poll() is not None or time.monotonic() > deadline:
                job.terminate()
                return float("inf"), f"the job has not begun: {job.communicate()[1]}"
            time.sleep(0.02)
        time.sleep(seconds)
        os.kill(int((folder / f"{rank}.begun").read_text()), 9)
        begun = time.monotonic()
        try:
            said = job.communicate(timeout=PATIENCE_SECONDS)[1]
        except subprocess.TimeoutExpired:
            job.terminate()
            return float("inf"), job.communicate()[1]
        return time.monotonic() - begun, said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=20)
    parser.add_argument("--ranks", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    draw, wrong = random.Random(given.seed), 0
    for moment in range(given.moments):
        rank, seconds = draw.randrange(given.ranks), draw.uniform(0, 2)
        lived, said = killed(given.ranks, rank, draw.choice(["begun", "trains"]), seconds)
        is_right = lived < LONGEST_SECONDS and f"rank {rank}" in said
        wrong += not is_right
        print(f"{moment}: rank {rank} after {seconds:.2f} s: {lived:.2f} s", flush=True)
        if not is_right:
            print(said)
    print(f"{given.moments - wrong} of {given.moments} were named within {LONGEST_SECONDS} s")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["train"]:
        train(Path(sys.argv[2]))
    else:
        main()
