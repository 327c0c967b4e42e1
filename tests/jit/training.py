"""Networks, optimizers and a training step that begin the same each time, for tests to compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import nn, optimizer
from twinoar.core import unique_name
from twinoar.jit import to_static
from twinoar.nn import functional


def mlp() -> nn.Layer:
    return nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 3))


def lenet() -> nn.Layer:
    return nn.Sequential(
        nn.Conv2D(1, 3, 3, padding=1), nn.BatchNorm2D(3), nn.ReLU(), nn.MaxPool2D(2, 2),
        nn.Conv2D(3, 4, 3), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Flatten(), nn.Dropout(0.4),
        nn.Linear(16, 3),
    )  # fmt: skip


SHAPES = {mlp: (4, 6), lenet: (4, 1, 12, 12)}
RULES: dict[str, Callable] = {
    "sgd": lambda ps: optimizer.SGD(0.1, ps),
    "momentum": lambda ps: optimizer.Momentum(0.1, 0.9, ps, weight_decay=0.01),
    "adam": lambda ps: optimizer.Adam(0.003, parameters=ps),
    "adamw": lambda ps: optimizer.AdamW(
        0.003, parameters=ps, weight_decay=0.1, grad_clip=nn.ClipGradByGlobalNorm(0.5)
    ),
    "groups": lambda ps: optimizer.Adam(
        0.003,
        parameters=[
            {"params": ps[:2], "learning_rate": 0.3, "weight_decay": 0.2},
            {"params": ps[2:], "grad_clip": nn.ClipGradByValue(0.05)},
        ],
    ),
}


class Run:
    """A network and an optimizer that begin the same each time they are made."""

    def __init__(self, make: Callable = mlp, rule: str = "sgd"):
        paddle.seed(5)
        with unique_name.guard():
            self.net = make()
        self.parameters = [p for p in self.net.parameters() if not p.stop_gradient]
        self.optimizer = RULES[rule](self.parameters)
        self.numbers = np.random.default_rng(1)
        self.shape = SHAPES[make]

    def batch(self, count: int | None = None) -> tuple[Any, Any]:
        shape = self.shape if count is None else (count, *self.shape[1:])
        x = self.numbers.standard_normal(shape).astype(np.float32)
        return paddle.to_tensor(x), paddle.to_tensor(self.numbers.integers(0, 3, shape[0]))

    def loss(self, x: Any, y: Any) -> Any:
        return functional.cross_entropy(self.net(x), y)

    def arrays(self) -> list[np.ndarray | None]:
        """Parameters, statistics, moments and gradients."""
        moments = [t for t in self.optimizer.state_dict().values() if isinstance(t, paddle.Tensor)]
        held = [p.grad for p in self.parameters]
        found = [*self.net.state_dict().values(), *moments, *held]
        return [None if t is None else t.numpy() for t in found]


def assert_same(found: list, expected: list) -> None:
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_array_equal(a, b)


def compare(step_of: Callable, calls: int = 4, **choice: Any) -> Any:
    """Run `step_of(run)` eagerly and converted, and hold all that they leave against each other.

    Returns the converted function.
    """
    results = []
    for convert in (lambda step: step, to_static):
        run = Run(**choice)
        step = convert(step_of(run))
        losses = [step(*run.batch()).numpy() for _ in range(calls)]
        results.append([*losses, *run.arrays()])
    assert_same(results[1], results[0])
    return step


def usual(run: Run, set_to_zero: bool = True) -> Callable:
    def train_step(x, y):
        loss = run.loss(x, y)
        loss.backward()
        run.optimizer.step()
        run.optimizer.clear_grad(set_to_zero)
        return loss

    return train_step
