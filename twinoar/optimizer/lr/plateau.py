"""ReduceOnPlateau: lower the rate when a metric stops getting better."""

from __future__ import annotations

import numbers
from typing import Any, Literal

import numpy as np

from twinoar.core.interpreter import current
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.optimizer.lr.scheduler import LRScheduler, number, require


class ReduceOnPlateau(LRScheduler):
    """Multiply the rate by factor when a metric has not got better for more than patience steps.

    mode: "min" or "max", what better means. threshold: how much better, a part of the best value so
    far (threshold_mode "rel") or a difference ("abs"). cooldown: steps to wait after a reduction.
    min_lr: where it ends. epsilon: smaller changes of the rate are not made. Raises ArgumentError
    for another mode or a factor that is not below 1.

    >>> schedule = twinoar.optimizer.lr.ReduceOnPlateau(1.0, factor=0.5, patience=1)
    >>> for loss in [3.0, 2.0, 2.0, 2.0]:
    ...     schedule.step(loss)
    >>> schedule()
    0.5
    """

    def __init__(
        self,
        learning_rate: float,
        mode: Literal["min", "max"] = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: Literal["rel", "abs"] = "rel",
        cooldown: int = 0,
        min_lr: float = 0,
        epsilon: float = 1e-8,
        verbose: bool = False,
    ):
        self.mode = require("mode", mode, mode in ("min", "max"), "'min' or 'max'")
        self.factor = require("factor", factor, factor < 1.0, "below 1")
        is_known = threshold_mode in ("rel", "abs")
        self.threshold_mode = require("threshold_mode", threshold_mode, is_known, "'rel' or 'abs'")
        self.patience, self.threshold, self.cooldown = patience, threshold, cooldown
        self.min_lr, self.epsilon = min_lr, epsilon
        self.cooldown_counter = self.num_bad_epochs = 0
        self.best: float | None = None
        # Nothing is known before the first metric, so the base's first step is not taken.
        self.base_lr = self.last_lr = number("learning_rate", learning_rate)
        self.last_epoch, self.verbose = 0, verbose

    def state_keys(self) -> None:
        """Set `keys`, the names of the attributes that `state_dict` holds."""
        self.keys = ["cooldown_counter", "best", "num_bad_epochs", "last_epoch", "last_lr"]

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Take the metric of one epoch: a number, or a tensor or array with one element.

        Raises TypeMismatchError for anything else, ArgumentError for more elements.
        """
        current().python_effect(f"{type(self).__name__}.step")
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        value = _one_number(metrics)
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self.best is None or self._is_better(value, self.best):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            self._reduce()

    def _is_better(self, value: float, best: float) -> bool:
        margin = best * self.threshold if self.threshold_mode == "rel" else self.threshold
        return value < best - margin if self.mode == "min" else value > best + margin

    def _reduce(self) -> None:
        reduced = max(self.last_lr * self.factor, self.min_lr)
        if self.last_lr - reduced > self.epsilon:
            self.last_lr = reduced
            self._report()


def _one_number(metrics: Any) -> float:
    if isinstance(metrics, (Value, np.ndarray)):
        if metrics.size != 1:
            raise ArgumentError(
                f"the metric must have one element, received shape {list(metrics.shape)}",
                cure="reduce it with mean()",
            )
        return metrics.item()
    if isinstance(metrics, numbers.Real):
        return float(metrics)
    raise TypeMismatchError(f"the metric must be a number or a tensor, received {metrics!r}")
