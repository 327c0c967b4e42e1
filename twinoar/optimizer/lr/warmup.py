"""Schedules that raise the rate along a line at the start."""

from __future__ import annotations

from typing import Any

from twinoar.optimizer.lr.scheduler import LRScheduler, count, number, require


class LinearWarmup(LRScheduler):
    """From start_lr to end_lr in warmup_steps, then learning_rate, a number or another schedule.

    The other schedule is stepped by this one, from epoch 0 on after the warmup.
    Raises TypeMismatchError, or ArgumentError where warmup_steps < 1 or end_lr <= start_lr.

    >>> schedule = twinoar.optimizer.lr.LinearWarmup(0.5, warmup_steps=4, start_lr=0.0, end_lr=0.5)
    >>> schedule.step()
    >>> schedule()
    0.125
    """

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        warmup_steps: int,
        start_lr: float,
        end_lr: float,
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        if not isinstance(learning_rate, LRScheduler):
            learning_rate = number("learning_rate", learning_rate)
        self.learning_rate = learning_rate
        self.warmup_steps = count("warmup_steps", warmup_steps)
        self.start_lr = number("start_lr", start_lr)
        self.end_lr = number("end_lr", end_lr)
        require("end_lr", end_lr, end_lr > start_lr, f"above start_lr ({start_lr})")
        super().__init__(start_lr, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`; after the warmup this steps the inner schedule."""
        if self.last_epoch < self.warmup_steps:
            return (
                self.end_lr - self.start_lr
            ) * self.last_epoch / self.warmup_steps + self.start_lr
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.step(self.last_epoch - self.warmup_steps)
            return self.learning_rate()
        return self.learning_rate

    def state_dict(self) -> dict[str, Any]:
        """What is needed to go on later; the inner schedule's as `LinearWarmup_LR`."""
        state = super().state_dict()
        if isinstance(self.learning_rate, LRScheduler):
            state["LinearWarmup_LR"] = self.learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned. Raises UnknownNameError for a missing entry."""
        super().set_state_dict(state_dict)
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.set_state_dict(state_dict["LinearWarmup_LR"])

    set_dict = set_state_dict


class LinearLR(LRScheduler):
    """The factor on learning_rate goes from start_factor to end_factor in total_steps.

    It is applied to the rate of the step before, so a rate that was changed in between goes on from
    there. Raises ArgumentError where total_steps < 1, or a factor is outside (0, 1] or [0, 1].

    >>> schedule = twinoar.optimizer.lr.LinearLR(1.0, total_steps=2, start_factor=0.5)
    >>> schedule.step()
    >>> schedule()
    0.75
    """

    def __init__(
        self,
        learning_rate: float,
        total_steps: int,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        self.start_factor = require(
            "start_factor", start_factor, 0.0 < start_factor <= 1.0, "above 0 and at most 1"
        )
        self.end_factor = require(
            "end_factor", end_factor, 0.0 <= end_factor <= 1.0, "between 0 and 1"
        )
        self.total_steps = count("total_steps", total_steps)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        if self.last_epoch == 0:
            return self.base_lr * self.start_factor
        if self.last_epoch > self.total_steps:
            return self.last_lr
        slope = self.end_factor - self.start_factor
        before = self.total_steps * self.start_factor + (self.last_epoch - 1) * slope
        return self.last_lr * (1.0 + slope / before)
