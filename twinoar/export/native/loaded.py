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
MARK = 72  # bytes that tell a state from those of other models


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
        told = self.description = json.loads(self._function("description")())
        self.inputs, self.outputs = told.get("inputs", []), told.get("outputs", [])
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


class LoadedSizes(LoadedLibrary):
    """A model in a library for several sizes; `run` goes by the shapes of its arrays."""

    def run(self, *arrays: np.ndarray, **named: np.ndarray) -> list[np.ndarray]:
        """The outputs for arrays of one of the sizes. Raises ValueError for others."""
        end, told = self._chosen(arrays, named)
        given = _in_order(arrays, named, told["inputs"])
        made = [np.empty(x["shape"], _dtype(x["dtype"])) for x in told["outputs"]]
        memory, workspace = self._memory("workspace_bytes")
        status = self._function(end)(
            self._model, _addresses(given), _addresses(made), workspace,
            ctypes.c_size_t(memory.size),
        )  # fmt: skip
        self._check(status)
        return made

    def _chosen(
        self, arrays: Sequence[np.ndarray], named: Mapping[str, np.ndarray]
    ) -> tuple[str, Mapping[str, Any]]:
        sizes: Mapping[str, Any] = self.description["sizes"]
        for end, told in sizes.items():
            rest = told["inputs"][len(arrays) :]
            given = [*arrays, *(named[x["name"]] for x in rest if x["name"] in named)]
            if [list(a.shape) for a in given] == [x["shape"] for x in told["inputs"]]:
                return end, told
        shapes = "; ".join(str([x["shape"] for x in told["inputs"]]) for told in sizes.values())
        raise ValueError(f"{self._name} takes {shapes}")


class LoadedTraining(LoadedLibrary):
    """A training in a library, with a state; `step` trains, `run` predicts.

    path, weights: as of LoadedLibrary. state: bytes to go on from, the first values without.
    """

    def __init__(
        self, path: str | os.PathLike[str], weights: str | None = None, state: bytes | None = None
    ):
        super().__init__(path, weights)
        self.entries = self.description["entries"]
        self._function("learning_rate").restype = ctypes.c_double
        self._function("state_bytes").restype = ctypes.c_size_t
        self._state, self._state_at = self._memory("state_bytes")
        size = ctypes.c_size_t(self._state.size)
        self._check(self._function("state_init")(self._model, self._state_at, size))
        self._mark = self._state[:MARK].tobytes()
        if state is not None:
            self.state = state

    @property
    def state(self) -> bytes:
        """What the training has come to: a safetensors file."""
        return self._state.tobytes()

    @state.setter
    def state(self, state: bytes) -> None:
        if len(state) != self._state.size or state[:MARK] != self._mark:
            raise ValueError(f"this is not a state of {self._name}")
        self._state[:] = np.frombuffer(state, np.uint8)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a file."""
        Path(path).write_bytes(self.state)

    @property
    def learning_rate(self) -> float:
        """The learning rate of the next steps; nan where there is none."""
        rate: float = self._function("learning_rate")(self._state_at)
        return rate

    @learning_rate.setter
    def learning_rate(self, rate: float) -> None:
        self._check(self._function("set_learning_rate")(self._state_at, ctypes.c_double(rate)))

    def step(self, *arrays: np.ndarray, **named: np.ndarray) -> list[np.ndarray]:
        """Train one step; what it returns. Raises ValueError as `run`, and then changes nothing."""
        return self._ran("step", arrays, named)

    def run(self, *arrays: np.ndarray, **named: np.ndarray) -> list[np.ndarray]:
        """What the model predicts that was exported with the step. Raises ValueError without."""
        if "run" not in self.entries:
            raise ValueError(f"{self._name} was exported without what predicts")
        return self._ran("run", arrays, named)

    def _ran(
        self, end: str, arrays: Sequence[np.ndarray], named: Mapping[str, np.ndarray]
    ) -> list[np.ndarray]:
        told = self.entries[end]
        given = _in_order(arrays, named, told["inputs"])
        made = [np.empty(x["shape"], _dtype(x["dtype"])) for x in told["outputs"]]
        memory, workspace = self._memory("workspace_bytes")
        status = self._function(end)(
            self._model, self._state_at, _addresses(given), _addresses(made), workspace,
            ctypes.c_size_t(memory.size),
        )  # fmt: skip
        self._check(status)
        return made


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
