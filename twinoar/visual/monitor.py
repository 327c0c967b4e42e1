"""Whether a training is well: how far weights move, how large gradients are, which units are dead.

Measured by numbers that are there anyway, so a training computes what it does without.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.visual.writer import LogWriter

RECTIFIERS = ("ReLU", "ReLU6")  # whose units are 0 exactly where they are shut


class Monitor:
    """Writes each some steps what tells whether a training is well.

    `moved/NAME`: the length of a parameter's change in a step by its own, about 1e-3 where learning
    goes well. `gradient/NAME`: the length of its gradient, where there is one; `gradient norm`: of
    all of them as one. `dead/NAME`: the share of a ReLU's units that no example of the batch opens,
    where the layer runs eagerly. `steps per second`, and `loss` where it is given.

    model: a network. writer: where to. every: steps from one measurement to the next. Raises
    ArgumentError for an `every` below 1.

    >>> import tempfile
    >>> from twinoar.visual import LogReader, LogWriter, Monitor
    >>> net = twinoar.nn.Linear(2, 1)
    >>> opt = twinoar.optimizer.SGD(0.1, parameters=net.parameters())
    >>> with tempfile.TemporaryDirectory() as folder, LogWriter(folder) as writer:
    ...     with Monitor(net, writer, every=1) as monitor:
    ...         for _ in range(2):
    ...             loss = net(twinoar.ones([4, 2])).square().mean()
    ...             loss.backward()
    ...             opt.step()
    ...             monitor.step(loss)
    ...             opt.clear_grad()
    ...     writer.flush()
    ...     sorted(LogReader(writer.file_name).get_tags()["scalar"])[:3]
    ['gradient norm', 'gradient/bias', 'gradient/weight']
    """

    def __init__(self, model: Any, writer: LogWriter, every: int = 10):
        if every < 1:
            raise ArgumentError(f"every counts steps from 1, received {every}")
        self.model, self.writer, self.every = model, writer, every
        self.count = 0
        self._before: dict[str, np.ndarray] = {}
        self._since: tuple[int, float] | None = None
        self._handles = [
            layer.register_forward_post_hook(self._watching(name))
            for name, layer in model.named_sublayers(include_self=True)
            if type(layer).__name__ in RECTIFIERS
        ]
        self._shut: dict[str, np.ndarray] = {}
        self._keep()

    def step(self, loss: Any = None) -> None:
        """Say that a step has been taken: after the optimizer's, before gradients are cleared."""
        self.count += 1
        if self.count % self.every == 0:
            self._measure(loss)
            self._shut.clear()
        self._keep()

    def close(self) -> None:
        """Watch no more."""
        for handle in self._handles:
            handle.remove()

    def __enter__(self) -> Monitor:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @property
    def _is_due(self) -> bool:
        return (self.count + 1) % self.every == 0

    def _keep(self) -> None:
        """Keep parameters as they are before a step that is measured."""
        if self._is_due:
            self._before = {n: p.numpy().copy() for n, p in self._trained()}

    def _trained(self) -> list[tuple[str, Any]]:
        found = self.model.named_parameters()
        return [(name, p) for name, p in found if not p.stop_gradient and p.dtype.is_floating]

    def _watching(self, name: str) -> Any:
        def hook(layer: Any, inputs: Any, output: Any) -> None:
            if self._is_due and hasattr(output, "_data"):  # not while it is traced
                shut = (np.asarray(output.numpy()) == 0).all(axis=0)
                seen = self._shut.get(name)
                self._shut[name] = shut if seen is None or seen.shape != shut.shape else seen & shut

        return hook

    def _measure(self, loss: Any) -> None:
        add = self.writer.add_scalar
        if loss is not None:
            add(
                "loss", float(np.mean(loss.numpy() if hasattr(loss, "numpy") else loss)), self.count
            )
        lengths: list[float] = []
        for name, p in self._trained():
            now = p.numpy().astype(np.float64)
            before = self._before.get(name)
            if before is not None and before.shape == now.shape:
                size = float(np.linalg.norm(before.astype(np.float64)))
                moved = float(np.linalg.norm(now - before))
                add(f"moved/{name}", moved / size if size else moved, self.count)
            if p.grad is not None:
                gradient = p.grad.numpy().astype(np.float64)
                lengths.append(float(np.linalg.norm(gradient)))
                add(f"gradient/{name}", lengths[-1], self.count)
        if lengths:
            add("gradient norm", math.hypot(*lengths), self.count)
        for name, shut in self._shut.items():
            add(f"dead/{name or 'model'}", float(shut.mean()), self.count)
        self._measure_speed()

    def _measure_speed(self) -> None:
        now = time.perf_counter()
        if self._since is not None:
            steps, start = self._since
            rate = (self.count - steps) / max(now - start, 1e-9)
            self.writer.add_scalar("steps per second", rate, self.count)
        self._since = self.count, now
