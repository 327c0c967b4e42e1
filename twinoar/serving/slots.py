"""Texts in slots: continuous batching over a saved step that keeps a cache for each row.

The model takes a token, its position and its cache for each row, and gives the scores of the next
token and the cache after it. Each text has a row, a slot. Prompts are read by the same steps. The
caches stay in the arrays of the batch: a step copies nothing that the model does not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from twinoar.serving.generation import Batching, Generation, Scored
from twinoar.serving.request import Arrays
from twinoar.serving.statistics import Execution, Statistics


@dataclass(frozen=True, slots=True)
class Step:
    """The model and its names. run: from arrays by name. states: outputs by the inputs they become.

    initial: the state of one row, without the batch axis. context: the most positions. end: the
    token that ends a text, None where there is none.
    """

    run: Callable[[Arrays], Arrays]
    token: str
    position: str
    scores: str
    states: Mapping[str, str]
    initial: Arrays
    context: int
    end: int | None = None


class Engine(Batching):
    """Writes texts with a Step. slots: how many at once. size: how many may wait."""

    def __init__(
        self,
        step: Step,
        slots: int,
        size: int,
        name: str = "language",
        statistics: Statistics | None = None,
    ):
        ends = () if step.end is None else (step.end,)
        super().__init__(size, step.context, ends, name, statistics)
        self.step, self.slots = step, slots
        self._active: list[Generation | None] = []
        self._state: Arrays = {}
        self.start()

    def _writing(self) -> list[Generation]:
        return [generation for generation in self._active if generation is not None]

    def _drop(self, generation: Generation) -> None:
        self._active[self._active.index(generation)] = None

    def _take_in(self) -> None:
        going = [n for n, g in enumerate(self._active) if g is not None]
        room = self.slots - len(going)
        new = [self._next_waiting() for _ in range(min(len(self._waiting), room))]
        rows = min(1 << (max(len(going) + len(new), 1) - 1).bit_length(), self.slots)
        if new or rows != len(self._active):
            self._arrange(going, new, rows)

    def _arrange(self, going: list[int], new: list[Generation], rows: int) -> None:
        """Put what goes on and what is new into a batch of so many rows."""
        kept = [self._active[n] for n in going]
        empty = rows - len(kept) - len(new)
        self._active = [*kept, *new, *([None] * empty)]
        state = {}
        for name, initial in self.step.initial.items():
            array = np.empty((rows, *initial.shape), initial.dtype)
            if going:
                array[: len(going)] = self._state[name][going]
            array[len(going) :] = initial
            state[name] = array
        self._state = state

    def _forward(self) -> Scored:
        """One step of all rows."""
        active = [(n, g) for n, g in enumerate(self._active) if g is not None]
        if not active:
            return []
        token, position = (np.zeros(len(self._active), "int64") for _ in range(2))
        for row, generation in active:
            token[row], position[row] = generation.words[generation.read], generation.read
        names, start = self.step, time.perf_counter()
        outputs = names.run({names.token: token, names.position: position, **self._state})
        self._state = {name: outputs[out] for name, out in names.states.items()}
        self.steps += 1
        seconds = (0.0, time.perf_counter() - start, 0.0)
        self.statistics.executed(Execution(len(active), len(active), seconds))
        for _, generation in active:
            generation.read += 1
        scores = outputs[names.scores]
        return [(g, scores[row]) for row, g in active if g.is_scored()]
