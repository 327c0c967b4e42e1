"""Training steps of ever larger works beside the fastest peer: rows of a batch, layers, positions.

What is measured is added to a record, `docs/growth.json`, and the chart `docs/growth.svg` is drawn
from it: `--draw` alone draws. The figure of a peer is the least of its blocks, in turns. With
`--processor` it is processor time of one thread, which other processes disturb least.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from growth_chart import drawn
from training import add_interpreters, chosen, commands, header, line
from turns import THREADS, PeerError, medians, started
from works import GROWTH, write

DOCS = Path(__file__).parent.parent / "docs"
RECORD, CHART = DOCS / "growth.json", DOCS / "growth.svg"
PEERS = ("twinoar train_step", "torch eager", "torch compile", "jax jit")
AIM = 1.2

Record = dict[str, dict[str, float]]


def ratio(times: Mapping[str, float]) -> float | None:
    """How many times as fast as the fastest peer our step is; None without one of the two."""
    ours = times.get(PEERS[0])
    others = [seconds for name, seconds in times.items() if name != PEERS[0]]
    return min(others) / ours if ours and others else None


def measured(given: argparse.Namespace, names: list[str]) -> Iterator[tuple[str, dict[str, float]]]:
    """The least seconds of a step by peer, of one work after the other."""
    with tempfile.TemporaryDirectory() as folder:
        offered = commands(given, Path(folder))
        columns = chosen([name for name in offered if name in PEERS], given.peers)
        print(header(columns), flush=True)
        threads = 1 if given.processor else THREADS
        clock = {"BENCHMARK_CLOCK": "processor"} if given.processor else {}
        with started([offered[name] for name in columns], threads, clock) as peers:
            for name in names:
                write(name, Path(folder))
                able = []
                for peer in peers:
                    try:
                        peer.block(name, 0.0)  # which compiles
                        able.append(peer)
                    except PeerError as error:
                        print(error, flush=True)
                times = medians(able, name, given.blocks, given.seconds, typical=min)
                print(line(name, times, columns), flush=True)
                yield name, times


def kept() -> dict:
    """The record, or an empty one."""
    if RECORD.exists():
        return json.loads(RECORD.read_text())
    return {"how": "", "machine": "", "seconds": {}}


def write_record(record: dict) -> None:
    """Replace the record and the chart."""
    texts = {RECORD: json.dumps(record, indent=1) + "\n", CHART: chart(record["seconds"])}
    for file, text in texts.items():
        beside = file.with_suffix(".new")
        beside.write_text(text)
        beside.replace(file)


def chart(seconds: Record) -> str:
    """The ratios to the fastest peer, a line for each size that grows."""
    series = {
        f"{kind} of {'an encoder' if kind == 'length' else 'an MLP'}": {
            size: found
            for size, name in works.items()
            if (found := ratio(seconds.get(name, {}))) is not None
        }
        for kind, works in GROWTH.items()
    }
    return drawn(series, AIM, "times as fast as the fastest of torch, torch.compile and JAX")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_interpreters(parser)
    names = [name for works in GROWTH.values() for name in works.values()]
    parser.add_argument("--works", help=f"names or patterns, with commas: {', '.join(names)}")
    parser.add_argument("--peers", help=f"names or patterns, with commas: {', '.join(PEERS)}")
    parser.add_argument("--blocks", type=int, default=5, help="blocks per peer after a warm-up")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a block")
    parser.add_argument("--processor", action="store_true", help="least processor time")
    parser.add_argument(
        "--draw", action="store_true", help="draw what is recorded, measure nothing"
    )
    given = parser.parse_args()
    record = kept()
    if not given.draw:
        clock = "processor time, 1 thread" if given.processor else f"{THREADS} threads"
        record["how"] = f"least of {given.blocks} blocks in turns, {clock}"
        record["machine"] = platform.processor() or platform.machine()
        for name, times in measured(given, chosen(names, given.works)):
            record["seconds"].setdefault(name, {}).update(times)
            write_record(record)
    write_record(record)
    low = {n: r for n, t in record["seconds"].items() if (r := ratio(t)) and r < AIM}
    print("\n".join(f"below {AIM}: {name}, {found:.2f}" for name, found in low.items()))


if __name__ == "__main__":
    main()
