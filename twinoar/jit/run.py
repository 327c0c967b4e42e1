"""How a traced Program runs where no gradient flows out of it: its states are read and written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinoar.backends.base import Executable
from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.ir import Program, Variable, copy_program
from twinoar.passes.pipeline import lower


def make_executable(program: Program) -> Executable:
    """What runs `program`, which is lowered in place."""
    return NumpyExecutable(lower(program))


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
        self.feed_names = list(self.executable.feed_names)
        states = [program.states[name] for name in self.executable.state_names]
        self.tensors = [(s.name, s.data) for s in states if "read" not in s.traits]
        self.numbers = [
            (s.name, s.traits["read"], s.spec.dtype.numpy) for s in states if "read" in s.traits
        ]
        self.updated = [(s.name, s.data) for s in program.updates]

    def __call__(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The results for these arguments."""
        states = {name: tensor._data for name, tensor in self.tensors}
        for name, read, dtype in self.numbers:
            states[name] = np.asarray(read(), dtype)
        feeds = dict(zip(self.feed_names, arrays, strict=True))
        results, following = self.executable.run(feeds, states)
        for name, tensor in self.updated:
            tensor._data = following[name]
        return results
