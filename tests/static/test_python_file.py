"""`Program.to_python` serves every Program that users come to hold, with equal results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.core.rebuilt import assert_identical, run_text
from tests.jit.models.test_models import every_model, given, made
from twinoar import nn, static
from twinoar.cli import main
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.jit import load, save, to_static
from twinoar.nn import functional
from twinoar.static.program import Program
from twinoar.vision.models import LeNet, resnet18

FIXTURES = ("simplenet", "lenet", "control", "encoder", "recurrent")


def from_file(program: Program, folder: Path, **options: Any) -> dict[str, Any]:
    """What the written file defines."""
    path = folder / "model.py"
    text = program.to_python(path, **options)
    assert path.read_text() == text
    return run_text(text, str(path))


def run(program: Program, feeds: Sequence[np.ndarray], values: Any = None) -> list[np.ndarray]:
    """The outputs of a Program in a scope of its own."""
    with static.scope_guard(static.Scope()):
        if values is not None:
            program.set_state_dict(values)
        feed = {v.name: a for v, a in zip(program.main.inputs, feeds, strict=True)}
        return static.Executor().run(program, feed, list(program.main.outputs))


def assert_equal(found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", FIXTURES)
def test_each_model_of_paddle_is_built_again_and_computes_the_same(
    paddle_fixtures: Path, tmp_path: Path, name: str
) -> None:
    folder = paddle_fixtures / "paddle-2.6.2" / name
    known = np.load(folder / "io.npz")
    with static.scope_guard(static.Scope()):
        program, _, fetches = static.load_inference_model(folder / "inference")
        feeds = [known[f"input_{i}"] for i in range(len(program.main.inputs))]
        feed = {v.name: a for v, a in zip(program.main.inputs, feeds, strict=True)}
        expected = static.Executor().run(program, feed, fetches)
        space = from_file(program, tmp_path, values=True)
    again = space["build"]()
    assert_identical(again, program)
    assert_equal(run(again, feeds, space["VALUES"]), expected)


@every_model
def test_a_converted_training_step_is_built_again(code: ModuleType, tmp_path: Path) -> None:
    _, step = made(code, to_static)
    batch = map(given, next(code.batches(np.random.default_rng(4))))
    program = to_static(step).get_concrete_program(*batch)[0].main_program
    assert_identical(from_file(program, tmp_path)["build"](), program)


@every_model
def test_a_loaded_model_is_built_again_and_computes_the_same(
    code: ModuleType, tmp_path: Path
) -> None:
    model, _ = made(code, lambda f: f)
    model.eval()
    save(model, str(tmp_path / "saved"), input_spec=code.SPEC)
    program = load(str(tmp_path / "saved")).program()
    space = from_file(program, tmp_path, values=True)
    again = space["build"]()
    assert_identical(again, program)
    for example in code.examples(np.random.default_rng(6)):
        feeds = [t.numpy() for t in map(given, example) if isinstance(t, paddle.Tensor)]
        assert_equal(run(again, feeds, space["VALUES"]), run(program, feeds))


def encoder() -> nn.Layer:
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1), 2)


@pytest.mark.parametrize(
    ("make", "shape"),
    [(LeNet, (2, 1, 28, 28)), (resnet18, (1, 3, 64, 64)), (encoder, (2, 5, 8))],
)
def test_a_network_of_layers_is_built_again(make: Any, shape: tuple, tmp_path: Path) -> None:
    net = make()
    net.eval()
    x = np.random.default_rng(0).standard_normal(shape).astype("float32")
    spec = static.InputSpec([None, *shape[1:]], name="x")
    program = to_static(net, input_spec=[spec]).forward.concrete_program.main_program
    space = from_file(program, tmp_path, values=True)
    again = space["build"]()
    assert_identical(again, program)
    assert_equal(run(again, [x], space["VALUES"]), run(program, [x]))


def training(optimizer: Any) -> tuple[Program, Program]:
    """A training step with convolution, statistics, random numbers, updates: main and startup."""
    main, startup = Program("main"), Program("startup")
    main.random_seed = startup.random_seed = 7
    with static.program_guard(main, startup):
        x = static.data("x", [None, 1, 8, 8])
        label = static.data("label", [None, 1], "int64")
        hidden = functional.relu(nn.BatchNorm2D(4)(nn.Conv2D(1, 4, 3)(x)))
        hidden = functional.dropout(hidden.flatten(1), 0.5)
        regularized = paddle.ParamAttr(regularizer=paddle.regularizer.L2Decay(0.1))
        logits = static.nn.fc(hidden, 3, weight_attr=regularized)
        loss = functional.cross_entropy(logits, label).mean()
        optimizer().minimize(loss)
    main.main.outputs = [loss]
    return main, startup


@pytest.mark.parametrize(
    "optimizer",
    [
        lambda: paddle.optimizer.SGD(0.1),
        lambda: paddle.optimizer.Adam(0.1, grad_clip=nn.ClipGradByGlobalNorm(1.0)),
        lambda: paddle.optimizer.Momentum(0.1, 0.9),
    ],
)
def test_a_training_program_and_its_startup_are_built_again(optimizer, tmp_path: Path) -> None:
    main, startup = training(optimizer)
    space = from_file(main, tmp_path, startup=startup)
    again, starting = space["build"](), space["build_startup"]()
    assert_identical(again, main)
    assert_identical(starting, startup)

    numbers = np.random.default_rng(0)
    feed = {"x": numbers.random((5, 1, 8, 8), "float32"), "label": numbers.integers(0, 3, (5, 1))}
    found = []
    for program, start in ((main, startup), (again, starting)):
        paddle.seed(3)
        with static.scope_guard(static.Scope()):
            executor = static.Executor()
            executor.run(start)
            found.append([executor.run(program, feed, [program.main.outputs[0]]) for _ in range(3)])
    np.testing.assert_array_equal(found[0], found[1])


def test_effects_keep_their_place(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    @to_static
    def f(x):
        if x.sum() > 0:
            print("positive", x.sum())
        assert x.sum() > -100, "too small"
        return x * 2

    program = f.get_concrete_program(static.InputSpec([3]))[0].main_program
    again = from_file(program, tmp_path)["build"]()
    assert_identical(again, program)
    run(again, [np.ones(3, "float32")])
    assert "positive" in capsys.readouterr().out


def test_a_built_program_goes_on() -> None:
    with static.program_guard(Program()):
        y = paddle.zeros_like(static.data("x", [None, 2])) + 1.0
        again = run_text(y.home.program.to_python())["build"]()
    with static.program_guard(again):
        z = paddle.exp(again.variable(y.name)) + paddle.nonzero(again.variable("x")).sum()
    assert len({v.name for v in again.list_vars()}) == len(list(again.list_vars()))
    (found,) = static.Executor().run(again, {"x": np.zeros((1, 2), "float32")}, [z])
    np.testing.assert_allclose(found, np.full((1, 2), np.e), rtol=1e-6)


def test_arguments_are_checked(tmp_path: Path) -> None:
    program, _ = training(lambda: paddle.optimizer.SGD(0.1))
    with pytest.raises(ArgumentError, match="Python file"):
        program.to_python(tmp_path / "model.pdmodel")
    with pytest.raises(ArgumentError, match="beside"):
        program.to_python(values=True)
    with pytest.raises(TypeMismatchError, match="startup"):
        program.to_python(startup="startup")
    with pytest.raises(ProgramError, match="not initialized"):
        program.to_python(tmp_path / "model.py", values=True, scope=static.Scope())
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_saved_model(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    net, x = nn.Linear(3, 2), np.ones((1, 3), "float32")
    save(net, str(tmp_path / "net"), input_spec=[static.InputSpec([None, 3], name="x")])
    assert main(["to-python", str(tmp_path / "net.pdmodel"), "-o", str(tmp_path / "net.py")]) == 0
    space = run_text((tmp_path / "net.py").read_text(), str(tmp_path / "net.py"))
    assert_equal(run(space["build"](), [x], space["VALUES"]), [net(paddle.to_tensor(x)).numpy()])
    assert main(["to-python", str(tmp_path / "net")]) == 0
    assert "ops.matmul(" in capsys.readouterr().out
    assert main(["to-python", str(tmp_path / "other.pdmodel")]) == 1
    assert "other.pdmodel" in capsys.readouterr().err
