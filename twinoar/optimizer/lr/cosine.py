"""Schedules along a cosine. Source: arXiv 1608.03983, eq. 5."""

from __future__ import annotations

import math

from twinoar.core.interpreter import current
from twinoar.errors import TypeMismatchError
from twinoar.optimizer.lr.scheduler import LRScheduler, count, require


def _half_cosine(high: float, low: float, done: float, period: float) -> float:
    """From `high` where nothing is done to `low` at the end of the period."""
    return low + (high - low) * (1 + math.cos(math.pi * done / period)) / 2


class CosineAnnealingDecay(LRScheduler):
    """Between learning_rate and eta_min, T_max epochs down and T_max up again.

    `step()` computes a rate from the one before, `step(epoch)` from the epoch alone.
    Raises TypeMismatchError, or ArgumentError where T_max < 1.

    >>> schedule = twinoar.optimizer.lr.CosineAnnealingDecay(1.0, T_max=10)
    >>> schedule.step(10)
    >>> schedule()
    0.0
    """

    def __init__(
        self,
        learning_rate: float,
        T_max: int,
        eta_min: float = 0,
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        self.T_max = count("T_max", T_max)
        if not isinstance(eta_min, (int, float)):
            raise TypeMismatchError(
                f"eta_min must be a number, received {eta_min!r}", cure="pass an int or a float"
            )
        self.eta_min = float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        if self.last_epoch == 0:
            return self.base_lr
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            # The step before was at eta_min, of which no factor leads back up.
            rise = (self.base_lr - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
            return self.last_lr + rise
        now = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        before = 1 + math.cos(math.pi * (self.last_epoch - 1) / self.T_max)
        return now / before * (self.last_lr - self.eta_min) + self.eta_min

    def _get_closed_form_lr(self) -> float:
        return _half_cosine(self.base_lr, self.eta_min, self.last_epoch, self.T_max)


class CosineAnnealingWarmRestarts(LRScheduler):
    """From learning_rate down to eta_min in T_0 epochs, again and again.

    Each period is T_mult times as long as the last.
    Raises TypeMismatchError, or ArgumentError where T_0 < 1 or T_mult < 1.

    >>> schedule = twinoar.optimizer.lr.CosineAnnealingWarmRestarts(1.0, T_0=2)
    >>> for _ in range(2):
    ...     schedule.step()
    >>> schedule()
    1.0
    """

    def __init__(
        self,
        learning_rate: float,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0,
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        self.T_0 = self.T_i = count("T_0", T_0)
        self.T_mult = count("T_mult", T_mult)
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate `T_cur` epochs after the last restart."""
        return _half_cosine(self.base_lr, self.eta_min, self.T_cur, self.T_i)

    def step(self, epoch: float | None = None) -> None:
        """Go on by one, or to `epoch`, which may be a fraction. Raises ArgumentError below 0."""
        current().python_effect(f"{type(self).__name__}.step")
        epoch = (
            self.last_epoch + 1
            if epoch is None
            else require("epoch", epoch, epoch >= 0, "at least 0")
        )
        start, self.T_i = 0, self.T_0
        if self.T_mult == 1:
            start = epoch // self.T_0 * self.T_0
        else:
            # Period n starts at T_0 * (1 + T_mult + ... + T_mult ** (n - 1)).
            while start + self.T_i <= epoch:
                start += self.T_i
                self.T_i *= self.T_mult
        self.T_cur, self.last_epoch = epoch - start, math.floor(epoch)
        self.last_lr = self.get_lr()
        self._report()
