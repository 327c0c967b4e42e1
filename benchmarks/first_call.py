"""The first call of a compiled training step in a fresh process, with what earlier ones have kept.

Processor time, the least of some processes; a later call of the step beside it, which the first one
contains. With `--trees`, folders that hold other versions of `twinoar`, in turns with them: each
keeps its files in a folder of its own. Their works are those of this tree.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from works import WORKS, write

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = "mlp,lenet,enc,r18"


def call(work: str, folder: Path) -> None:
    """In a process of its own: print the seconds of the first call, and of the one after it."""
    from works_paddle import prepared

    import twinoar

    step, arguments = prepared(twinoar, "train_step", folder, work)
    times = [time.process_time()]
    for _ in range(2):
        float(step(*arguments))
        times.append(time.process_time())
    print(json.dumps([times[1] - times[0], times[2] - times[1]]))


def seconds(work: str, folder: Path, tree: Path) -> tuple[float, float]:
    """Those of a fresh process with the twinoar of a tree."""
    kept = folder / f"kept{abs(hash(tree))}"
    kept.mkdir(mode=0o700, exist_ok=True)
    environment = {
        **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPATH": os.pathsep.join((str(tree), str(ROOT / "benchmarks"))),
        "TWINOAR_CACHE_DIR": str(kept),
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, __file__, "--work", work, "--folder", str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, check=True, cwd=folder)
    first, later = json.loads(done.stdout.splitlines()[-1])
    return first, later


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--works", default=DEFAULT, help=f"of {', '.join(WORKS)}")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--trees", nargs="*", type=Path, default=[], help="other versions")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        call(given.work, given.folder)
        return
    trees = [*(tree.resolve() for tree in given.trees), ROOT]
    print(f"| first call, ms, and a later one | {' | '.join(t.name for t in trees)} |")
    print("|---" * (len(trees) + 1) + "|")
    with tempfile.TemporaryDirectory() as name:
        for work in given.works.split(","):
            write(work, Path(name))
            for tree in trees:
                seconds(work, Path(name), tree)  # keeps what is compiled
            turns = [[seconds(work, Path(name), t) for t in trees] for _ in range(given.turns)]
            least = [
                [min(times) for times in zip(*of, strict=True)] for of in zip(*turns, strict=True)
            ]
            shown = [f"{first * 1e3:.0f}, {later * 1e3:.1f}" for first, later in least]
            print(f"| `{work}` | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
