"""A shared library that twinoar exported, called from Python with ctypes and NumPy alone.

This file imports nothing of twinoar: it may be copied to where the library runs.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ALIGNMENT = 64


class LoadedLibrary:
    """The model in a library; `run` computes its outputs.

    path: of the library, `libNAME.so`. weights: the file beside it, for a model that has them
    there; it is mapped, not read. Raises OSError where the library does not load, ValueError
    where the model refuses the weights.
    """

    def __init__(self, path: str | os.PathLike[str], weights: str | None = None):
        self._library = ctypes.CDLL(os.fspath(path))
        self._name = Path(path).name.removeprefix("lib").removesuffix(".so")
        for end in ("error", "description"):
            self._function(end).restype = ctypes.c_char_p
        for end in ("workspace_bytes", "verify_bytes"):
            self._function(end).restype = ctypes.c_size_t
        told = json.loads(self._function("description")())
        self.inputs, self.outputs = told["inputs"], told["outputs"]
        self._model = ctypes.c_void_p()
        self._mapped, start, size = None, None, 0
        if weights is not None:
            with Path(weights).open("rb") as file:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._mapped = np.frombuffer(mapped, np.uint8)
            start, size = self._mapped.ctypes.data, len(mapped)
        self._check(
            self._function("open")(
                ctypes.byref(self._model), ctypes.c_void_p(start), ctypes.c_size_t(size)
            )
        )

    def run(self, *arrays: np.ndarray, **named: np.ndarray) -> list[np.ndarray]:
        """The outputs for arrays in the order of the inputs, or by their names.

        Raises ValueError for other shapes, dtypes or names, and for indices outside.
        """
        given = _in_order(arrays, named, self.inputs)
        made = [np.empty(x["shape"], _dtype(x["dtype"])) for x in self.outputs]
        memory, workspace = self._memory("workspace_bytes")
        status = self._function("run")(
            self._model, _addresses(given), _addresses(made), workspace,
            ctypes.c_size_t(memory.size),
        )  # fmt: skip
        self._check(status)
        return made

    def verify(self) -> None:
        """Run the verification inside. Raises ValueError where an output differs."""
        memory, workspace = self._memory("verify_bytes")
        size = ctypes.c_size_t(memory.size)
        self._check(self._function("verify")(self._model, workspace, size))

    def _function(self, end: str) -> Any:
        return getattr(self._library, f"{self._name}_{end}")

    def _memory(self, end: str) -> tuple[np.ndarray, ctypes.c_void_p]:
        """Memory for a run, of which the array keeps hold, and where it begins."""
        size = self._function(end)()
        whole = np.empty(size + ALIGNMENT, np.uint8)
        start = -whole.ctypes.data % ALIGNMENT
        memory = whole[start : start + size]
        return memory, ctypes.c_void_p(memory.ctypes.data)

    def _check(self, code: int) -> None:
        if code:
            raise ValueError(self._function("error")(code).decode())


def _in_order(
    arrays: Sequence[np.ndarray], named: Mapping[str, np.ndarray], inputs: Sequence[dict]
) -> list[np.ndarray]:
    """The inputs, checked."""
    names = [x["name"] for x in inputs]
    rest = names[len(arrays) :]
    if len(arrays) > len(names) or set(named) != set(rest):
        raise ValueError(f"expected the inputs {names}")
    given = [*arrays, *(named[name] for name in rest)]
    for array, told in zip(given, inputs, strict=True):
        if list(array.shape) != told["shape"] or array.dtype != _dtype(told["dtype"]):
            raise ValueError(
                f"{told['name']} is {told['dtype']}{told['shape']}, "
                f"received {array.dtype}{list(array.shape)}"
            )
    return [np.ascontiguousarray(array) for array in given]


def _dtype(name: str) -> np.dtype:
    """NumPy's dtype; what it does not have are the bits of."""
    return np.dtype(np.uint16 if name == "bfloat16" else name)


def _addresses(arrays: Sequence[np.ndarray]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * max(1, len(arrays)))(*(a.ctypes.data for a in arrays))
