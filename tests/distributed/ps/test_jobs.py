"""fleet in a job with servers: who each process is, what it may do, and the Programs of 1.8."""

import threading
import warnings

import numpy as np
import pytest

import twinoar as paddle
from tests.distributed.ps.jobs import ROWS, batch, free_endpoint, job, network
from twinoar import static
from twinoar.distributed import fleet
from twinoar.distributed.fleet.metrics import acc, auc, rmse
from twinoar.distributed.ps.program import ask_servers, tables_of
from twinoar.distributed.together import together, train_with
from twinoar.errors import (
    ArgumentError,
    DistributedError,
    ProgramError,
    UnsupportedError,
)
from twinoar.fluid import DistributeTranspiler, DistributeTranspilerConfig
from twinoar.ops.collective.table import listen_and_serv
from twinoar.runtime.servers import ask_by

ENVIRONMENT = {
    "PADDLE_PSERVERS_IP_PORT_LIST": "127.0.0.1:6170,127.0.0.1:6171",
    "PADDLE_TRAINERS_NUM": "2",
    "PADDLE_TRAINER_ID": "1",
    "TRAINING_ROLE": "TRAINER",
    "POD_IP": "127.0.0.1",
    "PADDLE_PORT": "6171",
}


@pytest.fixture(autouse=True)
def _leave(monkeypatch):
    yield
    ask_by(None)
    train_with(None)
    monkeypatch.undo()
    with warnings.catch_warnings(action="ignore"):
        fleet.init(is_collective=True)


def told(monkeypatch, **changed):
    for name, value in (ENVIRONMENT | changed).items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)


def test_the_environment_says_which_worker_this_is(monkeypatch) -> None:
    told(monkeypatch)
    fleet.init(fleet.PaddleCloudRoleMaker())
    assert (fleet.is_worker(), fleet.is_server(), fleet.is_first_worker()) == (True, False, False)
    assert (fleet.worker_index(), fleet.worker_num(), fleet.server_num()) == (1, 2, 2)
    assert fleet.server_endpoints(to_string=True) == ENVIRONMENT["PADDLE_PSERVERS_IP_PORT_LIST"]
    assert together().rank == 1
    assert fleet.util.get_file_shard(["a", "b", "c"]) == ["c"]


def test_the_environment_says_which_server_this_is(monkeypatch) -> None:
    told(monkeypatch, TRAINING_ROLE="PSERVER", PADDLE_TRAINER_ID=None)
    fleet.init()
    assert (fleet.is_worker(), fleet.is_server(), fleet.server_index()) == (False, True, 1)


@pytest.mark.parametrize(
    "changed",
    [
        {"TRAINING_ROLE": "COACH"},
        {"TRAINING_ROLE": None},
        {"PADDLE_TRAINERS_NUM": None},
        {"PADDLE_TRAINER_ID": None},
        {"PADDLE_TRAINER_ID": "2"},
        {"PADDLE_TRAINER_ID": "one"},
        {"TRAINING_ROLE": "PSERVER", "PADDLE_PORT": "9"},
        {"TRAINING_ROLE": "PSERVER", "POD_IP": None},
    ],
)
def test_an_environment_that_makes_no_sense_is_told(monkeypatch, changed) -> None:
    told(monkeypatch, **changed)
    with pytest.raises(ArgumentError):
        fleet.init()


def user_defined(role: int, index: int, endpoints: list[str], workers: int = 1):
    return fleet.UserDefinedRoleMaker(
        role=role, current_id=index, worker_num=workers, server_endpoints=endpoints
    )


def test_roles_that_arguments_define(monkeypatch) -> None:
    fleet.init(user_defined(fleet.Role.SERVER, 1, ["127.0.0.1:1", "127.0.0.1:2"]))
    assert (fleet.is_server(), fleet.server_index()) == (True, 1)
    with pytest.raises(ArgumentError, match="server 2 of 2"):
        user_defined(fleet.Role.SERVER, 2, ["127.0.0.1:1", "127.0.0.1:2"])
    with pytest.raises(UnsupportedError, match="role 3"):
        user_defined(fleet.Role.HETER_WORKER, 0, ["127.0.0.1:1"])


def test_servers_without_a_program_have_nothing_to_keep() -> None:
    fleet.init(user_defined(fleet.Role.SERVER, 0, ["127.0.0.1:1"]))
    with pytest.raises(ProgramError, match="nothing to keep"):
        fleet.run_server()


