"""Converted branches and loops, saved: the real Paddle computes what plain Python computes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar
from tests.paddle.control import FUNCTIONS, INPUTS
from twinoar import static
from twinoar.jit import to_static

RUN_ALL = """
def results(prefix):
    layer = paddle.jit.load(prefix)
    layer.eval()
    for x in given["inputs"]:
        out = layer(paddle.to_tensor(np.array(x, "float32")))
        yield [t.numpy().tolist() for t in (out if isinstance(out, (list, tuple)) else [out])]
answer({name: list(results(prefix)) for name, prefix in given["models"].items()})
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each function, saved under its name."""
    folder = tmp_path_factory.mktemp("models")
    spec = [static.InputSpec([None, 3], "float32", "x")]
    for function in FUNCTIONS:
        twinoar.jit.save(to_static(function, input_spec=spec), str(folder / function.__name__))
    return {f.__name__: folder / f.__name__ for f in FUNCTIONS}


def expected(function: Callable) -> list[list[np.ndarray]]:
    found = [function(twinoar.to_tensor(x)) for x in INPUTS]
    return [[t.numpy() for t in (x if isinstance(x, tuple) else (x,))] for x in found]


def assert_as_python(found: dict[str, list]) -> None:
    for function in FUNCTIONS:
        for outs, wanted in zip(found[function.__name__], expected(function), strict=True):
            for a, b in zip(outs, wanted, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5, err_msg=function.__name__)


def test_paddle_runs_what_we_save(
    paddle: Callable, models: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "FLAGS_enable_pir_api", "0")  # 3.x reads .pdmodel without it
    inputs = [x.tolist() for x in INPUTS]
    assert_as_python(paddle(RUN_ALL, models=models, inputs=inputs))


def test_we_run_what_we_save(models: dict[str, Path]) -> None:
    found = {}
    for name, prefix in models.items():
        layer = twinoar.jit.load(str(prefix))
        outs = [layer(twinoar.to_tensor(x)) for x in INPUTS]
        found[name] = [[t.numpy() for t in (o if isinstance(o, list) else [o])] for o in outs]
    assert_as_python(found)
