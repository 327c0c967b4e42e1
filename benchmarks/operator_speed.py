"""Every public function of tensors at three sizes, beside torch and Paddle in the same run.

    PEERS="--torch TORCH --paddle PADDLE"  # interpreters that have them
    python benchmarks/operator_speed.py $PEERS --only "*cumsum*" --sizes medium,large
    python benchmarks/operator_speed.py $PEERS --json records.json
    python benchmarks/operator_speed.py --table records.json  # writes docs/operator_speed.md

Each framework computes in a process of its own, with one thread; blocks take turns, and the least
processor time of them counts, as what others do on the machine disturbs that least. Results are
compared first: torch is left out where its function computes something else. A new run replaces
its own rows of the records.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import pickle
import select
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
from operator_calls import SIZES, Call, calls
from operator_table import ratio_of, write_page
from turns import Peer, PeerError

PEER = Path(__file__).with_name("operator_speed_peer.py")
WAYS = ("forward", "backward")
LIMIT = 10  # seconds of processor time for one answer
SLOW = 0.1  # seconds of a call of which one block is enough
TOLERANCE = 1e-3  # of the largest element: kernels add up in different orders
# Their results are random, or have signs and orders that are free.
FREE = {
    "alpha_dropout",
    "bernoulli",
    "binomial",
    "dropout",
    "dropout2d",
    "eig",
    "eigh",
    "eigvals",
    "empty",
    "exponential_",
    "gumbel_softmax",
    "log_normal",
    "lu",
    "multinomial",
    "normal",
    "normal_",
    "pca_lowrank",
    "poisson",
    "qr",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "randperm",
    "rrelu",
    "standard_gamma",
    "svd",
    "svd_lowrank",
    "uniform",
    "uniform_",
    "add_",
    "scale_",
    "householder_product",
}


class Framework:
    """A framework in a process, which is begun anew where a call has ended it or never answers."""

    def __init__(self, name: str, python: str, threads: int):
        self.name, self.command, self.threads = name, [python, str(PEER), name], threads
        self.peer: Peer | None = None

    def ask(self, **question: Any) -> dict:
        """What it answers. Raises PeerError."""
        self.peer = self.peer or Peer.start(self.command, self.threads)
        asked = json.dumps(question)
        process = self.peer.process
        try:
            print(asked, file=process.stdin, flush=True)
            before = processor_seconds(process.pid)
            while not select.select([process.stdout], [], [], 1)[0]:
                if processor_seconds(process.pid) - before > LIMIT:
                    raise PeerError(f"{self.name}: no answer within {LIMIT} seconds")
            line = process.stdout.readline()
            if not line:
                raise PeerError(f"{self.name}: the process has ended")
        except (OSError, PeerError) as error:
            self.stop()
            raise PeerError(str(error)) from None
        answer = json.loads(line)
        if "error" in answer:
            raise PeerError(f"{self.name}: {answer['error']}")
        return answer

    def stop(self) -> None:
        """End the process."""
        if self.peer is not None:
            self.peer.process.kill()
            self.peer.process.wait()
            self.peer = None


def processor_seconds(process: int) -> float:
    """What a process has used; Linux tells it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    given = options()
    if given.table:
        write_page(json.loads(given.table.read_text()))
        return
    found = [("twinoar", sys.executable), ("torch", given.torch), ("paddle", given.paddle)]
    frameworks = [Framework(n, str(python), given.threads) for n, python in found if python]
    records = json.loads(given.json.read_text()) if given.json and given.json.exists() else []
    kept = {key_of(record): record for record in records}
    end = time.monotonic() + given.limit
    try:
        for size in given.sizes.split(","):
            for record in measured(frameworks, size, given, set(kept) if given.missing else set()):
                kept[key_of(record)] = record
                if (ratio_of(record) or given.from_ratio) >= given.from_ratio:
                    print(line_of(record), flush=True)
                if time.monotonic() > end:
                    return
    finally:
        for framework in frameworks:
            framework.stop()
        keep(given.json, list(kept.values()))


def key_of(record: dict[str, Any]) -> tuple[str, str, str]:
    """What a record is about."""
    return record["call"], record["size"], record["way"]


