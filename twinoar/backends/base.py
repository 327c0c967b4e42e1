"""What every back end makes of a Program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np


class Executable(Protocol):
    """A compiled Program: feeds and states in, outputs and next states out."""

    feed_names: Sequence[str]
    state_names: Sequence[str]

    def run(
        self, feeds: Mapping[str, np.ndarray], states: Mapping[str, np.ndarray]
    ) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
        """Run once: the program's outputs, and the next value of each state that it updates."""

    def explain(self) -> str:
        """What ran as what, a line per operator."""
