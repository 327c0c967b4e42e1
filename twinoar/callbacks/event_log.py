"""VisualDL: training curves as files that VisualDL, or TensorBoard, and `twinoar board` show."""

from __future__ import annotations

import numpy as np

from twinoar.callbacks.callback import Callback, Logs
from twinoar.callbacks.progress import HIDDEN, is_number
from twinoar.visual import LogWriter


class VisualDL(Callback):
    """Writes losses and metrics to files in `log_dir`: `train/loss`, `eval/loss`, each at the
    number of training steps before it. A training that is resumed goes on where it was.

    form: "visualdl" or "tensorboard". Raises FileError where nothing can be written there.
    """

    def __init__(self, log_dir: str, form: str = "visualdl"):
        super().__init__()
        self.log_dir, self.form = log_dir, form
        self.writer: LogWriter | None = None
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

    def _open(self) -> LogWriter:
        if self.writer is None:
            self.writer = LogWriter(self.log_dir, form=self.form)
        return self.writer

    def _write(self, mode: str, at: int, logs: Logs) -> None:
        writer = self._open()
        for name, value in (logs or {}).items():
            if name not in HIDDEN and is_number(value):
                for i, x in enumerate(np.asarray(value, float).reshape(-1)):
                    tag = f"{mode}/{name}" if i == 0 else f"{mode}/{name}_{i}"
                    writer.add_scalar(tag, x, at)
        writer.flush()
