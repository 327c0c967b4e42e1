"""spawn and launch of one process, and what their arguments mean."""

import os
import subprocess
import sys
import time

import pytest

import twinoar.distributed as dist
from twinoar.distributed.launch import parse, plan_of
from twinoar.distributed.launch.elastic import Restarts
from twinoar.distributed.launch.mpirun import Plan
from twinoar.distributed.spawning import SpawnError
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError

SCRIPT = """
import os, sys
import paddle
import paddle.distributed as dist

def train(rate):
    import paddle.nn as nn
    x = paddle.ones([2])
    dist.all_reduce(x)
    print("trained", rate, x.tolist(), dist.get_world_size(), os.getppid() == int(os.environ["P"]))

if __name__ == "__main__":
    os.environ["P"] = str(os.getpid())
    dist.spawn(train, args=(0.5,), nprocs=1)
    print("arguments", sys.argv[1:], dist.ParallelEnv().current_endpoint)
"""


def write(path, number):
    path.write_text(f"{number} {dist.get_rank()} {os.getpid() != number}")


def fail():
    raise ValueError("the loss is nan")


def exit_at_once():
    os._exit(3)


@pytest.mark.parametrize("nprocs", [1, -1])
def test_spawn_runs_the_function_in_another_process(tmp_path, nprocs):
    file = tmp_path / "found"
    context = dist.spawn(write, args=(file, os.getpid()), nprocs=nprocs)
    assert file.read_text() == f"{os.getpid()} 0 True"
    assert context.join()


def test_spawn_need_not_wait():
    context = dist.spawn(time.sleep, args=(0.01,), nprocs=1, join=False)
    assert context.join() is True
    assert context.processes[0].exitcode == 0


def test_what_the_function_raises_is_told_with_its_traceback():
    with pytest.raises(SpawnError, match="the loss is nan"):
        dist.spawn(fail, nprocs=1)


def test_a_process_that_ends_by_itself_is_told():
    with pytest.raises(SpawnError, match="exit code 3"):
        dist.spawn(exit_at_once, nprocs=1)


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"nprocs": 0}, ArgumentError, "nprocs is 0"),
        ({"nprocs": "1"}, TypeMismatchError, "integer"),
        ({"nprocs": 1, "cards": "0"}, ArgumentError, "cards"),
    ],
)
def test_spawn_says_what_it_does_not_do(options, error, text):
    with pytest.raises(error, match=text):
        dist.spawn(fail, **options)


@pytest.mark.parametrize(
    "command",
    [
        ["twinoar.distributed.launch"],
        ["twinoar.distributed.launch", "--nproc_per_node", "1", "--log_dir", "log"],
        ["twinoar", "run", "-m", "paddle.distributed.launch", "--gpus", "0"],
        ["twinoar", "launch", "--nproc_per_node", "1"],
    ],
)
def test_launch_runs_a_script_for_paddle(tmp_path, command):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "-m", *command, str(script), "--epochs", "2"],
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "trained 0.5 [1.0, 1.0] 1 True",
        "arguments ['--epochs', '2'] 127.0.0.1:6170",
    ]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--nnodes", "2"], ArgumentError),
        (["--nnodes", "4:1"], ArgumentError),
        (["--nnodes", "a:4"], ArgumentError),
        (["--nproc_per_node", "0"], ArgumentError),
        (["--nproc_per_node", "two"], ArgumentError),
        (["--server_num", "two"], ArgumentError),
        (["--server_num", "1", "--servers", "a:1,b:1"], ArgumentError),
        (["--worker_num", "0"], ArgumentError),
        (["--heter_worker_num", "2"], UnsupportedError),
        (["--run_mode", "rpc"], UnsupportedError),
    ],
)
def test_launch_says_what_it_does_not_do(options, error):
    with pytest.raises(error, match="--"):
        dist.launch([*options, "train.py"])


@pytest.mark.parametrize(
    ("options", "each", "hosts"),
    [
        (["--nproc_per_node", "3"], 3, ["127.0.0.1"]),
        (["--gpus", "0,1"], 2, ["127.0.0.1"]),
        (["--ips", "a,b", "--nproc_per_node", "2"], 2, ["a", "b"]),
        (["--ips", "a,b", "--nnodes", "2"], 1, ["a", "b"]),
    ],
)
def test_options_say_how_many_processes_there_are(options, each, hosts):
    plan = plan_of(parse([*options, "train.py", "--rate", "0.1"]))
    assert (plan.each, list(plan.hosts), plan.size) == (each, hosts, each * len(hosts))
    assert plan.command[-3:] == ["train.py", "--rate", "0.1"]


def hosts_after(restarts, lost, hosts=("a", "b", "c"), each=2, done=0):
    following = restarts.following(Plan(each, ["train"], hosts), lost, done)
    return None if following is None else list(following.hosts)


def test_a_job_that_is_elastic_goes_on_without_the_machine_of_the_rank_that_died():
    restarts = Restarts(2, 3)
    assert hosts_after(restarts, lost=3) == ["a", "c"]
    assert hosts_after(restarts, lost=0, hosts=("a", "c")) == ["a", "c"]  # as few as may be
    assert hosts_after(restarts, lost=0, done=3) is None


def test_a_job_of_a_fixed_number_starts_again_as_often_as_is_asked_for():
    assert hosts_after(Restarts(3, 3), lost=1) is None
    assert hosts_after(Restarts(3, 3, 1), lost=1) == ["a", "b", "c"]
    assert hosts_after(Restarts(3, 3, 1), lost=1, done=1) is None
    assert hosts_after(Restarts(1, 3, 0), lost=1) is None


def test_a_range_without_machines_plays_them_on_this_one():
    plan = plan_of(parse(["--nnodes", "1:3", "--nproc_per_node", "2", "train.py"]))
    assert (plan.size, plan.is_here) == (6, True)
