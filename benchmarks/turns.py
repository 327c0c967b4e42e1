"""Peers measured in turns: one process each, block after block, A B C A B C.

The two ends speak JSON, one object a line. `serve` is the end in a peer's process and uses nothing
but the standard library; `Peer` is the end that asks.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

THREADS = 2
WARM_UP_BLOCKS = 1
# What the frameworks' thread pools ask for their size; XLA asks for NPROC.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NPROC")

Work = Callable[[], Any]
Clock = Callable[[], float]
CLOCKS: dict[str, Clock] = {"wall": time.perf_counter, "processor": time.process_time}
NOTHING: Mapping[str, str] = {}


class PeerError(RuntimeError):
    """A peer could not do a work; the message is its own."""


def serve(
    name: str,
    works: Mapping[str, Callable[[], Work]],
    number: Callable[[Any], float] = float,
    check: Callable[[str], None] = lambda name: None,
    clock: Clock | None = None,
) -> None:
    """Say who this is and which works it offers, then do what each line of standard input asks.

    works: by name, what makes the work, called when the work is first asked for. number: of what a
    work returns, for those who check it. check: called with the name of a work that has given such
    numbers; it raises for one that shall not be timed. clock: what blocks are timed by, without one
    the clock that BENCHMARK_CLOCK names: "processor", or that on the wall.
    """
    if clock is None:
        clock = CLOCKS[os.environ.get("BENCHMARK_CLOCK", "wall")]
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    sys.stdout = sys.stderr  # what a framework prints does not disturb the answers
    print(json.dumps({"name": name, "works": list(works)}), file=answers, flush=True)
    made: dict[str, Work] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if asked["work"] not in made:
                made[asked["work"]] = works[asked["work"]]()
            answer = _answer_to(asked, made[asked["work"]], number, clock)
            if "calls" in asked:
                check(asked["work"])
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def _answer_to(asked: dict, work: Work, number: Callable[[Any], float], clock: Clock) -> dict:
    if "calls" in asked:
        return {"results": [number(work()) for _ in range(asked["calls"])]}
    return {"seconds_per_call": seconds_per_call(work, asked["seconds"], clock)}


def seconds_per_call(work: Work, seconds: float, clock: Clock = time.perf_counter) -> float:
    """The mean over as many calls as fit in about `seconds`."""
    calls = 1
    while True:
        begin = clock()
        for _ in range(calls):
            work()
        elapsed = clock() - begin
        if elapsed >= seconds / 2:
            return elapsed / calls
        calls = max(calls + 1, min(calls * 10, int(calls * seconds / max(elapsed, 1e-9))))


@dataclass(frozen=True, slots=True)
class Peer:
    """A running process that answers."""

    name: str
    works: tuple[str, ...]
    process: subprocess.Popen[str]

    @classmethod
    def start(
        cls,
        command: Sequence[str | Path],
        threads: int = THREADS,
        variables: Mapping[str, str] = NOTHING,
    ) -> Peer:
        """Start `command` with so many threads and wait until it says its name.

        variables: of its environment, beside ours.
        """
        process = subprocess.Popen(
            command,
            env={**os.environ, **variables, **dict.fromkeys(THREAD_VARIABLES, str(threads))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        hello = _answer(process)
        return cls(hello["name"], tuple(hello["works"]), process)

    def block(self, work: str, seconds: float) -> float:
        """Seconds per call of `work`, over a block of about `seconds`."""
        return self.ask(work=work, seconds=seconds)["seconds_per_call"]

    def results(self, work: str, calls: int) -> list[float]:
        """The numbers that so many calls of `work` give."""
        return self.ask(work=work, calls=calls)["results"]

    def stop(self) -> None:
        self.process.stdin.close()
        self.process.wait()

    def ask(self, **question: Any) -> dict:
        """What the process answers to one question. Raises PeerError."""
        print(json.dumps(question), file=self.process.stdin, flush=True)
        answer = _answer(self.process)
        if "error" in answer:
            raise PeerError(f"{self.name}: {answer['error']}")
        return answer


@contextmanager
def started(
    commands: Sequence[Sequence[str | Path]],
    threads: int = THREADS,
    variables: Mapping[str, str] = NOTHING,
) -> Iterator[list[Peer]]:
    """The peers that `commands` start, stopped in the end."""
    peers: list[Peer] = []
    try:
        for command in commands:
            peers.append(Peer.start(command, threads, variables))
        yield peers
    finally:
        for peer in peers:
            peer.stop()


def medians(
    peers: Sequence[Peer],
    work: str,
    blocks: int,
    seconds: float,
    *,
    typical: Callable[[Iterable[float]], float] = statistics.median,
) -> dict[str, float]:
    """The median seconds per call of `work` by peer, with the peers taking turns.

    typical: what stands for all blocks in its place, such as `min`.
    """
    found = in_turns(peers, work, blocks, seconds)
    return {name: typical(times) for name, times in found.items()}


def in_turns(
    peers: Sequence[Peer], work: str, blocks: int, seconds: float
) -> dict[str, list[float]]:
    """The seconds per call of `work` in each block, by peer, after a warm-up."""
    turns = [
        {peer.name: peer.block(work, seconds) for peer in peers}
        for _ in range(WARM_UP_BLOCKS + blocks)
    ][WARM_UP_BLOCKS:]
    return {peer.name: [turn[peer.name] for turn in turns] for peer in peers}


def measure(
    commands: Sequence[Sequence[str | Path]], works: Sequence[str], blocks: int, seconds: float
) -> dict[str, dict[str, float]]:
    """The median seconds per call for each work and peer."""
    with started(commands) as peers:
        return {work: medians(peers, work, blocks, seconds) for work in works}


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
