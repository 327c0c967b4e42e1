"""Observers are told of each call that runs: those of a Policy, and those of the whole process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar.core.interpreter import under
from twinoar.core.observer import EVERYWHERE, Call, announce, withdraw
from twinoar.errors import ShapeError


class Noting:
    """Notes the kind and name of each call, and whether it came to an end."""

    def __init__(self, by_operator: bool = False):
        self.by_operator = by_operator
        self.calls: list[str] = []
        self.failed: list[str] = []
        self.results: dict[str, Any] = {}

    def started(self, call: Call) -> str:
        self.calls.append(call.name)
        return call.name

    def ended(self, call: Call, results: Any, began: str) -> None:
        assert began == call.name
        if results is None and call.kind == "Operator":
            self.failed.append(call.name)
        self.results[call.name] = results


@contextmanager
def everywhere(observer: Noting) -> Iterator[None]:
    announce(observer)
    try:
        yield
    finally:
        withdraw(observer)


def of_policy(observer: Noting) -> Any:
    return under(observers=(observer,))


@pytest.mark.parametrize("way", [everywhere, of_policy])
def test_an_observer_is_told_of_operators_and_what_they_give(way: Any) -> None:
    noting, x = Noting(), paddle.to_tensor([1.0, 2.0])
    with way(noting):
        y = x * 2.0
    y + 1.0
    assert noting.calls == ["multiply"]
    assert noting.results["multiply"] is y


@pytest.mark.parametrize("way", [everywhere, of_policy])
def test_an_observer_is_told_of_a_call_that_fails(way: Any) -> None:
    noting = Noting()
    with way(noting), pytest.raises(ShapeError):
        paddle.matmul(paddle.ones([2, 3]), paddle.ones([2, 3]))
    assert noting.failed == ["matmul"]


def test_an_observer_of_a_policy_hears_its_thread_and_one_of_the_process_all() -> None:
    own, every = Noting(), Noting()
    with of_policy(own), everywhere(every):
        in_threads([lambda: paddle.ones([2]) + 1.0])
    assert own.calls == []
    assert "add" in every.calls


def test_observers_nest_and_the_inner_one_ends_first() -> None:
    order: list[str] = []

    class Ending(Noting):
        def ended(self, call: Call, results: Any, began: str) -> None:
            order.append(self.name)

    outer, inner = Ending(), Ending()
    outer.name, inner.name = "outer", "inner"
    x = paddle.ones([2])
    with of_policy(outer), under(observers=(outer, inner)):
        x + 1.0
    assert order == ["inner", "outer"]


def test_who_asks_for_operators_is_told_of_those_of_a_program() -> None:
    x = paddle.to_tensor([1.0, 2.0])
    plain, asking = Noting(), Noting(by_operator=True)
    with under(observers=(plain, asking)):
        paddle.jit.to_static(lambda x: paddle.tanh(x) * 2.0)(x)
    assert "multiply" in asking.calls
    assert "multiply" not in plain.calls
    assert asking.results["multiply"].tolist() == (paddle.tanh(x) * 2.0).tolist()


def test_nobody_is_left_over() -> None:
    noting = Noting()
    with pytest.raises(ZeroDivisionError), everywhere(noting):
        _ = 1 / 0
    assert noting not in EVERYWHERE


@pytest.mark.parametrize("size", [2, 4096])
def test_what_was_compiled_before_tells_of_its_operators_too(size: int) -> None:
    converted = paddle.jit.to_static(lambda x: paddle.log(x) * 2.0)
    x = paddle.ones([size])
    x.stop_gradient = False
    converted(x).sum().backward()
    asking = Noting(by_operator=True)
    with under(observers=(asking,)):
        y = converted(x)
        y.sum().backward()
    assert {"log", "multiply", "divide"} <= set(asking.calls)
    assert y.tolist() == [0.0] * size
    assert x.grad.tolist() == [4.0] * size


def test_states_of_a_program_that_is_observed_are_updated() -> None:
    layer = paddle.nn.BatchNorm1D(2)
    step = paddle.jit.to_static(layer)
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])
    step(x)
    before = layer._mean.tolist()
    with under(observers=(Noting(by_operator=True),)):
        step(x)
    assert layer._mean.tolist() != before
