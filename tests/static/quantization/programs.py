"""A small network as a Program, for tests of what quantizes Programs."""

from __future__ import annotations

from typing import Any

import numpy as np

import twinoar
from twinoar import static
from twinoar.static.scope import Scope


def images(count: int = 4, seed: int = 0) -> np.ndarray:
    """Within -2 and 2, so that no scale is exceeded once it is 2."""
    found = np.random.default_rng(seed).standard_normal((count, 1, 8, 8)).clip(-2, 2)
    return found.astype("f4")


def labels(count: int = 4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 5, (count, 1))


class Network:
    """Its Program to train, the one to test, what they are fed and fetch, and a scope of its own.

    optimizer: False to leave out the one that trains.
    """

    def __init__(self, optimizer: bool = True) -> None:
        twinoar.seed(1)
        self.main, self.startup, self.scope = static.Program(), static.Program(), Scope()
        self.executor = static.Executor()
        with static.program_guard(self.main, self.startup), twinoar.utils.unique_name.guard():
            self.x = static.data("x", [None, 1, 8, 8])
            self.label = static.data("label", [None, 1], "int64")
            h = static.nn.conv2d(self.x, 4, 3, act="relu")
            with static.name_scope("skip_quant"):
                other = static.nn.conv2d(h, 4, 3, padding=1)
            h = twinoar.nn.functional.max_pool2d(h + other, 2)
            self.y = static.nn.fc(h, 5)
            self.loss = twinoar.nn.functional.cross_entropy(self.y, self.label)
            self.test = self.main.clone(for_test=True)
            if optimizer:
                twinoar.optimizer.SGD(0.05).minimize(self.loss)
        self.executor.run(self.startup, scope=self.scope)

    def run(self, program: Any, seed: int = 0, fetch: Any = None) -> np.ndarray:
        feed = {"x": images(seed=seed), "label": labels(seed=seed)}
        fetched = [self.y if fetch is None else fetch]
        (found,) = self.executor.run(program, feed, fetched, scope=self.scope)
        return np.asarray(found)

    def batches(self, count: int = 3) -> list[dict[str, np.ndarray]]:
        return [{"x": images(seed=n), "label": labels(seed=n)} for n in range(count)]

    def weight(self, name: str) -> np.ndarray:
        return np.array(self.scope.find_var(name))


def rounded(x: np.ndarray, scale: Any, limit: int = 127) -> np.ndarray:
    """x on the grid of a scale."""
    return np.clip(np.round(x / scale * limit), -limit, limit) * scale / limit


def types(program: Any) -> list[str]:
    return [o.type for o in program.main.ops]
