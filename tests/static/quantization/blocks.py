"""A detector-like network as a Program: a convolution, a branch between two heads, and a loop."""

from __future__ import annotations

from typing import Any

import numpy as np

import twinoar
from twinoar import nn, static
from twinoar.core.ir.program import Program
from twinoar.static.scope import Scope

STEPS = 6
TYPES = ("conv2d", "mul", "matmul")


def windows(seed: int = 0, bright: bool = True, count: int = 8) -> np.ndarray:
    """Images whose mean lets the network take its first branch, or its second."""
    found = np.random.default_rng(seed).standard_normal((count, 1, STEPS, 6)).clip(-2, 2)
    return (found / 2 + (0.5 if bright else -0.5)).astype("f4")


class Detector:
    """Its Programs to train and to test, what they fetch, and a scope of its own.

    kind: "while" for `while_loop`, "over_time" for `StaticRNN`, "nested" for a branch within a
    loop.
    """

    def __init__(self, kind: str, optimizer: bool = False) -> None:
        twinoar.seed(3)
        self.kind, self.scope, self.executor = kind, Scope(), static.Executor()
        self.main, self.startup = static.Program(), static.Program()
        with static.program_guard(self.main, self.startup), twinoar.utils.unique_name.guard():
            self.x = static.data("x", [None, 1, STEPS, 6])
            self.label = static.data("label", [None, 1], "int64")
            rows = self._branch(nn.functional.relu(static.nn.conv2d(self.x, 4, 3, padding=1)))
            self.y = static.nn.fc(self._loop(rows), 3)
            self.test = self.main.clone(for_test=True)
            self.loss = nn.functional.cross_entropy(self.y, self.label)
            if optimizer:
                twinoar.optimizer.SGD(0.1).minimize(self.loss)
        self.executor.run(self.startup, scope=self.scope)

    def _branch(self, h: Any) -> Any:
        rows = h.mean(3).transpose([0, 2, 1])
        bright, dark = nn.Linear(4, 4), nn.Linear(4, 4)
        return static.nn.cond(self.x.mean() > 0, lambda: bright(rows), lambda: dark(rows))

    def _loop(self, rows: Any) -> Any:
        self.of_row, self.of_state = nn.Linear(4, 8), nn.Linear(8, 8)
        start = nn.functional.tanh(static.nn.fc(rows[:, 0], 8))
        if self.kind == "over_time":
            rnn, in_time = static.nn.StaticRNN(), rows.transpose([1, 0, 2])
            with rnn.step():
                row = rnn.step_input(in_time)
                before = rnn.memory(init=start)
                after = self._cell(row, before)
                rnn.update_memory(before, after)
                rnn.step_output(after)
            return rnn()[-1]

        def step(i: Any, state: Any) -> list[Any]:
            after = self._cell(rows[:, i], state)
            if self.kind == "nested":
                after = static.nn.cond(i % 2 == 0, lambda: self.of_state(after), lambda: after)
            return [i + 1, after]

        i = twinoar.zeros([], "int64")
        return static.nn.while_loop(lambda i, _: i < STEPS, step, [i, start])[1]

    def _cell(self, row: Any, state: Any) -> Any:
        return twinoar.tanh(self.of_row(row) + self.of_state(state))

    def batches(self, count: int = 4) -> list[dict[str, np.ndarray]]:
        """Those of both branches in turn."""
        random = np.random.default_rng(7)
        return [
            {"x": windows(n, n % 2 == 0), "label": random.integers(0, 3, (8, 1))}
            for n in range(count)
        ]

    def run(self, program: Any, batch: dict[str, np.ndarray], fetch: Any = None) -> np.ndarray:
        fetched = [(self.y if fetch is None else fetch).name]
        (found,) = self.executor.run(program, batch, fetched, scope=self.scope)
        return np.asarray(found)


def types_inside(program: Program) -> list[str]:
    """The types of operators of branches and loops."""
    outermost = set(program.main.ops)
    return [o.op.name for o in program.main.walk() if o not in outermost]


def share_off(found: np.ndarray, expected: np.ndarray) -> float:
    """The largest error as a share of the largest value."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())
