"""Makes one call in a Paddle, ours or the real one; it needs that and NumPy.

A call is a dictionary: `name` of a function, `form` in which it is called, `args` and `kwargs`, in
which arrays stand for tensors; those of floats want gradients.
"""

from __future__ import annotations

import operator
import pickle
import struct
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
import run_calls

Call = dict[str, Any]


def arrays_in(value: Any) -> list[np.ndarray]:
    """The arrays in lists, tuples, dictionaries and slices, in order."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, slice):
        value = [value.start, value.stop, value.step]
    return [a for v in value for a in arrays_in(v)] if isinstance(value, (list, tuple)) else []


def replaced(value: Any, put: Callable[[np.ndarray], Any]) -> Any:
    """`value` with what `put` gives in place of each array."""
    if isinstance(value, np.ndarray):
        return put(value)
    if isinstance(value, (list, tuple)):
        return type(value)(replaced(v, put) for v in value)
    if isinstance(value, dict):
        return {key: replaced(v, put) for key, v in value.items()}
    if isinstance(value, slice):
        return slice(*(replaced(v, put) for v in (value.start, value.stop, value.step)))
    return value


def setitem(x: Any, index: Any, value: Any) -> Any:
    """A copy of x with that value at the index."""
    x = x * 1 if "float" in str(x.dtype) or "complex" in str(x.dtype) else x.clone()
    x[index] = value
    return x


def in_place(x: Any, method: str, args: Any, kwargs: dict[str, Any]) -> Any:
    """A copy of x after a method that changes it."""
    x = x.clone()
    getattr(x, method)(*args, **kwargs)
    return x


def caller(paddle: Any, call: Call) -> Callable[..., Any]:
    """The function that the call makes, of the arguments."""
    name = call["name"]
    if name == "setitem":
        return setitem
    if name.startswith("operator."):
        return getattr(operator, name[9:])
    if call["form"] == "function":
        return operator.attrgetter(name)(paddle)
    last = name.rpartition(".")[2]
    if call["form"] == "method":
        return lambda x, *args, **kwargs: getattr(x, last)(*args, **kwargs)
    return lambda x, *args, **kwargs: in_place(x, last + "_", args, kwargs)


def apart(value: Any) -> Any:
    """The results; one that is itself a leaf, as of x[...], is taken times 1 to have a gradient."""
    if isinstance(value, (list, tuple)):
        return [apart(v) for v in value]
    floats = "float" in str(getattr(value, "dtype", ""))
    return value * 1 if floats and not getattr(value, "stop_gradient", True) else value


def outcome(paddle: Any, call: Call) -> dict[str, Any]:
    """What the call returns, and the gradients of what it was given; or its error."""
    leaves: list[Any] = []

    def leaf(array: np.ndarray) -> Any:
        leaves.append(paddle.to_tensor(array, stop_gradient=array.dtype.kind not in "fc"))
        return leaves[-1]

    def made() -> Any:
        args, kwargs = replaced(call["args"], leaf), replaced(call["kwargs"], leaf)
        return apart(caller(paddle, call)(*args, **kwargs))

    return run_calls.attempt(paddle, made, leaves)


def read(stream: BinaryIO) -> Any:
    """The next object; None at the end."""
    head = stream.read(4)
    return pickle.loads(stream.read(struct.unpack("<I", head)[0])) if len(head) == 4 else None


def write(stream: BinaryIO, value: Any) -> None:
    data = pickle.dumps(value, protocol=4)
    stream.write(struct.pack("<I", len(data)) + data)
    stream.flush()


def serve() -> None:
    """Answer calls on the standard input until it ends; a call that kills Paddle ends it too."""
    import os

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what Paddle prints does not disturb the answers
    warnings.simplefilter("ignore")
    import paddle

    write(answers, "ready")
    while (call := read(sys.stdin.buffer)) is not None:
        write(answers, outcome(paddle, call))


if __name__ == "__main__":
    serve()
