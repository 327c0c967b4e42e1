"""WandbCallback: training curves in Weights & Biases."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from twinoar.callbacks.callback import Callback, Logs
from twinoar.callbacks.progress import HIDDEN, is_number
from twinoar.errors import UnsupportedError


class WandbCallback(Callback):
    """Sends losses and metrics to a run of Weights & Biases: `train/loss`, `eval/loss`.

    project, entity, name, dir, mode, job_type and further keywords: as of `wandb.init`. Raises
    UnsupportedError where the library `wandb` is not installed.
    """

    def __init__(
        self,
        project: str | None = None,
        entity: str | None = None,
        name: str | None = None,
        dir: str | None = None,
        mode: str | None = None,
        job_type: str | None = None,
        **kwargs: Any,
    ):
        super().__init__()
        try:
            self.wandb = importlib.import_module("wandb")
        except ModuleNotFoundError:
            raise UnsupportedError("wandb is not installed", cure="pip install wandb") from None
        self.wandb_args = {"project": project, "entity": entity, "name": name, "dir": dir}
        self.wandb_args |= {"mode": mode, "job_type": job_type, **kwargs}
        self._run: Any = None

    @property
    def run(self) -> Any:
        """The run: one that is open already, or a new one."""
        if self._run is None:
            self._run = self.wandb.run or self.wandb.init(**self.wandb_args)
        return self._run

    def on_train_begin(self, logs: Logs = None) -> None:
        """Open the run, and note the settings of training."""
        self.run.config.update({k: v for k, v in self.params.items() if k != "metrics"})

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        """Send the numbers of a step."""
        self._send("train", logs)

    def on_eval_end(self, logs: Logs = None) -> None:
        """Send the numbers of an evaluation."""
        self._send("eval", logs)

    def on_train_end(self, logs: Logs = None) -> None:
        """Close the run."""
        self.run.finish()
        self._run = None

    def _send(self, mode: str, logs: Logs) -> None:
        numbers = {}
        for name, value in (logs or {}).items():
            if name not in HIDDEN and is_number(value):
                for i, x in enumerate(np.asarray(value, float).reshape(-1)):
                    numbers[f"{mode}/{name}" if i == 0 else f"{mode}/{name}_{i}"] = float(x)
        self.run.log(numbers)
