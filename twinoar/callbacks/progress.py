"""ProgBarLogger: losses and metrics as they come, in lines or with a bar."""

from __future__ import annotations

import time
from collections.abc import Mapping
from numbers import Number
from typing import Any

import numpy as np
from tqdm import tqdm  # type: ignore[import-untyped]

from twinoar.callbacks.callback import Callback, Logs
from twinoar.callbacks.notebook import notebook_line

HIDDEN = ("step", "batch_size")
VERBS = {"train": "", "eval": "Eval", "predict": "Predict"}


class ProgBarLogger(Callback):
    """Tells losses, metrics and the time of a step.

    log_freq: batches between two lines. verbose: 0 nothing, 1 a bar, 2 lines.
    """

    def __init__(self, log_freq: int = 1, verbose: int = 2):
        super().__init__()
        self.log_freq, self.verbose = max(int(log_freq), 1), verbose
        self.bar: Any = None
        self.steps: int | None = None

    def on_train_begin(self, logs: Logs = None) -> None:
        """Say what the numbers are."""
        if self.verbose:
            print("The loss is that of the step, metrics are over the steps of the epoch so far.")

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        """Say which epoch begins."""
        if self.verbose:
            print(f"Epoch {epoch + 1}/{self.params.get('epochs')}")
        self._open(self.params.get("steps"))

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        """Show a batch."""
        self._show(step, logs)

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        """Show the epoch."""
        self._close(logs)

    def on_eval_begin(self, logs: Logs = None) -> None:
        """Say that an evaluation begins."""
        self._begin("Eval", logs)

    def on_eval_batch_end(self, step: int, logs: Logs = None) -> None:
        """Show a batch."""
        self._show(step, logs)

    def on_eval_end(self, logs: Logs = None) -> None:
        """Show the evaluation."""
        self._end("Eval", logs)

    def on_predict_begin(self, logs: Logs = None) -> None:
        """Say that prediction begins."""
        self._begin("Predict", logs)

    def on_predict_batch_end(self, step: int, logs: Logs = None) -> None:
        """Show a batch."""
        self._show(step, logs)

    def on_predict_end(self, logs: Logs = None) -> None:
        """Show how many there were."""
        self._end("Predict", logs)

    def _begin(self, what: str, logs: Logs) -> None:
        if self.verbose:
            print(f"{what} begin...")
        self._open((logs or {}).get("steps"))

    def _end(self, what: str, logs: Logs) -> None:
        self._close(logs)
        if self.verbose:
            print(f"{what} samples: {self.samples}")

    def _open(self, steps: int | None) -> None:
        self.steps, self.samples, self.shown = steps, 0, -1
        self.start, self.last = time.perf_counter(), -1
        if self.verbose == 1:
            self.bar = tqdm(total=steps, unit="step", file=notebook_line(), dynamic_ncols=True)

    def _show(self, step: int, logs: Logs) -> None:
        self.samples += (logs or {}).get("batch_size", 0)
        self.last = step
        if (step + 1) % self.log_freq == 0:
            self._tell(logs)
        if self.bar is not None:
            self.bar.update(1)

    def _close(self, logs: Logs) -> None:
        if self.last >= 0 and self.shown != self.last:
            self._tell(logs)
        if self.bar is not None:
            self.bar.refresh()
            self.bar.close()
            self.bar = None

    def _tell(self, logs: Logs) -> None:
        self.shown = self.last
        told = described(logs or {})
        if self.bar is not None:
            self.bar.set_postfix_str(" - ".join(told), refresh=False)  # as it moves, or ends
        elif self.verbose == 2:
            each = (time.perf_counter() - self.start) / (self.last + 1)
            of = f"/{self.steps}" if self.steps is not None else ""
            print(" - ".join([f"step {self.last + 1}{of}", *told, f"{duration(each)}/step"]))


def described(logs: Mapping[str, Any]) -> list[str]:
    """Each logged number with its name.

    >>> described({"loss": [0.5], "acc": 0.00001, "step": 3})
    ['loss: 0.5000', 'acc: 1.0000e-05']
    """
    found = []
    for name, value in logs.items():
        if name not in HIDDEN:
            values = [float(v) for v in np.asarray(value).reshape(-1)] if is_number(value) else ()
            found.append(f"{name}: {' '.join(map(_short, values)) if values else value}")
    return found


def is_number(value: Any) -> bool:
    """True for a number, or an array or list of numbers."""
    if isinstance(value, (list, tuple)):
        return all(map(is_number, value))
    return isinstance(value, (Number, np.ndarray, np.generic))


def _short(x: float) -> str:
    return f"{x:.4f}" if abs(x) > 1e-3 or x == 0 else f"{x:.4e}"


def duration(seconds: float) -> str:
    """A short time.

    >>> duration(0.0123), duration(2.6)
    ('12ms', '3s')
    """
    if seconds >= 1:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"
