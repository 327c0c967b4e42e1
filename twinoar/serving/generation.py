"""Texts written token by token, many at once: continuous batching over a model with a cache.

The model takes a token, its position and its cache for each row, and gives the scores of the next
token and the cache after it. Each text has a row, a slot; at every step all rows run as one batch,
whatever their positions, so a text begins as soon as a slot is free and ends without the others.
Prompts are read by the same steps. The caches stay in the arrays of the batch: a step copies
nothing that the model does not.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from twinoar.errors import ServingError
from twinoar.serving.request import Arrays
from twinoar.serving.sampling import Sampling, sampled
from twinoar.serving.statistics import Execution, Statistics
from twinoar.serving.status import status_of

LOG = logging.getLogger("twinoar.serving")
STOP, LENGTH = "stop", "length"


@dataclass(eq=False, slots=True)
class Generation:
    """A text that is being written. The engine's thread calls the functions.

    take: gets each new token. finish: gets "stop", "length" or the error, once.
    """

    prompt: Sequence[int]
    most: int
    sampling: Sampling
    take: Callable[[int], None]
    finish: Callable[[str | BaseException], None]
    cancelled: bool = False
    read: int = 0
    written: int = 0
    following: int = 0
    generator: np.random.Generator = field(default_factory=np.random.default_rng)
    arrival: float = field(default_factory=time.monotonic)
    queued_seconds: float = 0.0

    def cancel(self) -> None:
        """Give the text up at the next step; `finish` is not called any more."""
        self.cancelled = True


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


class Engine:
    """Writes texts with one model. slots: how many at once. size: how many may wait.

    statistics: of texts as requests, and of steps as executions of as many rows as have a text.
    """

    def __init__(
        self,
        step: Step,
        slots: int,
        size: int,
        name: str = "language",
        statistics: Statistics | None = None,
    ):
        self.step, self.slots, self.size, self.name = step, slots, size, name
        self.statistics = statistics or Statistics()
        self.steps = 0
        self._waiting: deque[Generation] = deque()
        self._active: list[Generation | None] = []
        self._state: Arrays = {}
        self._closes = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, generation: Generation) -> None:
        """Let a text be written. Raises ServingError: a prompt too long, or a full queue."""
        room = self.step.context - len(generation.prompt)
        if not generation.prompt or room < 1:
            raise ServingError(
                f"a prompt has 1 to {self.step.context - 1} tokens, received "
                f"{len(generation.prompt)}",
                "INVALID_ARGUMENT",
            )
        generation.generator = generation.sampling.generator()
        with self._changed:
            if self._closes:
                raise ServingError(f"{self.name} is being unloaded", "UNAVAILABLE")
            if len(self._waiting) >= self.size:
                raise ServingError(f"{self.size} texts wait already", "RESOURCE_EXHAUSTED")
            self._waiting.append(generation)
            self._changed.notify_all()

    def pending(self) -> int:
        """How many texts wait or are being written."""
        with self._changed:
            return len(self._waiting) + sum(g is not None for g in self._active)

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Take no more, and finish the texts that are there; whether that was done in time."""
        with self._changed:
            self._closes = True
            self._changed.notify_all()
        self._thread.join(timeout_seconds)
        if not self._thread.is_alive():
            return True
        with self._changed:
            left = [*self._waiting, *(g for g in self._active if g is not None)]
            self._waiting.clear()
            for generation in left:
                generation.cancel()
        for generation in left:
            generation.finish(ServingError(f"{self.name} was unloaded", "UNAVAILABLE"))
        return False

    # The engine's thread.

    def _work(self) -> None:
        while self._admit():
            active = [(n, g) for n, g in enumerate(self._active) if g is not None]
            try:
                scores = self._forward(active)
            except Exception as error:
                LOG.exception("%s failed", self.name)
                self._leave(active, error)
                continue
            for row, generation in active:
                try:
                    self._advance(row, generation, scores[row])
                except Exception:  # of its functions, which must not end the others' texts
                    LOG.exception("%s: a text is given up", self.name)
                    generation.cancel()

    def _admit(self) -> bool:
        """Wait for work, and give slots to those that wait; False at the end."""
        with self._changed:
            self._active = [g if g and not g.cancelled else None for g in self._active]
            while not self._waiting and not any(self._active):
                if self._closes:
                    return False
                self._active, self._state = [], {}
                self._changed.wait()
            going = [n for n, g in enumerate(self._active) if g is not None]
            new: list[Generation] = []
            while self._waiting and len(going) + len(new) < self.slots:
                following = self._waiting.popleft()
                if not following.cancelled:
                    following.queued_seconds = time.monotonic() - following.arrival
                    new.append(following)
            rows = min(1 << (max(len(going) + len(new), 1) - 1).bit_length(), self.slots)
            if new or rows != len(self._active):
                self._arrange(going, new, rows)
            return True

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

    def _forward(self, active: list[tuple[int, Generation]]) -> np.ndarray:
        """One step of all rows; the scores [N,V]."""
        token, position = (np.zeros(len(self._active), "int64") for _ in range(2))
        for row, generation in active:
            reads = generation.read < len(generation.prompt)
            token[row] = generation.prompt[generation.read] if reads else generation.following
            position[row] = generation.read
        if not active:
            return np.empty((0, 0))
        names, start = self.step, time.perf_counter()
        outputs = names.run({names.token: token, names.position: position, **self._state})
        self._state = {name: outputs[out] for name, out in names.states.items()}
        self.steps += 1
        seconds = (0.0, time.perf_counter() - start, 0.0)
        self.statistics.executed(Execution(len(active), len(active), seconds))
        return outputs[names.scores]

    def _advance(self, row: int, generation: Generation, scores: np.ndarray) -> None:
        """What a row's scores mean for its text."""
        generation.read += 1
        if generation.read < len(generation.prompt) or generation.cancelled:
            return
        try:
            token = sampled(scores, generation.sampling, generation.generator)
        except ServingError as error:
            self._leave([(row, generation)], error)
            return
        if token == self.step.end:
            self._leave([(row, generation)], STOP)
            return
        generation.following = token
        generation.written += 1
        generation.take(token)
        if generation.written >= generation.most or generation.read + 1 >= self.step.context:
            self._leave([(row, generation)], LENGTH)

    def _leave(self, rows: Sequence[tuple[int, Generation]], reason: str | BaseException) -> None:
        for row, generation in rows:
            self._active[row] = None
            if generation.cancelled:
                continue
            seconds = time.monotonic() - generation.arrival
            if isinstance(reason, str):
                self.statistics.succeeded(seconds, generation.queued_seconds)
            else:
                self.statistics.failed(seconds, status_of(reason).grpc)
            generation.finish(reason)
