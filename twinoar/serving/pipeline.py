"""Models as one: the outputs of some are the inputs of others, as `ensemble_scheduling` says.

Steps run as soon as what they take is there, each in its own model's batches, so a pipeline holds
no thread. A step may be Python, which is how text or pictures become arrays and back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from twinoar.core.near import near_names
from twinoar.errors import FileError, ServingError
from twinoar.serving.configuration import ports_of
from twinoar.serving.request import Arrays, Request
from twinoar.serving.statistics import Execution, Statistics
from twinoar.serving.status import invalid, status_of
from twinoar.serving.validation import checked_rows

NEWEST = -1


class Models(Protocol):
    """Where the steps' models are found."""

    def submit(self, name: str, version: str, request: Request) -> Any:
        """Let a request be served by a model. Raises ServingError."""

    def model(self, name: str, version: str = "") -> Any:
        """A model that is loaded. Raises ServingError."""


@dataclass(frozen=True, slots=True)
class Step:
    """A model, and which tensor is each of its inputs, and becomes of each of its outputs."""

    model: str
    version: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]


class Pipeline:
    """Serves by the models of its steps. Raises FileError for steps that do not fit together."""

    def __init__(self, name: str, version: int, config: Any, models: Models):
        self.name, self.version, self.config = name, version, config
        self.statistics = Statistics()
        config.platform = "ensemble"
        self.inputs = {port.name: port for port in ports_of(config.input)}
        self.outputs = [port.name for port in ports_of(config.output)]
        self.steps = [_step(told) for told in config.ensemble_scheduling.step]
        self._models = models
        self._changed = threading.Condition()
        self._running = 0
        self._closes = False
        _check(self)
        for step in self.steps:
            _check_model(name, step, models.model(step.model, step.version))

    def submit(self, request: Request) -> None:
        """Run the steps; the request's future has the outputs. Raises ServingError."""
        request.rows = checked_rows(request.inputs, self.inputs, self.config.max_batch_size)
        with self._changed:
            if self._closes:
                raise ServingError(f"{self.name} is being unloaded", "UNAVAILABLE")
            self._running += 1
        request.future.add_done_callback(lambda future: self._done(request, future))
        run = _Run(self, request, self._models)
        request.withdraw = run.withdraw
        run.advance({})

    def pending(self) -> int:
        """How many requests are under way."""
        return self._running

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Take no more and finish what is there; whether that was done in time."""
        with self._changed:
            self._closes = True
            return self._changed.wait_for(lambda: not self._running, timeout_seconds)

    def _done(self, request: Request, future: Future[Arrays]) -> None:
        seconds = time.monotonic() - request.arrival
        error = None if future.cancelled() else future.exception()
        if future.cancelled():
            self.statistics.failed(seconds, "CANCELLED")
        elif error is not None:
            self.statistics.failed(seconds, status_of(error).grpc)
        else:
            self.statistics.executed(Execution(request.rows, 1, (0.0, seconds, 0.0)))
            self.statistics.succeeded(seconds, 0.0)
        with self._changed:
            self._running -= 1
            self._changed.notify_all()


class _Run:
    """One request on its way through the steps; the threads of the steps' models call `advance`."""

    def __init__(self, pipeline: Pipeline, request: Request, models: Models):
        self._pipeline, self._request, self._models = pipeline, request, models
        self._tensors: Arrays = dict(request.inputs)
        self._left = list(pipeline.steps)
        self._under_way: list[Request] = []
        self._lock = threading.Lock()

    def advance(self, made: Arrays) -> None:
        """Take what a step has made, and start those that have all they need."""
        with self._lock:
            self._tensors.update(made)
            ready = [s for s in self._left if all(t in self._tensors for t in s.inputs.values())]
            self._left = [step for step in self._left if step not in ready]
            done = not self._left and all(t in self._tensors for t in self._pipeline.outputs)
            starting = [(step, self._part(step)) for step in ready]
        if done:
            self._request.succeed({name: self._tensors[name] for name in self._pipeline.outputs})
            return
        for step, part in starting:
            part.future.add_done_callback(partial(self._take, step))
            try:
                self._models.submit(step.model, step.version, part)
            except Exception as error:
                self._fail(step, error)
                return

    def withdraw(self, _: Request) -> None:
        """Give up the steps that are under way."""
        with self._lock:
            self._left = []
            parts = list(self._under_way)
        for part in parts:
            part.cancel()

    def _part(self, step: Step) -> Request:
        whole = self._request
        spent = time.monotonic() - whole.arrival
        timeout = None if whole.timeout_seconds is None else max(whole.timeout_seconds - spent, 0.0)
        inputs = {name: self._tensors[tensor] for name, tensor in step.inputs.items()}
        part = Request(
            inputs, timeout_seconds=timeout, id=whole.id, sequence=whole.sequence,
            stages=whole.stages,
        )  # fmt: skip
        self._under_way.append(part)
        return part

    def _take(self, step: Step, future: Future[Arrays]) -> None:
        error = future.exception()
        if error is not None:
            self._fail(step, error)
            return
        outputs = future.result()
        self.advance({tensor: outputs[name] for name, tensor in step.outputs.items()})

    def _fail(self, step: Step, error: BaseException) -> None:
        status = error.status if isinstance(error, ServingError) else status_of(error).grpc
        message = getattr(error, "message", str(error))
        self._request.fail(ServingError(f"the step {step.model!r}: {message}", status))
        self.withdraw(self._request)


def _step(told: Any) -> Step:
    version = told.model_version if told.HasField("model_version") else NEWEST
    named = "" if version == NEWEST else str(version)
    return Step(told.model_name, named, dict(told.input_map), dict(told.output_map))


def _check(pipeline: Pipeline) -> None:
    """Every tensor is made once, and every one that is taken is made."""
    made = set(pipeline.inputs)
    left = list(pipeline.steps)
    for step in pipeline.steps:
        for tensor in step.outputs.values():
            if tensor in made:
                raise FileError(f"{pipeline.name}: the tensor {tensor!r} is made twice")
            made.add(tensor)
    for tensor in pipeline.outputs:
        if tensor not in made:
            raise FileError(
                f"{pipeline.name}: no step makes the output {tensor!r}",
                cure=near_names(tensor, made),
            )
    there = set(pipeline.inputs)
    while left:
        ready = [step for step in left if all(t in there for t in step.inputs.values())]
        if not ready:
            names = sorted(t for step in left for t in step.inputs.values() if t not in there)
            raise FileError(f"{pipeline.name}: nothing makes {names[0]!r} before it is needed")
        there |= {tensor for step in ready for tensor in step.outputs.values()}
        left = [step for step in left if step not in ready]


def _check_model(name: str, step: Step, model: Any) -> None:
    """The maps of a step name inputs and outputs that the model has."""
    for what, mapped, ports in (
        ("input", step.inputs, model.config.input),
        ("output", step.outputs, model.config.output),
    ):
        known = [port.name for port in ports]
        for key in mapped:
            if key not in known:
                raise invalid(
                    f"{name}: the model {step.model!r} has no {what} {key!r}",
                    cure=near_names(key, known),
                )
