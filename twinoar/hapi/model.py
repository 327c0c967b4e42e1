"""Model: a network with what trains it, and the loops over data."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.callbacks import Callback
from twinoar.core.interpreter import current
from twinoar.core.op.explain import Told
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.hapi import files
from twinoar.hapi.callbacks import make_callbacks
from twinoar.hapi.data import as_list, begin_at, loader_of, samples_in, steps_of
from twinoar.hapi.eager_steps import EagerSteps
from twinoar.hapi.precision import Precision, as_precision
from twinoar.hapi.static_steps import StaticSteps
from twinoar.hapi.summary import summary
from twinoar.metric import Metric
from twinoar.nn.layer import Layer
from twinoar.static.input import InputSpec


class Model(Told):
    """A network with its optimizer, loss and metrics; trains, evaluates, predicts, saves, loads.

    network: a Layer. inputs, labels: InputSpecs of what `forward` and the loss take; static mode
    and `save(training=False)` need those of the inputs. In eager mode each step runs operator by
    operator; in static mode it is one Program, compiled.

    >>> import numpy as np
    >>> x = np.eye(4, dtype="float32")
    >>> data = [(x[i % 4], np.array([i % 4])) for i in range(32)]
    >>> model = twinoar.Model(twinoar.nn.Linear(4, 4))
    >>> model.prepare(
    ...     twinoar.optimizer.Adam(0.1, parameters=model.parameters()),
    ...     twinoar.nn.CrossEntropyLoss(),
    ...     twinoar.metric.Accuracy(),
    ... )
    >>> model.fit(data, batch_size=8, epochs=10, verbose=0)
    >>> float(model.evaluate(data, batch_size=8, verbose=0)["acc"])
    1.0
    """

    def __init__(self, network: Layer, inputs: Any = None, labels: Any = None):
        if not isinstance(network, Layer):
            raise TypeMismatchError(
                f"a Model is made of a Layer, received {type(network).__name__}",
                cure="pass an instance: Model(LeNet())",
            )
        self.network = network
        self.mode = "train"
        self.stop_training = False
        self.optimizer: Any = None
        self.precision = Precision()
        self._loss: Any = None
        self._metrics: list[Metric] = []
        self._inputs, self._labels = _specs(inputs, "inputs"), _specs(labels, "labels")
        self._epoch = -1
        is_static = not current().runs
        if is_static and not self._inputs:
            raise ArgumentError(
                "in static mode a Model needs the specs of its inputs",
                cure="pass inputs=[InputSpec([None, 784], 'float32', 'x')]",
            )
        self._steps: Any = StaticSteps(self) if is_static else EagerSteps(self)

    def prepare(
        self, optimizer: Any = None, loss: Any = None, metrics: Any = None, amp_configs: Any = None
    ) -> None:
        """Say what trains and measures the network.

        loss: a Layer or function of outputs and labels. metrics: Metrics. amp_configs: a level of
        `amp.auto_cast`, or a dict with "level", "dtype" and arguments of `auto_cast` and
        `GradScaler`. Raises TypeMismatchError for a loss that is not callable and metrics that are
        none, ArgumentError for amp_configs with another level or key.
        """
        if loss is not None and not callable(loss):
            raise TypeMismatchError(
                f"loss must be a Layer or a function, received {type(loss).__name__}",
                cure="pass an instance, such as nn.CrossEntropyLoss()",
            )
        for metric in as_list(metrics):
            if not isinstance(metric, Metric):
                raise TypeMismatchError(
                    f"metrics must be Metrics, received {type(metric).__name__}",
                    cure="pass instances, such as metric.Accuracy()",
                )
        self.precision = as_precision(amp_configs, isinstance(self._steps, StaticSteps))
        self.optimizer, self._loss, self._metrics = optimizer, loss, as_list(metrics)
        self._steps.prepare()

    def parameters(self, *args: Any, **kwargs: Any) -> list[Any]:
        """The parameters of the network."""
        return self.network.parameters(*args, **kwargs)

    def train_batch(self, inputs: Any, labels: Any = None, update: bool = True) -> Any:
        """One step on a batch. update=False adds to the gradients and leaves the parameters alone.

        Returns the losses, a list of arrays, and where there are metrics a list of their values
        for the batch.
        """
        self._need_optimizer()
        self.mode = "train"
        return self._told(*self._steps.train(as_list(inputs), as_list(labels), update))

    def eval_batch(self, inputs: Any, labels: Any = None) -> Any:
        """Losses, and where there are metrics their values, of a batch; nothing is learned."""
        self.mode = "eval"
        return self._told(*self._steps.evaluate(as_list(inputs), as_list(labels)))

    def predict_batch(self, inputs: Any) -> list[np.ndarray]:
        """The outputs for a batch, as arrays."""
        self.mode = "test"
        return self._steps.predict(as_list(inputs))

    def fit(
        self,
        train_data: Any = None,
        eval_data: Any = None,
        batch_size: int = 1,
        epochs: int = 1,
        eval_freq: int = 1,
        log_freq: int = 10,
        save_dir: str | None = None,
        save_freq: int = 1,
        verbose: int = 2,
        drop_last: bool = False,
        shuffle: bool = True,
        num_workers: int = 0,
        callbacks: Callback | Sequence[Callback] | None = None,
        accumulate_grad_batches: int = 1,
        num_iters: int | None = None,
        resume: str | None = None,
    ) -> None:
        """Train for `epochs` epochs, evaluating after each `eval_freq` of them.

        train_data, eval_data: a Dataset, of which batches of `batch_size` are made (one size, or
        one for each), or a DataLoader. save_dir: where to save the model, after each `save_freq`
        epochs and at the end. verbose: 0 silent, 1 a progress bar, 2 a line for `log_freq` steps.
        accumulate_grad_batches: batches whose gradients one update takes. num_iters: the most
        steps. resume: a checkpoint of a former `fit`, such as "runs/3": go on after that epoch,
        with the parameters, optimizer and random states it ended with. Raises ArgumentError where
        there is no data, ProgramError before `prepare`.
        """
        if train_data is None:
            raise ArgumentError("fit needs train_data", cure="pass a Dataset or a DataLoader")
        self._need_optimizer()
        sizes = batch_size if isinstance(batch_size, (list, tuple)) else [batch_size] * 2
        train = loader_of(train_data, sizes[0], shuffle, drop_last, num_workers)
        held_out = None
        if eval_data is not None:
            held_out = loader_of(eval_data, sizes[1], False, False, num_workers)
        steps = steps_of(train)
        if num_iters is not None:
            if num_iters < 1:
                raise ArgumentError(f"num_iters must be at least 1, received {num_iters}")
            if steps is not None:
                epochs, steps = -(-num_iters // steps), min(num_iters, steps)
        params = {
            "batch_size": batch_size, "epochs": epochs, "steps": steps, "verbose": verbose,
            "metrics": self._names(),
        }  # fmt: skip
        called = make_callbacks(self, callbacks, params, log_freq, save_freq, save_dir)
        self.stop_training, self._epoch = False, -1
        if resume is not None:
            self.load(resume)
            self._epoch = files.load_progress(resume)
            if train is not train_data:
                begin_at(train, self._epoch + 1)
        left = num_iters
        logs: dict[str, Any] = {}
        called.call("on_train_begin", None)
        for epoch in range(self._epoch + 1, epochs):
            self._epoch = epoch
            called.call("on_epoch_begin", epoch, None)
            logs = self._train(train, called, logs, accumulate_grad_batches, left)
            if left is not None:
                left -= logs.get("step", -1) + 1
            called.call("on_epoch_end", epoch, logs)
            if held_out is not None and epoch % eval_freq == 0:
                logs = self._evaluate(held_out, called, None)
            if self.stop_training or left == 0:
                break
        called.call("on_train_end", logs)

    def evaluate(
        self,
        eval_data: Any,
        batch_size: int = 1,
        log_freq: int = 10,
        verbose: int = 2,
        num_workers: int = 0,
        callbacks: Callback | Sequence[Callback] | None = None,
        num_iters: int | None = None,
    ) -> dict[str, Any]:
        """The metrics over `eval_data`, and the losses of its last batch, by name."""
        loader = loader_of(eval_data, batch_size, False, False, num_workers)
        params = {"steps": steps_of(loader), "verbose": verbose, "metrics": self._names()}
        called = make_callbacks(self, callbacks, params, log_freq)
        logs = self._evaluate(loader, called, num_iters)
        return {name: logs[name] for name in self._names() if name in logs}

    def predict(
        self,
        test_data: Any,
        batch_size: int = 1,
        num_workers: int = 0,
        stack_outputs: bool = False,
        verbose: int = 1,
        callbacks: Callback | Sequence[Callback] | None = None,
    ) -> list[Any]:
        """The outputs for `test_data`: for each output of the network a tuple of arrays, one for
        each batch, or with stack_outputs one array.
        """
        loader = loader_of(test_data, batch_size, False, False, num_workers)
        called = make_callbacks(self, callbacks, {"steps": steps_of(loader), "verbose": verbose})
        found: list[Any] = []
        logs: dict[str, Any] = {}
        called.call("on_predict_begin", {"steps": steps_of(loader)})
        for step, batch in enumerate(loader):
            called.call("on_predict_batch_begin", step, logs)
            inputs, _ = self._split(batch)
            found.append(self.predict_batch(inputs))
            logs = {"step": step, "batch_size": samples_in(inputs)}
            called.call("on_predict_batch_end", step, logs)
        called.call("on_predict_end", logs)
        outputs = list(zip(*found, strict=True))
        return [np.concatenate(o) for o in outputs] if stack_outputs else outputs

    def save(self, path: str, training: bool = True) -> None:
        """Write `path.pdparams` and, with an optimizer, `path.pdopt`.

        With training=False: the model for inference, as `jit.save` writes it, which needs the specs
        of the inputs.
        """
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        if training:
            self._steps.save(path)
        elif not self._inputs:
            raise ProgramError(
                "a model for inference needs the specs of its inputs",
                cure="make it with Model(network, inputs=[InputSpec([None, 784], 'float32')])",
            )
        else:
            self._steps.save_inference(path)

    def save_progress(self, path: str) -> None:
        """Write `path.pdprogress`: what `fit(resume=path)` needs beside the model."""
        files.save_progress(path, self._epoch)

    def load(self, path: str, skip_mismatch: bool = False, reset_optimizer: bool = False) -> None:
        """Read what `save` wrote.

        skip_mismatch: leave parameters whose shapes differ, or which are missing, as they are, with
        a warning; otherwise that raises ArgumentError. reset_optimizer: leave `.pdopt` alone.
        """
        self._steps.load(path, skip_mismatch, reset_optimizer)

    def summary(self, input_size: Any = None, dtype: Any = None) -> dict[str, int]:
        """Print a table of the layers and return the counts of parameters. See `summary`."""
        return summary(self.network, input_size or self._inputs, dtype)

    def _train(
        self, loader: Iterable, called: Any, logs: dict[str, Any], accumulate: int, most: int | None
    ) -> dict[str, Any]:
        self._reset_metrics()
        last = steps_of(loader)
        last = most if last is None or (most is not None and most < last) else last
        for step, batch in enumerate(loader):
            called.call("on_train_batch_begin", step, logs)
            inputs, labels = self._split(batch)
            update = (step + 1) % accumulate == 0 or step + 1 == last
            out = self.train_batch(inputs, labels, update)
            logs = self._logs(out, step, inputs)
            called.call("on_train_batch_end", step, logs)
            if self.stop_training or step + 1 == most:
                break
        self._reset_metrics()
        return logs

    def _evaluate(self, loader: Iterable, called: Any, most: int | None) -> dict[str, Any]:
        self._reset_metrics()
        logs: dict[str, Any] = {}
        called.call("on_eval_begin", {"steps": steps_of(loader), "metrics": self._names()})
        for step, batch in enumerate(loader):
            called.call("on_eval_batch_begin", step, logs)
            inputs, labels = self._split(batch)
            logs = self._logs(self.eval_batch(inputs, labels), step, inputs)
            called.call("on_eval_batch_end", step, logs)
            if step + 1 == most:
                break
        called.call("on_eval_end", logs)
        self._reset_metrics()
        return logs

    def _told(self, losses: list[np.ndarray], measured: list[list[np.ndarray]]) -> Any:
        """What a batch returns; the metrics take in what they measured."""
        values = [m.update(*given) for m, given in zip(self._metrics, measured, strict=True)]
        if self._metrics and self._loss is None:
            return values
        return (losses, values) if self._metrics else losses

    def _logs(self, out: Any, step: int, inputs: list[Any]) -> dict[str, Any]:
        logs: dict[str, Any] = {}
        if self._loss is not None:
            losses = out[0] if self._metrics else out
            logs["loss"] = [float(np.asarray(x).reshape(-1)[0]) for x in losses]
        for metric in self._metrics:
            names = as_list(metric.name())
            found = metric.accumulate()
            values = as_list(found) if len(names) > 1 else [found]
            logs.update(zip(names, values, strict=True))
        return logs | {"step": step, "batch_size": samples_in(inputs)}

    def _names(self) -> list[str]:
        found = ["loss"] if self._loss is not None else []
        return found + [name for m in self._metrics for name in as_list(m.name())]

    def _reset_metrics(self) -> None:
        for metric in self._metrics:
            metric.reset()

    def _need_optimizer(self) -> None:
        if self.optimizer is None or self._loss is None:
            raise ProgramError(
                "the model has no optimizer and loss to train with",
                cure="model.prepare(optimizer, loss) first",
            )

    def _split(self, batch: Any) -> tuple[list[Any], list[Any]]:
        """The inputs in a batch, and the labels."""
        fields = as_list(batch)
        count = len(self._inputs) or _inputs_of(self.network, len(fields))
        return fields[:count], fields[count:]


def _inputs_of(network: Layer, fields: int) -> int:
    """How many of the fields of a batch `forward` takes: all that it needs, all but the last for
    *args.
    """
    kinds = inspect.Parameter
    needed = 0
    for p in inspect.signature(network.forward).parameters.values():
        if p.kind is kinds.VAR_POSITIONAL:
            return max(fields - 1, 1)
        needed += p.default is p.empty and p.kind in (
            kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD,
        )  # fmt: skip
    return max(needed, 1)


def _specs(given: Any, what: str) -> list[InputSpec]:
    if isinstance(given, dict):
        given = list(given.values())
    found = as_list(given)
    for spec in found:
        if not isinstance(spec, InputSpec):
            raise TypeMismatchError(
                f"{what} must be InputSpecs, received {type(spec).__name__}",
                cure="pass InputSpec([None, 784], 'float32', 'x')",
            )
    return [
        s if s.name is not None else InputSpec(s.shape, s.dtype, f"{what[:-1]}_{i}")
        for i, s in enumerate(found)
    ]
