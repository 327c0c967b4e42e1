"""fleet, for the only worker: who it is, its strategy, its networks and optimizers."""

import copy
import warnings

import numpy as np
import pytest

import twinoar as paddle
from twinoar.distributed import fleet
from twinoar.distributed.fleet.recomputing import recompute_sequential
from twinoar.distributed.fleet.utils import recompute
from twinoar.errors import (
    ArgumentError,
    MissingNameError,
    ProgramError,
    TypeMismatchError,
    UnsupportedError,
)


@pytest.fixture(autouse=True)
def _begin(monkeypatch):
    monkeypatch.delenv("PADDLE_TRAINERS_NUM", raising=False)
    with warnings.catch_warnings(action="ignore"):
        fleet.init(is_collective=True)


def test_this_is_the_only_worker():
    assert (fleet.worker_num(), fleet.worker_index(), fleet.node_num()) == (1, 0, 1)
    assert (fleet.rank(), fleet.nranks(), fleet.world_size()) == (0, 1, 1)
    assert fleet.is_first_worker()
    assert fleet.is_worker()
    assert not fleet.is_server()
    assert not fleet.is_coordinator()
    assert (fleet.server_num(), fleet.server_endpoints()) == (0, [])
    assert fleet.worker_endpoints(to_string=True) == "127.0.0.1:6170"
    assert fleet.barrier_worker() is None


def test_what_workers_do_together_gives_what_this_one_has():
    assert fleet.util.all_reduce(3) == 3
    np.testing.assert_array_equal(fleet.all_reduce(np.array([1.0, 2.0]), mode="mean"), [1.0, 2.0])
    assert fleet.util.get_file_shard(["a", "b"]) == ["a", "b"]
    with pytest.raises(ArgumentError, match="mode"):
        fleet.util.all_reduce(3, mode="median")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"role_maker": 1}, ArgumentError),
        ({"is_collective": "yes"}, ArgumentError),
        ({"strategy": 3}, TypeMismatchError),
        ({"log_level": "loud"}, ArgumentError),
    ],
)
def test_init_tells_wrong_arguments(given, error):
    with pytest.raises(error):
        fleet.init(**given)


def test_before_init_it_is_said_to_be_called():
    with pytest.raises(ProgramError, match=r"fleet\.init"):
        fleet.Fleet().worker_num()


@pytest.mark.parametrize(
    "make",
    [
        lambda: fleet.UserDefinedRoleMaker(worker_num=2),
        lambda: fleet.UserDefinedRoleMaker(current_id=1),
        lambda: fleet.UserDefinedRoleMaker(role=fleet.Role.SERVER),
        lambda: fleet.UserDefinedRoleMaker(worker_endpoints=["a:1", "b:1"]),
        lambda: fleet.utils.HDFSClient("h"),
        lambda: fleet.utils.DistributedInfer(),
        lambda: fleet.init_server(),
        lambda: fleet.run_server(),
    ],
)
def test_servers_and_other_workers_are_refused(make):
    with pytest.raises(UnsupportedError, match=r"one process|there are (1 processes|none)|of 1\b"):
        make()


@pytest.mark.parametrize("name", ["cp", "dp", "ep", "mp", "pp", "sep", "sharding"])
def test_degrees_for_more_processes_than_there_are_are_told(name):
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {f"{name}_degree": 2}
    with pytest.raises(ArgumentError, match=r"(for|of) 1 processes"):
        fleet.init(is_collective=True, strategy=strategy)


def test_degrees_of_one_are_those_of_this_world():
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {"dp_degree": 1, "mp_degree": 1, "order": ["mp", "dp"]}
    with warnings.catch_warnings(action="ignore"):
        fleet.init(is_collective=True, strategy=strategy)
    groups = fleet.get_hybrid_communicate_group()
    for axis in ("data", "model", "pipe", "sharding", "sep"):
        assert getattr(groups, f"get_{axis}_parallel_world_size")() == 1
        assert getattr(groups, f"get_{axis}_parallel_rank")() == 0
        assert getattr(groups, f"get_{axis}_parallel_group")().ranks == [0]
    assert groups.get_check_parallel_group().nranks == 1
    assert (groups.get_stage_id(), groups.get_rank_from_stage(0)) == (0, 0)
    assert groups.topology().world_size() == 1
    assert strategy.hybrid_parallel_order == ["mp", "dp"]


def test_a_strategy_has_the_defaults_of_paddle():
    strategy = fleet.DistributedStrategy()
    assert strategy.amp_configs["decr_ratio"] == 0.800000011920929
    assert strategy.hybrid_configs["dp_degree"] == -1
    assert strategy.fuse_all_reduce_ops
    assert strategy.fuse_grad_size_in_MB == 32
    assert strategy.sharding_configs["sharding_degree"] == 8


