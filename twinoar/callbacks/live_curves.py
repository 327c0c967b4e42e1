"""LiveCurves: in a notebook, a picture of losses and metrics that is drawn anew as they come."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from twinoar.callbacks.callback import Callback, Logs
from twinoar.callbacks.notebook import display_of_notebook
from twinoar.callbacks.progress import HIDDEN, is_number
from twinoar.visual.chart import chart
from twinoar.visual.curves import Curves


class LiveCurves(Callback):
    """Draws losses and metrics of `Model.fit` below the cell that runs: one output that changes.

    every_seconds: how long at least from one picture to the next; the last one is always drawn.
    Afterwards it holds what there was: `curves`, by tag such as `train/loss` a list of (step,
    value); in a notebook it shows its picture, and `svg()` gives it. Outside of notebooks nothing
    is drawn by itself.

    >>> import numpy as np
    >>> import twinoar as paddle
    >>> model = paddle.Model(paddle.nn.Linear(2, 1))
    >>> sgd = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    >>> model.prepare(sgd, paddle.nn.MSELoss())
    >>> shown = paddle.callbacks.LiveCurves()
    >>> data = [(np.ones(2, "float32"), np.ones(1, "float32"))] * 4
    >>> model.fit(data, batch_size=2, epochs=3, verbose=0, callbacks=[shown])
    >>> len(shown.curves["train/loss"]), "<polyline" in shown.svg()
    (6, True)
    """

    def __init__(self, every_seconds: float = 0.5):
        super().__init__()
        self.every_seconds = every_seconds
        self.curves: Curves = {}
        self.step = 0
        self._display: Any = None
        self._handle: Any = None
        self._drawn = 0.0

    def on_train_begin(self, logs: Logs = None) -> None:
        """Begin anew, with a picture of its own."""
        self.curves, self.step = {}, 0
        self._display, self._handle, self._drawn = display_of_notebook(), None, 0.0

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        """Note the numbers of a step."""
        self.step += 1
        self._note("train", logs)
        if time.monotonic() - self._drawn >= self.every_seconds:
            self._draw()

    def on_eval_end(self, logs: Logs = None) -> None:
        """Note the numbers of an evaluation."""
        if self.step:  # a part of fit
            self._note("eval", logs)

    def on_train_end(self, logs: Logs = None) -> None:
        """Draw the last picture."""
        self._draw()

    def svg(self) -> str:
        """The picture of all that there was, an SVG element."""
        return chart(self.curves)

    def _repr_html_(self) -> str:
        return self.svg()

    def _note(self, mode: str, logs: Logs) -> None:
        for name, value in (logs or {}).items():
            if name not in HIDDEN and is_number(value):
                for k, x in enumerate(np.asarray(value, float).reshape(-1)):
                    tag = f"{mode}/{name}" if k == 0 else f"{mode}/{name}_{k}"
                    self.curves.setdefault(tag, []).append((self.step, float(x)))

    def _draw(self) -> None:
        if self._display is None:
            return
        last = {tag: points[-1][1] for tag, points in self.curves.items()}
        told = ", ".join(f"{tag} {value:.4g}" for tag, value in last.items())
        data = {"text/html": self.svg(), "text/plain": f"step {self.step}: {told}"}
        if self._handle is None:
            self._handle = self._display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)
        self._drawn = time.monotonic()
