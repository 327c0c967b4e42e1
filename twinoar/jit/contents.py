"""What can be changed in place, and how what it holds is kept and put back.

Buffers hold plain values alone; several may share one memory, and the one that owns it stands for
all: a view of an array, or what `memoryview` and `numpy.frombuffer` make.
"""

from __future__ import annotations

import array
import io
from collections import OrderedDict, deque
from typing import Any

import numpy as np

from twinoar.errors import ConversionError

HOLDING = (list, dict, set, deque)
STREAMS = (io.StringIO, io.BytesIO)
BUFFERS = (np.ndarray, bytearray, array.array, memoryview, *STREAMS)
CONTAINERS = (*HOLDING, *BUFFERS)


def owner_of(x: Any) -> Any:
    """What owns the memory that `x` shows: `x` itself, where that is no view."""
    while True:
        if isinstance(x, (np.ndarray, np.flatiter)):
            base = x.base
        elif isinstance(x, memoryview):
            base = x.obj
        else:
            return x
        if not isinstance(base, (*BUFFERS, np.flatiter)):
            return x
        x = base


def contents_of(x: Any) -> Any:
    """A copy of what it holds, as a plain container; of a buffer something that `==` compares."""
    if isinstance(x, dict):
        return dict(x)
    if isinstance(x, list):
        return list.copy(x)
    if isinstance(x, deque):
        return deque(x, x.maxlen)
    if isinstance(x, set):
        return set(x)
    if isinstance(x, STREAMS):
        return x.getvalue(), x.tell()
    return (
        x[:]
        if isinstance(x, array.array)
        else x.tobytes()
        if isinstance(x, memoryview)
        else x.copy()
    )


def length_of(x: Any) -> int:
    """How many items a container holds, along the first axis of an array; 0 for a stream."""
    if isinstance(x, STREAMS):
        return 0
    return 1 if isinstance(x, (np.ndarray, memoryview)) and x.ndim == 0 else len(x)


def plain(x: Any) -> Any:
    """A container as one of Python's own, beneath methods that users have written."""
    return x if type(x) in HOLDING else contents_of(x)


def is_as(x: Any, contents: Any) -> bool:
    """True for a buffer that holds what `contents_of` gave."""
    if isinstance(x, np.ndarray):
        same_kind = x.shape == contents.shape and x.dtype == contents.dtype
        return bool(same_kind and x.tobytes() == contents.tobytes())
    return bool(contents_of(x) == contents)


def refill(x: Any, contents: Any) -> None:
    """Let it hold `contents`, beneath methods that users have written.

    Raises ConversionError for an array that has another shape now.
    """
    if isinstance(x, dict):
        table = OrderedDict if isinstance(x, OrderedDict) else dict
        table.clear(x)
        for key, value in contents.items():
            table.__setitem__(x, key, value)
    elif isinstance(x, HOLDING):
        kind: Any = next(c for c in HOLDING if isinstance(x, c))
        kind.clear(x)
        (kind.update if kind is set else kind.extend)(x, contents)
    elif isinstance(x, STREAMS):
        x.seek(0)
        x.truncate()
        x.write(contents[0])
        x.seek(contents[1])
    elif isinstance(x, memoryview):
        x.cast("B")[:] = contents
    elif isinstance(x, np.ndarray) and x.shape != np.shape(contents):
        raise ConversionError(
            f"an array of shape {list(x.shape)} is given another shape in place",
            cure="make a new array: x = x.reshape(...), or numpy.resize(x, ...)",
        )
    else:
        x[... if isinstance(x, np.ndarray) else slice(None)] = contents
