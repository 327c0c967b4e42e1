"""How tests and benchmarks run a contraction of our own on NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from twinoar.backends.host import host
from twinoar.backends.llvm import driver
from twinoar.backends.llvm.contraction.launch import Launch
from twinoar.backends.native import own_library
from twinoar.backends.native.own_integers import integer_launches
from twinoar.compile.part import Temporary
from twinoar.compile.storage import Storage, View
from twinoar.core.dtype import dtype_of
from twinoar.core.op.library import Description, Scaled
from twinoar.core.spec import Spec


class Call:
    """A contraction of arrays, which may be views; `run` computes `result`, an array [*shape].

    order: how the dimensions of the result lie, outermost first. threads: those of this machine,
    unless said otherwise. dtype: of the result, that of the first operand without. An operand that
    is absent is None.
    """

    def __init__(
        self,
        asked: Description,
        operands: Sequence[np.ndarray | None],
        shape: Sequence[int],
        order: Sequence[int] | None = None,
        threads: int | None = None,
        dtype: np.dtype | None = None,
    ):
        self.target = host() if threads is None else replace(host(), threads=threads)
        assert operands[0] is not None
        dtype = dtype or operands[0].dtype
        order = tuple(order or range(len(shape)))
        lies = np.full([shape[d] for d in order], 7, dtype)
        self.result = lies.transpose(np.argsort(order))
        stored = Storage(_variable("result", shape, dtype), order)
        view = View(stored, 0, stored.shape, stored.strides)
        views: list[View | None] = []
        self.homes = {stored: lies}
        for place, array in enumerate(operands):
            if array is None:
                views.append(None)
                continue
            home = Storage(_variable(f"operand{place}", array.shape, array.dtype))
            strides = tuple(step // array.itemsize for step in array.strides)
            views.append(View(home, 0, array.shape, strides))
            self.homes[home] = array
        make = integer_launches if isinstance(asked, Scaled) else own_library.launches
        self.launches = make(asked, views, view, self.target)
        self.commands = [self._command(launch) for launch in self.launches]
        self.routine = driver.Routine(self.commands) if self.commands else None

    def run(self) -> np.ndarray:
        """Run once; returns the result."""
        if self.routine is not None:
            self.routine.run()
        return self.result

    def _command(self, launch: Launch) -> driver.Command:
        words = launch.arguments()
        for place, memory in launch.memories.items():
            if isinstance(memory.home, Temporary) and memory.home not in self.homes:
                self.homes[memory.home] = np.full(memory.home.bytes + 64, 0x7F, np.uint8)
            start = self.homes[memory.home].ctypes.data
            if isinstance(memory.home, Temporary):
                start += -start % 64
            words[place] = start + memory.offset
        self.homes[launch] = words
        return launch.command(words, self.target.threads)


def _variable(name: str, shape: Sequence[int], dtype: np.dtype) -> SimpleNamespace:
    return SimpleNamespace(name=name, spec=Spec(tuple(shape), dtype_of(dtype)))
