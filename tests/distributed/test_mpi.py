"""Real processes of an MPI job: what two of them compute, and how they end."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

import twinoar.distributed as dist
from tests.distributed.job import ON_TWO, TRAINED, in_program, trained
from tests.distributed.mesh_steps import train
from twinoar.distributed.spawning import SpawnError

SECONDS = 100  # a job takes a few; a machine that does much else more
TOLERANCE = 1e-5


def launched(*arguments, **more):
    """A job of two processes, as users start it; it has ended."""
    command = [sys.executable, "-m", "twinoar.distributed.launch", "--nproc_per_node", "2"]
    return subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS, **more
    )


def script_of(tmp_path, body):
    script = tmp_path / "train.py"
    script.write_text(
        "import os, sys, time\nimport paddle, paddle.distributed as dist\n"
        f"dist.init_parallel_env()\nrank = dist.get_rank()\n{body}\n"
    )
    return script


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where tests/distributed/job.py has written what its two ranks found."""
    made = tmp_path_factory.mktemp("job")
    done = launched("tests/distributed/job.py", made, env={**os.environ, "PYTHONPATH": "."})
    assert done.returncode == 0, done.stderr + done.stdout
    return made


@pytest.fixture(scope="module")
def found(folder):
    return [json.loads((folder / f"found.{rank}.json").read_text()) for rank in range(2)]


def test_both_have_joined(found):
    assert [f["ranks"] for f in found] == [[0, 1]] * 2


def test_every_reduction_of_every_dtype_is_numpys(found):
    assert [f["reductions"] for f in found] == [[], []]


def test_collectives_give_what_they_do_in_lock_step(found):
    """As tests/distributed/test_ranks.py has it; by hand here."""
    first, second = (f["collectives"] for f in found)
    for both in (first, second):
        assert both["all_gather"] == [[0.0, 1.0], [10.0, 11.0]]
        assert both["task"] == [10.0, 12.0]
        assert both["broadcast"] == [1.0]
        assert both["objects"] == [{"rank": 0}, {"rank": 1}]
    assert (first["gather"], second["gather"]) == ([], [[0.0, 1.0], [10.0, 11.0]])
    assert (first["alltoall"], second["alltoall"]) == ([[0.0], [10.0]], [[1.0], [11.0]])
    assert (first["reduce_scatter"], second["reduce_scatter"]) == ([10.0], [12.0])
    assert (first["scatter"], second["scatter"]) == ([10.0, 11.0], [15.0, 16.0])
    assert (first["alltoall_single"], second["alltoall_single"]) == ([0, 1, 1, 2], [2, 3])
    assert (first["irecv"], second["irecv"]) == ([20.0, 22.0], [0.0, 2.0])
    assert (first["reduce"], second["reduce"]) == ([5.0, 6.0], [10.0, 11.0])


def test_mistakes_are_named_on_both_and_they_go_on(found):
    for f in found:
        told = f["mistakes"]
        assert "rank 0: all_reduce sum of float32[2]; rank 1: all_reduce" in told["shape"]
        assert "rank 0: all_gather of float32[2]; rank 1: barrier" in told["kind"]
        assert told["afterwards"] == 2.0
    assert "rank 0 has sent float32" in found[1]["mistakes"]["message"]


def test_workers_load_the_part_of_their_rank(found):
    assert [f["loaded"] for f in found] == [[[0, 1], [16, 25]], [[4, 9], [36, 49]]]


def test_a_rank_that_waits_leaves_the_processor_to_others(found):
    assert found[0]["waited"] < 0.5  # of 1.5 seconds


