"""L-BFGS: what it reaches, where it stops, what it remembers, and the line search by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.optimizer import LBFGS
from twinoar.optimizer.line_search import CURVATURE, DECREASE, Point, strong_wolfe

ROSENBROCK = lambda x, y: (1 - x) ** 2 + 100 * (y - x * x) ** 2  # noqa: E731  least at (1, 1)


def problem(**settings: Any) -> tuple[Any, LBFGS, Callable[[], Any], list[float]]:
    """Rosenbrock's valley from (-1.2, 1), its optimizer, the closure, and the losses it gave."""
    w = paddle.create_parameter([2], "float64")
    w.set_value(np.array([-1.2, 1.0]))
    optimizer, losses = LBFGS(parameters=[w], **settings), []

    def closure() -> Any:
        optimizer.clear_grad()
        loss = ROSENBROCK(w[0], w[1])
        loss.backward()
        losses.append(loss.item())
        return loss

    return w, optimizer, closure, losses


def test_the_line_search_leads_through_the_valley_of_rosenbrock() -> None:
    settings = {"line_search_fn": "strong_wolfe", "max_iter": 100, "tolerance_change": 1e-15}
    w, optimizer, closure, _ = problem(**settings)
    first = optimizer.step(closure)
    assert first.item() == pytest.approx(24.2)
    np.testing.assert_allclose(w.numpy(), [1.0, 1.0], atol=1e-5)


def test_without_a_line_search_steps_are_those_of_the_learning_rate() -> None:
    w, optimizer, closure, _ = problem(learning_rate=0.5, max_iter=1)
    begin = w.numpy().copy()
    optimizer.step(closure)
    gradient = w.grad.numpy()
    np.testing.assert_allclose(w.numpy(), begin - 0.5 * gradient / np.abs(gradient).sum())


@pytest.mark.parametrize(
    ("settings", "calls"),
    [({"max_iter": 4}, 4), ({"max_iter": 4, "max_eval": 3}, 3), ({"tolerance_grad": 1e9}, 1)],
)
def test_a_step_ends_where_it_is_told_to(settings: dict, calls: int) -> None:
    _, optimizer, closure, losses = problem(**settings)
    optimizer.step(closure)
    assert len(losses) == calls == optimizer.state_dict()["state"]["func_evals"]


def test_a_restored_state_goes_on_as_if_nothing_had_happened() -> None:
    w, optimizer, closure, losses = problem(max_iter=4, line_search_fn="strong_wolfe")
    optimizer.step(closure)
    other, fresh, other_closure, other_losses = problem(max_iter=4, line_search_fn="strong_wolfe")
    other.set_value(w.numpy())
    fresh.set_state_dict(optimizer.state_dict())
    losses.clear()
    for rule, function in ((optimizer, closure), (fresh, other_closure)):
        rule.step(function)
    assert losses == other_losses
    np.testing.assert_array_equal(w.numpy(), other.numpy())


def test_history_size_bounds_what_is_remembered() -> None:
    _, optimizer, closure, _ = problem(history_size=2, max_iter=8, line_search_fn="strong_wolfe")
    optimizer.step(closure)
    state = optimizer.state_dict()["state"]
    assert [len(state[k]) for k in ("old_yk", "old_sk", "ro")] == [2, 2, 2]


def test_a_layer_compiled_by_to_static_is_minimized() -> None:
    paddle.seed(1)
    layer = paddle.nn.Linear(3, 1)
    forward = paddle.jit.to_static(layer.forward)
    x = paddle.randn([20, 3])
    y = x @ paddle.to_tensor([[1.0], [2.0], [3.0]]) + 4.0
    optimizer = LBFGS(parameters=layer.parameters(), line_search_fn="strong_wolfe")

    def closure() -> Any:
        optimizer.clear_grad()
        loss = ((forward(x) - y) ** 2).mean()
        loss.backward()
        return loss

    optimizer.step(closure)
    np.testing.assert_allclose(layer.weight.numpy().ravel(), [1, 2, 3], atol=1e-3)


def test_what_it_cannot_do_is_refused() -> None:
    w, optimizer, closure, _ = problem()
    with pytest.raises(UnsupportedError, match="minimize"):
        optimizer.minimize(closure())
    with pytest.raises(UnsupportedError, match="in a Program"):
        paddle.jit.to_static(lambda: optimizer.step(closure))()
    with pytest.raises(ArgumentError, match="weight_decay"):
        LBFGS(parameters=[w], weight_decay=0.1)
    with pytest.raises(ArgumentError, match="received groups"):
        LBFGS(parameters=[{"params": [w]}])
    with pytest.raises(ArgumentError, match="strong_wolfe"):
        LBFGS(parameters=[w], line_search_fn="armijo")
    with pytest.raises(ArgumentError, match="state of an LBFGS"):
        optimizer.set_state_dict({"w_moment1_0": 1})


CURVES = [
    (lambda t: (t - 3) ** 2, lambda t: 2 * (t - 3)),
    (lambda t: -t / (t * t + 2), lambda t: (t * t - 2) / (t * t + 2) ** 2),
    (lambda t: math.exp(t) - 5 * t, lambda t: math.exp(t) - 5),
]


@pytest.mark.parametrize(("value", "slope"), CURVES)
@pytest.mark.parametrize("first", [1e-3, 1.0, 10.0])
def test_a_line_search_ends_where_the_strong_wolfe_conditions_hold(
    value: Callable, slope: Callable, first: float
) -> None:
    def at(step: float) -> Point:
        return Point(step, value(step), slope(step), None)

    start = at(0.0)
    found, seen = strong_wolfe(at, start, first, 1e-9)
    assert found.value <= start.value + DECREASE * found.step * start.slope
    assert abs(found.slope) <= CURVATURE * abs(start.slope)
    assert seen <= 10


def test_a_line_search_comes_back_from_where_there_are_no_numbers() -> None:
    def at(step: float) -> Point:
        inside = step < 4
        return Point(step, (step - 1) ** 2 if inside else math.nan, 2 * (step - 1), None)

    assert strong_wolfe(at, at(0.0), 8.0, 1e-9)[0].step < 4


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (0.1, [24.2, 10.5656, 4.2929, 4.1346]),
        (0.01, [24.2, 10.5656, 5.9371, 4.5862]),
    ],
)
def test_a_search_that_begins_with_small_steps_goes_where_paddle_goes(rate, expected) -> None:
    x = paddle.create_parameter([2], "float32")
    x.set_value(np.array([-1.2, 1.0], "float32"))
    lbfgs = paddle.optimizer.LBFGS(rate, max_iter=1, line_search_fn="strong_wolfe", parameters=[x])

    def closure() -> paddle.Tensor:
        lbfgs.clear_grad()
        loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
        loss.backward()
        return loss

    found = [lbfgs.step(closure).item() for _ in expected]
    np.testing.assert_allclose(found, expected, atol=1e-3)
