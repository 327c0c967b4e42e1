"""Wide & deep in a job of real processes, one of whose servers is killed on the way."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "wide_deep.py"
SECONDS = 300  # on a machine that does other things, processes take a minute to begin


@pytest.mark.timeout(2 * SECONDS)
def test_training_goes_on_when_a_server_is_killed(tmp_path: Path) -> None:
    command = [
        *(sys.executable, "-m", "twinoar", "launch", "--server_num", "2", "--worker_num", "2"),
        *("--snapshots", tmp_path / "snapshots", "--snapshot_steps", "5", EXAMPLE),
        *("--lines", "400", "--epochs", "20", "--logs", tmp_path / "logs"),
        *("--checkpoint", tmp_path / "tables"),
    ]
    job = subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        file = tmp_path / "snapshots" / "server-0-of-2.npz"
        end = time.monotonic() + SECONDS
        while not file.exists() and job.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        children = Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)  # the launcher starts the servers first
        out, err = job.communicate(timeout=SECONDS)
    finally:
        job.kill()
    assert job.returncode == 0, err
    assert re.search(
        r"launch: server 0 \(process \d+\) has ended with -9: it is started again", err
    )
    assert re.search(r"server 0 .*: goes on from the snapshot of step \d+", err)
    found = json.loads(out.splitlines()[-1])
    assert 0.55 < found["auc"] < found["best"]
    assert len(list((tmp_path / "tables").glob("shard-*-of-2-*.npz"))) == 2
