"""Layers of `static.nn` give, and learn, what Paddle 2.6.2's do; their files go both ways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar
from tests.paddle import static_layers
from tests.static import test_nn_control_flow, test_nn_sequence
from twinoar import static
from twinoar.core import unique_name

SCRIPTS = Path(__file__).parent
PRELUDE = """
sys.path.insert(0, given["scripts"])
import static_layers as layers
paddle.enable_static()
"""
TRAIN = (
    PRELUDE
    + """
prefix = given["folder"] + "/theirs."
answer({n: layers.trained(paddle, n, prefix + n) for n in layers.LAYERS})
"""
)
LOAD = (
    PRELUDE
    + """
prefix = given["folder"] + "/ours."
answer({n: layers.loaded(paddle, n, prefix + n) for n in layers.LAYERS})
"""
)


READ = """
paddle.enable_static()
found = {}
for name, inputs in given["files"].items():
    with paddle.static.scope_guard(paddle.static.Scope()):
        executor = paddle.static.Executor()
        program, names, fetches = paddle.static.load_inference_model(
            given["folder"] + "/" + name, executor
        )
        feed = {key: np.array(*inputs[key]) for key in names}
        (out,) = executor.run(program, feed=feed, fetch_list=fetches)
        found[name] = [list(out.shape), out.astype("float64").ravel().tolist()]
answer(found)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("static_nn")


@pytest.fixture(scope="module")
def theirs(paddle_2: Callable, folder: Path) -> dict:
    return paddle_2(TRAIN, scripts=SCRIPTS, folder=folder)


@pytest.fixture(scope="module")
def ours(folder: Path) -> dict:
    return {
        name: static_layers.trained(twinoar, name, f"{folder}/ours.{name}")
        for name in static_layers.LAYERS
    }


@pytest.fixture(scope="module")
def loaded(paddle_2: Callable, folder: Path, ours: dict) -> dict:
    return paddle_2(LOAD, scripts=SCRIPTS, folder=folder)


def close(own: list, real: list) -> None:
    assert own[0] == real[0] and np.isfinite(own[1]).all()
    np.testing.assert_allclose(own[1], real[1], rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize("name", static_layers.LAYERS)
def test_a_layer_learns_what_paddles_does(name: str, ours: dict, theirs: dict) -> None:
    own, real = ours[name], theirs[name]
    for a, b in zip(own["outputs"], real["outputs"], strict=True):
        close(a, b)
    assert list(own["parameters"]) == list(real["parameters"])
    for parameter, value in real["parameters"].items():
        close(own["parameters"][parameter], value)


@pytest.mark.parametrize("name", static_layers.LAYERS)
def test_paddle_reads_our_file(name: str, ours: dict, loaded: dict) -> None:
    close(ours[name]["outputs"][-1], loaded[name])


@pytest.mark.parametrize("name", static_layers.LAYERS)
def test_we_read_our_file_and_paddles(name: str, ours: dict, theirs: dict, folder: Path) -> None:
    own = static_layers.loaded(twinoar, name, f"{folder}/ours.{name}")
    np.testing.assert_allclose(own[1], ours[name]["outputs"][-1][1], rtol=1e-6, atol=1e-6)
    close(
        static_layers.loaded(twinoar, name, f"{folder}/theirs.{name}"), theirs[name]["outputs"][-1]
    )


def saved(folder: Path, name: str, build: Callable, feed: dict) -> tuple[dict, list]:
    """Saves a program of ours; its feed as JSON has it, and what it gives."""
    main, startup = static.Program(), static.Program()
    scope = static.scope_guard(static.Scope())
    with unique_name.guard(), scope, static.program_guard(main, startup):
        inputs, out = build()
        executor = static.Executor()
        executor.run(startup)
        given = {v.name: feed[v.name] for v in inputs}
        (found,) = executor.run(main, given, [out])
        static.save_inference_model(folder / name, inputs, [out], executor, program=main)
    return {k: [v.tolist(), str(v.dtype)] for k, v in given.items()}, static_layers.listed(found)


def of_sequences(name: str) -> Callable:
    def build() -> tuple[list, object]:
        inputs = test_nn_sequence.inputs()
        return inputs, test_nn_sequence.CASES[name][0](*inputs)

    return build


def over_time(time: int | None) -> Callable:
    def build() -> tuple[list, object]:
        x = static.data("x", [time, None, 3])
        return [x], test_nn_control_flow.recurrent(x)[0]

    return build


def chosen() -> tuple[list, object]:
    n = test_nn_control_flow.number()
    return [n], static.nn.switch_case(n, test_nn_control_flow.BRANCHES["functions"])


def test_paddle_reads_sequences_and_networks_over_time(paddle_2: Callable, tmp_path: Path) -> None:
    steps = {"x": test_nn_sequence.X.transpose(1, 0, 2).copy()}
    programs = {
        name: saved(tmp_path, name, of_sequences(name), test_nn_sequence.FEED)
        for name in test_nn_sequence.CASES
    }
    programs["known time"] = saved(tmp_path, "known time", over_time(5), steps)
    programs["any time"] = saved(tmp_path, "any time", over_time(None), steps)
    programs["choice"] = saved(tmp_path, "choice", chosen, {"n": np.array([1])})
    files = {name: given for name, (given, _) in programs.items()}
    found = paddle_2(READ, folder=tmp_path, files=files)
    for name, (_, expected) in programs.items():
        close(found[name], expected)
