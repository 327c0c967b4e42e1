"""Networks with the same weights give what they give in the real Paddle, and the same gradients."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import twinoar

SCRIPTS = Path(__file__).parent
CALL = """
sys.path.insert(0, given["scripts"])
import networks
answer({name: getattr(networks, given["action"])(paddle, name) for name in given["names"]})
"""
# Of the length of what is compared; sums of some thousands of products in another order.
TOLERANCE = 2e-4
# Many layers deep an input of ReLU is 0 but for rounding, and its gradient passes or does not.
DEEP_TOLERANCE = 1e-2


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("networks", SCRIPTS / "networks.py")
    networks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(networks)
    return networks


networks = load()


def theirs(paddle: Callable, action: str, names: object) -> dict:
    return paddle(CALL, scripts=SCRIPTS, action=action, names=list(names))


@pytest.fixture(scope="module")
def expected(paddle_3: Callable) -> dict:
    return theirs(paddle_3, "results", networks.NETWORKS)


def close(own: list, real: list, tolerance: float) -> bool:
    """Whether two summaries are of tensors that differ by rounding alone."""
    limit = tolerance * real[1] + 1e-6
    return own[0] == real[0] and all(
        abs(a - b) <= limit for a, b in zip(own[1:], real[1:], strict=True)
    )


@pytest.mark.parametrize("name", networks.NETWORKS)
def test_outputs_and_gradients_are_paddles(name: str, expected: dict) -> None:
    own, real = networks.results(twinoar, name), expected[name]
    assert own["members"] == real["members"]
    assert len(own["outputs"]) == len(real["outputs"])
    pairs = {
        f"output {i}": pair
        for i, pair in enumerate(zip(own["outputs"], real["outputs"], strict=True))
    } | {key: (own["gradients"][key], real["gradients"][key]) for key in real["gradients"]}
    tolerance = DEEP_TOLERANCE if name in networks.MODELS else TOLERANCE
    assert {key: pair for key, pair in pairs.items() if not close(*pair, tolerance)} == {}


def test_models_have_paddles_parameters_and_begin_as_far_from_zero(paddle_3: Callable) -> None:
    for name, real in theirs(paddle_3, "members", networks.MODELS).items():
        own = networks.members(twinoar, name)
        assert [found[:3] for found in own] == [expected[:3] for expected in real], name
        pairs = ((a[0], a[3], b[3]) for a, b in zip(own, real, strict=True))
        assert [pair for pair in pairs if abs(pair[1] - pair[2]) > 0.1 * pair[2]] == [], name


def test_another_direction_is_noticed() -> None:
    assert not close([[2], 1.0, 0.5], [[2], 1.0, 0.6], TOLERANCE)
