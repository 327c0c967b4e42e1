"""What every back end makes of a Program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from twinoar.core.interpreter import observers_now
from twinoar.core.ir import Program
from twinoar.core.observer import PROGRAM, Call, told
from twinoar.core.shown import Shown

Arrays = Sequence[np.ndarray]
Sort = Literal["order", "time"]  # of what is explained


class Executable(ABC):
    """A compiled Program: feeds and states in, outputs and next states out.

    feed_names, state_names: what `execute` takes, in order. updated_names: the states whose next
    values it returns.
    """

    program: Program
    feed_names: list[str]
    state_names: list[str]
    updated_names: list[str]

    def execute(self, feeds: Arrays, states: Arrays) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Run once, by position: the program's outputs, and the next value of each updated state.

        The caller hands over the arrays of states that are updated: where nobody else holds one,
        the next value may be the same array, written in place. Raises ShapeError or DTypeError for
        feeds that the program does not take.
        """
        observers = observers_now()
        if not observers:
            return self.call(feeds, states)
        runs = self.call_by_operator if any(x.by_operator for x in observers) else self.call
        found: tuple[list[np.ndarray], list[np.ndarray]] = told(
            observers, Call(PROGRAM, self.program.name), lambda: runs(feeds, states)
        )
        return found

    @abstractmethod
    def call(self, feeds: Arrays, states: Arrays) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """What `execute` does, of which observers are told."""

    @abstractmethod
    def call_by_operator(
        self, feeds: Arrays, states: Arrays
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """As `call`, for observers who ask for each operator: they are told of them."""

    @abstractmethod
    def explain(self, sort: Sort = "order") -> str:
        """What ran as what, a line for each part, in order or the slowest first."""

    def run(
        self, feeds: Mapping[str, np.ndarray], states: Mapping[str, np.ndarray]
    ) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
        """`execute`, by name."""
        outputs, following = self.execute(
            [feeds[name] for name in self.feed_names], [states[name] for name in self.state_names]
        )
        return outputs, dict(zip(self.updated_names, following, strict=True))


def explain_all(executables: Mapping[str, Executable], sort: Sort = "order") -> Shown:
    """What each executable explains, below its name where there are several."""
    texts = {name: executable.explain(sort) for name, executable in executables.items()}
    if len(texts) == 1:
        return Shown(*texts.values())
    return Shown("\n\n".join(f"{name}:\n{text}" for name, text in texts.items()))
