"""Requests as one batch: their arrays stacked, and the outputs given back to each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinoar.errors import ServingError
from twinoar.serving.request import Arrays, Request


def stacked(batch: Sequence[Request], size: int) -> Arrays:
    """The inputs of all requests along the first axis, filled up to `size` by the last row.

    A row that is there already is safe for every model: zeros need not be.

    >>> one, two = (Request({"x": np.array([[n]])}) for n in (1, 2))
    >>> stacked([one, two], 4)["x"].tolist()
    [[1], [2], [2], [2]]
    """
    if len(batch) == 1 and batch[0].rows == size:
        return batch[0].inputs
    found = {}
    for name in batch[0].inputs:
        arrays = [request.inputs[name] for request in batch]
        missing = size - sum(len(x) for x in arrays)
        if missing:
            arrays.append(np.repeat(arrays[-1][-1:], missing, axis=0))
        found[name] = np.concatenate(arrays)
    return found


def split(outputs: Arrays, batch: Sequence[Request], size: int) -> list[Arrays]:
    """The rows of each request. Raises ServingError for an output of another size than `size`.

    >>> one, two = Request({}), Request({}, rows=2)
    >>> [x["y"].tolist() for x in split({"y": np.arange(4)}, [one, two], 4)]
    [[0], [1, 2]]
    """
    for name, array in outputs.items():
        if array.ndim == 0 or len(array) != size:
            raise ServingError(
                f"the model's output {name!r} has shape {list(array.shape)} for a batch of {size}",
                cure="set max_batch_size: 0 in its config.pbtxt, as it does not keep rows apart",
            )
    if len(batch) == 1 and batch[0].rows == size:
        return [outputs]
    parts, at = [], 0
    for request in batch:
        parts.append({name: x[at : at + request.rows] for name, x in outputs.items()})
        at += request.rows
    return parts
