"""What happens beside training: progress, checkpoints, schedules, early stops, logs."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.callbacks
import twinoar.visual
from typing import Any, Literal, overload

import numpy as _numpy

class Callback:
    """Does something beside the loops of a Model; subclasses override the hooks they want."""
    def __init__(self) -> None: ...
    def set_params(self, params: builtins.dict[builtins.str, Any]) -> None:
        """Told before the first hook: what the loop was asked for."""
    def set_model(self, model: Any) -> None:
        """Told before the first hook: the Model."""
    def on_train_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Before `fit`."""
    def on_train_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """After `fit`."""
    def on_eval_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Before an evaluation; logs: steps and metrics."""
    def on_eval_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """After an evaluation."""
    def on_predict_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Before `predict`."""
    def on_predict_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """After `predict`."""
    def on_epoch_begin(self, epoch: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Before an epoch of `fit`, counted from 0."""
    def on_epoch_end(self, epoch: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """After the batches of an epoch, before its evaluation."""
    def on_train_batch_begin(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Before a batch of an epoch, counted from 0."""
    def on_train_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """After a batch of an epoch."""
    def on_eval_batch_begin(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Before a batch of an evaluation."""
    def on_eval_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """After a batch of an evaluation."""
    def on_predict_batch_begin(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Before a batch of `predict`."""
    def on_predict_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """After a batch of `predict`."""
    model: Any
    params: builtins.dict[builtins.str, Any]
class EarlyStopping(twinoar.callbacks.Callback):
    """Ends training after `patience` evaluations without improvement, keeping the best model."""
    def __init__(self, monitor: builtins.str = 'loss', mode: builtins.str = 'auto', patience: Any = 0, verbose: Any = 1, min_delta: Any = 0, baseline: Any = None, save_best_model: builtins.bool = True) -> None: ...
    def on_train_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Forget former evaluations."""
    def on_eval_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Compare with the best evaluation."""
    monitor: Any
    patience: builtins.int
    verbose: builtins.int
    save_best_model: builtins.bool
    save_dir: builtins.str | None
class LRScheduler(twinoar.callbacks.Callback):
    """Steps the optimizer's schedule, if it has one, after each batch, or each epoch."""
    def __init__(self, by_step: builtins.bool = True, by_epoch: builtins.bool = False) -> None: ...
    def on_train_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """A step after each batch."""
    def on_epoch_end(self, epoch: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """A step after each epoch."""
    by_step: Any
class LiveCurves(twinoar.callbacks.Callback):
    """Draws losses and metrics of `Model.fit` below the cell that runs: one output that changes."""
    def __init__(self, every_seconds: Any = ...) -> None: ...
    def on_train_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Begin anew, with a picture of its own."""
    def on_train_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Note the numbers of a step."""
    def on_eval_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Note the numbers of an evaluation."""
    def on_train_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Draw the last picture."""
    def svg(self) -> builtins.str:
        """The picture of all that there was, an SVG element."""
    every_seconds: builtins.float
    curves: builtins.dict[builtins.str, builtins.list[builtins.tuple[builtins.int, builtins.float]]]
    step: Any
class ModelCheckpoint(twinoar.callbacks.Callback):
    """Saves the model in `save_dir` after every `save_freq` epochs, and at the end as `final`."""
    def __init__(self, save_freq: Any = 1, save_dir: builtins.str | None = None) -> None: ...
    def on_epoch_end(self, epoch: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Save, if it is the turn of this epoch."""
    def on_train_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Save the trained model."""
    save_freq: builtins.int
    save_dir: builtins.str | None
class ProgBarLogger(twinoar.callbacks.Callback):
    """Tells losses, metrics and the time of a step."""
    def __init__(self, log_freq: Any = 1, verbose: Any = 2) -> None: ...
    def on_train_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Say what the numbers are."""
    def on_epoch_begin(self, epoch: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Say which epoch begins."""
    def on_train_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Show a batch."""
    def on_epoch_end(self, epoch: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Show the epoch."""
    def on_eval_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Say that an evaluation begins."""
    def on_eval_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Show a batch."""
    def on_eval_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Show the evaluation."""
    def on_predict_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Say that prediction begins."""
    def on_predict_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Show a batch."""
    def on_predict_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Show how many there were."""
    log_freq: Any
    verbose: builtins.int
    bar: Any
    steps: builtins.int | None
    samples: Any
    shown: Any
    start: Any
    last: Any
class ReduceLROnPlateau(twinoar.callbacks.Callback):
    """Multiplies the learning rate by `factor` where evaluations have stopped to get better."""
    def __init__(self, monitor: builtins.str = 'loss', factor: Any = ..., patience: Any = 10, verbose: Any = 1, mode: builtins.str = 'auto', min_delta: Any = ..., cooldown: Any = 0, min_lr: Any = 0) -> None: ...
    def on_train_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Forget former evaluations."""
    def on_eval_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Compare with the best evaluation."""
    monitor: Any
    factor: builtins.float
    patience: builtins.int
    verbose: builtins.int
    cooldown: builtins.int
    min_lr: builtins.float
    cooling: Any
class TrainingMonitor(twinoar.callbacks.Callback):
    """Writes to `log_dir`, each `every` steps, what `visual.Monitor` measures."""
    def __init__(self, log_dir: builtins.str, every: Any = 10) -> None: ...
    def on_train_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Open the file, and watch."""
    def on_train_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Measure a step."""
    def on_train_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Watch no more, and close the file."""
    log_dir: builtins.str
    every: builtins.int
    writer: twinoar.visual.LogWriter | None
    monitor: twinoar.visual.Monitor | None
class VisualDL(twinoar.callbacks.Callback):
    """Writes losses and metrics to files in `log_dir`: `train/loss`, `eval/loss`, each at the number of training steps before it"""
    def __init__(self, log_dir: builtins.str, form: builtins.str = 'visualdl') -> None: ...
    def on_train_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Open the file."""
    def on_epoch_begin(self, epoch: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Count the steps of the epochs before."""
    def on_train_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Write the numbers of a step."""
    def on_eval_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Write the numbers of an evaluation."""
    def on_train_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Close the file."""
    log_dir: builtins.str
    form: builtins.str
    writer: twinoar.visual.LogWriter | None
    step: Any
class WandbCallback(twinoar.callbacks.Callback):
    """Sends losses and metrics to a run of Weights & Biases: `train/loss`, `eval/loss`."""
    def __init__(self, project: builtins.str | None = None, entity: builtins.str | None = None, name: builtins.str | None = None, dir: builtins.str | None = None, mode: builtins.str | None = None, job_type: builtins.str | None = None, **kwargs: Any) -> None: ...
    @property
    def run(self) -> Any:
        """The run: one that is open already, or a new one."""
    def on_train_begin(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Open the run, and note the settings of training."""
    def on_train_batch_end(self, step: Any, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Send the numbers of a step."""
    def on_eval_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Send the numbers of an evaluation."""
    def on_train_end(self, logs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None:
        """Close the run."""
    wandb_args: Any
    wandb: Any
