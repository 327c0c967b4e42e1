"""Trainings of a search that fall behind are ended."""

from __future__ import annotations

import abc
from collections.abc import Hashable
from typing import Any, Literal

import numpy as np

from twinoar.errors import ArgumentError

GOOD, BAD = "GOOD", "BAD"


class EarlyStopBase(abc.ABC):
    """Tells whether a training shall go on."""

    @abc.abstractmethod
    def get_status(self, step: Any, result: float, epochs: int) -> str:
        """ "GOOD" to go on, "BAD" to end."""


class MedianStop(EarlyStopBase):
    """Ends a training whose result is worse than the median of others at the same epoch.

    Others count by the means of their results so far, once they have gone all epochs. strategy:
    without effect. start_epoch: before which none is ended. mode: "maxmize", as PaddleSlim spells
    it, or "minimize". Source: Golovin et al. 2017, "Google Vizier", section 3.1.2. Raises
    ArgumentError.

    >>> stop = MedianStop(None, start_epoch=1)
    >>> [stop.get_status(n, result, epochs=1) for n, result in enumerate([0.5, 0.9, 0.1])]
    ['GOOD', 'GOOD', 'BAD']
    """

    def __init__(
        self, strategy: Any, start_epoch: int, mode: Literal["maxmize", "minimize"] = "maxmize"
    ):
        if mode not in ("maxmize", "minimize"):
            raise ArgumentError(f"mode is 'maxmize' or 'minimize', received {mode!r}")
        self._start, self._sign = start_epoch, 1.0 if mode == "maxmize" else -1.0
        self._running: dict[Hashable, list[float]] = {}
        self._whole: list[list[float]] = []

    def get_status(self, step: Any, result: float, epochs: int) -> str:
        """Take a result of the training `step`; "GOOD" to go on, "BAD" to end it."""
        seen = self._running.setdefault(step, [])
        seen.append(float(result))
        at = len(seen)
        others = [means[at - 1] for means in self._whole if len(means) >= at]
        status = GOOD
        if at >= self._start and others:
            is_worse = self._sign * float(result) < self._sign * float(np.median(others))
            status = BAD if is_worse else GOOD
        if status == BAD or at >= epochs:
            del self._running[step]
            if status == GOOD:
                self._whole.append(list(np.cumsum(seen) / np.arange(1, at + 1)))
        return status
