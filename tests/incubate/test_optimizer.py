"""LookAhead and ModelAverage, with the numbers of the real Paddle 3.3.1."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.core import unique_name
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.incubate import LookAhead, ModelAverage


class Falling:
    """A weight that begins at 1 and falls by 0.1 with each step of its optimizer."""

    def __init__(self) -> None:
        with unique_name.guard():
            self.layer = paddle.nn.Linear(1, 1, bias_attr=False)
        self.layer.weight.set_value(np.ones((1, 1), "float32"))
        self.optimizer = paddle.optimizer.SGD(0.1, parameters=self.layer.parameters())

    def step(self, optimizer) -> float:
        self.layer(paddle.ones([1, 1])).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
        return self.weight

    @property
    def weight(self) -> float:
        return round(self.layer.weight.item(), 4)


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (1, [0.9, 0.87, 0.84, 0.81, 0.78, 0.75, 0.72]),
        (2, [0.9, 0.87, 0.77, 0.81, 0.71, 0.75, 0.65]),
        (3, [0.9, 0.8, 0.84, 0.74, 0.64, 0.75, 0.65]),
    ],
)
def test_slow_weights_follow_every_k_steps(k: int, expected: list[float]) -> None:
    falling = Falling()
    optimizer = LookAhead(falling.optimizer, alpha=0.3, k=k)
    assert [falling.step(optimizer) for _ in expected] == expected
    assert optimizer.get_lr() == 0.1


def test_lookahead_goes_on_from_its_state() -> None:
    first, second = Falling(), Falling()
    optimizer = LookAhead(first.optimizer, alpha=0.3, k=3)
    for _ in range(4):
        first.step(optimizer)
    second.layer.set_state_dict(first.layer.state_dict())
    resumed = LookAhead(second.optimizer, alpha=0.3, k=3)
    resumed.set_state_dict(optimizer.state_dict())
    assert [second.step(resumed) for _ in range(3)] == [0.64, 0.75, 0.65]


@pytest.mark.parametrize("options", [{"alpha": 2.0}, {"k": 0}, {"k": 1.5}])
def test_lookahead_checks_its_arguments(options: dict) -> None:
    with pytest.raises(ArgumentError):
        LookAhead(Falling().optimizer, **options)
    with pytest.raises(TypeMismatchError, match="expected an optimizer, received NoneType"):
        LookAhead(None)


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ((0.15, 2, 10), [0.9, 0.85, 0.8, 0.65, 0.6, 0.45, 0.4, 0.25, 0.2]),
        ((0.5, 1, 3), [0.9, 0.8, 0.7, 0.65, 0.55, 0.5, 0.45, 0.3, 0.25]),
        ((1.0, 2, 4), [0.9, 0.85, 0.8, 0.75, 0.7, 0.55, 0.5, 0.45, 0.4]),
    ],
)
def test_means_reach_back_over_a_window(window: tuple, expected: list[float]) -> None:
    falling = Falling()
    rate, least, most = window
    average = ModelAverage(rate, falling.layer.parameters(), least, most)
    means = []
    for _ in expected:
        before = falling.step(falling.optimizer)
        average.step()
        with average.apply():
            means.append(falling.weight)
        assert falling.weight == before
    assert means == expected


def test_means_stay_until_they_are_taken_back_and_can_be_saved() -> None:
    falling = Falling()
    average = ModelAverage(0.15, falling.layer.parameters(), 2, 10)
    with pytest.raises(ProgramError, match="no mean yet"), average.apply():
        pass
    for _ in range(3):
        falling.step(falling.optimizer)
        average.step()
    again = ModelAverage(0.15, falling.layer.parameters(), 2, 10)
    again.set_state_dict(average.state_dict())
    with again.apply(need_restore=False):
        pass
    assert falling.weight == 0.8
    again.restore()
    assert falling.weight == 0.7


@pytest.mark.parametrize("kind", ["LookAhead", "ModelAverage"])
def test_a_step_in_a_program_is_refused_and_changes_nothing(kind):
    layer = paddle.nn.Linear(2, 2)
    inner = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
    average = paddle.incubate.ModelAverage(0.5, layer.parameters(), 2, 4)
    taken = paddle.incubate.LookAhead(inner, 0.5, 3) if kind == "LookAhead" else average

    @paddle.jit.to_static
    def step(x):
        layer(x).sum().backward()
        taken.step()

    before = layer.weight.numpy().copy()
    with pytest.raises(ProgramError, match="in eager mode alone"):
        step(paddle.ones([1, 2]))
    np.testing.assert_array_equal(layer.weight.numpy(), before)
