"""One version of a model while it is served: what it takes, its scheduler and its counts."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Any, Protocol

from twinoar.serving import warming
from twinoar.serving.configuration import (
    Defaults,
    batch_policy,
    complete,
    instances_of,
    parameter,
    ports_of,
    queue_of,
    without_effect,
)
from twinoar.serving.request import Request
from twinoar.serving.runner import open_version
from twinoar.serving.scheduler import Scheduler
from twinoar.serving.sequence import Sequences
from twinoar.serving.statistics import Statistics
from twinoar.serving.validation import checked_rows

LOG = logging.getLogger("twinoar.serving")


class Served(Protocol):
    """What the repository holds for a version: a model, or a pipeline of models."""

    name: str
    version: int
    config: Any
    statistics: Statistics

    def submit(self, request: Request) -> None:
        """Let a request be served. Raises ServingError where it does not fit or may not wait."""

    def pending(self) -> int:
        """How many requests wait."""

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Take no more and finish what is there; whether that was done in time."""


class ServedModel:
    """A model that is ready: loaded, warm, with a thread for each instance.

    config: complete. Raises FileError and UnsupportedError for what cannot be served.
    """

    def __init__(
        self, folder: Path, version: int, config: Any, defaults: Defaults, *, python: bool = False
    ):
        self.name, self.version = folder.name, version
        threads = int(parameter(config, "threads") or defaults.threads)
        runner = open_version(folder / str(version), config, threads, python=python)
        first = runner.instance()
        complete(
            config, runner.inputs, runner.outputs, defaults, self._apart(first, config, runner)
        )
        self.config, self.statistics = config, Statistics()
        self.inputs = {port.name: port for port in ports_of(config.input)}
        self.policy = batch_policy(config)
        for field in without_effect(config):
            LOG.warning("%s: %s in config.pbtxt has no effect here", self.name, field)
        if config.model_warmup:
            warming.configured(first, runner.inputs, config, folder)
        else:
            warming.warm_up(
                first, runner.inputs, self.policy.sizes or (min(config.max_batch_size, 1),)
            )
        others = [runner.instance() for _ in range(instances_of(config) - 1)]
        self.scheduler = Scheduler(
            [first, *others],
            self.policy,
            queue_of(config, defaults),
            self.statistics,
            name=f"{self.name} {version}",
            moves=runner.moves,
        )
        self.sequences: Sequences | None = None
        if config.HasField("sequence_batching"):
            self.sequences = Sequences(config, folder, self.scheduler.submit)

    def submit(self, request: Request) -> None:
        """Let a request wait for its turn. Raises ServingError where it does not fit."""
        request.rows = checked_rows(request.inputs, self.inputs, self.config.max_batch_size)
        if self.sequences is None:
            self.scheduler.submit(request)
        else:
            self.sequences.submit(request)

    def pending(self) -> int:
        """How many requests wait."""
        return self.scheduler.pending()

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Take no more and finish what is there; whether that was done in time."""
        start = time.monotonic()
        drained = self.sequences is None or self.sequences.drain(timeout_seconds)
        if timeout_seconds is not None:
            timeout_seconds = max(timeout_seconds - (time.monotonic() - start), 0.0)
        return self.scheduler.close(timeout_seconds) and drained

    def _apart(self, run: Any, config: Any, runner: Any) -> bool:
        says = config.input or config.output or config.HasField("max_batch_size")
        if says or not runner.has_batch_axis:
            return False
        reason = warming.rows_are_apart(run, runner.inputs)
        if reason:
            LOG.warning("%s: requests are not batched, as %s", self.name, reason)
        return reason is None
