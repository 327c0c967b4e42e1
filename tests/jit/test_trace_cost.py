"""What a trace costs: a look at each thing that it meets, however often that is asked for."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, optimizer
from twinoar.jit import to_static
from twinoar.jit.runtime import state


def looks(layers: int, make, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many things the trace of a training step of so many layers looks at."""
    net = nn.Sequential(*(nn.Linear(2, 2) for _ in range(layers)))
    rule = make(net.parameters())

    @to_static
    def step(x):
        loss = net(x).sum()
        loss.backward()
        rule.step()
        rule.clear_grad()
        return loss

    met, meet = [], state.meet
    with monkeypatch.context() as patch:
        patch.setattr(state, "meet", lambda *args, **kwargs: (met.append(1), meet(*args, **kwargs)))
        step(paddle.to_tensor(np.ones((1, 2), np.float32)))
    return len(met)


@pytest.mark.parametrize(
    "make",
    [
        lambda p: optimizer.SGD(0.1, parameters=p),
        lambda p: optimizer.AdamW(0.1, parameters=p),
        lambda p: optimizer.Momentum(
            0.1, parameters=[{"params": p[:2]}, {"params": p[2:], "learning_rate": 0.5}]
        ),
    ],
    ids=["sgd", "adamw", "groups"],
)
def test_looks_at_parameters_grow_as_their_number(make, monkeypatch) -> None:
    few, many = (looks(count, make, monkeypatch) for count in (4, 16))
    assert many < 4.5 * few


def test_what_a_trace_puts_into_a_container_is_looked_at_too() -> None:
    class Holder:
        """An object whose list a call fills before it is read again."""

        def __init__(self) -> None:
            self.values = [1.0, 2.0]

    holder, other = Holder(), [3.0]

    @to_static
    def function(x):
        first = sum(holder.values)
        holder.values.append(other)
        total = first + sum(map(float, np.ravel([*holder.values[:2], *holder.values[2]])))
        holder.values.pop()
        return x * total

    x = paddle.to_tensor([1.0])
    assert float(function(x)) == 9.0
    other[0] = 5.0
    assert float(function(x)) == 11.0
    holder.values[0] = 2.0
    assert float(function(x)) == 13.0
