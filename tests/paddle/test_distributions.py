"""Distributions, divergences and transforms give what they give in the real Paddle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import twinoar
from tests.paddle import distributions

CALL = """
sys.path.insert(0, given["scripts"])
import distributions
answer(distributions.results(paddle))
"""


def test_results_are_paddles(paddle_3: Callable) -> None:
    real = paddle_3(CALL, scripts=Path(__file__).parent)
    own = distributions.results(twinoar)
    served = {name: value for name, value in real.items() if value is not None}
    assert len(served) > 250
    for name, value in served.items():
        assert own[name] is not None, name
        assert own[name][:-1] == value[:-1], name
        np.testing.assert_allclose(own[name][-1], value[-1], rtol=3e-5, atol=3e-6, err_msg=name)
