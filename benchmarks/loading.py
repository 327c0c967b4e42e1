"""How many samples a second a DataLoader gives, beside torch and the real Paddle in the same run.

Small images with transforms, and rows of arrays that need none, read in the process itself and by
two workers: see loading_peer.py. The peers take turns; a rate is that of the median block, and in
brackets that of the quickest. A peer whose interpreter is not given is left out.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from loading_peer import SAMPLES, WORKS
from turns import in_turns, started

HERE = Path(__file__).parent


def rates(found: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """A table of samples a second, from seconds for an epoch in each block, by work and peer."""
    lines = [f"| samples/s | {' | '.join(found)} |", f"|---|{'---:|' * len(found)}"]
    for peer in next(iter(found.values())):
        cells = []
        for seconds in found.values():
            middle, best = (
                SAMPLES / f(seconds[peer]) if seconds.get(peer) else 0.0
                for f in (statistics.median, min)
            )
            cells.append(f"{middle:,.0f} ({best:,.0f})" if middle else "")
        lines.append(f"| {peer} | {' | '.join(cells)} |")
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
    with started(commands) as running:
        print(rates({work: in_turns(running, work, given.blocks, given.seconds) for work in WORKS}))


if __name__ == "__main__":
    main()