def a_network(mode: str = "sync"):
    """The network, trained by the current fleet."""
    paddle.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        with paddle.utils.unique_name.guard(), static.program_guard(main, startup):
            ids = static.data("ids", [None, 3], "int64")
            y = static.data("y", [None, 1])
            rows = static.nn.embedding(ids, [ROWS, 4], is_sparse=True, is_distributed=True)
            loss = ((static.nn.fc(rows.sum(1), 1) - y) ** 2).mean()
            strategy = fleet.DistributedStrategy()
            strategy.a_sync = mode != "sync"
            rule = paddle.optimizer.SGD(0.1)
            fleet.distributed_optimizer(rule, strategy).minimize(loss)
        return main, startup, loss
    finally:
        paddle.disable_static()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_fleet_serves_trains_saves_and_loads(tmp_path, mode) -> None:
    endpoint = free_endpoint()
    fleet.init(user_defined(fleet.Role.SERVER, 0, [endpoint]))
    a_network(mode)
    fleet.init_server()
    serving = threading.Thread(target=fleet.run_server)
    serving.start()
    fleet.init(user_defined(fleet.Role.WORKER, 0, [endpoint]))
    main, startup, loss = a_network(mode)
    executor, losses = static.Executor(), []
    with static.scope_guard(static.Scope()):
        executor.run(startup)
        fleet.init_worker()
        for step in range(30):
            ids, y = batch(step)
            losses.append(executor.run(main, {"ids": ids, "y": y}, [loss])[0])
            if step == 9:
                fleet.save_persistables(executor, str(tmp_path), main)
                weight = main.all_parameters()[0].name
                saved = np.array(static.global_scope().find_var(weight))
        fleet.load_model(str(tmp_path))
        np.testing.assert_array_equal(np.array(static.global_scope().find_var(weight)), saved)
        out = main.global_block().ops[3].results[0].name
        wanted = executor.run(main.clone(for_test=True), {"ids": ids, "y": y}, [out])[0]
        fleet.save_inference_model(executor, str(tmp_path / "model"), ["ids"], [out], main)
        assert fleet.util.all_gather({"rank": 0}) == {"rank": 0}
        fleet.barrier_worker()
        assert fleet.shrink() == 0
        fleet.stop_worker()
    serving.join(20)
    assert not serving.is_alive()
    with static.scope_guard(static.Scope()):  # which asks no servers
        model, _, fetches = static.load_inference_model(str(tmp_path / "model" / "model"))
        found = executor.run(model, {"ids": ids}, fetches)[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
    assert np.mean(losses[-5:]) < 0.6 * np.mean(losses[:3])


def test_saving_for_inference_by_paddles_other_modes_is_refused() -> None:
    fleet.init(user_defined(fleet.Role.WORKER, 0, ["127.0.0.1:1"]))
    with pytest.raises(UnsupportedError, match="mode 1"):
        fleet.save_persistables(None, "folder", mode=1)
    with pytest.raises(UnsupportedError, match=r"fleet\.save_cache_model is not served"):
        fleet.save_cache_model("folder")


def test_training_eagerly_with_servers_is_refused() -> None:
    fleet.init(user_defined(fleet.Role.WORKER, 0, ["127.0.0.1:1"]))
    layer = paddle.nn.Linear(2, 2)
    with pytest.raises(UnsupportedError, match="they serve static Programs"):
        fleet.distributed_model(layer)
    rule = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
    with pytest.raises(UnsupportedError, match="they serve static Programs"):
        fleet.distributed_optimizer(rule)


def test_a_program_that_is_run_without_servers_says_so() -> None:
    fleet.init(user_defined(fleet.Role.WORKER, 0, ["127.0.0.1:1"]))
    main, _, loss = a_network()
    ask_by(None)
    ids, y = batch(0)
    scope = static.Scope()
    for state in main.all_parameters():
        scope.write(state, np.zeros(state.spec.shape, np.float32))
    with pytest.raises(DistributedError, match="connected to no parameter servers"):
        static.Executor().run(main, {"ids": ids, "y": y}, [loss], scope=scope)


def test_a_table_that_begins_by_something_else_is_refused() -> None:
    made = network()
    with pytest.raises(UnsupportedError, match="begins by nothing"):
        tables_of(made.main, static.Program(), 1, "sync")
    with pytest.raises(ProgramError, match="that 0 optimizers train"):
        tables_of(static.Program(), static.Program(), 1, "sync")


def test_shows_and_clicks_go_along_with_lookups() -> None:
    paddle.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        with paddle.utils.unique_name.guard(), static.program_guard(main, startup):
            ids = static.data("ids", [None, 2], "int64")
            for name in ("show", "click"):
                static.data(name, [None, 1])
            entry = paddle.distributed.ShowClickEntry("show", "click")
            attr = paddle.ParamAttr("emb", initializer=paddle.nn.initializer.Constant(0.5))
            rows = static.nn.sparse_embedding(ids, [9, 2], entry=entry, param_attr=attr)
            paddle.optimizer.SGD(0.1).minimize(rows.mean())
    finally:
        paddle.disable_static()
    kept = tables_of(main, startup, 1, "sync")
    ask_servers(main, startup, kept)
    ones = np.ones((2, 1), np.float32)
    feed = {"ids": np.array([[4, 4], [4, 7]]), "show": ones, "click": 0 * ones}
    with job(kept, servers=1, workers=1) as jobs:

        def work(worker, there) -> int:
            static.Executor().run(main, feed, [], scope=static.Scope())
            return there.on_all("shrink", threshold=0.2)[0]["dropped"]

        assert jobs.work(work) == [1]  # of 4, shown three times, and 7, shown once
        assert jobs.servers[0].kept["emb"].ids[:1].tolist() == [4]


def test_an_entry_that_names_no_input_is_told() -> None:
    made = network(entry=paddle.distributed.ShowClickEntry("show", "click"))
    kept = tables_of(made.main, made.startup, 1, "sync")
    with pytest.raises(ProgramError, match="names show, which is no input"):
        ask_servers(made.main, made.startup, kept)


def test_the_transpiler_makes_programs_that_print_and_run() -> None:
    endpoints = [free_endpoint(), free_endpoint()]
    made = network()
    transpiler = DistributeTranspiler()
    transpiler.transpile(0, made.main, ",".join(endpoints), 1, True, made.startup)
    trainer = transpiler.get_trainer_program()
    types = [o.type for o in trainer.global_block().ops]
    assert {"distributed_lookup_table", "send", "send_barrier", "recv"} <= set(types)
    assert "sgd" not in types
    servers = [transpiler.get_pserver_programs(e) for e in endpoints]
    assert "listen_and_serv" in str(servers[0][0])
    assert "sgd(%value, %gradient, %rate)" in str(servers[0][0])

    def serve(program, startup) -> None:
        executor = static.Executor()
        executor.run(startup)
        executor.run(program)

    threads = [threading.Thread(target=serve, args=programs) for programs in servers]
    for thread in threads:
        thread.start()
    executor, scope, losses = static.Executor(), static.Scope(), []
    executor.run(made.startup, scope=scope)
    for step in range(20):
        ids, y = batch(step)
        losses.append(executor.run(trainer, {"ids": ids, "y": y}, [made.loss], scope=scope)[0])
    executor.close()
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()
    assert np.mean(losses[-3:]) < np.mean(losses[:3])


def test_the_transpiler_tells_what_it_does_not_do() -> None:
    config = DistributeTranspilerConfig()
    config.mode = "nccl2"
    with pytest.raises(UnsupportedError, match="nccl2"):
        DistributeTranspiler(config).transpile(0, network().main)
    with pytest.raises(ProgramError, match="call transpile first"):
        DistributeTranspiler().get_trainer_program()
    with pytest.raises(DistributedError, match="no server of this process is at a:1"):
        listen_and_serv("a:1")


def test_measures_of_one_worker_are_its_own() -> None:
    scores, labels = np.random.default_rng(0).random(500), np.random.default_rng(1).random(500)
    clicked = labels < scores
    places = (scores * 400).astype(int)
    counts = [np.bincount(places[c], minlength=400)[None] for c in (clicked, ~clicked)]
    pairs = places[clicked][:, None] - places[~clicked][None]
    wanted = ((pairs > 0) + 0.5 * (pairs == 0)).mean()
    assert auc(*counts) == pytest.approx(wanted)
    assert auc(np.zeros((1, 4)), np.ones((1, 4))) == 0.5
    assert acc(np.array([3.0]), np.array([4.0])) == 0.75
    assert rmse(np.array([36.0]), np.array([4.0])) == 3.0
