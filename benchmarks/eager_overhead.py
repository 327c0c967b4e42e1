"""What one small eager operator costs, beside torch and the real Paddle in the same run.

`add`: x + y of [4, 4] float32 tensors, recorded for autograd. `chain`: 100 of them one after the
other, summed, and the backward pass. A peer whose interpreter is not given is left out.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from turns import THREADS, measure, table

HERE = Path(__file__).parent
WORKS = ("add", "chain")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch", type=Path, help="interpreter that has torch")
    parser.add_argument("--paddle", type=Path, help="interpreter that has the real Paddle")
    parser.add_argument("--blocks", type=int, default=7, help="blocks per peer after a warm-up")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a block")
    given = parser.parse_args()
    commands = [[sys.executable, HERE / "eager_paddle.py", "twinoar"]]
    if given.torch:
        commands.append([given.torch, HERE / "eager_torch.py"])
    if given.paddle:
        commands.append([given.paddle, HERE / "eager_paddle.py", "paddle"])
    medians = measure(commands, WORKS, given.blocks, given.seconds)
    print(
        f"{THREADS} threads, median of {given.blocks} blocks of about {given.seconds} s, in turns"
    )
    print(table(medians, reference="torch"))


if __name__ == "__main__":
    main()
