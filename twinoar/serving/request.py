"""One request as the scheduler sees it: arrays, a priority, a deadline, and a future."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field

import numpy as np

from twinoar.errors import ServingError

Arrays = dict[str, np.ndarray]
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Sequence:
    """Which sequence a request belongs to, and whether it is its first or last."""

    correlation_id: int | str
    starts: bool = False
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """What was done with a request from one time to another, in seconds of `time.monotonic`."""

    name: str
    start: float
    end: float
    attributes: Mapping[str, str | int]


Stages = list[Stage]


@dataclass(eq=False, slots=True)
class Request:
    """What is asked of a model; changed by the scheduler alone, under its lock.

    inputs: by name, with the batch axis where the model has one. rows: along that axis. priority:
    1 is served first, 0 is the model's usual one. timeout_seconds: after which it is given up
    while it waits, None for the model's usual one. `future` becomes the outputs by name. place: the
    line in which it waits, None where it does not; key: what others must share to be stacked.
    stages: a list that is filled with what is done with it, None where nobody wants to know.
    waits: whether the thread that submits it waits for it, and so may run the model itself.
    """

    inputs: Arrays
    rows: int = 1
    priority: int = 0
    timeout_seconds: float | None = None
    id: str = ""
    sequence: Sequence | None = None
    future: Future[Arrays] = field(default_factory=Future)
    arrival: float = field(default_factory=time.monotonic)
    deadline: float | None = None
    number: int = field(default_factory=lambda: next(_numbers))
    place: int | None = None
    key: Hashable = ()
    withdraw: Callable[[Request], None] | None = None
    stages: Stages | None = None
    waits: bool = False

    def cancel(self) -> None:
        """Give the request up: if it waits it is not run, if it runs the result is dropped."""
        if self.withdraw is not None:
            self.withdraw(self)
        self.fail(ServingError("the request was cancelled", "CANCELLED"))

    def fail(self, error: BaseException) -> bool:
        """Settle with an error, unless it is settled; whether it was."""
        try:
            self.future.set_exception(error)
        except InvalidStateError:
            return False
        return True

    def succeed(self, outputs: Arrays) -> bool:
        """Settle with outputs, unless it is settled; whether it was."""
        try:
            self.future.set_result(outputs)
        except InvalidStateError:
            return False
        return True

    def result(self, timeout: float | None = None) -> Arrays:
        """Wait for the outputs; raises what became of the request."""
        return self.future.result(timeout)


def shape_key(inputs: Mapping[str, np.ndarray]) -> tuple[Hashable, ...]:
    """What two requests must share to be stacked: names, element types, sizes but the first.

    >>> shape_key({"x": np.zeros((2, 3), "float32")})
    (('x', dtype('float32'), (3,)),)
    """
    # Not the dtype's name, which NumPy puts together in Python each time.
    return tuple((n, x.dtype, x.shape[1:]) for n, x in sorted(inputs.items()))
