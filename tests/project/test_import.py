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
# Modules beside those of NumPy: each takes a third of a millisecond. benchmarks/import_time.py
# measures what they take together.
MOST_OF_OPERATORS = 135  # half of those in `twinoar.ops`
MOST_MODULES = 118  # of twinoar beside them
MOST_OF_OTHERS = 15  # of Python's library and of other packages
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
    of_operators = {name for name in own if name.startswith("twinoar.ops")}
    assert len(of_operators) <= MOST_OF_OPERATORS
    assert len(own - of_operators) <= MOST_MODULES
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
    assert {"twinoar.nn", "twinoar.optimizer", "twinoar.jit", "twinoar.static"}.isdisjoint(loaded)
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


METHODS = """
import twinoar
from twinoar.core.op.definition import registry
from twinoar.core.values import INPLACE

def known():
    return {*dir(twinoar.Tensor)}, {*INPLACE}, {*dir(twinoar)}

before, few = known(), len(registry.defined)
assert few < len(registry) == len(registry.defined), "all operators are defined at once"
print(before == known())
"""


def test_operators_that_are_defined_late_have_their_methods_from_the_start() -> None:
    command = [sys.executable, "-c", METHODS]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.split() == ["True"], done.stderr


LATE_OPERATOR = """
import twinoar
from twinoar.core.op.definition import op_named, registry
assert "yolo_box" not in registry.defined
print({name})
"""


@pytest.mark.parametrize(
    "name",
    ["op_named('yolo_box')", "op_named('yolo_box.grad')", "registry['yolo_box']",
     "registry.get('yolo_box')", "'yolo_box' in registry", "'yolo_box' in [*registry]"],
)  # fmt: skip
def test_an_operator_that_is_defined_late_is_found_by_its_name(name: str) -> None:
    command = [sys.executable, "-c", LATE_OPERATOR.format(name=name)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "yolo_box" in done.stdout or done.stdout.strip() == "True", done.stderr
