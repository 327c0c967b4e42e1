"""The OpenMP runtime: how long its threads wait, and processes that fork."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from twinoar.runtime import openmp

pytestmark = pytest.mark.skipif(openmp.runtime() is None, reason="the system has no libgomp")

SHOWN = "OMP_DISPLAY_ENV"
SETTING = f"  {openmp.WAITING[0]} = '{{}}'"
LOAD = "import os; from twinoar.runtime import openmp; openmp.runtime(); print(*os.environ)"
FORK = """
import os, sys
import numpy as np
from twinoar.runtime import openmp
from twinoar.backends.llvm.driver import Block, Routine, clear

memory = np.ones(4096, np.uint8)
arguments = np.array([memory.ctypes.data])
routine = Routine([clear(arguments.ctypes.data, memory.size, parts=2)])
routine.run()
memory[:] = 1
child = os.fork()
routine.run()
if child == 0:
    os._exit(int(memory.any()))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), int(memory.any()))
"""


def run_python(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The program in a fresh process, in which no variable says how threads wait."""
    environment = {k: v for k, v in os.environ.items() if k not in openmp.WAITING}
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment | variables,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_threads_wait_briefly() -> None:
    told = run_python(LOAD, **{SHOWN: "verbose"}).stderr
    assert SETTING.format(openmp.SPIN_COUNT) in told


def test_what_the_user_says_about_waiting_decides() -> None:
    told = run_python(LOAD, **{SHOWN: "verbose", openmp.WAITING[0]: "12345"}).stderr
    assert SETTING.format("12345") in told


def test_children_do_not_inherit_the_setting() -> None:
    assert openmp.WAITING[0] not in run_python(LOAD).stdout.split()


def test_the_variable_of_openmp_says_how_many_threads() -> None:
    program = "from twinoar.runtime import openmp; print(openmp.threads())"
    assert run_python(program, OMP_NUM_THREADS="3").stdout.split() == ["3"]


def test_one_thread_holds_for_its_block_alone() -> None:
    before = openmp.threads()
    with openmp.one_thread():
        assert openmp.threads() == 1
    assert openmp.threads() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_parallel_commands_run_in_a_forked_child_and_after_it() -> None:
    assert run_python(FORK, OMP_NUM_THREADS="2").stdout.split() == ["0", "0"]
