"""How tests run a primitive of oneDNN on NumPy arrays, whatever layouts it wants."""

from __future__ import annotations

import numpy as np

from twinoar.backends.onednn import Command, Layout, Primitive, new_stream, reorder

LINE = 64  # bytes; where the library likes memory to start


def memory(nbytes: int) -> np.ndarray:
    """Bytes that start at a cache line, none of them zero."""
    whole = np.full(nbytes + LINE, 0x7F, np.uint8)
    start = -whole.ctypes.data % LINE
    return whole[start : start + nbytes]


def executed(primitive: Primitive, places: dict[str, np.ndarray]) -> None:
    """Run the primitive once; scratch memory is made here."""
    places = places | {"scratchpad": memory(primitive.scratchpad_bytes)}
    command = Command(primitive, new_stream())
    for name in primitive.arguments:
        command.set(name, places[name].ctypes.data)
    command.execute()


def plain(layout: Layout) -> Layout:
    """The same shape and element type, in rows."""
    return Layout.row_major(layout.dims, layout.dtype)


def packed(array: np.ndarray, layout: Layout) -> np.ndarray:
    """The elements of `array` in the memory that `layout` describes."""
    rows = np.ascontiguousarray(array).reshape(layout.dims)
    target = memory(layout.nbytes)
    executed(reorder(plain(layout), layout), {"src": rows, "dst": target})
    return target


def unpacked(bytes_: np.ndarray, layout: Layout) -> np.ndarray:
    """The logical array of the memory that `layout` describes."""
    rows = np.empty(layout.dims, layout.dtype.numpy)
    executed(reorder(layout, plain(layout)), {"src": bytes_, "dst": rows})
    return rows


def run(primitive: Primitive, *results: str, **arrays: np.ndarray) -> list[np.ndarray]:
    """The named results, for arrays of the other arguments and of results that are added to.

    An array of one byte each, such as a workspace, is passed as it is, and so is its result.
    """
    places = {}
    for name in primitive.arguments:
        given = arrays.get(name)
        if given is None or given.dtype == np.uint8:
            places[name] = memory(primitive.nbytes(name)) if given is None else given
        else:
            places[name] = packed(given, primitive.layout(name))
    executed(primitive, places)
    return [
        places[name] if name == "workspace" else unpacked(places[name], primitive.layout(name))
        for name in results
    ]