def test_settings_that_are_given_replace_those_alone():
    strategy = fleet.DistributedStrategy()
    strategy.amp_configs = {"init_loss_scaling": 2, "custom_white_list": ["matmul"]}
    assert strategy.amp_configs["init_loss_scaling"] == 2.0
    assert strategy.amp_configs["incr_every_n_steps"] == 1000
    assert fleet.DistributedStrategy().amp_configs["custom_white_list"] == []
    assert copy.deepcopy(strategy).amp_configs == strategy.amp_configs


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("amp", "yes", TypeMismatchError),
        ("nccl_comm_num", 1.5, TypeMismatchError),
        ("nccl_comm_num", True, TypeMismatchError),
        ("amp_configs", {"scale": 1}, ArgumentError),
        ("amp_configs", {"init_loss_scaling": "x"}, TypeMismatchError),
        ("gradient_merge_configs", 3, TypeMismatchError),
        ("build_strategy", 3, TypeMismatchError),
        ("ampere", True, TypeMismatchError),
    ],
)
def test_a_strategy_takes_values_of_the_type_of_its_defaults(name, value, error):
    with pytest.raises(error, match=name.partition("_configs")[0]):
        setattr(fleet.DistributedStrategy(), name, value)


def test_a_strategy_lacks_what_paddles_lacks():
    with pytest.raises(MissingNameError):
        _ = fleet.DistributedStrategy().ampere


def test_a_strategy_is_written_and_read(tmp_path):
    strategy, again = fleet.DistributedStrategy(), fleet.DistributedStrategy()
    strategy.lamb = True
    strategy.recompute_configs = {"checkpoints": ["a", "b"]}
    strategy.save_to_prototxt(str(tmp_path / "strategy"))
    again.load_from_prototxt(str(tmp_path / "strategy"))
    assert again.lamb
    assert again.recompute_configs["checkpoints"] == ["a", "b"]


def test_a_network_and_its_optimizer_are_themselves():
    network = paddle.nn.Linear(2, 2)
    optimizer = paddle.optimizer.SGD(0.1, parameters=network.parameters())
    assert fleet.distributed_model(network) is network
    assert fleet.distributed_optimizer(optimizer) is optimizer


def test_a_program_is_trained_by_the_optimizer_of_fleet():
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [2, 2])
            loss = paddle.static.nn.fc(x, 1).mean()
            optimizer = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1))
            optimizer.minimize(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        feed = {"x": np.ones((2, 2), "float32")}
        first, second = (executor.run(main, feed=feed, fetch_list=[loss])[0] for _ in range(2))
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(first - second, 0.3, rtol=1e-5)


@pytest.mark.parametrize("name", ["amp", "dgc", "lars", "gradient_merge", "pipeline", "sharding"])
def test_a_switch_that_would_change_a_program_is_refused(name):
    strategy = fleet.DistributedStrategy()
    setattr(strategy, name, True)
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            loss = paddle.static.nn.fc(paddle.static.data("x", [2, 2]), 1).mean()
            optimizer = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy)
            with pytest.raises(UnsupportedError, match=rf"DistributedStrategy\.{name}"):
                optimizer.minimize(loss)
    finally:
        paddle.disable_static()
        fleet.init(is_collective=True)


def test_a_topology_of_other_ranks_has_places_but_no_groups():
    topology = fleet.CommunicateTopology(["data", "pipe", "sharding", "model"], [2, 2, 1, 2])
    assert topology.world_size() == 8
    assert topology.get_rank(data=1, pipe=0, sharding=0, model=1) == 5
    assert tuple(topology.get_coord(5)) == (1, 0, 0, 1)
    assert topology.get_axis_list("data", 1) == [4, 5, 6, 7]
    assert topology.get_comm_list("pipe") == [[0, 2], [1, 3], [4, 6], [5, 7]]
    assert topology.get_rank_from_stage(3, pipe=0) == 1
    with pytest.raises(ArgumentError):
        topology.get_rank(data=1)
    with pytest.raises(ArgumentError, match="8 ranks, there are 1 processes"):
        fleet.HybridCommunicateGroup(topology)


def gradients(run, network, x):
    network.clear_gradients()
    run(network, x).sum().backward()
    return [p.grad.numpy() for p in network.parameters()]


@pytest.mark.parametrize(
    "run",
    [
        lambda network, x: recompute(network, x),
        lambda network, x: recompute(network, x, use_reentrant=False),
        lambda network, x: recompute_sequential({"segments": 2}, network, x),
    ],
)
def test_recomputed_gradients_are_those_of_the_network(run):
    paddle.seed(1)
    layers = [paddle.nn.Linear(3, 3), paddle.nn.Tanh(), paddle.nn.Linear(3, 2)]
    network = paddle.nn.Sequential(*layers)
    x = paddle.rand([4, 3])
    x.stop_gradient = False
    plain = gradients(lambda network, x: network(x), network, x)
    for ours, expected in zip(gradients(run, network, x), plain, strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-6)
