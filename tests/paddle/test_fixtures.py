"""Models that Paddle wrote, read and written again by twinoar: Paddle finds its own results."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.core.rebuilt import run_text
from twinoar import jit, static

NAMES = ("control", "encoder", "lenet", "recurrent", "simplenet")

RUN_ALL = """
from pathlib import Path
paddle.enable_static()
executor = paddle.static.Executor(paddle.CPUPlace())
def results(name, prefix):
    known = np.load(Path(given["fixtures"]) / name / "io.npz")
    inputs = [known[f"input_{i}"] for i in range(sum(k.startswith("input_") for k in known))]
    with paddle.static.scope_guard(paddle.static.Scope()):
        program, feeds, fetches = paddle.static.load_inference_model(prefix, executor)
        found = executor.run(program, feed=dict(zip(feeds, inputs)), fetch_list=fetches)
    return [a.tolist() for a in found]
answer({name: results(name, prefix) for name, prefix in given["models"].items()})
"""


@pytest.fixture(scope="module")
def fixtures(paddle_fixtures: Path) -> Path:
    return paddle_fixtures / "paddle-2.6.2"


def assert_recorded(fixtures: Path, name: str, found: list) -> None:
    known = np.load(fixtures / name / "io.npz")
    for i, array in enumerate(found):
        # float32 sums in another order, as results are of size 1
        np.testing.assert_allclose(array, known[f"output_{i}"], rtol=1e-5, atol=1e-6)


def feeds_of(fixtures: Path, name: str) -> list[np.ndarray]:
    known = np.load(fixtures / name / "io.npz")
    return [known[key] for key in sorted(known.files) if key.startswith("input_")]


def saved_again(prefix: Path, to: Path) -> list[np.ndarray]:
    """Load an inference model and save it, as it is read; what it computes there."""
    with static.scope_guard(static.Scope()):
        executor = static.Executor()
        program, names, fetches = static.load_inference_model(prefix)
        feeds = [program.variable(name) for name in names]
        static.save_inference_model(to, feeds, fetches, executor, program=program)
        inputs = feeds_of(prefix.parents[1], prefix.parent.name)
        return executor.run(program, dict(zip(names, inputs, strict=True)), fetches)


def saved_from_python(prefix: Path, to: Path) -> None:
    """Load a model, write it as Python, build that, and save what is built."""
    with static.scope_guard(static.Scope()):
        program, names, _ = static.load_inference_model(prefix)
        program.to_python(to.with_suffix(".py"), values=True)
        space = run_text(to.with_suffix(".py").read_text(), str(to.with_suffix(".py")))
    with static.scope_guard(static.Scope()):
        again = space["build"]()
        again.set_state_dict(space["VALUES"])
        feeds = [again.variable(name) for name in names]
        static.save_inference_model(to, feeds, list(again.main.outputs), program=again)


def saved_as_layer(prefix: Path, to: Path) -> None:
    """Load a model as a layer, and save the layer."""
    jit.save(jit.load(str(prefix)), str(to))


@pytest.mark.parametrize("name", NAMES)
def test_each_model_computes_what_paddle_recorded(
    fixtures: Path, tmp_path: Path, name: str
) -> None:
    found = saved_again(fixtures / name / "inference", tmp_path / name)
    assert_recorded(fixtures, name, found)


@pytest.mark.parametrize("save", [saved_again, saved_from_python, saved_as_layer])
def test_the_real_paddle_runs_what_we_save_of_its_models(
    paddle: Callable,
    fixtures: Path,
    tmp_path: Path,
    save: Callable,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(os.environ, "FLAGS_enable_pir_api", "0")  # 3.x reads .pdmodel without it
    models = {name: tmp_path / name for name in NAMES}
    for name, to in models.items():
        save(fixtures / name / "inference", to)
    for name, found in paddle(RUN_ALL, fixtures=fixtures, models=models).items():
        assert_recorded(fixtures, name, found)
