"""The parameters of a request that mean something here: priority, timeout, sequence, labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.serving.request import Arrays, Request, Sequence
from twinoar.serving.status import invalid

MICROSECONDS = 1e-6
LARGEST = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Options:
    """What a request says beside its tensors. binary: whether outputs come as bytes."""

    priority: int = 0
    timeout_seconds: float | None = None
    sequence: Sequence | None = None
    binary: bool = False

    def request(self, inputs: Arrays, identity: str) -> Request:
        """A request for the scheduler."""
        return Request(
            inputs,
            priority=self.priority,
            timeout_seconds=self.timeout_seconds,
            id=identity,
            sequence=self.sequence,
        )


def options_of(parameters: Mapping[str, Any]) -> Options:
    """The options in a request's parameters; unknown ones mean nothing. Raises ServingError.

    >>> options_of({"priority": 1, "timeout": 2_000_000}).timeout_seconds
    2.0
    """
    if not parameters:
        return Options()
    timeout = _number(parameters, "timeout")
    correlation = parameters.get("sequence_id", 0)
    if isinstance(correlation, bool) or not isinstance(correlation, (int, str)):
        raise invalid("sequence_id is a whole number or text")
    starts, ends = _flag(parameters, "sequence_start"), _flag(parameters, "sequence_end")
    sequence = Sequence(correlation, starts, ends) if correlation else None
    if sequence is None and (starts or ends):
        raise invalid("a sequence has a sequence_id other than 0")
    return Options(
        _number(parameters, "priority"),
        timeout * MICROSECONDS or None,
        sequence,
        _flag(parameters, "binary_data_output"),
    )


def classified(array: np.ndarray, count: int) -> np.ndarray:
    """The largest values of each row as "value:index", largest first.

    >>> classified(np.array([[0.25, 0.5]], "float32"), 1).tolist()
    [[b'0.500000:1']]
    """
    if array.ndim == 0 or array.dtype.kind not in "biufV":
        raise invalid("classification is of outputs with numbers in rows")
    rows = array.reshape(-1, array.shape[-1]).astype("float64")
    order = np.argsort(-rows, axis=1, kind="stable")[:, :count]
    found = np.empty(order.shape, object)
    for row, places in enumerate(order):
        found[row] = [f"{rows[row, place]:f}:{place}".encode() for place in places]
    return found.reshape(*array.shape[:-1], order.shape[1])


def _number(parameters: Mapping[str, Any], name: str) -> int:
    value = parameters.get(name, 0)
    if type(value) is not int or not 0 <= value <= LARGEST:
        raise invalid(f"{name} is a whole number that is not negative, received {value!r}")
    return value


def _flag(parameters: Mapping[str, Any], name: str) -> bool:
    value = parameters.get(name, False)
    if not isinstance(value, bool):
        raise invalid(f"{name} is true or false, received {value!r}")
    return value
