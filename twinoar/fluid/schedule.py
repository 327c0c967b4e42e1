"""Schedules of Paddle 1.8: most go on by themselves, one step at each update of an optimizer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

from twinoar.core.public import declared
from twinoar.optimizer import lr
from twinoar.optimizer.lr.scheduler import LRScheduler, require


class LearningRateDecay(LRScheduler):
    """Base of the schedules that an optimizer advances: by `step_size`, beginning at `step_num`.

    A subclass is a schedule of Paddle 2 too, whose epoch is the number of `decay_steps`, with
    `staircase` of whole ones.
    """

    step_num = 0

    def _start(
        self, begin: int, step: int, decay_steps: float = 1, staircase: bool = False
    ) -> None:
        self.step_num, self.step_size = begin, step
        self._decay_steps, self._staircase = decay_steps, staircase
        self._compute()

    def advance(self) -> None:
        """Go on by one update."""
        self.step_num += self.step_size
        self._compute()

    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds."""
        self.keys = ["step_num"]

    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned. Raises UnknownNameError for a missing entry."""
        super().set_state_dict(state_dict)
        self._compute()

    set_dict = set_state_dict

    def _compute(self) -> None:
        passed = self.step_num / self._decay_steps
        self.last_epoch = math.floor(passed) if self._staircase else passed  # type: ignore[assignment]
        self.last_lr = float(self.get_lr())


class NoamDecay(LearningRateDecay, lr.NoamDecay):
    """learning_rate * d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5).

    >>> decay = NoamDecay(d_model=4, warmup_steps=4)
    >>> decay.advance(); decay()
    0.125
    """

    def __init__(
        self,
        d_model: float,
        warmup_steps: int,
        begin: int = 1,
        step: int = 1,
        dtype: Any = "float32",
        learning_rate: float = 1.0,
    ):
        lr.NoamDecay.__init__(self, d_model, warmup_steps, learning_rate)
        self._start(begin, step)


class PiecewiseDecay(LearningRateDecay, lr.PiecewiseDecay):
    """values[i] for steps below boundaries[i], and the last of values from the last boundary on."""

    def __init__(
        self,
        boundaries: Sequence[int],
        values: Sequence[float],
        begin: int,
        step: int = 1,
        dtype: Any = "float32",
    ):
        lr.PiecewiseDecay.__init__(self, boundaries, values)
        self._start(begin, step)


class _ByRate(LearningRateDecay):
    """The arguments of schedules that a rate and a number of steps make fall."""

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        decay_rate: float,
        staircase: bool = False,
        begin: int = 0,
        step: int = 1,
        dtype: Any = "float32",
    ):
        begin_schedule: Callable[..., None] = super().__init__  # that of Paddle 2, which is next
        begin_schedule(learning_rate, decay_rate)
        self._start(begin, step, decay_steps, staircase)


class NaturalExpDecay(_ByRate, lr.NaturalExpDecay):
    """learning_rate * exp(-decay_rate * step / decay_steps); staircase: of the whole quotient."""


class ExponentialDecay(_ByRate, lr.ExponentialDecay):
    """learning_rate * decay_rate ** (step / decay_steps); staircase: of the whole quotient."""


class InverseTimeDecay(_ByRate, lr.InverseTimeDecay):
    """learning_rate / (1 + decay_rate * step / decay_steps); staircase: of the whole quotient."""


class PolynomialDecay(LearningRateDecay, lr.PolynomialDecay):
    """From learning_rate to end_learning_rate along (1 - step / decay_steps)**power.

    cycle: start over with a longer period instead of staying there.
    """

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        end_learning_rate: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        begin: int = 0,
        step: int = 1,
        dtype: Any = "float32",
    ):
        lr.PolynomialDecay.__init__(
            self, learning_rate, decay_steps, end_learning_rate, power, cycle
        )
        self._start(begin, step)


class CosineDecay(LearningRateDecay):
    """learning_rate / 2 * (cos(pi * epoch / epochs) + 1), an epoch being step_each_epoch steps."""

    def __init__(
        self,
        learning_rate: float,
        step_each_epoch: int,
        epochs: int,
        begin: int = 0,
        step: int = 1,
        dtype: Any = "float32",
    ):
        self.epochs = epochs
        super().__init__(learning_rate)
        self._start(begin, step, step_each_epoch, staircase=True)

    def get_lr(self) -> float:
        """The rate of the epoch."""
        return self.base_lr / 2 * (math.cos(math.pi * self.last_epoch / self.epochs) + 1)


class LinearLrWarmup(LearningRateDecay):
    """From start_lr to end_lr in warmup_steps, then learning_rate: a number or a LearningRateDecay.

    Raises ArgumentError where end_lr is not above start_lr.
    """

    def __init__(
        self,
        learning_rate: float | LearningRateDecay,
        warmup_steps: int,
        start_lr: float,
        end_lr: float,
        begin: int = 1,
        step: int = 1,
        dtype: Any = "float32",
    ):
        require("end_lr", end_lr, end_lr > start_lr, f"above start_lr ({start_lr})")
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps
        self.start_lr, self.end_lr = start_lr, end_lr
        super().__init__(start_lr)
        self._start(begin, step)

    def get_lr(self) -> float:
        """The rate of the step."""
        if self.step_num < self.warmup_steps:
            return self.start_lr + (self.end_lr - self.start_lr) * self.step_num / self.warmup_steps
        after = self.learning_rate
        return after() if isinstance(after, LRScheduler) else after

    def advance(self) -> None:
        """Go on by one update; the other schedule goes on too, also during the warmup."""
        if isinstance(self.learning_rate, LearningRateDecay):
            self.learning_rate.advance()
        super().advance()


class ReduceLROnPlateau(lr.ReduceOnPlateau):
    """Multiply the rate by decay_rate when the loss given to `step` has stopped getting better.

    The arguments as of `paddle.optimizer.lr.ReduceOnPlateau`.
    """

    def __init__(
        self,
        learning_rate: float,
        mode: Literal["min", "max"] = "min",
        decay_rate: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        threshold: float = 1e-4,
        threshold_mode: Literal["rel", "abs"] = "rel",
        cooldown: int = 0,
        min_lr: float = 0,
        eps: float = 1e-8,
        dtype: Any = "float32",
    ):
        super().__init__(
            learning_rate, mode, decay_rate, patience, threshold, threshold_mode, cooldown, min_lr,
            eps, verbose,
        )  # fmt: skip


class StepDecay(lr.StepDecay):
    """learning_rate * decay_rate ** (epoch // step_size); `epoch()` goes on."""

    def __init__(self, learning_rate: float, step_size: int, decay_rate: float = 0.1):
        super().__init__(learning_rate, step_size, decay_rate)

    epoch = LRScheduler.step


class MultiStepDecay(lr.MultiStepDecay):
    """learning_rate * decay_rate ** (number of milestones reached); `epoch()` goes on."""

    def __init__(self, learning_rate: float, milestones: Sequence[int], decay_rate: float = 0.1):
        super().__init__(learning_rate, milestones, decay_rate)

    epoch = LRScheduler.step


class LambdaDecay(lr.LambdaDecay):
    """learning_rate * lr_lambda(epoch); `epoch()` goes on."""

    def __init__(self, learning_rate: float, lr_lambda: Callable[[int], float]):
        super().__init__(learning_rate, lr_lambda)

    epoch = LRScheduler.step


__all__ = declared(globals(), but=("LearningRateDecay",))
