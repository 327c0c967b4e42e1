"""Adadelta: steps in the ratio of past steps to past gradients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.ops.optimizer.adadelta import adadelta
from twinoar.optimizer.group import as_number
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer, Rule


class Adadelta(Optimizer):
    """w - learning_rate * g * sqrt((d + epsilon) / (s + epsilon)), d and s means of squares.

    s is the running mean of squared gradients, d that of squared steps, both kept by rho.
    The rest, and what is raised: see Optimizer. Source: arXiv 1212.5701, algorithm 1.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> w.sum().backward()
    >>> twinoar.optimizer.Adadelta(1.0, epsilon=1.0, rho=0.0, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.2929
    """

    _is_formula = True
    _rule = Rule(adadelta, "rho", "epsilon")

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        epsilon: float = 1e-6,
        rho: float = 0.95,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        self._settings = {"epsilon": as_number("epsilon", epsilon), "rho": as_number("rho", rho)}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """Means of squared gradients and of squared steps."""
        return Moment("_avg_squared_grad"), Moment("_avg_squared_update")
