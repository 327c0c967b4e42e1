"""AdamW: Adam with weight decay that does not pass through the moments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from twinoar.core.values import Value
from twinoar.ops.optimizer.adam import adamw, amsgrad
from twinoar.optimizer.adam import BETAS, adam_moments, adam_settings
from twinoar.optimizer.by_rows import Meaning
from twinoar.optimizer.group import require_callable
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Moment
from twinoar.optimizer.optimizer import Optimizer


class AdamW(Optimizer):
    """First w - learning_rate * weight_decay * w, then Adam's step.

    weight_decay: a number. apply_decay_param_fun: called with a parameter's name, says whether that
    one decays. lr_ratio: called with a parameter, returns a factor on its learning rate.
    lazy_mode: a row-sparse gradient changes, and decays, its rows alone, where Paddle refuses it.
    use_lowprecision_moment: accepted. The rest, and what is raised: see Adam and Optimizer.
    Source: arXiv 1711.05101, algorithm 2.

    >>> w = twinoar.create_parameter([1], "float32")
    >>> w.set_value([1.0])
    >>> w.sum().backward()
    >>> twinoar.optimizer.AdamW(0.5, parameters=[w], weight_decay=0.5).step()
    >>> round(w.item(), 4)
    0.25
    """

    _is_formula = _decoupled = True

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = 0.01,
        use_lowprecision_moment: bool = False,
        lr_ratio: Callable[[Any], float] | None = None,
        apply_decay_param_fun: Callable[[str], bool] | None = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        amsgrad: bool = False,
        name: str | None = None,
    ):
        self._settings = adam_settings(beta1, beta2, epsilon, amsgrad)
        self._lazy_mode = bool(lazy_mode)
        self._multi_precision = bool(multi_precision)
        self._lr_ratio = require_callable("lr_ratio", lr_ratio)
        self._apply_decay_param_fun = require_callable(
            "apply_decay_param_fun", apply_decay_param_fun
        )
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    @property
    def _meaning_of_rows(self) -> Meaning:  # type: ignore[override]  # of this one, not of its class
        return "alone" if self._lazy_mode else "among all"

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """Those of Adam."""
        return adam_moments(settings)

    def settings_for(self, param: Any, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Those of the group, without decay where `apply_decay_param_fun` says so."""
        decays = self._apply_decay_param_fun
        if decays is None or decays(param.name):
            return settings
        return {**settings, "weight_decay": 0.0}

    def rate_for(self, param: Any, rate: Any) -> Any:
        """The rate times what `lr_ratio` says."""
        return rate if self._lr_ratio is None else rate * self._lr_ratio(param)

    def update(
        self, param: Value, grad: Value, states: tuple, rate: Any, settings: Mapping[str, Any]
    ) -> tuple:
        """The new parameter and moments."""
        rule = amsgrad if settings["amsgrad"] else adamw
        betas = {name: settings[name] for name in BETAS}
        return rule(param, grad, *states, rate, **betas, decay=settings["weight_decay"])
