"""Peers measured in turns: one process each, block after block, A B C A B C.

The two ends speak JSON, one object a line. `serve` is the end in a peer's process and uses nothing
but the standard library; `measure` is the end that asks.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

THREADS = 2
WARM_UP_BLOCKS = 1


def serve(name: str, works: Mapping[str, Callable[[], object]]) -> None:
    """Say who this is, then time the work that each line of standard input asks for."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    sys.stdout = sys.stderr  # what a framework prints does not disturb the answers
    print(json.dumps({"name": name}), file=answers, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        seconds = seconds_per_call(works[asked["work"]], asked["seconds"])
        print(json.dumps({"seconds_per_call": seconds}), file=answers, flush=True)


def seconds_per_call(work: Callable[[], object], seconds: float) -> float:
    """The mean over as many calls as fit in about `seconds`."""
    calls = 1
    while True:
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        elapsed = time.perf_counter() - begin
        if elapsed >= seconds / 2:
            return elapsed / calls
        calls = max(calls + 1, min(calls * 10, int(calls * seconds / max(elapsed, 1e-9))))


@dataclass(frozen=True, slots=True)
class Peer:
    """A running process that answers."""

    name: str
    process: subprocess.Popen[str]

    @classmethod
    def start(cls, command: Sequence[str]) -> Peer:
        """Start `command` with two threads and wait until it says its name."""
        threads = {f"{library}_NUM_THREADS": str(THREADS) for library in ("OMP", "OPENBLAS", "MKL")}
        process = subprocess.Popen(
            command,
            env={**os.environ, **threads},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        return cls(_answer(process)["name"], process)

    def block(self, work: str, seconds: float) -> float:
        """Seconds per call of `work`, over a block of about `seconds`."""
        print(json.dumps({"work": work, "seconds": seconds}), file=self.process.stdin, flush=True)
        return _answer(self.process)["seconds_per_call"]

    def stop(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def measure(
    commands: Sequence[Sequence[str]], works: Sequence[str], blocks: int, seconds: float
) -> dict[str, dict[str, float]]:
    """The median seconds per call for each work and peer, with the peers taking turns."""
    peers = [Peer.start(command) for command in commands]
    try:
        medians = {}
        for work in works:
            turns = [
                {peer.name: peer.block(work, seconds) for peer in peers}
                for _ in range(WARM_UP_BLOCKS + blocks)
            ][WARM_UP_BLOCKS:]
            medians[work] = {
                peer.name: statistics.median(turn[peer.name] for turn in turns) for peer in peers
            }
        return medians
    finally:
        for peer in peers:
            peer.stop()


def table(medians: Mapping[str, Mapping[str, float]], reference: str) -> str:
    """Microseconds per call by work and peer, each with its ratio to the peer `reference`."""
    rows = [["microseconds per call", *next(iter(medians.values()))]]
    for work, by_peer in medians.items():
        base = by_peer.get(reference)
        cells = [
            f"{seconds * 1e6:.2f}" + (f" ({seconds / base:.2f}x)" if base else "")
            for seconds in by_peer.values()
        ]
        rows.append([work, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if number == 0 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def _answer(process: subprocess.Popen[str]) -> dict:
    line = process.stdout.readline()
    if not line:
        command = " ".join(map(str, process.args))
        raise RuntimeError(f"{command} ended with {process.wait()}; run it alone to see why")
    return json.loads(line)
