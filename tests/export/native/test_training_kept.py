"""What a training becomes that is kept: states in files, and from where else one comes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import here
from tests.export.native.test_wasm import NPM, in_node, needs_node
from tests.export.native.trainings import Training, batches_of, lenet_adam, mlp, normalized, sgd
from twinoar import cli, nn
from twinoar.errors import ArgumentError, FileError, UnknownNameError, UnsupportedError
from twinoar.export.native import export_training, load_state
from twinoar.export.native.loaded import LoadedTraining
from twinoar.formats.safetensors import opened
from twinoar.static import InputSpec

NODE = shutil.which("node")


def test_a_training_goes_on_from_its_state(tmp_path: Path) -> None:
    given = normalized()
    (file, _) = given.exported(tmp_path, here())
    first, second = LoadedTraining(file), LoadedTraining(file)
    for batch in given.batches[:7]:
        first.step(*batch)
    first.save(tmp_path / "state")
    second.state = (tmp_path / "state").read_bytes()
    for batch in given.batches[7:]:
        assert first.step(*batch)[0].tobytes() == second.step(*batch)[0].tobytes()
    assert first.state == second.state


def test_twinoar_goes_on_where_a_device_stopped(tmp_path: Path) -> None:
    given, again = normalized(), normalized()
    device = given.library(tmp_path)
    for batch in given.batches[:10]:
        device.step(*batch)
    device.learning_rate = 0.0015
    device.save(tmp_path / "net.safetensors")
    load_state(tmp_path / "net.safetensors", again.net, again.optimizer)
    assert again.optimizer.get_lr() == pytest.approx(0.0015)
    here_, there = [], []
    for batch in given.batches[10:]:
        here_.append(again.step(*map(paddle.to_tensor, batch)).numpy())
        there.append(device.step(*batch)[0])
    np.testing.assert_allclose(there, here_, rtol=1e-5)


def test_a_state_is_a_safetensors_file_with_the_names_of_parameters(tmp_path: Path) -> None:
    given = lenet_adam()
    device = given.library(tmp_path)
    device.save(tmp_path / "net.safetensors")
    found = opened(str(tmp_path / "net.safetensors"))
    assert found.metadata["model"] == "net"
    for name, array in given.parameters().items():
        np.testing.assert_array_equal(found[name], array)
        (moment,) = [key for key in found if key.startswith(f"{name}_moment1_")]
        assert not found[moment].any()


def test_a_state_of_another_training_is_refused(tmp_path: Path) -> None:
    device, other = mlp().library(tmp_path / "a"), lenet_adam().library(tmp_path / "b")
    for state in (other.state, device.state[:-1], b"", bytes(len(device.state))):
        with pytest.raises(ValueError, match="this is not a state of net"):
            device.state = state
    with pytest.raises(UnknownNameError, match="has no 'conv2d_0"):
        (tmp_path / "state").write_bytes(device.state)
        load_state(tmp_path / "state", lenet_adam().net)
    with pytest.raises(FileError):
        (tmp_path / "state").write_bytes(device.state[:-1])
        load_state(tmp_path / "state", mlp().net)


def test_the_learning_rate_of_the_next_steps_is_set(tmp_path: Path) -> None:
    given = mlp()
    device = given.library(tmp_path)
    assert device.learning_rate == pytest.approx(0.01)
    device.learning_rate = 0.0
    before = device.state
    losses = {device.step(*given.batches[0])[0].tobytes() for _ in range(3)}
    assert len(losses) == 1
    assert device.state == before


def test_a_step_that_fails_leaves_the_state(tmp_path: Path) -> None:
    given = mlp()
    device = given.library(tmp_path)
    x, y = given.batches[0]
    before = device.state
    with pytest.raises(ValueError, match="lies outside of the 3 places"):
        device.step(x, y + 3)
    assert device.state == before


def test_what_predicts_is_asked_for(tmp_path: Path) -> None:
    device = mlp().library(tmp_path, predict=None, predict_spec=None)
    with pytest.raises(ValueError, match="exported without what predicts"):
        device.run(np.zeros((8, 12), np.float32))
    assert "net_run" not in (tmp_path / "net.h").read_text()


def test_weights_that_no_step_changes_are_shared_by_states(tmp_path: Path) -> None:
    given = mlp()
    for parameter in given.net[0].parameters():
        parameter.stop_gradient = True
    files = given.exported(tmp_path, here(), weights="beside")
    device = LoadedTraining(files[0], files[2])
    device.verify()
    assert {s["name"] for s in device.description["states"]} == {
        "learning_rate", "linear_1.w_0", "linear_1.b_0",
    }  # fmt: skip
    losses = [device.step(*batch)[0] for batch in given.batches]
    np.testing.assert_allclose(losses, given.eager(), rtol=1e-5)


def test_states_that_follow_from_each_other_keep_their_order(tmp_path: Path) -> None:
    first, second = (paddle.to_tensor(np.float32([n, n])) for n in (1, 2))

    def swap(x: Any) -> Any:
        total = (first * x).sum() + second.sum()
        before = first.clone()
        first.set_value(second)
        second.set_value(before)
        return total

    spec = [InputSpec([2], "float32", "x")]
    files = export_training(swap, str(tmp_path), target=here(), name="net", input_spec=spec)
    device = LoadedTraining(files[0])
    x = np.float32([1, 2])
    assert [float(device.step(x)[0]) for _ in range(3)] == [7.0, 8.0, 7.0]


# Static Programs, and the command.


def program() -> tuple[Any, Any, Any, Any]:
    """A training Program, what predicts, the loss, and an Executor that has started it."""
    paddle.seed(4)
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", ["N", 12])
        y = paddle.static.data("y", ["N", 1], "int64")
        found = nn.Linear(16, 3)(nn.functional.relu(nn.Linear(12, 16)(x)))
        test = main.clone(for_test=True)
        loss = nn.functional.cross_entropy(found, y)
        paddle.optimizer.Adam(0.01).minimize(loss)
    test.main.outputs = [test.variable(found.name)]
    executor = paddle.static.Executor()
    executor.run(startup)
    return main, test, loss, executor


@pytest.fixture
def static_mode() -> Any:
    paddle.enable_static()
    yield
    paddle.disable_static()


SHAPES = {"x": [8, 12], "y": [8, 1]}


@pytest.mark.usefixtures("static_mode")
def test_a_static_program_trains(tmp_path: Path) -> None:
    main, test, loss, executor = program()
    files = export_training(
        main, str(tmp_path), target=here(), name="net", shapes=SHAPES, fetch=[loss.name],
        predict=test, predict_shapes={"x": [1, 12]},
    )  # fmt: skip
    device = LoadedTraining(files[0])
    device.verify()
    batches = batches_of((8, 12), 3)
    for x, y in batches:
        (wanted,) = executor.run(main, feed={"x": x, "y": y}, fetch_list=[loss])
        np.testing.assert_allclose(device.step(x, y)[0], wanted, rtol=1e-5)
    one = batches[0][0][:1]
    (wanted,) = executor.run(test, feed={"x": one}, fetch_list=test.main.outputs)
    np.testing.assert_allclose(device.run(one)[0], wanted, rtol=1e-4, atol=1e-5)
    device.save(tmp_path / "state")
    executor.run(main, feed={"x": x, "y": y}, fetch_list=[loss])
    load_state(tmp_path / "state", main)
    (wanted,) = executor.run(main, feed={"x": x, "y": y}, fetch_list=[loss])
    np.testing.assert_allclose(device.step(x, y)[0], wanted, rtol=1e-5)


@pytest.mark.usefixtures("static_mode")
def test_the_command_writes_a_saved_training(tmp_path: Path, capsys: Any) -> None:
    main, test, loss, executor = program()
    paddle.static.save(main, str(tmp_path / "main"))
    paddle.static.save_inference_model(
        str(tmp_path / "test"), [test.main.inputs[0]], test.main.outputs, executor, program=test
    )
    arguments = [
        "export", str(tmp_path / "main"), "--training", "--target", here(), "--name", "net",
        "-o", str(tmp_path / "out"), "--fetch", loss.name, "--predict", str(tmp_path / "test"),
        "--shape", "x=8,12", "--shape", "y=8,1",
    ]  # fmt: skip
    assert cli.main(arguments) == 0
    device = LoadedTraining(capsys.readouterr().out.splitlines()[0])
    device.verify()
    for x, y in batches_of((8, 12), 3):
        (wanted,) = executor.run(main, feed={"x": x, "y": y}, fetch_list=[loss])
        np.testing.assert_allclose(device.step(x, y)[0], wanted, rtol=1e-5)
    (wanted,) = executor.run(test, feed={"x": x, "y": y}, fetch_list=test.main.outputs)
    np.testing.assert_allclose(device.run(x)[0], wanted, rtol=1e-4, atol=1e-5)
    assert cli.main([*arguments[:2], *arguments[3:]]) == 1
    assert "--fetch and --predict are for a training" in capsys.readouterr().err


@pytest.mark.usefixtures("static_mode")
def test_dropout_of_a_program_draws_as_the_executor_does(tmp_path: Path) -> None:
    paddle.seed(5)
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", [6, 8])
        hidden = nn.functional.dropout(nn.Linear(8, 8)(x), 0.5)
        loss = nn.functional.dropout(nn.Linear(8, 4)(hidden), 0.2).square().mean()
        paddle.optimizer.Momentum(0.01).minimize(loss)
    executor = paddle.static.Executor()
    executor.run(startup)
    files = export_training(main, str(tmp_path), target=here(), name="net", fetch=[loss.name])
    device = LoadedTraining(files[0])
    for x in np.random.default_rng(0).standard_normal((9, 6, 8)).astype(np.float32):
        (wanted,) = executor.run(main, feed={"x": x}, fetch_list=[loss])
        np.testing.assert_allclose(device.step(x)[0], wanted, rtol=1e-5)
    paddle.static.save(main, str(tmp_path / "saved"))
    saved = str(tmp_path / "saved")
    files = export_training(saved, str(tmp_path / "again"), target=here(), fetch=[loss.name])
    again = LoadedTraining(files[0])
    losses = [again.step(x)[0] for _ in range(40)]
    assert np.mean(losses[-10:]) < np.mean(losses[:10])


# Refusals.


def test_a_step_that_changes_nothing_is_refused(tmp_path: Path) -> None:
    spec = [InputSpec([2], "float32", "x")]
    with pytest.raises(ArgumentError, match="the step changes no states"):
        export_training(lambda x: x + 1, str(tmp_path / "new"), target="aarch64", input_spec=spec)
    assert not (tmp_path / "new").exists()


def test_gradients_that_go_on_to_the_next_step_are_refused(tmp_path: Path) -> None:
    net = nn.Linear(2, 1)
    optimizer = sgd(net.parameters())

    def step(x: Any) -> Any:
        loss = net(x).mean()
        loss.backward()
        optimizer.step()
        return loss

    spec = [InputSpec([1, 2], "float32", "x")]
    with pytest.raises(UnsupportedError, match="adds to the gradient") as refusal:
        export_training(step, str(tmp_path / "new"), target="aarch64", input_spec=spec)
    assert "clear_grad()" in str(refusal.value)
    assert not (tmp_path / "new").exists()


def test_sizes_that_are_not_known_are_asked_for(tmp_path: Path) -> None:
    spec = [InputSpec([None, 12], "float32", "x"), InputSpec([None, 1], "int64", "y")]
    with pytest.raises(ArgumentError, match="whose sizes are not all numbers"):
        mlp().exported(tmp_path / "new", "aarch64", input_spec=spec)
    files = mlp().exported(tmp_path, "aarch64", input_spec=spec, shapes=SHAPES)
    assert "step: inputs[0]: x, float [8,12]" in Path(files[1]).read_text()


# In pages.


@needs_node
def test_a_page_keeps_its_training(tmp_path: Path) -> None:
    given = mlp()
    given.exported(tmp_path, "wasm32", kind="wasm")
    script = """
