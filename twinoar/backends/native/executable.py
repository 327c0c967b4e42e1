"""A Program as one native call per step.

The Program keeps its symbolic sizes; for each set of sizes that feeds bring, it is compiled once.
Feeds and states are bound by address. A state that the Program updates is written in place, unless
somebody else holds the array: then the run writes to a copy, and nobody's array changes under them.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.backends.native.compiled import Compiled, compile_program
from twinoar.backends.native.instance import Instance
from twinoar.backends.numpy import NumpyExecutable, check_feed
from twinoar.compile.specialise import dynamic_operator, live_states, specialise
from twinoar.compile.storage import Storage
from twinoar.core.ir import Program
from twinoar.passes.pipeline import lower

Arrays = Sequence[np.ndarray]
# References to a state's array that are ours: the list it comes in, the Tensor or Scope that holds
# it, the local variable, the instance that it was bound to last, and the call that counts.
OURS = 5


class NativeExecutable:
    """A Program compiled for each set of sizes that it meets; any number of threads may run it."""

    def __init__(self, program: Program):
        self.program = program
        self.states = [s for s in live_states(program) if not s.is_constant]
        self.feed_names = [v.name for v in program.main.inputs]
        self.state_names = [s.name for s in self.states]
        self.forms: dict[tuple[tuple[int, ...], ...], Form] = {}
        self.lock = threading.Lock()

    def run(
        self, feeds: Mapping[str, np.ndarray], states: Mapping[str, np.ndarray]
    ) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
        """Run once. Raises ShapeError or DTypeError for feeds that the program does not take."""
        outputs, following = self.run_lists(
            [feeds[n] for n in self.feed_names], [states[n] for n in self.state_names]
        )
        names = [s.name for s in self.program.updates]
        return outputs, dict(zip(names, following, strict=True))

    def run_lists(self, feeds: Arrays, states: Arrays) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """As `run`, by position; the next states are in the order of the program's updates."""
        key = tuple([a.shape for a in feeds])
        form = self.forms.get(key)
        if form is None:
            form = self._form(feeds, key)
        return form.run(feeds, states)

    def explain(self) -> str:
        """What ran as what, for the sizes of the latest call."""
        if not self.forms:
            return "not compiled yet: that is done at the first run"
        return list(self.forms.values())[-1].explain()

    def _form(self, feeds: Arrays, key: tuple[tuple[int, ...], ...]) -> Form:
        sizes: dict[str, int] = {}
        for v, a in zip(self.program.main.inputs, feeds, strict=True):
            check_feed(v, a, sizes)
        with self.lock:
            if key not in self.forms:
                self.forms[key] = Form(self.program, sizes, [s.name for s in self.states])
            return self.forms[key]


class Form:
    """A Program compiled for certain sizes, and the instances that run it."""

    def __init__(self, program: Program, sizes: Mapping[str, int], state_names: Sequence[str]):
        concrete, _ = specialise(program, sizes)
        self.dynamic = dynamic_operator(concrete)
        self.oracle: NumpyExecutable | None = None
        if self.dynamic is not None:
            self.oracle = NumpyExecutable(lower(concrete))
            return
        self.dtypes = [v.spec.dtype.numpy for v in concrete.main.inputs]
        self.compiled = compile_program(concrete)
        self.free: list[Instance] = []
        place = {what: n for n, what in self.compiled.outside.items() if not isinstance(what, int)}
        self.feeds = [place.get(v) for v in concrete.main.inputs]
        self.states = [place[concrete.states[n]] for n in state_names]
        self.state_dtypes = [concrete.states[n].spec for n in state_names]
        self.constants = [
            (place[s], np.ascontiguousarray(s.data))
            for s in concrete.states.values()
            if s.is_constant and s in place
        ]
        in_place = {s for s in self.compiled.plan.in_place.values()}
        self.written = [concrete.states[n] in in_place for n in state_names]
        order = {concrete.states[n]: k for k, n in enumerate(state_names)}
        self.following = [
            (order[s], None if s in in_place else v) for s, v in self.compiled.plan.updates.items()
        ]
        self.made = [
            (n, what) for n, what in self.compiled.outside.items() if isinstance(what, int)
        ]

    def run(self, feeds: Arrays, states: Arrays) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Run once on arrays in order."""
        if self.oracle is not None:
            return self._run_oracle(feeds, states)
        instance = self.free.pop() if self.free else self._instance()
        for place, array, dtype in zip(self.feeds, feeds, self.dtypes, strict=True):
            if array.dtype is not dtype or not array.flags.c_contiguous:
                array = np.ascontiguousarray(array, dtype)
            if place is not None:
                instance.bind(place, array)
        current = list(states)
        bind, bound = instance.bind, instance.arrays
        for k, (place, is_written) in enumerate(zip(self.states, self.written, strict=True)):
            array = states[k]
            if is_written and sys.getrefcount(array) > OURS - (bound.get(place) is not array):
                array = current[k] = array.copy()
            elif not array.flags.c_contiguous:
                array = current[k] = np.ascontiguousarray(array)
            bind(place, array)
        fresh = {}
        for place, position in self.made:
            spec = self.compiled.plan.outputs[position]
            fresh[place] = np.empty(spec.shape, spec.dtype.numpy)  # type: ignore[attr-defined]
            bind(place, fresh[place])
        instance.run()
        outputs = [self._output(s, instance) for s in self.compiled.plan.outputs]
        following = [
            current[k] if v is None else np.array(instance.view(v)) for k, v in self.following
        ]
        self.free.append(instance)
        return outputs, following

    def _instance(self) -> Instance:
        instance = Instance(self.compiled)
        for place, array in self.constants:
            instance.bind(place, array)
        return instance

    def _output(self, s: object, instance: Instance) -> Any:
        if not isinstance(s, Storage):
            return None if s is None else np.asarray(s)
        place = self.compiled.places.get(s)
        if place is None:
            place = next(n for n, w in self.compiled.outside.items() if w is s.variable)
        if isinstance(self.compiled.outside.get(place), int):
            return instance.arrays[place]
        return np.array(instance.view(s))

    def _run_oracle(self, feeds: Arrays, states: Arrays) -> Any:
        assert self.oracle is not None
        given = dict(zip(self.oracle.feed_names, feeds, strict=True))
        names = dict(zip(self.oracle.state_names, states, strict=False))
        outputs, following = self.oracle.run(given, names)
        return outputs, list(following.values())

    def explain(self) -> str:
        """A line per part: what it computes, and what it runs as."""
        from twinoar.backends.native.explain import table

        if self.dynamic is not None:
            return (
                f"all on NumPy: the data decides the shape of what {self.dynamic.op.name} returns"
            )
        return table(self.compiled, self.free[-1] if self.free else None)


__all__ = ["Compiled", "NativeExecutable"]
