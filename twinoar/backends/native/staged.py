"""A Program in which data decides shapes, as stages: each knows more sizes than the one before.

A stage is compiled, for whatever sizes, and is what can run with the sizes that are known. It ends
where a size is asked for that it has computed (how many elements are not zero), which alone is read
before the next stage begins. Operators without a `counted` rule, which decide sizes of their
results themselves, run on NumPy between two stages.

What refuses a run is told as NumPy tells it of the Program that the user wrote, in which operators
stand that stages have taken to pieces.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from twinoar.backends.base import Arrays, HostCommand, Sort
from twinoar.backends.native.blocks import function_of
from twinoar.backends.native.failure import without_effects
from twinoar.backends.native.pieces import Compile
from twinoar.backends.numpy import NumpyExecutable, check_feed
from twinoar.backends.segments import Segment, segment
from twinoar.compile.specialise import states_read
from twinoar.core.dim import names_in
from twinoar.core.ir.counted import expand_counted
from twinoar.core.ir.program import Operator, Program, Variable, copy_program
from twinoar.core.ir.size_names import names_asked
from twinoar.errors import TwinoarError

Run = Callable[[Arrays, dict[str, int]], Sequence[np.ndarray]]
DECIDES = "the data decides the shape of what is returned"
OWN = 4  # sets of numbers that a stage is planned for where no plan serves them all


class Staged:
    """The stages of a lowered Program, which any number of threads may run.

    sizes: those that are known before it runs. make: what runs a stage.
    """

    def __init__(
        self, program: Program, sizes: Mapping[str, int], make: Callable[[Segment], Stage | OnHost]
    ):
        self.program, self.sizes = program, dict(sizes)
        self.written, _ = copy_program(program)
        self.asked = expand_counted(program).names
        self.states = states_read(program)
        self.state_names = [s.name for s in self.states if not s.is_constant]
        parts = cut(program, sizes, self.asked)
        self.stages = list(map(make, parts))

    @property
    def on_host(self) -> list[Operator]:
        """The operators that NumPy runs between stages."""
        between = [s for s in self.stages if isinstance(s, OnHost)]
        return [o for s in between for o in s.segment.program.main.ops]

    def call(self, feeds: Arrays, states: Arrays) -> tuple[list[Any], list[Any]]:
        """Run once, by position. No state is written in place: a later stage may fail."""
        try:
            return self._run(feeds, states)
        except TwinoarError as error:
            raise self._told(error, feeds, states) from None

    def _told(self, error: TwinoarError, feeds: Arrays, states: Arrays) -> TwinoarError:
        """What NumPy says of operators that stages have no longer; less where that would act."""
        program, _ = copy_program(self.written)
        if without_effects(program):
            one = NumpyExecutable(program)
            by_name = dict(zip(self.state_names, states, strict=True))
            try:
                one.call(feeds, [by_name[n] for n in one.state_names], dict(self.sizes))
            except TwinoarError as told:
                return told
        return error

    def _run(self, feeds: Arrays, states: Arrays) -> tuple[list[Any], list[Any]]:
        sizes = dict(self.sizes)
        values: dict[Any, np.ndarray] = {}
        given = zip((*self.program.main.inputs, *self._live()), (*feeds, *states), strict=True)
        for v, array in given:
            check_feed(v, array, sizes)
            values[v] = array
        for stage in self.stages:
            taken = [values[v] for v in stage.segment.takes]
            for v, array in zip(stage.segment.gives, stage.run(taken, sizes), strict=True):
                values[v] = array
                for name in self.asked.get(v, ()):
                    sizes[name] = int(array)
        results = (*self.program.main.outputs, *self.program.updates.values())
        found = [self._value(v, values) for v in results]
        count = len(self.program.main.outputs)
        return found[:count], found[count:]

    def _live(self) -> list[Variable]:
        return [s for s in self.states if not s.is_constant]

    @staticmethod
    def _value(v: Any, values: Mapping[Any, np.ndarray]) -> Any:
        if v is None:
            return None
        if isinstance(v, Variable):
            return values[v] if v in values else np.array(v.data)
        return np.asarray(v)

    def host_commands(self) -> list[HostCommand]:
        """What Python or NumPy runs, in all stages."""
        return [h for stage in self.stages for h in stage.host_commands()]

    def explain(self, sort: Sort) -> str:
        """What each stage runs as."""
        return "\n".join(f"stage {n}: {stage.explain(sort)}" for n, stage in enumerate(self.stages))


class Stage:
    """A stage as `executable` runs it."""

    def __init__(self, segment: Segment, executable: Any):
        self.segment, self.executable = segment, executable
        self.numpy: NumpyExecutable | None = None
        self.lock = threading.Lock()

    def run(self, arrays: Arrays, sizes: dict[str, int]) -> Sequence[np.ndarray]:
        """What it gives: compiled; by NumPy where each run has other sizes, and needs a plan."""
        form = self.executable.sized(arrays, sizes, OWN)
        if form is not None:
            found: Sequence[np.ndarray] = form.run(arrays, [])[0]
            return found
        with self.lock:
            if self.numpy is None:
                self.numpy = NumpyExecutable(self.segment.program)
        return self.numpy.call(arrays, [], dict(sizes))[0]

    def host_commands(self) -> list[HostCommand]:
        """What Python or NumPy runs."""
        return self.executable.host_commands() or []

    def explain(self, sort: Sort) -> str:
        """What it runs as."""
        text: str = self.executable.table(sort)
        return text if self.numpy is None else f"{text}\non NumPy for other sizes"


class OnHost:
    """The operators that end a stage. make: compiles blocks of theirs."""

    def __init__(self, segment: Segment, make: Compile):
        self.segment = segment
        self.executable = NumpyExecutable(segment.program, partial(function_of, make=make))

    def run(self, arrays: Arrays, sizes: dict[str, int]) -> Sequence[np.ndarray]:
        """What they give, and the sizes that they decide."""
        return self.executable.call(arrays, [], sizes)[0]

    def host_commands(self) -> list[HostCommand]:
        """All of them."""
        return [
            HostCommand(o.op.name, o.op.rules.get("host", DECIDES))
            for o in self.segment.program.main.ops
        ]

    def explain(self, sort: Sort) -> str:
        """Which operators, and why."""
        names = ", ".join(o.op.name for o in self.segment.program.main.ops)
        return f"NumPy, as {DECIDES}: {names}"


def cut(
    program: Program, sizes: Mapping[str, int], asked_for: Mapping[Variable, Sequence[str]]
) -> list[Segment]:
    """The operators of a Program by stage, and what ends each.

    asked_for: the names of sizes that are read from values.
    """
    level: dict[Any, int] = {}  # of values, and of the names of sizes
    acted = 0
    by_stage: dict[tuple[int, bool], list[Operator]] = {}
    for o in program.main.ops:
        asked = [x for x in o.operands if isinstance(x, Variable)]
        at = max((level.get(x, 0) for x in (*asked, *names_asked([o]))), default=0)
        told = {
            name
            for v in o.results
            if v is not None
            for dim in v.spec.shape
            for name in names_in(dim)
        }
        new = {name for name in told if name not in level and name not in sizes}
        if o.has_effect:
            acted = at = max(at, acted)
        at = max([at, *(level[name] for name in told if name in level)])
        on_host = bool(new) or _has_open_blocks(o)
        by_stage.setdefault((at, on_host), []).append(o)
        after = at + on_host
        level.update(dict.fromkeys(new, after))
        level.update({v: after for v in o.results if v is not None})
        for v in o.results:
            level.update(dict.fromkeys(asked_for.get(v, ()), after + 1))
    needed: set[Any] = {*program.main.outputs, *program.updates.values(), *asked_for}
    found = []
    for at, decides in sorted(by_stage, reverse=True):
        found.append(segment(program, by_stage[at, decides], needed, decides))
        needed |= set(found[-1].takes)
    return found[::-1]


def _has_open_blocks(o: Operator) -> bool:
    """True where shapes inside its blocks are open: their names may be the block's own."""
    inside = (v for block in o.blocks.values() for v in block.variables())
    return any(not v.spec.is_static for v in inside)
