"""What wide & deep learns in each way of training with parameter servers, over several seeds.

    python -m tests.distributed.ps.areas --seeds 5

Jobs of two servers and two workers run `examples/wide_deep.py`. Prints for each way the mean area
under the curve, its deviation over the seeds, and the mean difference from one process of the same
seed with the error of that mean; ends with 1 where a difference is above 0.002. A way that ends in
"killed" has a server killed on the way, which is started again from its snapshot.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

EXAMPLE = Path(__file__).parents[3] / "examples" / "wide_deep.py"
ALLOWED = 0.002
SECONDS = 1800
ONE = "one process"


@dataclass(frozen=True)
class Way:
    """mode: how workers go on; "" for one process. is_killed: whether a server is."""

    mode: str
    is_killed: bool = False


WAYS = {
    ONE: Way(""),
    "in step": Way("sync"),
    "in step, killed": Way("sync", True),
    "each by itself": Way("async"),
    "each by itself, killed": Way("async", True),
    "geo": Way("geo"),
    "geo, killed": Way("geo", True),
}


@dataclass
class Found:
    """Areas of a way, by seed."""

    areas: dict[int, float] = field(default_factory=dict)

    def told(self, base: Found) -> tuple[str, float]:
        """It as a line, and the mean difference from another way's, of the same seeds."""
        own = np.array(list(self.areas.values()))
        apart = np.array([a - base.areas[s] for s, a in self.areas.items()])
        error = apart.std(ddof=1) / np.sqrt(len(apart)) if len(apart) > 1 else np.nan
        spread = own.std(ddof=1) if len(own) > 1 else np.nan
        text = f"{own.mean():.4f}  {spread:.4f}  {apart.mean():+.4f} +- {error:.4f}"
        return text, float(apart.mean())


def area(way: Way, seed: int, options: list[str]) -> float:
    """The area after one training."""
    script = [str(EXAMPLE), "--seed", str(seed), *options]
    if not way.mode:
        command = [sys.executable, *script]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        return _area_in(done.stdout, done.stderr)
    launch = [sys.executable, "-m", "twinoar", "launch", "--server_num", "2", "--worker_num", "2"]
    with tempfile.TemporaryDirectory() as folder:
        kept = ["--snapshots", folder, "--snapshot_steps", "5"] if way.is_killed else []
        job = subprocess.Popen(
            [*launch, *kept, *script, "--mode", way.mode],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        try:
            if way.is_killed:
                _kill_a_server(job, Path(folder) / "server-0-of-2.npz")
            out, told = job.communicate(timeout=SECONDS)
        finally:
            job.kill()
    if way.is_killed and "it is started again" not in told:
        raise SystemExit(f"no server was killed: {told}")
    return _area_in(out, told)


def _kill_a_server(job: subprocess.Popen[str], snapshot: Path) -> None:
    """Once it has saved some steps; the launcher starts the servers first."""
    end, written = time.monotonic() + SECONDS, set[int]()
    while len(written) < 3 and job.poll() is None and time.monotonic() < end:
        if snapshot.exists():
            written.add(snapshot.stat().st_mtime_ns)
        time.sleep(0.005)
    children = Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGKILL)


def _area_in(out: str, told: str) -> float:
    lines = [line for line in out.splitlines() if line.startswith("{")]
    if not lines:
        raise SystemExit(f"the job has printed no area: {out}{told}")
    return float(json.loads(lines[-1])["auc"])


def main() -> None:
    """Read the arguments, train, and tell."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--way", choices=WAYS, action="append")
    options.add_argument("--lines", type=int, default=40_000)
    options.add_argument("--epochs", type=int, default=1)
    options.add_argument("--batch", type=int, default=512)
    given = options.parse_args()
    more = ["--lines", str(given.lines), "--epochs", str(given.epochs)]
    more += ["--batch", str(given.batch), "--tests", "100000"]
    found = {ONE: Found(), **{title: Found() for title in given.way or WAYS}}
    for seed in range(given.seeds):
        for title, kept in found.items():
            kept.areas[seed] = area(WAYS[title], seed, more)
            print(f"seed {seed} {title:<24} {kept.areas[seed]:.4f}", flush=True)
    is_right = True
    for title, kept in found.items():
        text, apart = kept.told(found[ONE])
        is_right &= abs(apart) <= ALLOWED
        print(f"{title:<24} {text}", flush=True)
    if not is_right:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
