"""The fastest of several ways to do one thing: measured once, and remembered on disk.

The file is a table of keys and names of ways, sealed. It is replaced as a whole, so that a process
that reads it while another writes sees one or the other; of two that write at the same time one may
have to measure again. A file that cannot be read as such a table is written anew.

What several threads measured while the machine was busy is not remembered: they wait for each other
longer then, from which one primitive suffers a hundred times as much as another.
"""

from __future__ import annotations

import contextlib
import functools
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from twinoar import config
from twinoar.backends.onednn.library import identity, new_stream
from twinoar.backends.onednn.primitive import Command, Primitive
from twinoar.runtime import kept_files, openmp

Way = Callable[[], Sequence[Primitive] | None]

FILE = "onednn_choices.json"
LIMIT = 4096  # keys in the file; the oldest are forgotten
ROUNDS = 7
ENOUGH_SECONDS = 0.02
HOPELESS = 3.0  # times slower than the best: measured no more
QUIET = 0.8  # the share of its time that a thread which measures has a core, on a quiet machine
PATTERN = 0x3C  # every byte of operands: a small normal number in each floating type

_lock = threading.Lock()
_taken: dict[tuple[Path, str], str] = {}  # a process chooses once, so that its runs agree
_doubted: set[tuple[Path, str]] = set()  # those that were measured while the machine was busy


def fastest(key: str, ways: Mapping[str, Way]) -> tuple[str, Sequence[Primitive]] | None:
    """The name and the primitives of the fastest way, None where the library has none.

    key: all that the speed depends on besides processor, threads and library. ways: each makes the
    primitives that are to run one after the other, or returns None. Reference kernels are taken
    only where there is nothing else.
    """
    path, key = config.cache_dir / FILE, f"{identity()}, {openmp.threads()} threads: {key}"
    with _lock:  # two measurements at once would disturb each other
        name = _taken.get((path, key), _read(path).get(key))
        if name is not None and name in ways:
            remembered = ways[name]()
            if remembered is not None:
                _taken[path, key] = name
                return name, remembered
        made = {name: primitives for name, way in ways.items() if (primitives := way()) is not None}
        fit = {n: p for n, p in made.items() if not any(each.is_reference for each in p)} or made
        if len(fit) < 2:
            return next(iter(fit.items()), None)
        try:
            seconds, share = measured(fit)
        except MemoryError:  # for a second set of operands; the run may have what it needs
            return next(iter(fit.items()))
        best = _taken[path, key] = min(seconds, key=seconds.__getitem__)
        if share >= QUIET or openmp.threads() == 1:
            _remember(path, key, best)
        else:
            _doubted.add((path, key))
        return best, fit[best]


def doubted() -> bool:
    """True where this process has chosen ways on a busy machine, which are not for others."""
    return any(path.parent == config.cache_dir for path, _ in _doubted)


def measured(ways: Mapping[str, Sequence[Primitive]]) -> tuple[dict[str, float], float]:
    """Seconds that each way takes, and the share of the time in which this thread had a core.

    The seconds are the least of several rounds in which all take their turn, because what else runs
    on the machine can only add.
    """
    memory: list[np.ndarray] = []
    commands = {n: [_on_scratch(p, memory) for p in primitives] for n, primitives in ways.items()}
    start, worked = time.perf_counter(), time.thread_time()
    seconds = {name: min(_run(each), _run(each)) for name, each in commands.items()}
    end = time.perf_counter() + ENOUGH_SECONDS
    for _ in range(ROUNDS):
        best = min(seconds.values())
        for name, before in seconds.items():
            if before <= HOPELESS * best:
                seconds[name] = min(before, _run(commands[name]))
        if time.perf_counter() > end:
            break
    return seconds, (time.thread_time() - worked) / (time.perf_counter() - start)


def _on_scratch(primitive: Primitive, memory: list[np.ndarray]) -> Command:
    """A command whose arguments are new arrays, added to `memory`, which must outlive it."""
    command = Command(primitive, new_stream())
    for name in primitive.arguments:
        value = 0 if name == "workspace" else PATTERN  # a workspace holds positions
        memory.append(np.full(primitive.nbytes(name), value, np.uint8))
        command.set(name, memory[-1].ctypes.data)
    return command


def _run(commands: Sequence[Command]) -> float:
    start = time.perf_counter()
    for command in commands:
        command.execute()
    return time.perf_counter() - start


def _read(path: Path) -> dict[str, str]:
    """The table in the file; empty where there is none."""
    if kept_files.refusal(path.parent) is not None:
        return {}
    try:
        status = path.stat()
        if kept_files.distrusted(status) is not None:
            return {}
        return _parsed(path, status.st_mtime_ns, status.st_size)
    except (OSError, ValueError):
        return {}


@functools.lru_cache(maxsize=1)
def _parsed(path: Path, _changed_ns: int, _bytes: int) -> dict[str, str]:
    """The table in the file as it was at a time; raises ValueError if it is no table."""
    data = kept_files.opened(FILE, path.read_bytes())
    if data is None:
        raise ValueError(f"{path} is no table of names")
    table: dict[str, str] = json.loads(data)
    return table


def _remember(path: Path, key: str, name: str) -> None:
    """Add to the table; where the folder cannot be written the next process measures again.

    So it does where the folder is not safe, of which a warning tells.
    """
    reason = kept_files.refusal(path.parent)
    if reason is not None:
        kept_files.warn("what was measured", reason)
        return
    table = _read(path) | {key: name}
    kept = dict(list(table.items())[-LIMIT:])
    with contextlib.suppress(OSError):
        kept_files.make(path.parent)
        kept_files.replace(path, kept_files.sealed(FILE, json.dumps(kept, indent=0).encode()))
