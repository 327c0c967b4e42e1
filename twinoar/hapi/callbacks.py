"""The callbacks of a loop: those that were given, and those that there are anyway."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.callbacks import (
    Callback,
    EarlyStopping,
    LRScheduler,
    ModelCheckpoint,
    ProgBarLogger,
)
from twinoar.callbacks.callback import CallbackList
from twinoar.errors import TypeMismatchError
from twinoar.hapi.data import as_list


def make_callbacks(
    model: Any,
    given: Callback | Iterable[Callback] | None,
    params: dict[str, Any],
    log_freq: int = 1,
    save_freq: int = 1,
    save_dir: str | None = None,
) -> CallbackList:
    """The callbacks to call. Raises TypeMismatchError for what is none."""
    callbacks = as_list(given)
    for callback in callbacks:
        if not isinstance(callback, Callback):
            raise TypeMismatchError(
                f"callbacks must be Callbacks, received {type(callback).__name__}",
                cure="derive it from paddle.callbacks.Callback",
            )
        if isinstance(callback, EarlyStopping):
            callback.save_dir = save_dir

    def lacks(kind: type) -> bool:
        return not any(isinstance(c, kind) for c in callbacks)

    if params.get("verbose") and lacks(ProgBarLogger):
        callbacks.insert(0, ProgBarLogger(log_freq, params["verbose"]))
    if "epochs" in params:
        if lacks(LRScheduler):
            callbacks.insert(0, LRScheduler())
        if lacks(ModelCheckpoint):
            callbacks.append(ModelCheckpoint(save_freq, save_dir))
    return CallbackList(callbacks, model, params)
