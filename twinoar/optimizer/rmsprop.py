"""RMSProp: steps scaled by a running mean of squared gradients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.ops.optimizer.rmsprop import rmsprop
from twinoar.optimizer.group import as_number
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer, Rule

NUMBERS = ("rho", "epsilon", "momentum")


class RMSProp(Optimizer):
    """s = rho * s + (1 - rho) * g * g, then w - learning_rate * g / sqrt(s + epsilon).

    momentum: how much of the last step is taken again. centered: the variance in place of s.
    The rest, and what is raised: see Optimizer. Source: arXiv 1308.0850, eq. 38 to 45.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> w.sum().backward()
    >>> twinoar.optimizer.RMSProp(0.25, rho=0.75, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.5
    """

    _is_formula = True
    _rule = Rule(rmsprop, *NUMBERS, "centered")
    _meaning_of_rows = "among all"

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        rho: float = 0.95,
        epsilon: float = 1e-6,
        momentum: float = 0.0,
        centered: bool = False,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        values = zip(NUMBERS, (rho, epsilon, momentum), strict=True)
        numbers = {k: as_number(k, v) for k, v in values}
        self._settings = {**numbers, "centered": bool(centered)}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """The last step, and means of the squared gradient and of the gradient."""
        return Moment("momentum"), Moment("mean_square"), Moment("mean_grad")
