"""The real Paddle, in interpreters of its own: `paddle_2` runs 2.6.2, `paddle_3` runs 3.3.1.

The variables PADDLE_2_PYTHON and PADDLE_3_PYTHON name the interpreters; `make test-paddle` makes
both and sets them. Without them these tests are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
collect_ignore = ["meshes.py", "rank_cases.py", "ranks.py"]  # what the real Paddle runs

# The answer is the last line, so that what Paddle prints does not disturb it.
PRELUDE = """
import json, sys, warnings
warnings.simplefilter("ignore")
import numpy as np
import paddle
given = json.loads(sys.argv[1])
def answer(value):
    print()
    print(json.dumps(value))
"""

Run = Callable[..., object]


def interpreter(variable: str) -> Path:
    """The interpreter that the variable names; without it the test is skipped."""
    if variable not in os.environ:
        pytest.skip(f"{variable} is not set: run `make test-paddle`")
    return ROOT / os.environ[variable]


def runner(variable: str) -> Run:
    """A function that runs code in that interpreter, and returns what the code calls `answer` with.

    The code finds the keyword arguments, which are JSON, in the dictionary `given`.
    """
    python = interpreter(variable)

    def run(code: str, **given: object) -> object:
        done = subprocess.run(
            [python, "-c", PRELUDE + code, json.dumps(given, default=str)],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise AssertionError(f"the real Paddle failed\n{done.stderr}")
        return json.loads(done.stdout.rstrip("\n").rpartition("\n")[2])

    return run


@pytest.fixture(scope="session")
def paddle_2() -> Run:
    """Paddle 2.6.2."""
    return runner("PADDLE_2_PYTHON")


@pytest.fixture(scope="session")
def paddle_3() -> Run:
    """Paddle 3.3.1."""
    return runner("PADDLE_3_PYTHON")


@pytest.fixture(scope="session", params=["PADDLE_2_PYTHON", "PADDLE_3_PYTHON"])
def paddle(request: pytest.FixtureRequest) -> Run:
    """Each of the two."""
    return runner(request.param)
