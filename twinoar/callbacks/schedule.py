"""Learning rates during `fit`: the steps of schedules, and a smaller rate on a plateau."""

from __future__ import annotations

import warnings

from twinoar.callbacks.callback import Callback, Logs
from twinoar.callbacks.monitor import Monitor
from twinoar.errors import ArgumentError
from twinoar.optimizer.lr import LRScheduler as Schedule


class LRScheduler(Callback):
    """Steps the optimizer's schedule, if it has one, after each batch, or each epoch.

    Raises ArgumentError where both or neither are asked for.
    """

    def __init__(self, by_step: bool = True, by_epoch: bool = False):
        super().__init__()
        if bool(by_step) == bool(by_epoch):
            raise ArgumentError(
                f"expected one of by_step and by_epoch, received {by_step} and {by_epoch}",
                cure="pass by_step=False, by_epoch=True to step after each epoch",
            )
        self.by_step = bool(by_step)

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        """A step after each batch."""
        if self.by_step:
            self._step()

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        """A step after each epoch."""
        if not self.by_step:
            self._step()

    def _step(self) -> None:
        schedule = getattr(self.model.optimizer, "_learning_rate", None)
        if isinstance(schedule, Schedule):
            schedule.step()


class ReduceLROnPlateau(Callback):
    """Multiplies the learning rate by `factor` where evaluations have stopped to get better.

    monitor, mode, min_delta: as for EarlyStopping. patience: evaluations to wait. cooldown:
    evaluations after a reduction that do not count, but for the last one. min_lr: the least rate.
    verbose: 1 tells of reductions. Raises ArgumentError for a factor of 1 or more.
    """

    def __init__(
        self,
        monitor: str = "loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 1,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ):
        super().__init__()
        if factor >= 1.0:
            raise ArgumentError(
                f"factor must be less than 1, received {factor}", cure="0.1 is the default"
            )
        self.monitor = Monitor(monitor, mode, min_delta)
        self.factor, self.patience, self.verbose = factor, patience, verbose
        self.cooldown, self.min_lr, self.cooling = cooldown, min_lr, 0

    def on_train_begin(self, logs: Logs = None) -> None:
        """Forget former evaluations."""
        self.monitor.reset()
        self.cooling = 0

    def on_eval_end(self, logs: Logs = None) -> None:
        """Compare with the best evaluation."""
        value = self.monitor.read(logs)
        if value is None:
            return
        if self.cooling > 0:
            self.cooling -= 1
            self.monitor.waited = 0
        improves = self.monitor.improves(value)
        if self.cooling > 0:
            self.monitor.waited = 0
        if improves or self.monitor.waited < self.patience:
            return
        self._reduce()

    def _reduce(self) -> None:
        optimizer = self.model.optimizer
        if isinstance(optimizer._learning_rate, Schedule):
            warnings.warn(
                "the optimizer has a schedule of its own: its learning rate is not reduced",
                stacklevel=4,
            )
            return
        before = optimizer.get_lr()
        after = max(before * self.factor, self.min_lr)
        self.cooling, self.monitor.waited = self.cooldown, 0
        if after < before:
            optimizer.set_lr(after)
            if self.verbose:
                print(f"the learning rate is reduced from {before:g} to {after:g}")
