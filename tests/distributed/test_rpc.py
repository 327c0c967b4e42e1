"""Calls of functions in other processes: threads that play them, and real ones."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar.distributed import rpc
from twinoar.errors import (
    ArgumentError,
    DistributedError,
    ProgramError,
    TypeMismatchError,
    UnknownNameError,
)
from twinoar.runtime.collective import run_ranks


@pytest.fixture
def alone():
    rpc.init_rpc("w0", rank=0, world_size=1)
    yield
    rpc.shutdown()


def rank_of_who_runs():
    return dist.get_rank()


def doubled(x):
    return x * 2


def missing():
    raise KeyError("no such row")


class Unreadable(Exception):
    """One that pickle writes, and cannot read."""

    def __init__(self, first, second):
        super().__init__(first)


def fail_unreadably():
    raise Unreadable(1, 2)


def test_a_process_by_itself_calls_itself(alone):
    assert rpc.rpc_sync("w0", max, args=(1, 2)) == 2
    assert rpc.rpc_async("w0", sorted, ([2, 1],), {"reverse": True}).wait() == [2, 1]
    assert rpc.get_worker_info("w0") == rpc.get_current_worker_info()
    assert [info[:2] for info in rpc.get_all_worker_infos()] == [("w0", 0)]


def test_tensors_travel(alone):
    found = rpc.rpc_sync("w0", doubled, (paddle.to_tensor([1.0, 2.0]),))
    np.testing.assert_array_equal(found.numpy(), [2.0, 4.0])


def test_what_a_function_raises_is_raised_here(alone):
    with pytest.raises(KeyError, match="no such row") as error:
        rpc.rpc_sync("w0", missing)
    assert "in another process" in "".join(error.value.__notes__)
    with pytest.raises(DistributedError, match="Unreadable"):
        rpc.rpc_sync("w0", fail_unreadably)


def test_mistakes_are_told(alone):
    with pytest.raises(UnknownNameError, match="no worker 'w1'"):
        rpc.rpc_sync("w1", max, (1, 2))
    with pytest.raises(TypeMismatchError, match="cannot travel"):
        rpc.rpc_sync("w0", lambda: 1)
    with pytest.raises(TypeMismatchError, match="expected a function"):
        rpc.rpc_sync("w0", 3)
    with pytest.raises(ProgramError, match="has a name already"):
        rpc.init_rpc("w2", 0, 1)
    with pytest.raises(DistributedError, match=r"within 0\.05 seconds"):
        rpc.rpc_sync("w0", time.sleep, (1,), timeout=0.05)
    assert rpc.rpc_sync("w0", max, (1, 2)) == 2


def test_without_a_name_nothing_is_called():
    with pytest.raises(ProgramError, match="init_rpc"):
        rpc.rpc_sync("w0", max, (1, 2))
    rpc.shutdown()


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((0, 2), "an address to meet at"),
        ((2, 2, "127.0.0.1:5000"), "a rank from 0 to 1"),
        ((0, 2, "127.0.0.1"), "expected 'address:port'"),
        ((0, 2, "10.0.0.1:5000"), "need a secret"),
    ],
)
def test_what_cannot_begin_is_told(arguments, match):
    with pytest.raises(ArgumentError, match=match):
        rpc.init_rpc("w0", *arguments)


def test_ranks_call_each_other_at_the_same_time():
    def job():
        rank = dist.get_rank()
        rpc.init_rpc(f"w{rank}")
        names = [info.name for info in rpc.get_all_worker_infos()]
        answers = [rpc.rpc_async(name, rank_of_who_runs) for name in names * 20]
        found = [a.wait() for a in answers]
        rpc.shutdown()
        return names, found

    for names, found in run_ranks(3, job):
        assert names == ["w0", "w1", "w2"]
        assert found == [0, 1, 2] * 20


def test_two_of_one_name_are_told():
    def job():
        rpc.init_rpc("same")

    with pytest.raises(DistributedError, match="two workers have one name"):
        run_ranks(2, job)


SCRIPT = """
import os, sys, time
from twinoar.distributed import rpc
rank, address = int(sys.argv[1]), sys.argv[2]
rpc.init_rpc(f"w{rank}", rank, 2, address)
other = f"w{1 - rank}"
print(rpc.rpc_sync(other, os.getpid) != os.getpid(), flush=True)
if sys.argv[3] == "dies":
    if rank == 1:
        rpc.rpc_async(other, time.sleep, (60,))
        time.sleep(60)
    before = time.monotonic()
    try:
        rpc.rpc_async(other, os.kill, (rpc.rpc_sync(other, os.getpid), 9)).wait()
    except Exception as error:
        print(time.monotonic() - before < 2, str(error).splitlines()[0], flush=True)
    os._exit(0)
rpc.shutdown()
"""


def two_processes(tmp_path, how):
    script = tmp_path / "worker.py"
    script.write_text(SCRIPT)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    ranks = [
        subprocess.Popen(
            [sys.executable, script, str(rank), address, how],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        )
        for rank in (1, 0)
    ]
    return [p.communicate(timeout=100)[0].splitlines() for p in reversed(ranks)]


def test_processes_that_no_launcher_connects_meet_and_part(tmp_path):
    assert two_processes(tmp_path, "lives") == [["True"], ["True"]]


def test_a_worker_that_is_killed_is_named(tmp_path):
    first, _ = two_processes(tmp_path, "dies")
    assert first == ["True", "True the worker 'w1' (rank 1) cannot be reached: it has ended"]
