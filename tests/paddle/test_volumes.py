"""Convolution and pooling of volumes give what they give in the real Paddle, gradients too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar
from tests.paddle import volumes

CALL = """
sys.path.insert(0, given["scripts"])
import volumes
answer({name: volumes.results(paddle, name) for name in volumes.CALLS})
"""


@pytest.fixture(scope="module")
def expected(paddle_2: Callable) -> dict:
    return paddle_2(CALL, scripts=Path(__file__).parent)


@pytest.mark.parametrize("name", volumes.CALLS)
def test_results_and_gradients_are_paddles(name: str, expected: dict) -> None:
    for own, real in zip(volumes.results(twinoar, name), expected[name], strict=True):
        assert own[0] == real[0]
        np.testing.assert_allclose(own[1], real[1], rtol=1e-4, atol=1e-4)
