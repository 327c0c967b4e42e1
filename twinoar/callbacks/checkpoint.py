"""ModelCheckpoint: the model after each epoch, and what it takes to go on from there."""

from __future__ import annotations

from pathlib import Path

from twinoar.callbacks.callback import Callback, Logs
from twinoar.formats.atomic import together


class ModelCheckpoint(Callback):
    """Saves the model in `save_dir` after every `save_freq` epochs, and at the end as `final`.

    Each is a `.pdparams`, a `.pdopt`, and a `.pdprogress`, which `Model.fit(resume=...)` reads.
    """

    def __init__(self, save_freq: int = 1, save_dir: str | None = None):
        super().__init__()
        self.save_freq, self.save_dir = save_freq, save_dir

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        """Save, if it is the turn of this epoch."""
        if self.save_dir is not None and epoch % self.save_freq == 0:
            self._save(str(epoch))

    def on_train_end(self, logs: Logs = None) -> None:
        """Save the trained model."""
        if self.save_dir is not None:
            self._save("final")

    def _save(self, name: str) -> None:
        assert self.save_dir is not None
        path = str(Path(self.save_dir) / name)
        if self.params.get("verbose"):
            print(f"save checkpoint at {Path(path).absolute()}")
        with together():
            self.model.save(path)
            self.model.save_progress(path)
