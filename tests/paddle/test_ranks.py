"""Two processes compute what two of the real Paddle do, over gloo."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.paddle.conftest import interpreter

SCRIPT = Path(__file__).parent / "ranks.py"
SECONDS = 110
EXACT = ["float32", "float64", "int32", "int64", "uint8", "int8", "objects", "who", "gradient"]


def results(python: str, module: list[str], folder: Path) -> list[dict]:
    folder.mkdir()
    logs = ["--nproc_per_node", "2", "--log_dir", str(folder / "logs")]
    command = [python, "-m", *module, *logs, str(SCRIPT), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr + done.stdout
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict], list[dict]]:
    """What the two ranks of Paddle, and those of twinoar, have found."""
    real = str(interpreter("PADDLE_3_PYTHON"))
    folder = tmp_path_factory.mktemp("ranks")
    gloo = ["paddle.distributed.launch", "--backend", "gloo"]
    ours = ["twinoar", "run", "-m", "paddle.distributed.launch"]
    return results(real, gloo, folder / "real"), results(sys.executable, ours, folder / "ours")


@pytest.mark.parametrize("name", EXACT)
def test_ranks_find_what_those_of_paddle_do(both, name):
    real, ours = both
    assert [found[name] for found in ours] == [found[name] for found in real]


def test_ranks_train_as_those_of_paddle_do(both):
    for real, ours in zip(*both, strict=True):
        for a, b in zip(real["trained"], ours["trained"], strict=True):
            np.testing.assert_allclose(b, a, atol=1e-5)
