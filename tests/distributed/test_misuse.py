"""Ranks that do not fit together come to right results or to errors of ours, and go on.

These are some programs of `python -m tests.distributed.misuse`, which draws fresh ones.
"""

import subprocess
import sys

import numpy as np
import pytest

from tests.distributed.misuse.__main__ import on_threads, shown
from tests.distributed.misuse.judging import faults
from tests.distributed.misuse.playing import Outcome, played
from tests.distributed.misuse.programs import program
from twinoar.runtime.collective import current_world, run_ranks

SECONDS = 150


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_random_programs_of_threads_end_well(first):
    for seed in range(first, first + 10):
        size = 2 + seed % 3
        assert on_threads(seed, size) == [], shown(program(seed, size))


@pytest.mark.timeout(2 * SECONDS)
def test_random_programs_of_processes_end_well():
    command = [sys.executable, "-m", "tests.distributed.misuse", "--processes", "2"]
    done = subprocess.run(
        [*command, "--seed", "1", "--count", "12"], capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "12 programs, 0 wrong" in done.stdout


def outcomes_of(seed, size=2):
    programs = program(seed, size)
    found = run_ranks(size, lambda: played(programs[current_world().rank], 5.0))
    return programs, found


RIGHT = next(
    seed
    for seed in range(100)
    if [a.kind for a in program(seed, 2)[0]][:1] == ["all_reduce"]
    and all(a.shape[0] > 0 for a in program(seed, 2)[0])
    and program(seed, 2)[0] == program(seed, 2)[1]
)


@pytest.mark.parametrize("damage", ["number", "error", "crash", "missing"])
def test_what_is_wrong_is_seen(damage):
    programs, found = outcomes_of(RIGHT)
    assert faults(programs, found) == []
    if damage == "number":
        wrong = Outcome(arrays=[x + np.ones((), x.dtype) for x in found[0][0].arrays])
    else:
        wrong = Outcome(**{damage: "ShapeError: none"}) if damage != "missing" else None
    found[0][0:1] = [] if wrong is None else [wrong]
    assert faults(programs, found)
