"""Networks are proposed by a controller that learns by rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.errors import ArgumentError, FileError, UnknownNameError, UnsupportedError
from twinoar.slim.common import RLBaseController, rl_controller
from twinoar.slim.nas import RLNAS

SPACE = [("ResNetSpace", {})]


def taught(steps: int = 40, count: int = 4, **settings: Any) -> rl_controller.LSTM:
    """A controller that was rewarded for tokens 2 and 1."""
    paddle.seed(1)
    controller = rl_controller.LSTM([3, 4], controller_lr=0.03, decay=0.8, **settings)
    for _ in range(steps):
        tokens = controller.next_tokens(count)
        controller.update([float(t[0] == 2) + float(t[1] == 1) for t in tokens])
    return controller


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"count": 8, "steps": 30},
        {"lstm_num_layers": 2, "hidden_size": 20},
        {"temperature": 2.0, "tanh_constant": 2.5, "weight_entropy": 0.01},
        {"controller_decay_steps": 100, "controller_decay_rate": 0.9},
    ],
    ids=str,
)
def test_what_is_rewarded_becomes_the_likeliest(settings: dict[str, Any]) -> None:
    assert taught(**settings).next_tokens(is_inference=True) == [[2, 1]]


def test_draws_follow_from_the_seed() -> None:
    assert taught(5).next_tokens(6) == taught(5).next_tokens(6)


def test_tokens_lie_in_the_table_and_differ() -> None:
    tokens = np.array(rl_controller.LSTM([3, 1, 7]).next_tokens(200))
    assert tokens.min(axis=0).tolist() == [0, 0, 0] and tokens.max(axis=0).tolist() == [2, 0, 6]


@pytest.mark.parametrize("is_static", [False, True])
def test_a_search_goes_on_from_its_folder(is_static: bool, tmp_path) -> None:
    if is_static:
        paddle.enable_static()
    try:
        search = RLNAS("LSTM", SPACE, save_controller=str(tmp_path / "kept"))
        for _ in range(2):
            architectures = search.next_archs(2)
            search.reward([0.5, 1.0])
        other = RLNAS("lstm", SPACE, load_controller=str(tmp_path / "kept"))
        assert len(architectures) == 2
        search.final_archs(1)
        other.final_archs(1)
        assert search.tokens == other.tokens
    finally:
        paddle.disable_static()


def test_proposed_networks_are_built() -> None:
    paddle.enable_static()
    try:
        search = RLNAS("LSTM", SPACE)
        ((build,),) = search.next_archs()
        program = static.Program()
        with static.program_guard(program, static.Program()):
            out = build(static.data("x", [1, 3, 32, 32]))
        assert out.shape[:2] == [1, out.shape[1]]
    finally:
        paddle.disable_static()


def test_controllers_of_ones_own_are_registered() -> None:
    class Fixed(RLBaseController):
        def __init__(self, range_tables: Any, use_gpu: bool):
            self.tokens = [0] * len(range_tables)

        def next_tokens(self, num_archs: int = 1, is_inference: bool = False) -> Any:
            return [self.tokens] * num_archs

        def update(self, rewards: Any) -> float:
            return 0.0

    Fixed.__name__ = "FIXED"
    rl_controller.RLCONTROLLER.register(Fixed)
    try:
        assert RLNAS("fixed", SPACE).next_archs() is not None
    finally:
        del rl_controller.RLCONTROLLER.module_dict["FIXED"]


@pytest.mark.parametrize(
    ("error", "message", "make"),
    [
        (UnknownNameError, "no controller 'DDPG'", lambda: RLNAS("DDPG", SPACE)),
        (UnknownNameError, "no setting 'hidden'", lambda: RLNAS("LSTM", SPACE, hidden=3)),
        (UnsupportedError, "in one process", lambda: RLNAS("LSTM", SPACE, is_server=False)),
        (FileError, "is no file", lambda: RLNAS("LSTM", SPACE, load_controller="nowhere")),
        (ArgumentError, "no network waits", lambda: RLNAS("LSTM", SPACE).reward(1.0)),
        (ArgumentError, "0 candidates wait", lambda: rl_controller.LSTM([2]).update(1.0)),
        (ArgumentError, "there is no token", lambda: rl_controller.LSTM([])),
        (ArgumentError, "number of candidates", lambda: rl_controller.LSTM([2]).next_tokens(0)),
        (ArgumentError, "finite", lambda: rewarded(float("nan"))),
        (ArgumentError, "1 candidates wait", lambda: rewarded([1.0, 2.0])),
        (ArgumentError, "another search", lambda: taught(1).set_state({})),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(error: type[Exception], message: str, make: Any) -> None:
    with pytest.raises(error, match=message):
        make()


def rewarded(reward: Any) -> None:
    controller = rl_controller.LSTM([2])
    controller.next_tokens()
    controller.update(reward)
