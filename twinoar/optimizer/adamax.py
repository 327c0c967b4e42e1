"""Adamax: Adam with the maximum norm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.values import Value
from twinoar.ops.optimizer.adamax import adamax
from twinoar.optimizer.adam import BETAS, ByBetas
from twinoar.optimizer.memory import Moment


class Adamax(ByBetas):
    """w - learning_rate * m' / u, with a running mean m of g and u = max(|g|, beta2 * u + epsilon).

    m' is m freed of its bias towards 0. The rest, and what is raised: see Optimizer; ArgumentError
    for a beta outside [0, 1). Source: arXiv 1412.6980, algorithm 2.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> w.sum().backward()
    >>> twinoar.optimizer.Adamax(0.25, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.75
    """

    _is_formula = True

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """The mean of gradients, their norm, and the power of beta1 for the next step."""
        power = Moment("beta1_pow_acc", settings["beta1"], is_single=True)
        return Moment("moment"), Moment("inf_norm"), power

    def update(
        self, param: Value, grad: Value, states: tuple, rate: Any, settings: Mapping[str, Any]
    ) -> tuple:
        """The new parameter and moments."""
        betas = {name: settings[name] for name in BETAS}
        return *adamax(param, grad, *states, rate, **betas), states[2] * settings["beta1"]
