"""VisualDL: training curves as event files, which TensorBoard and `twinoar plot` read."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.callbacks.callback import Callback, Logs
from twinoar.callbacks.curves import needed
from twinoar.callbacks.progress import HIDDEN, is_number


class VisualDL(Callback):
    """Writes losses and metrics to event files in `log_dir`: `train/loss`, `eval/loss`, each at the
    number of training steps before it. A training that is resumed goes on where it was.

    Raises UnsupportedError where the library that writes such files is not installed.
    """

    def __init__(self, log_dir: str):
        super().__init__()
        self.log_dir = log_dir
        self.writer: Any = None
        self.step = 0

    def on_train_begin(self, logs: Logs = None) -> None:
        """Open the file."""
        self._open()

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        """Count the steps of the epochs before."""
        self.step = max(self.step, epoch * (self.params.get("steps") or 0))

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        """Write the numbers of a step."""
        self.step += 1
        self._write("train", self.step, logs)

    def on_eval_end(self, logs: Logs = None) -> None:
        """Write the numbers of an evaluation."""
        self._write("eval", self.step, logs)

    def on_train_end(self, logs: Logs = None) -> None:
        """Close the file."""
        if self.writer is not None:
            self.writer.close()
            self.writer = None

    def _open(self) -> None:
        before = len(list(Path(self.log_dir).glob("*tfevents*")))
        with needed("tensorboardX"):
            writer = importlib.import_module("tensorboardX").SummaryWriter
            # A file is called by the second: another one in that second would overwrite it.
            self.writer = writer(self.log_dir, filename_suffix=f".{before}")

    def _write(self, mode: str, at: int, logs: Logs) -> None:
        if self.writer is None:
            self._open()
        for name, value in (logs or {}).items():
            if name not in HIDDEN and is_number(value):
                for i, x in enumerate(np.asarray(value, float).reshape(-1)):
                    tag = f"{mode}/{name}" if i == 0 else f"{mode}/{name}_{i}"
                    self.writer.add_scalar(tag, x, at)
        self.writer.flush()