def test_a_program_trains_as_one_process_does(found):
    alone = in_program(False)
    for f in found:
        np.testing.assert_allclose(f["program"], alone, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("way", ON_TWO)
def test_steps_on_a_mesh_are_those_of_one_process(found, way):
    alone = train("perceptron", None, None, None, False)["losses"]
    for f in found:
        np.testing.assert_allclose(f["mesh"][way], alone, rtol=TOLERANCE)


@pytest.mark.parametrize("name", TRAINED)
def test_two_ranks_train_as_one_process_does(folder, name):
    make, compiled = TRAINED[name]
    both = [np.load(folder / f"trained.{rank}.npz") for rank in range(2)]
    for i, alone in enumerate(trained(make, False, compiled)):
        first, second = (b[f"{name}.0.{i}"] for b in both)
        np.testing.assert_array_equal(first, second)
        np.testing.assert_allclose(first, alone, rtol=TOLERANCE, atol=TOLERANCE)


def test_the_same_run_gives_the_same_bits(folder):
    arrays = np.load(folder / "trained.0.npz")
    for name in arrays.files:
        if name.startswith("mlp.0."):
            np.testing.assert_array_equal(arrays[name], arrays[name.replace(".0.", ".1.", 1)])


def test_a_rank_that_is_killed_is_named_and_ends_the_others(tmp_path):
    body = (
        "dist.barrier()\nif rank == 1:\n    print('killed at', time.time(), flush=True)\n"
        "    os.kill(os.getpid(), 9)\ndist.barrier()"
    )
    done = launched(script_of(tmp_path, body))
    seconds = time.time() - float(done.stdout.split("killed at")[1].split()[0])
    assert done.returncode != 0
    assert "rank 1" in done.stderr
    assert seconds < 2


def test_a_rank_with_fewer_batches_ends_the_others_with_an_error(tmp_path):
    body = "for _ in range(1 + rank):\n    dist.all_reduce(paddle.ones([2]))"
    done = launched(script_of(tmp_path, body))
    assert done.returncode != 0
    assert "rank 0 has ended, and rank 1 waits for it in all_reduce sum" in done.stderr


def test_a_rank_that_ends_without_joining_is_named(tmp_path):
    """MPI itself would wait for it without an end."""
    script = tmp_path / "train.py"
    script.write_text(
        "import os, sys\nimport paddle.distributed as dist\n"
        "if os.environ['PADDLE_TRAINER_ID'] == '1':\n    sys.exit(0)\ndist.init_parallel_env()\n"
    )
    done = launched(script)
    assert done.returncode != 0
    assert "rank 1 has ended, and rank 0 waits for it to join" in done.stderr


def test_a_message_whose_task_nobody_keeps_arrives_whole(tmp_path):
    """It is so long that MPI sends it when it is asked for, from memory that nobody else holds."""
    body = """
import numpy as np
x = paddle.zeros([1 << 20])
if rank == 0:
    for n in range(4):
        dist.isend(paddle.full([1 << 20], n + 1.0), 1)
        np.ones(1 << 20, "float32").sum()
    dist.barrier()
else:
    time.sleep(0.5)
    for n in range(4):
        dist.recv(x, 0)
        print(n, bool((x == n + 1.0).all()))
    dist.barrier()
"""
    done = launched(script_of(tmp_path, body))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{n} True" for n in range(4)]


def test_each_rank_has_a_log_paddles_variables_and_its_part_of_the_threads(tmp_path):
    names = ("PADDLE_TRAINER_ID", "PADDLE_TRAINERS_NUM", "PADDLE_LOCAL_RANK", "OMP_NUM_THREADS")
    body = f"print(*[os.environ[n] for n in {names}], sys.argv[1:])"
    environment = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}
    logs = tmp_path / "logs"
    script = script_of(tmp_path, body)
    done = launched("--log_dir", logs, script, "--rate", "1", env=environment)
    threads = max(len(os.sched_getaffinity(0)) // 2, 1)
    texts = [(logs / f"workerlog.{rank}").read_text() for rank in range(2)]
    assert texts == [f"{rank} 2 {rank} {threads} ['--rate', '1']\n" for rank in range(2)]
    assert (done.returncode, done.stdout, done.stderr) == (0, texts[0], "")


def total(folder):
    dist.init_parallel_env()
    found = []
    dist.all_gather_object(found, dist.get_rank() + 1)
    (folder / str(dist.get_rank())).write_text(str(sum(found)))


def fail(folder):
    raise ValueError(f"rank {os.environ['PADDLE_TRAINER_ID']} has no data")


def test_spawn_starts_ranks_that_join(tmp_path):
    assert dist.spawn(total, args=(tmp_path,), nprocs=2).join()
    assert [(tmp_path / str(rank)).read_text() for rank in range(2)] == ["3", "3"]


def test_what_a_spawned_rank_raises_is_told(tmp_path):
    with pytest.raises(SpawnError, match=r"process [01] of spawn(.|\n)*rank [01] has no data"):
        dist.spawn(fail, args=(tmp_path,), nprocs=2)
