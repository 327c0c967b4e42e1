"""Paddle Inference: configs, predictors and their handles."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import fluid, inference, nn, static
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    FileError,
    ProgramError,
    ShapeError,
    TypeMismatchError,
    UnknownNameError,
    UnsupportedError,
)

X = np.linspace(-1, 1, 6).reshape(3, 2).astype("float32")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A small model's prefix, and what it gives for X."""
    paddle.seed(3)
    net = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1D(4), nn.Dropout(0.5), nn.ReLU())
    net(paddle.to_tensor(X))
    net.eval()
    prefix = str(tmp_path_factory.mktemp("model") / "net")
    paddle.jit.save(net, prefix, input_spec=[static.InputSpec([None, 2], name="x")])
    return prefix, net(paddle.to_tensor(X)).numpy()


def config_of(prefix):
    return inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams")


@pytest.fixture
def predictor(saved):
    return inference.create_predictor(config_of(saved[0]))


def test_a_model_runs_by_handles(saved, predictor):
    assert predictor.get_input_names() == ["x"]
    (name,) = predictor.get_output_names()
    handle = predictor.get_input_handle("x")
    assert handle.shape() == [-1, 2] and handle.type() is inference.DataType.FLOAT32
    handle.reshape([3, 2])
    handle.copy_from_cpu(X)
    predictor.run()
    np.testing.assert_allclose(
        predictor.get_output_handle(name).copy_to_cpu(), saved[1], rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("kind", [np.asarray, paddle.to_tensor])
def test_a_model_runs_on_a_list(saved, predictor, kind):
    (found,) = predictor.run([kind(X)])
    assert type(found) is type(kind(X))
    np.testing.assert_allclose(np.asarray(found), saved[1], rtol=1e-5, atol=1e-6)


def test_passes_fold_what_can_be_and_change_nothing_without_optimization(saved):
    config = config_of(saved[0])
    assert "batch_norm" not in str(inference.create_predictor(config).program)
    config.switch_ir_optim(False)
    plain = inference.create_predictor(config)
    assert "batch_norm" in str(plain.program)
    np.testing.assert_allclose(plain.run([X])[0], saved[1], rtol=1e-6)


def test_the_list_of_passes_is_edited(saved):
    config = config_of(saved[0])
    builder = config.pass_builder()
    config.delete_pass("fold_linear_bn")
    builder.insert_pass(0, "decompose")
    builder.append_pass("simplify")
    names = builder.all_passes()
    assert names[0] == "decompose" and names[-1] == "simplify" and "fold_linear_bn" not in names
    with pytest.raises(UnknownNameError, match="no pass 'fold_linear_bn' is run"):
        builder.delete_pass("fold_linear_bn")
    with pytest.raises(UnknownNameError, match="there is no pass"):
        builder.append_pass("mkldnn_placement_pass")


def test_each_step_is_drawn_where_that_is_asked_for(saved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = config_of(saved[0])
    config.pass_builder().set_passes(["remove_dropout", "simplify"])
    config.switch_ir_debug(True)
    inference.create_predictor(config)
    names = ["0_ir_remove_dropout.dot", "1_ir_simplify.dot"]
    assert sorted(p.name for p in tmp_path.iterdir()) == names
    assert (tmp_path / names[0]).read_text().startswith("digraph")


def test_clones_share_the_model_and_not_the_handles(saved, predictor):
    twins = [predictor.clone() for _ in range(4)]

    def run(twin):
        return twin.run([X])[0]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(run, twins):
            np.testing.assert_allclose(found, saved[1], rtol=1e-5, atol=1e-6)
    assert twins[0].program is predictor.program
    with pytest.raises(ProgramError, match="x has no data yet"):
        predictor.run()


def test_threads_share_a_predictor_and_each_finds_its_own(saved, predictor):
    handle, name = predictor.get_input_handle("x"), predictor.get_output_names()[0]
    given = [X * np.float32(n) for n in range(32)]
    expected = [predictor.run([x])[0].tobytes() for x in given]

    def by_handles(n):
        for _ in range(20):
            handle.copy_from_cpu(given[n])
            predictor.run()
            found = predictor.get_output_handle(name).copy_to_cpu().tobytes()
            assert found == expected[n] == predictor.run([given[n]])[0].tobytes()
        return n

    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(by_handles, range(32))) == list(range(32))


def test_what_another_thread_put_is_not_taken(predictor):
    with ThreadPoolExecutor(1) as pool:
        pool.submit(predictor.get_input_handle("x").copy_from_cpu, X).result()
        with pytest.raises(ProgramError, match="x has no data yet in this thread"):
            predictor.run()
        pool.submit(predictor.run).result()


def test_a_pool_has_so_many(saved):
    pool = inference.PredictorPool(config_of(saved[0]), 2)
    assert pool.retrive(0) is not pool.retrive(1)
    with pytest.raises(ArgumentError, match="the pool has 2 predictors, received 2"):
        pool.retrive(2)


def test_memory_of_handles_is_given_back(predictor):
    predictor.run([X])
    assert predictor.try_shrink_memory() == X.nbytes + 3 * 4 * 4
    assert predictor.try_shrink_memory() == 0


def test_threads_are_limited(saved):
    config = config_of(saved[0])
    config.set_cpu_math_library_num_threads(1)
    assert config.cpu_math_library_num_threads() == 1
    (found,) = inference.create_predictor(config).run([X])
    np.testing.assert_allclose(found, saved[1], rtol=1e-5, atol=1e-6)


def test_a_model_runs_from_memory(saved):
    config = inference.Config()
    data = [Path(f"{saved[0]}.{end}").read_bytes() for end in ("pdmodel", "pdiparams")]
    config.set_model_buffer(data[0], len(data[0]), data[1], len(data[1]))
    (found,) = inference.create_predictor(config).run([X])
    np.testing.assert_allclose(found, saved[1], rtol=1e-5, atol=1e-6)


def test_folders_of_paddle_1_are_read(tmp_path):
    paddle.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            y = fluid.layers.fc(fluid.data("x", [None, 2]), 3)
        executor = static.Executor()
        executor.run(startup)
        (wanted,) = executor.run(main, {"x": X}, [y])
        fluid.io.save_inference_model(str(tmp_path), ["x"], [y], executor, main)
    finally:
        paddle.disable_static()
    (found,) = inference.create_predictor(inference.Config(str(tmp_path))).run([X])
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_the_summary_names_the_files(saved):
    config = config_of(saved[0])
    assert f"{saved[0]}.pdmodel" in config.summary() and "| ir_optim" in config.summary()


def into(data):
    return lambda p: p.get_input_handle("x").copy_from_cpu(data)


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        (lambda p: p.get_input_handle("y"), UnknownNameError, "no input 'y'"),
        (lambda p: p.get_output_handle("y"), UnknownNameError, "no output 'y'"),
        (into(X.astype("float64")), DTypeError, "must be float32, received float64"),
        (into(X.reshape(2, 3)), ShapeError, r"received shape \[2, 3\]"),
        (into([1.0]), TypeMismatchError, "takes an ndarray, received list"),
        (lambda p: p.run(), ProgramError, "x has no data yet"),
        (lambda p: p.run([X, X]), ArgumentError, r"takes 1 inputs \(x\), received 2"),
        (lambda p: p.run(X), TypeMismatchError, "expected a list of inputs"),
        (lambda p: p.get_input_handle("x").set_lod([[0, 1]]), UnsupportedError, "pad"),
    ],
)
def test_what_does_not_fit_is_refused(predictor, act, error, message):
    with pytest.raises(error, match=message):
        act(predictor)


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        (inference.Config(), ArgumentError, "names no model"),
        (inference.Config("no.pdmodel", "no.pdiparams"), FileError, "cannot read no.pdmodel"),
        (inference.Config("no_folder"), FileError, "cannot read no_folder"),
        (inference.Config("a.json", "a.pdiparams"), FileError, r"cannot read a\.json"),
        ("a", TypeMismatchError, "expected an inference.Config"),
    ],
)
def test_models_that_are_not_there_are_named(config, error, message):
    with pytest.raises(error, match=message):
        inference.create_predictor(config)


def test_devices_that_are_not_served_are_refused():
    with pytest.raises(UnsupportedError, match="on the CPU alone"):
        inference.Config().enable_use_gpu(100, 0)


@pytest.mark.parametrize("name", ["simplenet", "lenet", "encoder", "recurrent", "control"])
def test_models_of_paddle_give_the_recorded_outputs(paddle_fixtures, name):
    folder = paddle_fixtures / "paddle-2.6.2" / name
    predictor = inference.create_predictor(config_of(folder / "inference"))
    kept = np.load(folder / "io.npz")
    inputs = [kept[k] for k in sorted(kept) if k.startswith("input")]
    wanted = [kept[k] for k in sorted(kept) if k.startswith("output")]
    for found, expected in zip(predictor.run(inputs), wanted, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_attention_of_paddle_is_one_operator(paddle_fixtures):
    folder = paddle_fixtures / "paddle-2.6.2" / "encoder"
    predictor = inference.create_predictor(config_of(folder / "inference"))
    types = [o.op.name for o in predictor.program.main.ops]
    assert types.count("scaled_dot_product_attention") == 2 and "softmax" not in types
