"""Modules inside Paddle are found by every kind of import."""

from __future__ import annotations

import importlib
import inspect
import pickle
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

import twinoar
from twinoar import compat
from twinoar.compat.inner import INNER

PATHS = sorted(f"paddle.{place}" for place in INNER)


@pytest.mark.parametrize("path", PATHS)
def test_a_module_inside_paddle_is_imported_by_its_path(paddle: ModuleType, path: str) -> None:
    space: dict[str, object] = {}
    exec(f"import {path}\nimport {path} as found", space)
    assert importlib.import_module(path) is sys.modules[path]
    assert "found" in space


@pytest.mark.parametrize("path", PATHS)
def test_a_module_inside_paddle_is_imported_from_its_parent(paddle: ModuleType, path: str) -> None:
    parent, _, name = path.rpartition(".")
    space: dict[str, Any] = {}
    exec(f"from {parent} import {name}", space)
    found = space[name]
    # Where Paddle has a function of the module's name beside it, that is what is found.
    assert isinstance(found, ModuleType) or found.__name__ == name


@pytest.mark.parametrize("path", PATHS)
def test_a_module_inside_paddle_is_found_without_an_import(path: str) -> None:
    compat.install()
    try:
        found: object = importlib.import_module("paddle")
        for part in path.split(".")[1:]:
            found = getattr(found, part)
        assert found is not None
    finally:
        compat.uninstall()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("vision.transforms.transforms", "Compose"),
        ("nn.layer.norm", "BatchNorm2D"),
        ("tensor.manipulation", "concat"),
        ("base.framework", "Program"),
        ("text.datasets.imdb", "Imdb"),
        ("hapi.model", "Model"),
    ],
)
def test_a_pickle_that_names_such_a_path_is_read(paddle: ModuleType, path: str, name: str) -> None:
    found = pickle.loads(f"cpaddle.{path}\n{name}\n.".encode())
    assert found is getattr(importlib.import_module(f"paddle.{path}"), name)


def test_imports_leave_twinoars_modules_as_they_are(paddle: ModuleType) -> None:
    before = {name: dict(vars(m)) for name, m in sys.modules.items() if name.startswith("twinoar.")}
    for path in PATHS:
        importlib.import_module(path)
    changed = [
        f"{name}.{key}"
        for name, old in before.items()
        for key, value in vars(sys.modules[name]).items()
        if key in old and old[key] is not value and not key.startswith("__")
    ]
    assert changed == []
    assert twinoar.utils.deprecated.__name__ == "deprecated"


def test_without_install_twinoars_modules_lack_the_modules_inside_paddle() -> None:
    program = (
        "from twinoar import compat; import twinoar; compat.install(); import paddle; "
        "paddle.vision.transforms.transforms; compat.uninstall(); "
        "print(hasattr(twinoar.vision.transforms, 'transforms'))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_the_activations_are_listed_where_programs_look_them_up(paddle: ModuleType) -> None:
    listed = vars(paddle.nn.layer.activation)
    assert {"ReLU", "Sigmoid", "Swish", "GELU", "Hardswish", "PReLU"} <= set(listed)
    assert all(inspect.isclass(listed[name]) for name in ("ReLU", "Softmax", "LeakyReLU"))


def test_a_star_import_brings_nothing_as_in_paddle(paddle: ModuleType) -> None:
    space: dict[str, object] = {}
    exec("from paddle.tensor.math import *", space)
    assert "sum" not in space
