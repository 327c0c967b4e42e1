"""Who this process is: by itself, and by what launchers say in the environment."""

import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar.errors import ArgumentError, DistributedError, TypeMismatchError
from twinoar.runtime.collective import run_ranks

ENV = (
    *("PADDLE_TRAINERS_NUM", "PADDLE_TRAINER_ID", "PADDLE_LOCAL_RANK"),
    *("OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"),
)


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    for name in ENV:
        monkeypatch.delenv(name, raising=False)


def test_this_process_is_rank_0_of_1():
    env = dist.ParallelEnv()
    assert (dist.get_rank(), dist.get_world_size()) == (0, 1)
    assert (env.rank, env.local_rank, env.world_size, env.nranks) == (0, 0, 1, 1)
    assert (env.device_id, env.dev_id, env.nrings) == (0, 0, 1)
    assert dist.is_available()


def test_init_parallel_env_warns_that_there_is_nobody_to_connect_to():
    with pytest.warns(UserWarning, match="one process"):
        assert dist.init_parallel_env() is None
    assert not dist.is_initialized()


def test_the_environment_of_a_launcher_for_one_process_is_understood(monkeypatch):
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "1")
    monkeypatch.setenv("PADDLE_TRAINER_ID", "0")
    monkeypatch.setenv("PADDLE_CURRENT_ENDPOINT", "127.0.0.1:6170")
    monkeypatch.setenv("PADDLE_TRAINER_ENDPOINTS", "127.0.0.1:6170")
    env = dist.ParallelEnv()
    assert env.current_endpoint == "127.0.0.1:6170"
    assert env.trainer_endpoints == ["127.0.0.1:6170"]


def test_before_it_joins_a_process_is_what_the_environment_says(monkeypatch):
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "4")
    monkeypatch.setenv("PADDLE_TRAINER_ID", "3")
    monkeypatch.setenv("PADDLE_LOCAL_RANK", "1")
    env = dist.ParallelEnv()
    assert (dist.get_rank(), dist.get_world_size(), env.local_rank) == (3, 4, 1)
    assert not dist.is_initialized()


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"), (2, 3, 1)),
        (("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"), (2, 3, 1)),
        (("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"), (2, 3, 1)),
    ],
    ids=["Open MPI", "MPICH", "Slurm"],
)
def test_a_job_that_is_there_is_found(monkeypatch, names, found):
    for name, value in zip(names, ("2", "3", "1"), strict=True):
        monkeypatch.setenv(name, value)
    assert (dist.get_rank(), dist.get_world_size(), dist.ParallelEnv().local_rank) == found


def test_processes_that_mpi_has_not_started_cannot_join(monkeypatch):
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "2")
    with pytest.raises(DistributedError, match=r"of 2 processes(.|\n)*launch"):
        dist.init_parallel_env()


@pytest.mark.parametrize(("name", "value"), [(ENV[0], "two"), (ENV[1], "1")])
def test_an_environment_that_makes_no_sense_is_told(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(ArgumentError, match=name):
        dist.get_world_size()


@pytest.mark.parametrize("ranks", [None, [0], (0,)])
def test_a_group_has_this_process_alone(ranks):
    group = dist.new_group(ranks, backend="gloo")
    assert (group.rank, group.nranks, group.world_size, group.ranks) == (0, 1, 1, [0])
    assert (group.get_group_rank(0), group.get_group_rank(1)) == (0, -1)
    assert (group.get_global_rank(0), group.get_global_rank(1)) == (0, -1)
    assert group.is_member()
    assert dist.get_group(group.id) is group
    assert (dist.get_rank(group), dist.get_world_size(group)) == (0, 1)
    assert f"nranks: 1, id: {group.id}, ranks: 0" in repr(group)
    dist.destroy_process_group(group)
    with pytest.warns(UserWarning, match="not initialized"):
        assert dist.get_group(group.id) is None


@pytest.mark.parametrize("ranks", [[0, 1], [1], []])
def test_a_group_of_other_ranks_is_refused(ranks):
    with pytest.raises(ArgumentError, match="of this world are 0 to 0"):
        dist.new_group(ranks)


def test_an_unknown_backend_is_told():
    with pytest.raises(ArgumentError, match="backend"):
        dist.new_group([0], backend="tcp")


def test_what_is_no_group_is_told():
    with pytest.raises(TypeMismatchError, match="Group"):
        dist.barrier(group=3)


def test_ranks_that_are_threads_draw_alike_and_each_for_itself():
    """As processes do: what one draws moves no other on, and a seed is that of its rank."""

    def drawn():
        rank = dist.get_rank()
        first = paddle.rand([3]).tolist()
        for _ in range(rank):
            paddle.rand([1])
        paddle.seed(7)
        return first, paddle.nn.functional.dropout(paddle.ones([64])).tolist()

    paddle.seed(3)
    before = paddle.rand([1]).item()
    found = run_ranks(3, drawn)
    assert found[0] == found[1] == found[2]
    paddle.seed(3)
    assert paddle.rand([1]).item() == before
    assert paddle.rand([3]).tolist() == found[0][0]
