"""Steps of training, compiled and eager, beside torch, JAX and the real Paddle in the same run.

Every framework begins with the same weights and data. Before a work is timed, the losses of its
first steps are compared; after it, the loss must still be finite. Where twinoar compiles a work and
Python runs a part of it, that is an error which names the part. A peer whose interpreter is not
given is left out. Exits with 1 if a peer failed or came to another result. `--record` keeps the
results of all works so far and draws them: see record.py.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import works_paddle
from record import Record, summary
from turns import THREADS, Peer, PeerError, in_turns, started
from works import GROWN, WORKS, write

HERE = Path(__file__).parent
TORCH_MODES = ("eager", "compile", "channels_last", "frozen")
# Of three steps in another order of additions. Wide: eight bits of a bf16 number are its value, and
# float32 of MobileNetV2 is 1.6% from float64 after them, in torch.
CHECKED_STEPS = 3
TOLERANCE = 2e-3
WIDE_TOLERANCE = 5e-2
ROUNDED_TOLERANCE = 0.1  # torch rounds weights of bfloat16 at each step, we keep float32 ones


def add_interpreters(parser: argparse.ArgumentParser) -> None:
    """The options that say where the peers are."""
    parser.add_argument("--torch", type=Path, help="interpreter that has torch")
    parser.add_argument("--jax", type=Path, help="interpreter that has JAX")
    parser.add_argument("--paddle", type=Path, help="interpreter that has the real Paddle")


def commands(given: argparse.Namespace, folder: Path) -> dict[str, list[str | Path]]:
    """What starts each peer, by name."""
    script = HERE / "works_paddle.py"
    found: dict[str, list[str | Path]] = {
        f"twinoar {mode}": [sys.executable, script, "twinoar", mode, folder]
        for mode in works_paddle.MODES
    }
    if given.torch:
        found |= {
            f"torch {mode}": [given.torch, HERE / "works_torch.py", mode, folder]
            for mode in TORCH_MODES
        }
    if given.jax:
        found["jax jit"] = [given.jax, HERE / "works_jax.py", folder]
    if given.paddle:
        found |= {
            f"paddle {mode}": [given.paddle, script, "paddle", mode, folder]
            for mode in ("eager", "to_static")
        }
    return found


def disagreement(results: Mapping[str, Sequence[float]], tolerance: float) -> str | None:
    """Who came to results that are not finite, or not those of the others; None if nobody."""
    steps = list(zip(*results.values(), strict=True))
    middles = [_median(values) for values in steps]
    strange = [
        f"{name}: {', '.join(f'{value:.6g}' for value in values)}"
        for name, values in results.items()
        if not all(
            math.isclose(value, middle, rel_tol=tolerance)
            for value, middle in zip(values, middles, strict=True)
        )
    ]
    if not strange:
        return None
    return f"expected {', '.join(f'{middle:.6g}' for middle in middles)}; " + "; ".join(strange)


def _median(values: Sequence[float]) -> float:
    """The median of those that are finite; NaN, which nothing is close to, if none is."""
    finite = [value for value in values if math.isfinite(value)]
    return statistics.median(finite) if finite else math.nan


def row_of(
    name: str, peers: Sequence[Peer], blocks: int, seconds: float
) -> tuple[dict[str, list[float]], list[str]]:
    """The seconds of the work `name` in each block, by peer, and what went wrong."""
    problems: list[str] = []
    results: dict[str, list[float]] = {}
    able = [peer for peer in peers if name in peer.works]
    for peer in able:
        try:
            results[peer.name] = peer.results(name, CHECKED_STEPS)
        except PeerError as error:
            problems.append(str(error))
    if not results:
        return {}, problems
    precision = WORKS[name].precision
    tolerance = WIDE_TOLERANCE if precision == "amp" or WORKS[name].sensitive else TOLERANCE
    found = disagreement(results, ROUNDED_TOLERANCE if precision == "bf16" else tolerance)
    able = [peer for peer in able if peer.name in results]
    times = in_turns(able, name, blocks, seconds)
    last = {peer.name: peer.results(name, 1)[0] for peer in able}
    problems += [found] if found else []
    problems += [
        f"{peer} ended at {value}" for peer, value in last.items() if not math.isfinite(value)
    ]
    return times, problems


def header(peers: Sequence[str]) -> str:
    """The first lines of a table of milliseconds by work and peer."""
    return f"| milliseconds | {' | '.join(peers)} |\n|---|{'---:|' * len(peers)}"


def line(work: str, times: Mapping[str, float], peers: Sequence[str]) -> str:
    """A line of it; in brackets how many times as fast as the fastest other framework."""
    others = [time for peer, time in times.items() if not peer.startswith("twinoar")]
    best = min(others, default=None)
    cells = []
    for peer in peers:
        time = times.get(peer)
        speed = f" ({best / time:.2f})" if time and best else ""
        cells.append(f"{time * 1e3:.3g}{speed}" if time else "")
    return f"| `{work}` | {' | '.join(cells)} |"


def chosen(names: Sequence[str], patterns: str | None) -> list[str]:
    """The names that one of the patterns, separated by commas, fits; all without patterns."""
    if patterns is None:
        return list(names)
    wanted = [pattern.strip() for pattern in patterns.split(",")]
    for pattern in wanted:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise SystemExit(f"no name fits {pattern!r}; there are {', '.join(names)}")
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in wanted)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_interpreters(parser)
    parser.add_argument("--works", help=f"names or patterns, with commas: {', '.join(WORKS)}")
    parser.add_argument("--peers", help="names or patterns, with commas: 'twinoar *,torch eager'")
    parser.add_argument("--blocks", type=int, default=5, help="blocks per peer after a warm-up")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a block")
    parser.add_argument(
        "--processor",
        action="store_true",
        help="one thread, by processor time: what a machine that others use can tell",
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE.json", help="keep the results here, and draw them"
    )
    given = parser.parse_args()
    print(
        f"{_conditions(given)}, median of {given.blocks} blocks of about {given.seconds} s, "
        "in turns; in brackets: how many times as fast as the fastest other framework\n"
    )
    if not compare(given):
        raise SystemExit(1)


def _threads(given: argparse.Namespace) -> int:
    return 1 if given.processor else THREADS


def _conditions(given: argparse.Namespace) -> str:
    return f"{_threads(given)} threads, {'processor' if given.processor else 'elapsed'} time"


def compare(given: argparse.Namespace) -> bool:
    """Measure and print what is asked for; True if all went well."""
    usual = [name for name in WORKS if name not in GROWN]  # `growth.py` measures the others
    names = chosen(list(WORKS), given.works) if given.works else usual
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        found = commands(given, Path(folder))
        columns = chosen(list(found), given.peers)
        print(header(columns), flush=True)
        chosen_peers = [found[peer] for peer in columns]
        clock = {"BENCHMARK_CLOCK": "processor"} if given.processor else {}
        with started(chosen_peers, _threads(given), clock) as peers:
            for name in names:
                write(name, Path(folder))
                times, wrong = row_of(name, peers, given.blocks, given.seconds)
                middles = {peer: statistics.median(blocks) for peer, blocks in times.items()}
                print(line(name, middles, columns), flush=True)
                if given.record:
                    kept = Record.of(given.record).add(name, summary(times), _conditions(given))
                    kept.write(given.record)
                problems += [f"{name}: {problem}" for problem in wrong]
    print("\n".join(problems), file=sys.stderr)
    return not problems


if __name__ == "__main__":
    main()
