"""What a request brings, held against what the model takes, before it may wait beside others."""

from __future__ import annotations

import numpy as np

from twinoar.core.near import near_names
from twinoar.serving.configuration import Port
from twinoar.serving.datatypes import DTYPES, NAMES
from twinoar.serving.request import Arrays
from twinoar.serving.status import invalid


def checked_rows(inputs: Arrays, ports: dict[str, Port], most: int) -> int:
    """How many rows a request has, 1 for a model without a batch axis (`most` is 0).

    Raises ServingError for inputs that are missing, unknown, or of another type or shape.
    """
    for name in inputs:
        if name not in ports:
            raise invalid(f"the model has no input {name!r}", cure=near_names(name, ports))
    rows: int | None = None
    for port in ports.values():
        array = inputs.get(port.name)
        if array is None:
            if port.optional:
                continue
            raise invalid(f"the input {port.name!r} is missing")
        _check(array, port, most)
        if not most:
            continue
        if rows is not None and len(array) != rows:
            raise invalid(f"inputs have {rows} and {len(array)} rows; all have as many")
        rows = len(array)
    if most and not 1 <= (rows or 0) <= most:
        raise invalid(
            f"a request has 1 to {most} rows, received {rows or 0}",
            cure="split it; max_batch_size in config.pbtxt sets the limit",
        )
    return rows or 1


def _check(array: np.ndarray, port: Port, most: int) -> None:
    if array.dtype != DTYPES[port.datatype]:
        received = NAMES.get(array.dtype, array.dtype)
        raise invalid(f"input {port.name!r} is {port.datatype}, received {received}")
    shape = array.shape[1:] if most and array.ndim else array.shape
    fits = len(shape) == len(port.dims) and all(
        d in (-1, n) for d, n in zip(port.dims, shape, strict=True)
    )
    if not fits or (most and not array.ndim):
        raise invalid(
            f"input {port.name!r} has shape {port.shape(most > 0)}, received {list(array.shape)}"
        )