def keep(path: Path | None, records: list[dict[str, Any]]) -> None:
    """Write the records, beside the file first, and say what they are."""
    if path is not None:
        kept = path.with_name(path.name + ".new")
        kept.write_text(json.dumps(records, indent=0))
        kept.replace(path)
    ratios = [r for r in map(ratio_of, records) if r is not None]
    slow = sum(ratio > 1.5 for ratio in ratios)
    print(f"{len(ratios)} compared, ahead of both {sum(r < 1 for r in ratios)}, above 1.5: {slow}")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch", type=Path, help="interpreter that has torch")
    parser.add_argument("--paddle", type=Path, help="interpreter that has the real Paddle")
    parser.add_argument("--only", default="*", help="a pattern of calls, such as '*cumsum*'")
    parser.add_argument("--sizes", default=",".join(SIZES), help="of small, medium and large")
    parser.add_argument("--blocks", type=int, default=2, help="blocks per framework")
    parser.add_argument("--seconds", type=float, default=0.005, help="length of a block")
    parser.add_argument("--threads", type=int, default=1, help="threads of each framework")
    parser.add_argument("--part", default="0/1", help="each so many calls, from one on: 0/2, 1/2")
    parser.add_argument("--json", type=Path, help="where records are kept")
    parser.add_argument("--missing", action="store_true", help="measure what has no record yet")
    parser.add_argument("--limit", type=float, default=math.inf, help="seconds after which to stop")
    parser.add_argument("--table", type=Path, help="records that the page is written from")
    parser.add_argument("--from-ratio", type=float, default=0.0, help="print these alone")
    return parser.parse_args()


def measured(
    frameworks: Sequence[Framework],
    size: str,
    given: argparse.Namespace,
    done: set[tuple[str, str, str]],
) -> Iterator[dict[str, Any]]:
    """A record for each call of a size and each way, where twinoar does it."""
    part, parts = map(int, given.part.split("/"))
    with tempfile.TemporaryDirectory() as folder:

        def wanted(name: str, function: str) -> bool:
            mine = zlib.crc32(name.encode()) % parts == part and (name, size, "forward") not in done
            return mine and (fnmatch(name, given.only) or fnmatch(function, given.only))

        for number, call in enumerate(calls(size, wanted)):
            path = Path(folder) / f"{number}"
            path.write_bytes(pickle.dumps((call.function, call.args, call.kwargs)))
            for way in WAYS:
                found = record(frameworks, call, path, way, given)
                if "error" not in found:
                    yield found | {"size": size}
                elif way == "forward":
                    if not call.name.endswith(" int64"):
                        print(f"{call.name} [{size}]: {found['error']}", file=sys.stderr)
                    break
            path.unlink()


def record(
    frameworks: Sequence[Framework], call: Call, path: Path, way: str, given: argparse.Namespace
) -> dict[str, Any]:
    """The least seconds per call by framework, and which of them gave something else."""
    able, errors = [], {}
    shown: dict[str, Any] = {}
    for framework in frameworks:
        file = path.with_name("results")
        try:
            framework.ask(path=str(path), way=way, results=str(file))
            shown[framework.name] = pickle.loads(file.read_bytes())
            able.append(framework)
        except PeerError as error:
            errors[framework.name] = str(error)
            if framework.name == "twinoar":
                return {"error": str(error)}
    differ = [n for n in shown if not agree(call, shown["twinoar"], shown[n])]
    able = [f for f in able if f.name != "torch" or "torch" not in differ]
    seconds: dict[str, list[float]] = {f.name: [] for f in able}
    for block in range(given.blocks):
        for framework in able:
            before = seconds[framework.name]
            if block and min(before) > SLOW:
                continue
            try:
                length = given.seconds
                answer = framework.ask(path=str(path), way=way, seconds=length)
                before.append(answer["seconds_per_call"])
            except PeerError as error:
                errors[framework.name] = str(error)
    least = {name: min(found) for name, found in seconds.items() if found}
    return {"call": call.name, "way": way, "seconds": least, "differ": differ, "errors": errors}


def agree(call: Call, ours: list, theirs: list) -> bool:
    """True where as much as both give is equal, but for rounding and what is free."""
    if call.function.rpartition(".")[2] in FREE:
        return True
    if not ours or not theirs:
        return not ours and not theirs
    return all(
        a.size == b.size and equal(np.asarray(a), np.asarray(b))
        for (_, a), (_, b) in zip(ours, theirs, strict=False)
    )


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype.kind not in "fc" and b.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    largest = np.abs(b[np.isfinite(b)]).max(initial=1e-3)
    return bool(np.allclose(a, b, TOLERANCE, TOLERANCE * largest, equal_nan=True))


def line_of(record: dict[str, Any]) -> str:
    """The record in one line."""
    ratio = ratio_of(record)
    times = " ".join(f"{name} {s * 1e6:.1f}" for name, s in record["seconds"].items())
    differ = f" differ: {', '.join(record['differ'])}" if record["differ"] else ""
    shown = "-" if ratio is None else f"{ratio:.2f}"
    return f"{shown:>6} {record['size']} {record['way']} {record['call']}: {times}{differ}"


if __name__ == "__main__":
    main()
