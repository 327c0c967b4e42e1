"""EarlyStopping: training ends where evaluations do not get better."""

from __future__ import annotations

from pathlib import Path

from twinoar.callbacks.callback import Callback, Logs
from twinoar.callbacks.monitor import Monitor


class EarlyStopping(Callback):
    """Ends training after `patience` evaluations without improvement, keeping the best model.

    monitor: a logged number. mode: "min", "max", or "auto": "max" for names with "acc". verbose: 1
    tells when it ends training. min_delta: what counts as improvement. baseline: what must be
    exceeded. save_best_model: save it as `best_model` in the folder that `fit(save_dir=...)` names.
    """

    def __init__(
        self,
        monitor: str = "loss",
        mode: str = "auto",
        patience: int = 0,
        verbose: int = 1,
        min_delta: float = 0,
        baseline: float | None = None,
        save_best_model: bool = True,
    ):
        super().__init__()
        self.monitor = Monitor(monitor, mode, min_delta, baseline)
        self.patience, self.verbose, self.save_best_model = patience, verbose, save_best_model
        self.save_dir: str | None = None  # `fit` says

    def on_train_begin(self, logs: Logs = None) -> None:
        """Forget former evaluations."""
        self.monitor.reset()

    def on_eval_end(self, logs: Logs = None) -> None:
        """Compare with the best evaluation."""
        value = self.monitor.read(logs)
        if value is None:
            return
        if self.monitor.improves(value):
            if self.save_best_model and self.save_dir is not None:
                self.model.save(str(Path(self.save_dir) / "best_model"))
        elif self.monitor.waited >= self.patience:
            self.model.stop_training = True
            if self.verbose:
                print(
                    f"training ends early: no better {self.monitor.name} than "
                    f"{self.monitor.best:.5g} in {self.monitor.waited} evaluations"
                )
