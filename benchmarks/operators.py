"""Operators on large arrays, eager and compiled, beside torch and the real Paddle in the same run.

The last column is the time of the slower of our two ways over that of the faster peer.
`--processor` takes the processor's time and the least of the blocks: what others do on the machine
counts less.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from fnmatch import fnmatch
from pathlib import Path

from operator_works import WORKS
from turns import PeerError, medians, started

PEER = Path(__file__).parent / "operator_peer.py"
OURS = ("twinoar", "twinoar compiled")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch", type=Path, help="interpreter that has torch")
    parser.add_argument("--paddle", type=Path, help="interpreter that has the real Paddle")
    parser.add_argument("--blocks", type=int, default=5, help="blocks per peer after a warm-up")
    parser.add_argument("--seconds", type=float, default=0.1, help="length of a block")
    parser.add_argument("--threads", type=int, default=1, help="threads of each peer")
    parser.add_argument("--works", default="*", help="a pattern of names")
    parser.add_argument("--processor", action="store_true", help="least processor time")
    given = parser.parse_args()
    clock = ["processor"] if given.processor else []
    typical = min if given.processor else statistics.median
    found = {name: [sys.executable, PEER, name, *clock] for name in OURS}
    for name, python in (("torch", given.torch), ("paddle", given.paddle)):
        if python:
            found[name] = [python, PEER, name, *clock]
    print(f"| milliseconds, threads: {given.threads} | {' | '.join(found)} | ratio |")
    print("|---|" + "---:|" * (len(found) + 1))
    ratios = []
    with started(list(found.values()), given.threads) as peers:
        for work in (name for name in WORKS if fnmatch(name, given.works)):
            seconds: dict[str, float] = {}
            able = [p for p in peers if work in p.works and _can(p, work)]
            seconds = medians(able, work, given.blocks, given.seconds, typical=typical)
            ratio = _ratio(seconds)
            if ratio is not None:
                ratios.append(ratio)
            cells = [f"{seconds[n] * 1e3:.3f}" if n in seconds else "-" for n in found]
            shown = "-" if ratio is None else f"{ratio:.2f}"
            print(f"| {work} | {' | '.join(cells)} | {shown} |", flush=True)
    if ratios:
        ahead, slow = (sum(map(test, ratios)) for test in (lambda r: r < 1, lambda r: r > 1.5))
        print(f"\nahead of both: {ahead} of {len(ratios)}; more than 1.5 times the faster: {slow}")


def _can(peer: object, work: str) -> bool:
    """True unless the peer fails at it, which is told on standard error."""
    try:
        peer.block(work, 0.0)
    except PeerError as error:
        print(error, file=sys.stderr)
        return False
    return True


def _ratio(seconds: dict[str, float]) -> float | None:
    ours = [seconds[name] for name in OURS if name in seconds]
    theirs = [found for name, found in seconds.items() if name not in OURS]
    return max(ours) / min(theirs) if ours and theirs else None


if __name__ == "__main__":
    main()