const zeros = { x: new Float32Array(96).fill(1), y: new BigInt64Array(8) };
const first = model.state;
model.learningRate = 0.5;
const losses = [model.step(zeros).output_0[0], model.step(zeros).output_0[0]];
const kept = model.state;
const third = model.step(zeros).output_0[0];
model.state = kept;
const told = (act) => { try { act(); return "none"; } catch (e) { return e.message; } };
console.log(JSON.stringify([
  losses[1] < losses[0], model.step(zeros).output_0[0] === third, model.learningRate,
  told(() => { model.state = kept.slice(1); }),
  told(() => { model.state = kept.map((b) => b ^ 1); }),
  told(() => model.step({ x: zeros.x })), model.read("linear_0.b_0").length,
  told(() => model.read("none")), Object.keys(model.entries), model.states.length,
]));
model.reset();
console.log(model.state.every((b, n) => b === first[n]), model.learningRate);
"""
    told, reset = in_node(tmp_path, script).splitlines()
    refused = "this is not a state of net"
    assert json.loads(told) == [
        True, True, 0.5, refused, refused, "y is a BigInt64Array of 8 elements, received nothing",
        16, "the state has no none", ["step", "run"], 5,
    ]  # fmt: skip
    assert reset == "true 0.01"


@needs_node
@pytest.mark.skipif(NPM is None, reason="there is no npm")
def test_a_package_that_npm_installs_trains(tmp_path: Path) -> None:
    package, user = tmp_path / "package", tmp_path / "user"
    mlp().exported(package, "wasm32", kind="wasm", name="trained")
    user.mkdir()

    def npm(*arguments: str, cwd: Path) -> str:
        done = subprocess.run(
            [str(NPM), *arguments], capture_output=True, text=True, cwd=cwd, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    packed = json.loads(npm("pack", "--json", cwd=package))[0]["filename"]
    (user / "package.json").write_text('{"name": "user", "type": "module", "private": true}')
    npm("install", "--offline", "--no-audit", "--no-fund", str(package / packed), cwd=user)
    (user / "use.js").write_text(
        'import { load } from "trained";\nconst model = await load();\nmodel.verify();\n'
        "const feeds = { x: new Float32Array(96).fill(1), y: new BigInt64Array(8) };\n"
        "for (let n = 0; n < 50; n++) model.step(feeds);\n"
        "console.log(model.step(feeds).output_0[0] < 0.1);\n"
    )
    done = subprocess.run(
        [str(NODE), "use.js"], capture_output=True, text=True, cwd=user, check=False
    )
    assert (done.stdout, done.returncode) == ("true\n", 0), done.stderr


def test_types_name_what_a_step_takes_and_gives(tmp_path: Path) -> None:
    training: Training = mlp()
    training.exported(tmp_path, "wasm32", kind="wasm")
    types = (tmp_path / "net.d.ts").read_text()
    assert "step(feeds: StepInputs): StepOutputs;" in types
    assert '"x": Float32Array;\n  /** int64 [8,1] */\n  "y": BigInt64Array;' in types
    assert "readonly entries: { readonly step: Entry; readonly run: Entry };" in types
    assert "%" not in types


CONFUSED = [InputSpec([8, 12], "float32", "learning_rate"), InputSpec([8, 1], "int64", "y")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "executable"}, "a program runs one model of one size"),
        ({"weights": "none"}, "'inside' or 'beside'"),
        ({"name": "a b"}, "cannot be called"),
        ({"input_spec": CONFUSED}, "the input learning_rate is called as a state is"),
    ],
)
def test_other_arguments_are_refused(options: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=message):
        mlp().exported(tmp_path / "new", here(), **options)
    assert not (tmp_path / "new").exists()
