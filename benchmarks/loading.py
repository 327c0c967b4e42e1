"""How many samples a second a DataLoader gives, beside torch and the real Paddle in the same run.

Small images with transforms, read in the process itself and by two workers: see loading_peer.py. A
peer whose interpreter is not given is left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from loading_peer import SAMPLES, WORKERS
from turns import measure

HERE = Path(__file__).parent


def rates(medians: Mapping[str, Mapping[str, float]]) -> str:
    """A table of samples a second, from seconds for an epoch by work and peer."""
    lines = [f"| samples/s | {' | '.join(medians)} |", f"|---|{'---:|' * len(medians)}"]
    for peer in next(iter(medians.values())):
        shown = " | ".join(f"{SAMPLES / seconds[peer]:,.0f}" for seconds in medians.values())
        lines.append(f"| {peer} | {shown} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch", type=Path, help="interpreter that has torch")
    parser.add_argument("--paddle", type=Path, help="interpreter that has the real Paddle")
    parser.add_argument("--blocks", type=int, default=5, help="blocks per peer after a warm-up")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a block")
    given = parser.parse_args()
    peers = {"twinoar": Path(sys.executable), "torch": given.torch, "paddle": given.paddle}
    commands = [
        [python, HERE / "loading_peer.py", name] for name, python in peers.items() if python
    ]
    works = [f"{n} workers" for n in WORKERS]
    print(rates(measure(commands, works, given.blocks, given.seconds)))


if __name__ == "__main__":
    main()
