"""Jobs of servers and workers that the launcher starts: who is told what, who is started again."""

import os
import signal
import sys
from pathlib import Path

import pytest

from twinoar.distributed.launch import command_of, parse
from twinoar.distributed.launch.servers import ServerJob, ServerPlan, is_asked, plan_of
from twinoar.errors import ArgumentError

# Plain Python: what the launcher does with processes does not depend on what they are.
TELL = """
import os, sys
names = ("TRAINING_ROLE", "PADDLE_TRAINER_ID", "PADDLE_PORT", "PADDLE_TRAINERS_NUM")
print(*[os.environ.get(n, "-") for n in names], len(os.environ["TWINOAR_SERVER_KEY"]))
"""
ENDS = "import os, sys; sys.exit(3 if os.environ.get('PADDLE_TRAINER_ID') == '1' else 0)"
# Servers that kill themselves the first time, and workers that wait for the second life of both.
KILLED = """
import os, pathlib, signal, sys, time
folder = pathlib.Path(sys.argv[1])
if os.environ["TRAINING_ROLE"] == "PSERVER":
    if os.environ.get("TWINOAR_SERVER_RESTARTS"):
        steps = os.environ["TWINOAR_SERVER_SNAPSHOT_STEPS"]
        (folder / f"again{os.environ['PADDLE_PORT']}").write_text(steps)
        sys.exit()
    os.kill(os.getpid(), signal.SIGKILL)
while len(list(folder.glob("again*"))) < 2:
    time.sleep(0.05)
"""
ALWAYS = KILLED.replace('os.environ.get("TWINOAR_SERVER_RESTARTS")', "False")


def plan(script: str, *arguments: str, **about) -> ServerPlan:
    command = [sys.executable, "-S", "-c", script, *arguments]
    servers = [f"127.0.0.1:{n}" for n in (6170, 6171)]
    return ServerPlan(command, servers, ["127.0.0.1:6180", "127.0.0.1:6181"], **about)


def test_processes_are_told_who_they_are(tmp_path: Path) -> None:
    assert ServerJob(plan(TELL, log_folder=tmp_path)).wait() == 0
    found = {f.name: f.read_text().split() for f in tmp_path.iterdir()}
    assert found == {
        "serverlog.0": ["PSERVER", "-", "6170", "2", "64"],
        "serverlog.1": ["PSERVER", "-", "6171", "2", "64"],
        "workerlog.0": ["TRAINER", "0", "6180", "2", "64"],
        "workerlog.1": ["TRAINER", "1", "6181", "2", "64"],
    }


def test_a_worker_that_fails_ends_the_job_and_is_named(capfd) -> None:
    assert ServerJob(plan(ENDS)).wait() == 3
    assert "launch: worker 1 (process " in capfd.readouterr().err


def test_a_server_that_is_killed_is_started_again(tmp_path: Path, capfd) -> None:
    made = plan(KILLED, str(tmp_path), snapshots=tmp_path, snapshot_steps=7)
    assert ServerJob(made).wait() == 0
    assert "has ended with -9: it is started again" in capfd.readouterr().err
    assert [file.read_text() for file in sorted(tmp_path.glob("again*"))] == ["7", "7"]


def test_a_server_is_not_started_again_for_ever(tmp_path: Path, capfd) -> None:
    job = ServerJob(plan(ALWAYS, str(tmp_path), max_restarts=1))
    assert job.wait() == 128 + signal.SIGKILL
    assert "has ended with -9: all others end" in capfd.readouterr().err
    assert all(p.process.poll() is not None for p in (*job.workers, *job.servers))


def parsed(*options: str):
    return parse([*options, "train.py", "--rate", "0.1"])


@pytest.mark.parametrize(
    ("options", "servers", "workers"),
    [
        (["--server_num", "2", "--worker_num", "3"], 2, 3),
        (["--server_num", "2", "--trainer_num", "1"], 2, 1),
        (["--servers", "127.0.0.1:1,127.0.0.1:2", "--workers", "127.0.0.1:3"], 2, 1),
        (["--run_mode", "ps"], 1, 1),
    ],
)
def test_options_say_how_many_there_are(options, servers, workers) -> None:
    options = parsed(*options)
    assert is_asked(options)
    made = plan_of(options, command_of(options))
    assert (len(made.servers), len(made.workers)) == (servers, workers)
    assert len({*made.servers, *made.workers}) == servers + workers
    assert made.command[-3:] == ["train.py", "--rate", "0.1"]
    assert made.max_restarts == 3


def test_other_jobs_have_no_servers() -> None:
    assert not is_asked(parsed("--nproc_per_node", "2"))


@pytest.mark.parametrize(
    "options",
    [
        ["--server_num", "no"],
        ["--server_num", "0"],
        ["--server_num", "2", "--servers", "a:1"],
        ["--server_num", "1", "--max_restart", "-1"],
        ["--server_num", "1", "--snapshot_steps", "0"],
    ],
)
def test_options_that_make_no_sense_are_told(options) -> None:
    with pytest.raises(ArgumentError, match="--"):
        plan_of(parsed(*options), [])


def test_servers_that_others_reach_need_a_secret(monkeypatch) -> None:
    monkeypatch.delenv("TWINOAR_SERVER_KEY", raising=False)
    name = os.uname().nodename
    made = ServerPlan(["true"], [f"{name}:6170"], ["127.0.0.1:6180"])
    with pytest.raises(ArgumentError, match="need a secret"):
        ServerJob(made)


def test_a_machine_that_is_not_named_is_told(monkeypatch) -> None:
    monkeypatch.setenv("TWINOAR_SERVER_KEY", "a secret")
    with pytest.raises(ArgumentError, match="no server and no worker is on this machine"):
        ServerJob(ServerPlan(["true"], ["192.0.2.1:6170"], ["192.0.2.2:6180"]))
