"""Texts written token by token, many at once: continuous batching.

At every step all texts that are being written run as one batch, whatever their positions, so a text
begins as soon as there is room and ends without the others. What is the same however a model keeps
what it has read is here; `slots` and `paged` are the two ways.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from twinoar.errors import ServingError
from twinoar.serving.request import Stage, Stages
from twinoar.serving.sampling import Sampling, Word, sampled, word_of
from twinoar.serving.statistics import Statistics
from twinoar.serving.status import status_of

LOG = logging.getLogger("twinoar.serving")
STOP, LENGTH = "stop", "length"


@dataclass(eq=False, slots=True)
class Generation:
    """A text that is being written. The engine's thread calls the functions.

    take: gets each new token. finish: gets "stop", "length" or the error, once. likeliest: how many
    of the likeliest tokens are told beside each, None for no probabilities at all. tells_prompt:
    whether `take` gets the prompt's tokens first. words: the prompt and what was written. read: how
    many of them the model keeps. told: how many of the prompt's were told. found: how many words of
    the prompt others had read before.
    """

    prompt: Sequence[int]
    most: int
    sampling: Sampling
    take: Callable[[Word], None]
    finish: Callable[[str | BaseException], None]
    likeliest: int | None = None
    tells_prompt: bool = False
    cancelled: bool = False
    words: list[int] = field(default_factory=list)
    read: int = 0
    told: int = 0
    found: int = 0
    generator: np.random.Generator = field(default_factory=np.random.default_rng)
    arrival: float = field(default_factory=time.monotonic)
    queued_seconds: float | None = None
    stages: Stages | None = None

    def cancel(self) -> None:
        """Give the text up at the next step; `finish` is not called any more."""
        self.cancelled = True

    @property
    def written(self) -> int:
        """How many tokens were written."""
        return len(self.words) - len(self.prompt)

    @property
    def steps_singly(self) -> bool:
        """Whether the scores behind each token are wanted, as the prompt's are to be told."""
        return self.tells_prompt and self.told < len(self.prompt)

    def is_scored(self) -> bool:
        """Whether the scores behind what was read mean something."""
        return self.read == len(self.words) or self.steps_singly

    def word(self, token: int, scores: np.ndarray) -> Word:
        """A token with what is told of it."""
        return Word(token) if self.likeliest is None else word_of(token, scores, self.likeliest)


Scored = list[tuple[Generation, np.ndarray]]  # texts, and the scores [V] of their next token


