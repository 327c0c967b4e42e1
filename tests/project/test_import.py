"""`import twinoar` loads nothing heavy; benchmarks/import_time.py says how long it takes."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "zipfile",
    "fractions",
    "llvmlite",
    "onednn",
    "google.protobuf",
    "PIL",
    "matplotlib",
    "rich",
    "multiprocessing.pool",
)
# What only some programs use: each is loaded when it is asked for.
LATE = ("twinoar.static", "twinoar.jit", "twinoar.nn", "twinoar.compile.commands", "html", "json")
# Modules beside those of NumPy and of `twinoar.ops`, all of which are loaded: each takes a third of
# a millisecond. benchmarks/import_time.py measures what they take together.
MOST_MODULES = 122  # with ranks, which operators between them need
MOST_OF_OTHERS = 20  # of Python's library and of other packages
LOADED = (
    "import numpy, sys; before = set(sys.modules); {statement}; print(*{{*sys.modules}} - before)"
)


def loaded_by(statement: str) -> set[str]:
    """The modules that a fresh process loads by `statement`, less those of NumPy."""
    command = [sys.executable, "-c", LOADED.format(statement=statement)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def heavy_modules(statement: str) -> set[str]:
    """Those of HEAVY that `statement` loads."""
    return set(HEAVY) & loaded_by(statement)


def test_importing_twinoar_loads_few_modules() -> None:
    loaded = loaded_by("import twinoar")
    own = {name for name in loaded if name.partition(".")[0] == "twinoar"}
    assert len({name for name in own if not name.startswith("twinoar.ops")}) <= MOST_MODULES
    assert len(loaded - own) <= MOST_OF_OTHERS, sorted(loaded - own)
    assert loaded.isdisjoint(LATE)


@pytest.mark.parametrize("name", ["enable_static", "in_dynamic_mode", "static", "nn", "jit"])
def test_what_is_late_is_loaded_when_it_is_asked_for(name: str) -> None:
    loaded = loaded_by(f"import twinoar; twinoar.{name}")
    assert not loaded.isdisjoint(LATE)


def test_importing_twinoar_loads_nothing_heavy() -> None:
    assert heavy_modules("import twinoar") == set()


def test_a_predictor_loads_nothing_that_trains() -> None:
    program = LOADED.format(statement="from twinoar import inference")
    command = [sys.executable, "-c", program]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert {"twinoar.nn", "twinoar.optimizer", "twinoar.jit"}.isdisjoint(loaded)
    assert "twinoar.inference.predictor" in loaded


@pytest.mark.parametrize("module", ["google.protobuf", "PIL"])
def test_the_check_sees_a_heavy_module(module: str) -> None:
    assert heavy_modules(f"import twinoar, {module}") >= {module}


@pytest.mark.parametrize("before", ["enable", "disable"])
def test_importing_twinoar_leaves_the_garbage_collector_as_it_was(before: str) -> None:
    program = f"import gc; gc.{before}(); import twinoar; print(gc.isenabled())"
    command = [sys.executable, "-c", program]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert shown.split() == [str(before == "enable")]


TRAINING = """
import twinoar as paddle
network = paddle.nn.Sequential(
    paddle.nn.Conv2D(1, 2, 3), paddle.nn.BatchNorm2D(2), paddle.nn.Flatten(), paddle.nn.Linear(8, 2)
)
optimizer = paddle.optimizer.Adam(0.01, parameters=network.parameters())

def step(x):
    loss = (network(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss

for run in (step, paddle.jit.to_static(step)):
    losses = [float(run(paddle.randn([3, 1, 4, 4]))) for _ in range(4)]
    print(losses[-1] != losses[0])
"""


@pytest.mark.parametrize("option", ["-O", "-OO"])
def test_python_without_assertions_and_docstrings_imports_and_trains(option: str, tmp_path) -> None:
    (tmp_path / "train.py").write_text(TRAINING)
    command = [sys.executable, option, tmp_path / "train.py"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["True", "True"], done.stderr
