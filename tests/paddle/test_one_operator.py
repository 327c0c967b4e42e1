"""Programs of one operator that the real Paddle wrote: read here, they compute what it computes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.paddle.one_operator import INPUTS, OPERATORS, arguments
from twinoar import static

SCRIPTS = Path(__file__).parent
WRITE = """
from pathlib import Path
sys.path.insert(0, given["scripts"])
import one_operator
answer(one_operator.write(paddle, Path(given["folder"])))
"""


@pytest.fixture(scope="module")
def folder(paddle_2: Callable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of Paddle 2.6.2, and what they compute."""
    made = tmp_path_factory.mktemp("one_operator")
    assert paddle_2(WRITE, scripts=SCRIPTS, folder=made) == {}
    return made


@pytest.mark.parametrize("name", OPERATORS)
def test_we_compute_what_paddle_computes(folder: Path, name: str) -> None:
    feed = {n: INPUTS[n] for n in arguments(OPERATORS[name])}
    with static.scope_guard(static.Scope()):
        program, _, fetches = static.load_inference_model(folder / name)
        (found,) = static.Executor().run(program, feed, fetches)
    expected = np.load(folder / f"{name}.npy")
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
