"""Following one of the logged numbers: whether it has improved, and for how long it has not."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError

MODES = ("auto", "min", "max")


class Monitor:
    """The best value of one logged number so far. mode: "min", "max", or "auto" by its name."""

    def __init__(self, name: str, mode: str, min_delta: float, baseline: float | None = None):
        if mode not in MODES:
            raise ArgumentError(
                f"mode must be one of {', '.join(MODES)}, received {mode!r}",
                cure="'auto' takes the largest where the name contains 'acc', else the smallest",
            )
        self.name, self.min_delta, self.baseline = name, abs(min_delta), baseline
        self.is_max = mode == "max" or (mode == "auto" and "acc" in name)
        self.reset()

    def reset(self) -> None:
        """Forget what was seen."""
        worst = -math.inf if self.is_max else math.inf
        self.best = worst if self.baseline is None else self.baseline
        self.waited = 0

    def read(self, logs: Mapping[str, Any] | None) -> float | None:
        """The number in `logs`; None, with a warning, where it is not there."""
        if logs is None or self.name not in logs:
            known = ", ".join(k for k in logs or () if k not in ("step", "batch_size"))
            warnings.warn(f"there is no {self.name!r} to follow, there are: {known}", stacklevel=4)
            return None
        return float(np.asarray(logs[self.name]).reshape(-1)[0])

    def improves(self, value: float) -> bool:
        """Note a value. True if it is better than the best one by more than min_delta."""
        gain = value - self.best if self.is_max else self.best - value
        if gain > self.min_delta:
            self.best, self.waited = value, 0
            return True
        self.waited += 1
        return False
