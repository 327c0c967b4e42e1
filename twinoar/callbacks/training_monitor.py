"""TrainingMonitor: whether a training by `Model.fit` is well, as records."""

from __future__ import annotations

from typing import Any

from twinoar.callbacks.callback import Callback, Logs
from twinoar.visual import LogWriter, Monitor


class TrainingMonitor(Callback):
    """Writes to `log_dir`, each `every` steps, what `visual.Monitor` measures.

    Gradients are cleared by then, so how far weights move stands for them.
    """

    def __init__(self, log_dir: str, every: int = 10):
        super().__init__()
        self.log_dir, self.every = log_dir, every
        self.writer: LogWriter | None = None
        self.monitor: Monitor | None = None

    def on_train_begin(self, logs: Logs = None) -> None:
        """Open the file, and watch."""
        self.writer = LogWriter(self.log_dir)
        self.monitor = Monitor(self.model.network, self.writer, self.every)

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        """Measure a step."""
        loss: Any = (logs or {}).get("loss")
        if self.monitor is not None:
            self.monitor.step(loss)

    def on_train_end(self, logs: Logs = None) -> None:
        """Watch no more, and close the file."""
        if self.monitor is not None and self.writer is not None:
            self.monitor.close()
            self.writer.close()
            self.monitor = self.writer = None
