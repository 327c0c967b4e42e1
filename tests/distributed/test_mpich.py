"""What jobs do on the other MPI, where its wheel is installed, beside Open MPI's or alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.distributed.test_mpi import launched, script_of
from twinoar.distributed.launch.mpirun import (
    LIBRARY_OF_MPI4PY,
    MPIRUN,
    Plan,
    command_of,
    environment_of,
    find_mpirun,
)
from twinoar.errors import MissingModuleError

STARTER = Path(sys.executable).parent / "mpiexec.hydra"
needs_mpich = pytest.mark.skipif(not STARTER.exists(), reason="the wheel mpich is not installed")


@pytest.fixture
def on_mpich(monkeypatch):
    monkeypatch.setenv(MPIRUN, STARTER.name)
    for variable in LIBRARY_OF_MPI4PY:
        monkeypatch.delenv(variable, raising=False)


@needs_mpich
def test_every_collective_has_the_bits_of_the_order_of_ranks(tmp_path, on_mpich):
    done = launched(
        "tests/distributed/native_job.py", tmp_path, env={**os.environ, "PYTHONPATH": "."}
    )
    assert done.returncode == 0, done.stderr + done.stdout
    for rank in range(2):
        found = json.loads((tmp_path / f"{rank}.json").read_text())
        assert (found["native"], found["wrong"], found["compiled"]) == (True, [], [])


@needs_mpich
def test_random_programs_of_its_processes_end_well(on_mpich):
    command = [sys.executable, "-m", "tests.distributed.misuse", "--processes", "2"]
    done = subprocess.run([*command, "--seed", "1", "--count", "6"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_mpich
def test_a_rank_that_is_killed_is_named(tmp_path, on_mpich):
    body = "dist.barrier()\nif rank == 1:\n    os.kill(os.getpid(), 9)\ndist.barrier()"
    done = launched(script_of(tmp_path, body))
    assert done.returncode != 0
    assert "rank 1" in done.stderr


@pytest.mark.parametrize(
    ("said", "name"),
    [("HYDRA build details:", "libmpi.so.12"), ("mpirun (Open MPI) 5", "libmpi.so.40")],
)
def test_mpi4py_is_told_which_mpi_connects_the_processes(tmp_path, monkeypatch, said, name):
    """With both wheels installed it would take one, and `mpirun` be of the other."""
    library, chosen = LIBRARY_OF_MPI4PY
    for variable in LIBRARY_OF_MPI4PY:
        monkeypatch.delenv(variable, raising=False)
    for folder in ("bin", "lib"):
        (tmp_path / folder).mkdir()
    mpirun = tmp_path / "bin" / "mpirun"
    mpirun.write_text(f"#!/bin/sh\necho '{said}'\n")
    mpirun.chmod(0o755)
    plan = Plan(2, ["python", "train.py"])
    assert library not in environment_of(plan, "ranks", str(mpirun))  # one of the system
    for wheel in ("libmpi.so.12", "libmpi.so.40"):
        (tmp_path / "lib" / wheel).touch()
    assert environment_of(plan, "ranks", str(mpirun))[library] == str(tmp_path / "lib" / name)
    assert ("--oversubscribe" in command_of(plan, str(mpirun))) == (name == "libmpi.so.40")
    monkeypatch.setenv(chosen, "impi")
    assert library not in environment_of(plan, "ranks", str(mpirun))


def test_another_starter_may_be_named(tmp_path, monkeypatch):
    starter = tmp_path / "starts"
    starter.write_text("#!/bin/sh\n")
    starter.chmod(0o755)
    monkeypatch.setenv(MPIRUN, str(starter))
    assert find_mpirun() == str(starter)
    monkeypatch.setenv(MPIRUN, "starts-nothing")
    with pytest.raises(MissingModuleError, match="need starts-nothing, which is not there"):
        find_mpirun()
