"""Ranks that die, or have less to do: they are named, nobody hangs, and elastic jobs go on."""

import subprocess
import sys

import pytest

from tests.distributed.deaths import killed
from tests.distributed.test_mpi import SECONDS, script_of

SLOW_SECONDS = 10.0  # two on a machine that does nothing else, see tests/distributed/deaths.py

GO_ON = """
from pathlib import Path
folder = Path(sys.argv[1])
net = paddle.nn.Linear(4, 1)
numbers = __import__("numpy").random.default_rng(0)
net.weight.set_value(numbers.standard_normal([4, 1]).astype("float32"))
model = paddle.DataParallel(net)
sgd = paddle.optimizer.SGD(0.1, parameters=model.parameters())

@paddle.jit.to_static
def step(x):
    loss = (model(x) - x.sum(-1, keepdim=True)).square().mean()
    loss.backward()
    sgd.step()
    sgd.clear_grad()
    return loss

kept = folder / "kept.pdparams"
begin = 0
if kept.exists():
    state = paddle.load(str(kept))
    net.set_state_dict(state["net"])
    begin = state["step"]
for number in range(begin, 12):
    if number == 7 and rank == 1:
        os.kill(os.getpid(), 9)
    data = __import__("numpy").random.default_rng(number).standard_normal([8, 4])
    size = dist.get_world_size()
    rows = slice(rank * 8 // size, (rank + 1) * 8 // size)
    loss = step(paddle.to_tensor(data[rows].astype("float32")))
    means = []
    dist.all_gather_object(means, float(loss))
    if rank == 0:
        print("loss", number, size, sum(means) / size, flush=True)
        if number % 3 == 2:
            paddle.save({"net": net.state_dict(), "step": number + 1}, str(kept))
"""


@pytest.mark.parametrize(("after", "rank"), [("begun", 1), ("trains", 0)])
def test_a_rank_that_is_killed_is_named_and_nobody_hangs(after, rank):
    seconds, said = killed(2, rank, after, 0.3)
    assert seconds < SLOW_SECONDS
    assert f"rank {rank}" in said


def test_an_elastic_job_goes_on_from_what_it_has_saved_with_fewer_ranks(tmp_path):
    """The loss falls as it would have: steps of one rank are those of two on half a batch each."""
    command = [sys.executable, "-m", "twinoar.distributed.launch", "--nnodes", "1:2"]
    done = subprocess.run(
        [*command, script_of(tmp_path, GO_ON), tmp_path],
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert "rank 1" in done.stderr and "starts again, 1 of 3 times, with 1 processes" in done.stderr
    lines = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("loss")]
    steps = [(int(number), int(size)) for number, size, _ in lines]
    assert steps == [*((n, 2) for n in range(7)), *((n, 1) for n in range(6, 12))]
    again = [float(loss) for number, _, loss in lines if number == "6"]
    assert again[0] == pytest.approx(again[1], rel=1e-4)
    assert float(lines[-1][2]) < float(lines[0][2])


def test_a_rank_with_fewer_batches_is_named_in_compiled_steps_too(tmp_path):
    body = (
        "model = paddle.DataParallel(paddle.nn.Linear(2000, 100))\n"
        "step = paddle.jit.to_static(lambda x: model(x).mean().backward())\n"
        "for _ in range(2 + rank):\n    step(paddle.ones([2, 2000]))"
    )
    command = [sys.executable, "-m", "twinoar.distributed.launch", "--nproc_per_node", "2"]
    done = subprocess.run(
        [*command, script_of(tmp_path, body)], capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode != 0
    assert "rank 0 has ended, and rank 1 waits for it in all_reduce" in done.stderr
