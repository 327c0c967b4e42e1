"""Schedules that lower the rate by a formula in the epoch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.optimizer.lr.scheduler import LRScheduler, count, number, require, require_callable


class StepDecay(LRScheduler):
    """learning_rate * gamma ** (epoch // step_size).

    Raises TypeMismatchError, or ArgumentError where step_size < 1 or gamma >= 1.

    >>> schedule = twinoar.optimizer.lr.StepDecay(0.5, step_size=2, gamma=0.5)
    >>> for _ in range(2):
    ...     schedule.step()
    >>> schedule()
    0.25
    """

    def __init__(
        self,
        learning_rate: float,
        step_size: int,
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        self.step_size = count("step_size", step_size)
        self.gamma = require("gamma", gamma, gamma < 1.0, "below 1")
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        return self.base_lr * self.gamma ** (self.last_epoch // self.step_size)


class MultiStepDecay(LRScheduler):
    """learning_rate * gamma ** (number of milestones reached); milestones: increasing epochs.

    Raises TypeMismatchError, or ArgumentError where milestones do not increase or gamma >= 1.

    >>> schedule = twinoar.optimizer.lr.MultiStepDecay(0.5, milestones=[1, 3], gamma=0.5)
    >>> schedule.step()
    >>> schedule()
    0.25
    """

    def __init__(
        self,
        learning_rate: float,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        if not isinstance(milestones, (tuple, list)):
            raise TypeMismatchError(
                f"milestones must be a list or tuple, received {milestones!r}",
                cure="pass a list of epochs, such as [30, 60]",
            )
        increase = all(a < b for a, b in pairwise(milestones))
        self.milestones = require("milestones", milestones, increase, "increasing")
        self.gamma = require("gamma", gamma, gamma < 1.0, "below 1")
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        reached = sum(m <= self.last_epoch for m in self.milestones)
        return self.base_lr * self.gamma**reached


class ExponentialDecay(LRScheduler):
    """learning_rate * gamma ** epoch, 0 < gamma < 1 or ArgumentError.

    >>> schedule = twinoar.optimizer.lr.ExponentialDecay(0.5, gamma=0.5)
    >>> schedule.step()
    >>> schedule()
    0.25
    """

    def __init__(
        self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False
    ):
        self.gamma = require("gamma", gamma, 0.0 < gamma < 1.0, "between 0 and 1")
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        return self.base_lr * self.gamma**self.last_epoch


class NaturalExpDecay(LRScheduler):
    """learning_rate * exp(-gamma * epoch), gamma > 0 or ArgumentError."""

    def __init__(
        self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False
    ):
        self.gamma = require("gamma", gamma, gamma > 0.0, "above 0")
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        return self.base_lr * math.exp(-self.gamma * self.last_epoch)


class InverseTimeDecay(LRScheduler):
    """learning_rate / (1 + gamma * epoch)."""

    def __init__(
        self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False
    ):
        self.gamma = number("gamma", gamma)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        return self.base_lr / (1 + self.gamma * self.last_epoch)


class PolynomialDecay(LRScheduler):
    """From learning_rate to end_lr in decay_steps along (1 - epoch / decay_steps) ** power.

    cycle: start over with a longer period instead of staying at end_lr.
    Raises TypeMismatchError, or ArgumentError where decay_steps < 1 or power <= 0.

    >>> schedule = twinoar.optimizer.lr.PolynomialDecay(1.0, decay_steps=4, end_lr=0.0)
    >>> schedule.step()
    >>> schedule()
    0.75
    """

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        end_lr: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        self.decay_steps = count("decay_steps", decay_steps)
        self.end_lr = end_lr
        self.power = require("power", power, power > 0.0, "above 0")
        self.cycle = cycle
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        epoch, period = self.last_epoch, self.decay_steps
        if self.cycle:
            period *= max(1, math.ceil(epoch / period))
        else:
            epoch = min(epoch, period)
        left = (1 - epoch / period) ** self.power
        return (self.base_lr - self.end_lr) * left + self.end_lr


class PiecewiseDecay(LRScheduler):
    """values[i] for epochs below boundaries[i], and the last of values from the last boundary on.

    values: one more than boundaries. Raises ArgumentError where there are too few.

    >>> schedule = twinoar.optimizer.lr.PiecewiseDecay([1, 2], [0.4, 0.2, 0.1])
    >>> schedule.step()
    >>> schedule()
    0.2
    """

    def __init__(
        self,
        boundaries: Sequence[int],
        values: Sequence[float],
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        if len(values) < len(boundaries) + 1:
            raise ArgumentError(
                f"{len(boundaries)} boundaries need {len(boundaries) + 1} values, "
                f"received {len(values)}",
                cure="give one value more than boundaries",
            )
        self.boundaries, self.values = boundaries, values
        super().__init__(values[0], last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        passed = next(
            (i for i, b in enumerate(self.boundaries) if self.last_epoch < b), len(self.boundaries)
        )
        return self.values[passed]


class NoamDecay(LRScheduler):
    """learning_rate * d_model ** -0.5 * min(epoch ** -0.5, epoch * warmup_steps ** -1.5).

    Raises ArgumentError where d_model <= 0. Source: arXiv 1706.03762, eq. 3.

    >>> schedule = twinoar.optimizer.lr.NoamDecay(d_model=4, warmup_steps=4)
    >>> schedule.step(4)
    >>> schedule()
    0.25
    """

    def __init__(
        self,
        d_model: float,
        warmup_steps: int,
        learning_rate: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        self.d_model = require("d_model", d_model, d_model > 0, "above 0")
        self.warmup_steps = warmup_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`; at 0 the falling branch counts as 1."""
        falling = 1 if self.last_epoch == 0 else self.last_epoch**-0.5
        rising = self.warmup_steps**-1.5 * self.last_epoch
        return self.base_lr * self.d_model**-0.5 * min(falling, rising)


class LambdaDecay(LRScheduler):
    """learning_rate * lr_lambda(epoch). Raises TypeMismatchError where lr_lambda cannot be called.

    >>> schedule = twinoar.optimizer.lr.LambdaDecay(0.5, lambda epoch: 1 / (1 + epoch))
    >>> schedule.step()
    >>> schedule()
    0.25
    """

    def __init__(
        self,
        learning_rate: float,
        lr_lambda: Callable[[int], float],
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        self.lr_lambda = require_callable("lr_lambda", lr_lambda)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        return self.base_lr * self.lr_lambda(self.last_epoch)


class MultiplicativeDecay(LRScheduler):
    """learning_rate * lr_lambda(1) * ... * lr_lambda(epoch).

    Raises TypeMismatchError where lr_lambda cannot be called.

    >>> schedule = twinoar.optimizer.lr.MultiplicativeDecay(0.5, lambda epoch: 0.5)
    >>> schedule.step(2)
    >>> schedule()
    0.125
    """

    def __init__(
        self,
        learning_rate: float,
        lr_lambda: Callable[[int], float],
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        self.lr_lambda = require_callable("lr_lambda", lr_lambda)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        rate = self.base_lr
        for epoch in range(1, self.last_epoch + 1):
            rate *= self.lr_lambda(epoch)
        return rate
