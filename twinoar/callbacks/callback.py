"""Callback: the hooks of a Model's loops, and the list of callbacks that a loop calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twinoar.core.op.explain import Told

Logs = Mapping[str, Any] | None


class Callback(Told):
    """Does something beside the loops of a Model; subclasses override the hooks they want.

    model: the Model. params: what the loop was asked for: epochs, steps, verbose, metrics.
    """

    def __init__(self) -> None:
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Told before the first hook: what the loop was asked for."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Told before the first hook: the Model."""
        self.model = model

    def on_train_begin(self, logs: Logs = None) -> None:
        """Before `fit`."""

    def on_train_end(self, logs: Logs = None) -> None:
        """After `fit`."""

    def on_eval_begin(self, logs: Logs = None) -> None:
        """Before an evaluation; logs: steps and metrics."""

    def on_eval_end(self, logs: Logs = None) -> None:
        """After an evaluation."""

    def on_predict_begin(self, logs: Logs = None) -> None:
        """Before `predict`."""

    def on_predict_end(self, logs: Logs = None) -> None:
        """After `predict`."""

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        """Before an epoch of `fit`, counted from 0."""

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        """After the batches of an epoch, before its evaluation."""

    def on_train_batch_begin(self, step: int, logs: Logs = None) -> None:
        """Before a batch of an epoch, counted from 0."""

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        """After a batch of an epoch."""

    def on_eval_batch_begin(self, step: int, logs: Logs = None) -> None:
        """Before a batch of an evaluation."""

    def on_eval_batch_end(self, step: int, logs: Logs = None) -> None:
        """After a batch of an evaluation."""

    def on_predict_batch_begin(self, step: int, logs: Logs = None) -> None:
        """Before a batch of `predict`."""

    def on_predict_batch_end(self, step: int, logs: Logs = None) -> None:
        """After a batch of `predict`."""


class CallbackList:
    """Callbacks, called in order."""

    def __init__(self, callbacks: Iterable[Callback], model: Any, params: dict[str, Any]):
        self.callbacks = list(callbacks)
        for callback in self.callbacks:
            callback.set_model(model)
            callback.set_params(params)

    def call(self, hook: str, *args: Any) -> None:
        """Call one hook of each: `call("on_epoch_end", epoch, logs)`."""
        for callback in self.callbacks:
            getattr(callback, hook)(*args)
