"""Sequences of requests with state: what the model keeps from one goes into the next.

The state of a sequence is arrays, outputs of the model that are its inputs the next time. Requests
of one sequence run one after the other, those of different ones share batches. Which sequences
there are is known to this server alone, so all requests of one must come to it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.errors import FileError, ServingError
from twinoar.formats.inference_protocol import CLASSES
from twinoar.serving.configuration import below, ports_of
from twinoar.serving.datatypes import DTYPES, decoded
from twinoar.serving.request import Arrays, Request, Sequence
from twinoar.serving.status import invalid

MICROSECONDS = 1e-6
USUAL_IDLE_SECONDS = 1.0  # Triton's
START, READY, END, CORRELATION = range(4)
FOLDER = "initial_state"
FALSE_TRUE = {
    "bool_false_true": "BOOL",
    "int32_false_true": "INT32",
    "fp32_false_true": "FP32",
}


@dataclass(frozen=True, slots=True)
class Control:
    """An input that says something of the sequence. values: for no and for yes."""

    name: str
    kind: int
    dtype: np.dtype
    values: tuple[Any, Any] = (0, 1)

    def array(self, sequence: Sequence, shape: tuple[int, ...]) -> np.ndarray:
        """The input for a request of a sequence."""
        if self.kind == CORRELATION:
            if isinstance(sequence.correlation_id, str):
                raise invalid("the model takes a sequence_id that is a number")
            return np.full(shape, sequence.correlation_id, self.dtype)
        holds = {START: sequence.starts, READY: True, END: sequence.ends}[self.kind]
        return np.full(shape, self.values[holds], self.dtype)


@dataclass(slots=True)
class _Running:
    """A sequence: its state, the requests that wait for their turn, and when one came last."""

    state: Arrays
    waiting: deque[Request] = field(default_factory=deque)
    busy: bool = False
    seen: float = field(default_factory=time.monotonic)


class Sequences:
    """The sequences of one model, whose scheduler has `submit`.

    Raises FileError for states without fixed sizes, and for files that do not fit.
    """

    def __init__(self, config: Any, folder: Path, submit: Callable[[Request], None]):
        told = config.sequence_batching
        self._submit = submit
        self._batches = config.max_batch_size > 0
        self._controls = [_control(x) for x in told.control_input]
        self._states = {state.input_name: state.output_name for state in told.state}
        self._initial = {
            state.input_name: initial_state(state, folder, self._batches) for state in told.state
        }
        self._outputs = [port.name for port in ports_of(config.output)]
        idle = told.max_sequence_idle_microseconds * MICROSECONDS
        self._idle_seconds = idle or USUAL_IDLE_SECONDS
        self._most = told.oldest.max_candidate_sequences
        self._running: OrderedDict[int | str, _Running] = OrderedDict()
        self._lock = threading.Lock()
        self._left = threading.Condition(self._lock)
        self._closes = False

    def __len__(self) -> int:
        return len(self._running)

    def submit(self, request: Request) -> None:
        """Let a request wait for its turn in its sequence. Raises ServingError."""
        sequence = request.sequence
        if sequence is None:
            raise invalid("the model takes sequences", cure="send a sequence_id that is not 0")
        if self._batches and request.rows != 1:
            raise invalid(f"a request of a sequence has one row, received {request.rows}")
        with self._lock:
            if self._closes:
                raise ServingError("the model is being unloaded", "UNAVAILABLE")
            self._forget_idle()
            running = self._of(sequence)
            self._running.move_to_end(sequence.correlation_id)
            running.seen = time.monotonic()
            running.waiting.append(request)
        self._advance(running)

    def drain(self, timeout_seconds: float | None = None) -> bool:
        """Take no more, and wait for what waits; whether that was done in time."""

        def done() -> bool:
            return not any(r.busy or r.waiting for r in self._running.values())

        with self._lock:
            self._closes = True
            return self._left.wait_for(done, timeout_seconds)

    def _of(self, sequence: Sequence) -> _Running:
        name = sequence.correlation_id
        found = self._running.get(name)
        if sequence.starts:
            if found is None and self._most and len(self._running) >= self._most:
                raise ServingError(f"{self._most} sequences run already", "RESOURCE_EXHAUSTED")
            if found is not None and (found.busy or found.waiting):
                raise invalid(f"the sequence {name!r} still has requests, so it cannot start anew")
            found = self._running[name] = _Running(dict(self._initial))
        if found is None:
            raise invalid(
                f"the sequence {name!r} has not started, or was idle too long",
                cure="send sequence_start with its first request",
            )
        return found

    def _forget_idle(self) -> None:
        """Drop those that nobody has gone on with; the longest idle come first."""
        end = time.monotonic() - self._idle_seconds
        for name, running in list(self._running.items()):
            if running.seen > end:
                return
            if not running.busy and not running.waiting:
                del self._running[name]

    def _advance(self, running: _Running) -> None:
        """Run the next request of a sequence, unless one runs."""
        while True:
            with self._lock:
                if running.busy or not running.waiting:
                    return
                running.busy = True
                request = running.waiting.popleft()
                state = dict(running.state)
            try:
                inner = self._inner(request, state)
                request.withdraw = lambda _, inner=inner: inner.cancel()  # type: ignore[misc]
                inner.future.add_done_callback(partial(self._done, running, request))
                self._submit(inner)
                return
            except Exception as error:
                self._leave(running, request, {})
                request.fail(error)

    def _inner(self, request: Request, state: Arrays) -> Request:
        """The request as the model takes it, with state and controls."""
        assert request.sequence is not None
        shape = (request.rows, 1) if self._batches else (1,)
        controls = {c.name: c.array(request.sequence, shape) for c in self._controls}
        return Request(
            {**request.inputs, **state, **controls},
            rows=request.rows,
            priority=request.priority,
            timeout_seconds=request.timeout_seconds,
            stages=request.stages,
        )

    def _done(self, running: _Running, request: Request, future: Future[Arrays]) -> None:
        error = future.exception()
        outputs = {} if error is not None else future.result()
        # The next request may come as soon as this one is answered, so the state is there before.
        self._leave(running, request, outputs)
        if error is not None:
            request.fail(error)
        else:
            request.succeed({name: outputs[name] for name in self._outputs})
        self._advance(running)

    def _leave(self, running: _Running, request: Request, outputs: Arrays) -> None:
        sequence = request.sequence
        assert sequence is not None
        with self._lock:
            if outputs:
                running.state = {name: outputs[out] for name, out in self._states.items()}
            running.busy, running.seen = False, time.monotonic()
            name, ended = sequence.correlation_id, sequence.ends and not running.waiting
            if ended and self._running.get(name) is running:
                del self._running[name]
            self._left.notify_all()


def _control(told: Any) -> Control:
    if len(told.control) != 1:
        raise FileError(f"the control input {told.name!r} says one thing, not {len(told.control)}")
    (control,) = told.control
    if control.kind == CORRELATION:
        datatype = {9: "INT64", 5: "UINT64", 8: "INT32", 4: "UINT32"}.get(control.data_type)
        if datatype is None:
            raise FileError(f"the control input {told.name!r} is a whole number")
        return Control(told.name, control.kind, DTYPES[datatype])
    for field_name, datatype in FALSE_TRUE.items():
        values = tuple(getattr(control, field_name))
        if len(values) == 2:
            return Control(told.name, control.kind, DTYPES[datatype], values)
    raise FileError(
        f"the control input {told.name!r} has no values for no and yes",
        cure="int32_false_true: [0, 1]",
    )


def initial_state(told: Any, folder: Path, batches: bool) -> np.ndarray:
    """The state with which a sequence starts: zeros, or the numbers in a file. Raises FileError."""
    name = told.input_name
    (port,) = ports_of([_as_port(told)])
    dims = port.dims
    if any(d < 0 for d in dims):
        raise FileError(f"the state {name!r} has free sizes {list(dims)}", cure="write its sizes")
    array = np.zeros(dims, DTYPES[port.datatype])
    if told.initial_state and told.initial_state[0].HasField("data_file"):
        file = below(folder / FOLDER, told.initial_state[0].data_file, "the state's file")
        try:
            array = decoded(file.read_bytes(), port.datatype, dims, name)
        except OSError as error:
            raise FileError(f"cannot read {file}: {error.strerror}") from error
    return array[None] if batches else array


def _as_port(told: Any) -> Any:
    return CLASSES["ModelInput"](
        name=told.input_name, data_type=told.data_type, dims=list(told.dims)
    )
