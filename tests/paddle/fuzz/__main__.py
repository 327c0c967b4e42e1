"""`python -m tests.paddle.fuzz --seed 7 --count 500`: compares cases.

The seed says where the numbers of the cases begin; one case alone is `--case NUMBER`. The variable
PADDLE_3_PYTHON names the interpreter of Paddle 3.3.1, which `make test-paddle` makes.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from pathlib import Path

import numpy as np

from tests.paddle.fuzz import judge
from tests.paddle.fuzz.cases import case
from tests.paddle.fuzz.compare import Tally, findings, smallest
from tests.paddle.fuzz.real import RealPaddle

PER_SEED = 1_000_000
SHOWN = (judge.SILENT, judge.CRASH)


def main() -> int:
    """Run the cases; the status is 1 where something differs silently."""
    parser = argparse.ArgumentParser(prog="python -m tests.paddle.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--start", type=int, default=0, help="leave out so many cases")
    parser.add_argument("--case", type=int, action="append", help="the number of one case")
    parser.add_argument("--refused", action="store_true", help="show what only one refuses, too")
    parser.add_argument("--whole", action="store_true", help="do not look for smaller calls")
    given = parser.parse_args()
    shown = (*SHOWN, judge.ONLY_HERE, judge.ONLY_THERE) if given.refused else SHOWN
    begin = given.seed * PER_SEED
    numbers = given.case or range(begin + given.start, begin + given.count)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    tally = Tally()
    python = os.environ.get("PADDLE_3_PYTHON", ".venv-paddle-3.3.1/bin/python")
    with RealPaddle(Path(python).absolute()) as real:
        for finding in findings(map(case, numbers), real):
            tally.add(finding)
            if finding.verdict in shown:
                whole = given.whole or finding.verdict != judge.SILENT
                print(finding if whole else smallest(finding, real), flush=True)
    print("\n".join(tally.lines()))
    return int(any(verdict == judge.SILENT for _, verdict in tally.verdicts))


if __name__ == "__main__":
    sys.exit(main())
