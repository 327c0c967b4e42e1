"""Processes compute what as many of the real Paddle do, over gloo."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.paddle.conftest import interpreter

FOLDER = Path(__file__).parent
SECONDS = 110
CASES = re.findall(r"^@case\ndef (\w+)", (FOLDER / "rank_cases.py").read_text(), re.MULTILINE)
EXACT = ["float32", "float64", "int32", "int64", "uint8", "int8", "objects", "who", "gradient"]


def results(python: str, module: list[str], script: str, count: int, folder: Path) -> list[dict]:
    folder.mkdir()
    options = ["--nproc_per_node", str(count), "--log_dir", str(folder / "logs")]
    command = [python, "-m", *module, *options, str(FOLDER / script), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr + done.stdout
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(count)]


def results_of_both(script: str, count: int, folder: Path) -> tuple[list[dict], list[dict]]:
    """What the ranks of Paddle, and those of twinoar, have found."""
    real = str(interpreter("PADDLE_3_PYTHON"))
    gloo = ["paddle.distributed.launch", "--backend", "gloo"]
    ours = ["twinoar", "run", "-m", "paddle.distributed.launch"]
    return (
        results(real, gloo, script, count, folder / "real"),
        results(sys.executable, ours, script, count, folder / "ours"),
    )


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict], list[dict]]:
    return results_of_both("ranks.py", 2, tmp_path_factory.mktemp("ranks"))


def test_tensors_on_a_mesh_lie_and_move_as_those_of_paddle(tmp_path):
    real, ours = results_of_both("meshes.py", 4, tmp_path)
    for theirs, own in zip(real, ours, strict=True):
        assert len(own) > 150
        assert own == theirs


@pytest.mark.parametrize("name", EXACT)
def test_ranks_find_what_those_of_paddle_do(both, name):
    real, ours = both
    assert [found[name] for found in ours] == [found[name] for found in real]


def test_ranks_train_as_those_of_paddle_do(both):
    for real, ours in zip(*both, strict=True):
        for a, b in zip(real["trained"], ours["trained"], strict=True):
            np.testing.assert_allclose(b, a, atol=1e-5)


@pytest.fixture(scope="module")
def both_of_cases(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict], list[dict]]:
    return results_of_both("rank_cases.py", 2, tmp_path_factory.mktemp("cases"))


def test_there_are_forty_cases():
    assert len(CASES) >= 40


@pytest.mark.parametrize("name", CASES)
def test_a_script_gives_on_each_rank_what_it_gives_in_paddle(both_of_cases, name):
    real, ours = both_of_cases
    assert not any("Error in rank" in str(found[name]) for found in real)
    assert [found[name] for found in ours] == [found[name] for found in real]
