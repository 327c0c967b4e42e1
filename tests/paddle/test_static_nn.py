"""Layers of `static.nn` give, and learn, what Paddle 2.6.2's do; their files go both ways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar
from tests.paddle import static_layers

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
