"""NAdam: Adam with Nesterov's momentum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.ops.optimizer.nadam import nadam
from twinoar.optimizer.adam import adam_settings
from twinoar.optimizer.group import as_number
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer, Rule


class NAdam(Optimizer):
    """Adam whose step follows the momentum of the next step, as Nesterov's method does.

    momentum_decay: how fast the momentum grows to beta1. The rest, and what is raised: see Adam.
    Source: Dozat, Incorporating Nesterov Momentum into Adam, 2016, algorithm 2.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> w.sum().backward()
    >>> twinoar.optimizer.NAdam(0.25, parameters=[w]).step()
    >>> w.item() < 0.75
    True
    """

    _is_formula = True
    _rule = Rule(nadam, "beta1", "beta2", "epsilon", "momentum_decay")

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.002,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: float = 1e-8,
        momentum_decay: float = 0.004,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        settings = adam_settings(beta1, beta2, epsilon, amsgrad=False)
        decay = as_number("momentum_decay", momentum_decay)
        self._settings = {**settings, "momentum_decay": decay}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """Powers, the product of all momenta, and means of the gradient and of its square."""
        ones = (Moment(name, 1.0) for name in ("momentum_decay_pow", "beta2_pow", "mu_product"))
        return *ones, Moment("moment1"), Moment("moment2")
