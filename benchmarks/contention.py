"""What a step costs when other processes keep the same cores busy, beside the same step alone.

As many spinning processes as threads; in proportion is then about twice the time alone.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from training import add_interpreters, chosen, commands
from turns import THREADS, Peer, started
from works import WORKS, write

SPINNING = "while True: pass"
PEERS = ("twinoar eager", "twinoar train_step", "torch eager", "torch compile")


@contextmanager
def busy_cores() -> Iterator[None]:
    """Other processes take all the time they get, one for each thread of a peer."""
    spinning = [subprocess.Popen([sys.executable, "-c", SPINNING]) for _ in range(THREADS)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def medians(peer: Peer, work: str, blocks: int, seconds: float) -> tuple[float, float]:
    """The median seconds per call alone and in contention, in turns."""
    peer.block(work, seconds)
    alone, contended = [], []
    for _ in range(blocks):
        alone.append(peer.block(work, seconds))
        with busy_cores():
            contended.append(peer.block(work, seconds))
    return statistics.median(alone), statistics.median(contended)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_interpreters(parser)
    parser.add_argument("--work", choices=list(WORKS), default="mlp")
    parser.add_argument("--peers", help=f"names or patterns, with commas; else {', '.join(PEERS)}")
    parser.add_argument("--blocks", type=int, default=5, help="blocks of each kind per peer")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a block")
    given = parser.parse_args()
    # On a machine with more cores the kernel would put the spinning processes elsewhere.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])
    with tempfile.TemporaryDirectory() as folder:
        write(given.work, Path(folder))
        found = commands(given, Path(folder))
        usual = [name for name in PEERS if name in found]
        names = chosen(list(found), given.peers) if given.peers else usual
        print(f"{given.work}, {THREADS} threads, {THREADS} spinning processes on the same cores\n")
        print("| milliseconds | alone | in contention | ratio |\n|---|---:|---:|---:|")
        with started([found[name] for name in names]) as peers:
            for peer in (peer for peer in peers if given.work in peer.works):
                alone, contended = medians(peer, given.work, given.blocks, given.seconds)
                ratio = contended / alone
                cells = f"{alone * 1e3:.3g} | {contended * 1e3:.3g} | {ratio:.2f}"
                print(f"| {peer.name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
