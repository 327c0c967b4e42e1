"""Values while nodes are read: tensors, and arrays whose numbers are known.

An array comes from the model, from shapes, and from nodes all of whose operands are arrays. One of
sizes that a run decides has `SymbolicDim`s in it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.core.dim import SymbolicDim, max_dim, number_of
from twinoar.eager.tensor import Tensor
from twinoar.errors import UnsupportedError

# Elements that tensors do not have, and which hold them; numbers of uint64 that do not fit are
# refused. What arithmetic carries beyond the bits is cut off.
HELD = {"uint16": "int32", "uint32": "int64", "uint64": "int64"}
SIGNED = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}
MASKS = {"uint16": 0xFFFF, "uint32": 0xFFFFFFFF}


def tensor(x: Any) -> Any:
    """A value as a tensor."""
    if isinstance(x, np.generic):
        x = np.asarray(x)
    if not isinstance(x, np.ndarray):
        return x
    if x.dtype.kind in "USO" and not all(isinstance(d, int | SymbolicDim) for d in x.reshape(-1)):
        raise UnsupportedError("texts are no tensors", cure="number the words")
    if x.dtype == object:
        numbers = [number_of(d) if isinstance(d, SymbolicDim) else int(d) for d in x.reshape(-1)]
        parts = [paddle.cast(paddle.to_tensor(n), "int64").reshape([1]) for n in numbers]
        return paddle.concat(parts).reshape(list(x.shape))
    if x.dtype == np.uint64 and x.size and x.max() > np.iinfo("int64").max:
        raise UnsupportedError("a number of uint64 is larger than int64 holds")
    return paddle.to_tensor(x.astype(HELD.get(x.dtype.name, x.dtype.name), copy=False))


def sizes(x: Any) -> Any:
    """The numbers of a value, some of which may be sizes that a run decides."""
    if x is None or isinstance(x, np.ndarray):
        return x
    if isinstance(x, Tensor):
        return x.numpy()
    raise UnsupportedError(
        "its operand is computed from the inputs, and has to be known before the Program runs",
        cure="give the sizes of the inputs as numbers, or run the model eagerly",
    )


def known(x: Any) -> Any:
    """The numbers of a value. Raises UnsupportedError for those that a run decides."""
    found = sizes(x)
    if found is not None and found.dtype == object:
        raise UnsupportedError(
            f"its operand {found.tolist()} has to be known before the Program runs",
            cure="give the sizes of the inputs as numbers",
        )
    return found


def shape_of(x: Any) -> np.ndarray:
    """The sizes of a value."""
    return whole(np.array([*x.shape], dtype=object))


def whole(x: Any) -> np.ndarray:
    """Sizes as int64, if all are known."""
    found = np.asarray(x, dtype=object)
    if any(isinstance(d, SymbolicDim) for d in found.reshape(-1)):
        return found
    return found.astype("int64")


# Nodes that compute with sizes which a run decides, as arrays of at most one dimension.
def _cast(x: np.ndarray, to: int = 7, **rest: Any) -> np.ndarray | None:
    return x if to in (6, 7) else None


def _slice(
    x: Any, starts: Any = None, ends: Any = None, axes: Any = None, steps: Any = None, **at: Any
) -> Any:
    starts = at.get("starts", starts)
    ends = at.get("ends", ends)
    step = 1 if steps is None else int(np.asarray(steps).reshape(-1)[0])
    start, end = int(np.asarray(starts).reshape(-1)[0]), int(np.asarray(ends).reshape(-1)[0])
    if step < 0 and end < -len(x):
        return x[start::step]
    return x[start:end:step]


def _divide(a: Any, b: Any) -> Any:
    return a // b


def _reshape(x: Any, shape: Any, **rest: Any) -> Any:
    return x.reshape([int(d) for d in np.asarray(shape).reshape(-1)])


def _dropped(x: Any, axes: Any = None, **rest: Any) -> Any:
    return x.reshape([]) if x.size == 1 else x.reshape(-1)


def _added(x: Any, axes: Any = None, **rest: Any) -> Any:
    for axis in sorted(np.asarray(axes).reshape(-1).tolist()):
        x = np.expand_dims(x, int(axis))
    return x


def _product(x: Any, *rest: Any, **attributes: Any) -> Any:
    total: Any = 1
    for d in x.reshape(-1):
        total = total * d
    return np.array(total if attributes.get("keepdims", 1) == 0 else [total], dtype=object)


def _greatest(*x: Any) -> Any:
    return reduce(np.frompyfunc(max_dim, 2, 1), [np.asarray(a, dtype=object) for a in x])


OF_SIZES: dict[str, Callable[..., Any]] = {
    "Add": lambda a, b: a + b,
    "Cast": _cast,
    "Concat": lambda *x, axis: np.concatenate(x, axis),
    "Div": _divide,
    "Gather": lambda x, index, axis=0: np.asarray(x[np.asarray(index, "int64")], dtype=object),
    "Identity": lambda x: x,
    "Max": _greatest,
    "Mul": lambda a, b: a * b,
    "ReduceProd": _product,
    "Reshape": _reshape,
    "Slice": _slice,
    "Squeeze": _dropped,
    "Sub": lambda a, b: a - b,
    "Unsqueeze": _added,
}
