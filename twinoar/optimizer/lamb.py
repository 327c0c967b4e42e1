"""LAMB: Adam's direction, scaled to each parameter's size, for large batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from twinoar.core.values import Value
from twinoar.ops.optimizer.lamb import lamb
from twinoar.optimizer.adam import BETAS, adam_moments, adam_settings
from twinoar.optimizer.group import as_number, require_callable
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer


class Lamb(Optimizer):
    """w - learning_rate * |w| * r / |r|, r being Adam's direction plus lamb_weight_decay * w.

    A group has `lamb_weight_decay` of its own; its `weight_decay` regularizes gradients, besides.
    exclude_from_weight_decay_fn: called with a parameter, says whether that one does not decay.
    always_adapt: scale by |w| / |r| without decay, too. multi_precision: keep a float32 copy of
    16-bit parameters. The rest, and what is raised: see Adam and Optimizer.
    Source: arXiv 1904.00962, algorithm 2.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([2.0])
    >>> w.sum().backward()
    >>> twinoar.optimizer.Lamb(0.25, parameters=[w]).step()
    >>> round(w.item(), 4)
    1.5
    """

    _is_formula = True
    _meaning_of_rows = "among all"

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-6,
        parameters: Iterable[Any] | None = None,
        grad_clip: Any = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None,
        multi_precision: bool = False,
        always_adapt: bool = False,
        name: str | None = None,
    ):
        self._settings = {
            **adam_settings(beta1, beta2, epsilon, amsgrad=False),
            "always_adapt": bool(always_adapt),
            "lamb_weight_decay": as_number("lamb_weight_decay", lamb_weight_decay),
        }
        self._excluded = require_callable(
            "exclude_from_weight_decay_fn", exclude_from_weight_decay_fn
        )
        self._multi_precision = bool(multi_precision)
        super().__init__(learning_rate, parameters, None, grad_clip, name)

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """Those of Adam."""
        return adam_moments(settings)

    def settings_for(self, param: Any, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Those of the group, without decay for an excluded parameter."""
        if self._excluded is None or not self._excluded(param):
            return settings
        return {**settings, "lamb_weight_decay": 0.0}

    def update(
        self, param: Value, grad: Value, states: tuple, rate: Any, settings: Mapping[str, Any]
    ) -> tuple:
        """The new parameter and moments."""
        taken = {name: settings[name] for name in (*BETAS, "always_adapt")}
        decay = as_number("lamb_weight_decay", settings["lamb_weight_decay"])
        return lamb(param, grad, *states, rate, decay=decay, **taken)
