"""How a traced Program runs where no gradient flows out of it: its states are read and written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.backends.base import Executable
from twinoar.backends.choice import make_executable
from twinoar.core.ir.program import Program, State, Variable, copy_program


def executable_copy(program: Program, results: Sequence[Variable], updates: bool) -> Executable:
    """What runs a copy of `program` that returns `results`, with its updates or without."""
    copy, mapping = copy_program(program)
    for s in copy.states.values():
        s.rebound = None
    copy.main.outputs = [mapping[v] for v in results]
    if not updates:
        copy.updates = {}
    return make_executable(copy)


class Run:
    """A Program that returns `results` and writes its updates into the live tensors."""

    def __init__(self, program: Program, results: Sequence[Variable]):
        self.executable = executable_copy(program, results, updates=True)
        states = [program.states[name] for name in self.executable.state_names]
        self.sources = [_source(s) for s in states]
        self.updated = [_source(program.states[name]) for name in self.executable.updated_names]

    def __call__(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The results for these arguments."""
        states = [source._data for source in self.sources]
        results, following = self.executable.execute(arrays, states)
        for tensor, array in zip(self.updated, following, strict=True):
            tensor.take_data(array)
        return results


class LiveNumber:
    """A number that is read anew before each run, as a tensor; the same one while it is the same.

    Its array is never written.
    """

    def __init__(self, read: Callable[[], float], dtype: np.dtype):
        self._read, self._dtype = read, dtype
        self._latest: tuple[Any, Any] = None, None

    @property
    def _data(self) -> np.ndarray:
        number = self._read()
        latest, array = self._latest
        if latest is not number:
            array = np.asarray(number, self._dtype)
            self._latest = number, array
        return array


def _source(state: State) -> Any:
    """The live tensor of a state, or what stands for a value that is read anew."""
    if "live" in state.traits:
        return state.traits["live"]
    if "read" in state.traits:
        return LiveNumber(state.traits["read"], state.spec.dtype.numpy)
    return state.data
