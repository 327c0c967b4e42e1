"""Adagrad: the rate of an element falls with the gradients it has seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.ops.optimizer.adagrad import adagrad
from twinoar.optimizer.group import as_number
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer, Rule


class Adagrad(Optimizer):
    """s = s + g * g, then w - learning_rate * g / (sqrt(s) + epsilon).

    initial_accumulator_value: what s begins as. The rest, and what is raised: see Optimizer.
    Source: Duchi, Hazan and Singer, JMLR 12 (2011).

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> (w * 2).sum().backward()
    >>> twinoar.optimizer.Adagrad(0.25, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.75
    """

    _is_formula = True
    _rule = Rule(adagrad, "epsilon")
    _meaning_of_rows = "alone"

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        epsilon: float = 1e-6,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ):
        begin = as_number("initial_accumulator_value", initial_accumulator_value)
        self._settings = {"epsilon": as_number("epsilon", epsilon), "begin": begin}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """The sum of squares."""
        return (Moment("moment", settings["begin"]),)
