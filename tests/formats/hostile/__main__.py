"""Reads many mutants, each in time and memory that end, and prints those that went wrong."""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import select
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.formats.hostile.kinds import INPUTS, KINDS, Files, Kind
from tests.formats.hostile.kinds import run as run_model
from tests.formats.hostile.mutants import mutant
from twinoar.errors import TwinoarError

SECONDS = 20  # for one file, on a machine that does other things as well
SPACE = 2 << 30  # bytes of memory for a process beside what it begins with
GROWTH = 600 << 20  # bytes that one file of some KB may take
FORBIDDEN = (
    "os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen", "socket.", "shutil.",
    "os.remove", "os.rename", "os.mkdir", "os.chmod", "webbrowser.",
)  # fmt: skip
HOMES = (tempfile.gettempdir(), str(Path.home() / ".cache/twinoar"))  # where our own files go
GOOD, REFUSED, RUNNING = "good", "refused", "running"
ENDLESS = "not through in time"  # a model may have loops that do not end; to read it must end
FINE = (GOOD, REFUSED, ENDLESS)
READING = [False]  # whether a file is being read, and so nothing may be done


def make(kind: Kind, good: list[Files], seed: str, folder: Path) -> None:
    """Write the mutant with this seed."""
    chance = random.Random(seed)
    files = dict(chance.choice(good))
    ends = chance.choice(kind.mutable)
    names = [n for n in sorted(files) if n.endswith(ends)]
    names = names or [n for n in sorted(files) if n != INPUTS]
    name = chance.choice(names)
    files[name] = mutant(chance, files[name])
    for name, data in files.items():
        (folder / name).write_bytes(data)


def acted(event: str, arguments: tuple) -> None:
    """Stop what no reading does."""
    at_home = bool(arguments) and str(arguments[0]).startswith(HOMES)
    if (
        READING[0]
        and not at_home
        and (event.startswith(FORBIDDEN) or (event == "open" and _writes(*arguments)))
    ):
        READING[0] = False
        raise SystemExit(f"{event}{str(arguments)[:200]}")


def _writes(path: object, mode: object, flags: object) -> bool:
    wants = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    return bool(wants) and not str(path).startswith(("/dev/null", "/proc/"))


def outcome(kind: Kind, folder: Path, running: Callable[[], object] = lambda: None) -> str:
    """GOOD, REFUSED, or what went wrong. running: is called when the file was read."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        READING[0] = True
        model = kind.read(folder)
        running()
        run_model(folder, model)
        found = GOOD
    except TwinoarError as error:
        found = REFUSED if str(error) else "an error that says nothing"
    except SystemExit as error:
        found = f"acted: {error}"
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)
        ours = [f for f in where if "/twinoar/" in f.filename] or where
        place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "?"
        found = f"{type(error).__name__} at {place}: {str(error)[:120]}"
    READING[0] = False
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return f"{grown >> 20} MB of memory ({found[:40]})" if grown > GROWTH else found


def work(kind: Kind, good: list[Files], seeds: list[str], pipe: int) -> None:
    """In a process of its own: read each, and say what came of it."""
    warnings.simplefilter("ignore")
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + SPACE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:  # what is imported and found out once
        for name, data in good[0].items():
            Path(folder, name).write_bytes(data)
        outcome(kind, Path(folder))
    sys.addaudithook(acted)
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            make(kind, good, seed, Path(folder))
            say = partial(_say, pipe, seed)
            say(outcome(kind, Path(folder), partial(say, RUNNING)))


def _say(pipe: int, seed: str, told: str) -> None:
    os.write(pipe, f"{json.dumps([seed, told])}\n".encode())


def run(kind: Kind, good: list[Files], seeds: list[str]) -> dict[str, str]:
    """What came of each mutant by its seed."""
    found: dict[str, str] = {}
    while rest := [seed for seed in seeds if found.get(seed, RUNNING) == RUNNING]:
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            os.close(ours)
            try:
                work(kind, good, rest, theirs)
            finally:
                os._exit(0)
        os.close(theirs)
        ended = _listen(ours, found)
        os.close(ours)
        if not ended:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        after = next((seed for seed in rest if found.get(seed, RUNNING) == RUNNING), None)
        if after is not None and ended:
            found[after] = f"the process died: {status}"
        elif after is not None:
            found[after] = ENDLESS if after in found else "hangs"
    return found


def _listen(pipe: int, found: dict[str, str]) -> bool:
    """Take down outcomes until there are no more, or none comes in time; whether it ended."""
    text = b""
    while True:
        ready, _, _ = select.select([pipe], [], [], SECONDS)
        if not ready:
            return False
        part = os.read(pipe, 1 << 16)
        if not part:
            return True
        *lines, text = (text + part).split(b"\n")
        for line in lines:
            seed, told = json.loads(line)
            found[seed] = told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000, help="mutants of each format")
    parser.add_argument("--format", choices=KINDS, action="append")
    parser.add_argument("--keep", default="", help="a folder for the files that went wrong")
    given = parser.parse_args()
    wrong = 0
    for name in given.format or KINDS:
        kind = KINDS[name]
        with tempfile.TemporaryDirectory() as folder:
            good = kind.make(Path(folder))
        seeds = [f"{name} {given.seed} {n}" for n in range(given.count)]
        found = run(kind, good, seeds)
        told = Counter(found.values())
        print(f"{name}: {', '.join(f'{told[what]} {what}' for what in FINE)}", flush=True)
        for what, times in told.most_common():
            if what not in FINE:
                wrong += times
                example = next(seed for seed, outcome in found.items() if outcome == what)
                print(f"  {times} x {what}   [{example}]", flush=True)
                if given.keep:
                    place = Path(given.keep, example.replace(" ", "_"))
                    shutil.rmtree(place, ignore_errors=True)
                    place.mkdir(parents=True)
                    make(kind, good, example, place)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