class Batching(ABC):
    """Writes texts with one model. size: how many may wait. context: the most tokens of a text.

    ends: the tokens that end one. statistics: of texts as requests, and of steps as executions of
    as many rows as have a text.
    """

    def __init__(
        self, size: int, context: int, ends: Iterable[int], name: str,
        statistics: Statistics | None,
    ):  # fmt: skip
        self.size, self.context, self.ends, self.name = size, context, frozenset(ends), name
        self.statistics = statistics or Statistics()
        self.steps = 0
        self._waiting: deque[Generation] = deque()
        self._closes = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Begin to work, when all is there."""
        self._thread.start()

    def submit(self, generation: Generation) -> None:
        """Let a text be written. Raises ServingError: a prompt too long, or a full queue."""
        if not 0 < len(generation.prompt) < self.context:
            raise ServingError(
                f"a prompt has 1 to {self.context - 1} tokens, received {len(generation.prompt)}",
                "INVALID_ARGUMENT",
            )
        generation.words = list(generation.prompt)
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
            return len(self._waiting) + len(self._writing())

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Take no more, and finish the texts that are there; whether that was done in time."""
        with self._changed:
            self._closes = True
            self._changed.notify_all()
        self._thread.join(timeout_seconds)
        if not self._thread.is_alive():
            return True
        with self._changed:
            left = [*self._waiting, *self._writing()]
            self._waiting.clear()
            for generation in left:
                generation.cancel()
        for generation in left:
            generation.finish(ServingError(f"{self.name} was unloaded", "UNAVAILABLE"))
        return False

    # What differs with how a model keeps what it has read.

    @abstractmethod
    def _writing(self) -> list[Generation]:
        """The texts that are being written."""

    @abstractmethod
    def _take_in(self) -> None:
        """Give room to those that wait, as far as there is some; under the lock."""

    @abstractmethod
    def _drop(self, generation: Generation) -> None:
        """Give back the room of a text."""

    @abstractmethod
    def _forward(self) -> Scored:
        """Let the model read what it has not; the scores of those of which it has read all."""

    # The engine's thread.

    def _work(self) -> None:
        while self._admit():
            try:
                found = self._forward()
            except Exception as error:
                LOG.exception("%s failed", self.name)
                for generation in self._writing():
                    self._leave(generation, error)
                continue
            for generation, scores in found:
                try:
                    self._advance(generation, scores)
                except Exception:  # of its functions, which must not end the others' texts
                    LOG.exception("%s: a text is given up", self.name)
                    generation.cancel()

    def _admit(self) -> bool:
        """Wait for work, and give room to those that wait; False at the end."""
        with self._changed:
            for generation in self._writing():
                if generation.cancelled:
                    self._drop(generation)
            while not self._waiting and not self._writing():
                if self._closes:
                    return False
                self._changed.wait()
            self._waiting = deque(g for g in self._waiting if not g.cancelled)
            self._take_in()
            return True

    def _next_waiting(self, chosen: Generation | None = None) -> Generation:
        """The one that has waited longest, or that was chosen, which does not wait any more."""
        found = self._waiting[0] if chosen is None else chosen
        self._waiting.remove(found)
        if found.queued_seconds is None:
            found.queued_seconds = time.monotonic() - found.arrival
        return found

    def _advance(self, generation: Generation, scores: np.ndarray) -> None:
        """What the scores of a text mean for it."""
        if generation.cancelled:
            return
        try:
            ended: str | BaseException | None = self._ended(generation, scores)
        except ServingError as error:
            ended = error
        if ended is not None:
            self._leave(generation, ended)

    def _ended(self, generation: Generation, scores: np.ndarray) -> str | None:
        """Tell or write the token that the scores are of; why the text ends with it, or None."""
        if generation.steps_singly:
            self._tell_prompt(generation, scores)
        if generation.read < len(generation.words):
            return None
        if not generation.most:
            return LENGTH
        written = generation.words[len(generation.prompt) :]
        token = sampled(scores, generation.sampling, generation.generator, written)
        if token in self.ends:
            return STOP
        generation.words.append(token)
        generation.take(generation.word(token, scores))
        whole = generation.written >= generation.most or len(generation.words) >= self.context
        return LENGTH if whole else None

    def _tell_prompt(self, generation: Generation, scores: np.ndarray) -> None:
        """Tell the first token of a prompt, before which is nothing, and that after those read."""
        if not generation.told:
            generation.take(Word(generation.prompt[0]))
            generation.told = 1
        # One that gave its pages back is read again, and is not told twice.
        if generation.told == generation.read < len(generation.prompt):
            generation.take(generation.word(generation.prompt[generation.read], scores))
            generation.told += 1

    def _leave(self, generation: Generation, reason: str | BaseException) -> None:
        self._drop(generation)
        if generation.cancelled:
            return
        now = time.monotonic()
        seconds = now - generation.arrival
        if generation.stages is not None:
            taken = generation.arrival + (generation.queued_seconds or 0.0)
            told: dict[str, str | int] = {"model": self.name, "tokens": generation.written}
            generation.stages += (
                Stage("queue", generation.arrival, taken, {"model": self.name}),
                Stage("write", taken, now, told),
            )
        if isinstance(reason, str):
            self.statistics.succeeded(seconds, generation.queued_seconds or 0.0)
        else:
            self.statistics.failed(seconds, status_of(reason).grpc)
        generation.finish(reason)
