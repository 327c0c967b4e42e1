"""What happens beside training: progress, checkpoints, schedules, early stops, logs.

A callback is called at the beginning and end of training, evaluation, prediction, of each epoch and
each batch, with `logs`: the losses and metrics so far. `Model.fit` adds a ProgBarLogger, an
LRScheduler and a ModelCheckpoint where none is given.
"""

from twinoar.callbacks.callback import Callback
from twinoar.callbacks.checkpoint import ModelCheckpoint
from twinoar.callbacks.early_stopping import EarlyStopping
from twinoar.callbacks.event_log import VisualDL
from twinoar.callbacks.live_curves import LiveCurves
from twinoar.callbacks.progress import ProgBarLogger
from twinoar.callbacks.schedule import LRScheduler, ReduceLROnPlateau
from twinoar.callbacks.training_monitor import TrainingMonitor
from twinoar.callbacks.wandb import WandbCallback
from twinoar.core.public import exported

__all__ = exported(globals())
