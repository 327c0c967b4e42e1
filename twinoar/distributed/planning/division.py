"""The Program that one rank of a mesh would run: the partitioner over shapes alone.

No rank is there, and no group: collectives are operators, whose results have shapes. How states
lie follows a `Split`; of weights that it divides among ranks, from where their input is cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.distributed.auto_parallel.cutting import is_shared_by_all
from twinoar.distributed.auto_parallel.dividing import Divided, divided_call
from twinoar.distributed.auto_parallel.foresight import Foresight
from twinoar.distributed.auto_parallel.moving import Grid, moved
from twinoar.distributed.auto_parallel.prices import Prices
from twinoar.distributed.auto_parallel.strategies import SUM, WHOLE, Lie, strategies
from twinoar.distributed.planning.step import Phase, Step
from twinoar.eager.tensor import Tensor

DATA, TENSOR = 0, 1  # dimensions of the mesh
GROUPS = (1, 2)  # numbers of groups along them, by which collectives are told apart


@dataclass(frozen=True, order=True)
class Split:
    """How ranks share a step: data x tensor x pipeline of them.

    stage: what ranks along the data axis divide: 0 nothing, 1 moments, 2 gradients too, 3
    parameters too.
    """

    data: int = 1
    tensor: int = 1
    pipeline: int = 1
    stage: int = 0

    @property
    def ranks(self) -> int:
        """How many there are."""
        return self.data * self.tensor * self.pipeline

    @property
    def name(self) -> str:
        """What such a split is called."""
        parts = {"data": self.data, "tensor": self.tensor, "pipeline": self.pipeline}
        found = [kind for kind, count in parts.items() if count > 1]
        if self.stage and self.data > 1:
            found[0] = f"sharded {self.stage}"
        return " + ".join(found) or "one rank"


@dataclass
class Local:
    """What one rank runs. calls: each operator with the one of the step that it is for, and phase.

    lies: how each state lies. values: what the Variables of the step are here.
    """

    program: Program
    grid: Grid
    calls: list[tuple[Operator, Operator | None, Phase]] = field(default_factory=list)
    states: dict[State, Variable] = field(default_factory=dict)
    values: dict[Variable, Divided] = field(default_factory=dict)


def divided_step(step: Step, split: Split, prices: Prices) -> Local:
    """The Program of the first rank, without its pipeline."""
    grid = Grid((split.data, split.tensor), (0, 0), GROUPS, prices)
    return _Divider(step, split, grid).run()


class _Divider:
    """Goes through a step once, deciding how states lie when they are first read."""

    def __init__(self, step: Step, split: Split, grid: Grid):
        self.step, self.split, self.grid = step, split, grid
        self.local = Local(Program(step.program.name), grid)
        self.trained = {p.name for p in step.parameters}
        self.owners = owners_of(step)
        self.ahead = Foresight(step.program, self.local.values, grid)

    def run(self) -> Local:
        """All operators of the step, and what lets states lie as they did before it."""
        main = self.local.program.main
        for v in self.step.program.main.inputs:
            self._enter(v, self._lies_of_input(v))
        with using(Builder(self.local.program)):
            for o in self.step.program.main.ops:
                self._call(o)
            for state, value in self.step.program.updates.items():
                self._settle(state, value)
        main.outputs = [self.local.values[v].value for v in self.step.program.updates.values()]
        return self.local

    def _call(self, o: Operator) -> None:
        ops = self.local.program.main.ops
        before = len(ops)
        given = [self._operand(x, o) for x in o.operands]
        self._look_ahead(o, given)
        found = divided_call(o.op, given, o.attrs, self.grid)
        self.local.values.update(
            (v, x) for v, x in zip(o.results, found, strict=True) if v is not None
        )
        phase = self.step.phase(o)
        self.local.calls += [(made, o, phase) for made in ops[before:]]

    def _look_ahead(self, o: Operator, given: list[Any]) -> None:
        """Let terms of sums lie as the moments do that they will meet, as a run does."""
        terms = [
            (v, x)
            for v, x in zip(o.operands, given, strict=True)
            if isinstance(v, Variable) and isinstance(x, Divided) and SUM in x.lies
        ]
        if not terms:
            return
        for state in self.step.moments:
            if self.owners.get(state.name) in self.local.values:
                self._operand(state, o)
        for v, x in terms:
            x.lying(self.ahead.lies(v, x), self.grid)

    def _settle(self, state: State, value: Variable) -> None:
        """Let the next value of a state lie as the state does."""
        ops = self.local.program.main.ops
        before = len(ops)
        found = self._operand(value, None)
        lies = self._operand(state, None).lies
        if found.lies != lies:
            part = moved(found.value, found.spec, self.grid, found.lies, lies)
            self.local.values[value] = Divided(part, found.spec, lies)
        self.local.calls += [(made, value.producer, "update") for made in ops[before:]]

    def _operand(self, x: Any, o: Operator | None) -> Any:
        if not isinstance(x, Variable):
            return x
        if x not in self.local.values:
            assert isinstance(x, State)
            if x.is_constant:
                whole = (WHOLE, WHOLE)
                data = Tensor(np.asarray(x.data))
                self.local.values[x] = Divided(data, x.spec, whole)
            else:
                self._enter(x, self._lies_of_state(x, o))
                self.local.states[x] = self.local.values[x].value
        return self.local.values[x]

    def _enter(self, v: Variable, lies: tuple[Lie, ...]) -> None:
        made = self.local.program.main.add_input(self.grid.local(v.spec, lies))
        self.local.values[v] = Divided(made, v.spec, lies)

    def _lies_of_input(self, v: Variable) -> tuple[Lie, ...]:
        shape: Any = v.spec.shape
        is_batch = bool(shape) and shape[0] == self.step.batch
        if is_batch and self.split.data > 1 and is_shared_by_all(shape[0], self.split.data):
            return (0, WHOLE)
        return (WHOLE, WHOLE)

    def _lies_of_state(self, state: State, o: Operator | None) -> tuple[Lie, ...]:
        owner = self.owners.get(state.name)
        if owner is not None and owner.spec.shape == state.spec.shape:
            along = self._operand(owner, o).lies[TENSOR]
            return (self._cut_of_stage(state, along, 1), along)
        if state.name not in self.trained:
            return (WHOLE, WHOLE)
        along = self._along_tensor(state, o)
        return (self._cut_of_stage(state, along, 3), along)

    def _cut_of_stage(self, state: State, taken: Lie, stage: int) -> Lie:
        """The dimension along which ranks of the data axis share a state."""
        if self.split.stage < stage or self.split.data == 1:
            return WHOLE
        sizes = enumerate(state.spec.shape)
        return next((d for d, n in sizes if d != taken and n % self.split.data == 0), WHOLE)

    def _along_tensor(self, state: State, o: Operator | None) -> Lie:
        """Where tensor-parallel ranks cut a weight: where its input is cut, else its results.

        A bias is cut as what it is added to.
        """
        count = self.split.tensor
        if count == 1 or o is None or ("flops" not in o.op.rules and not _is_vector(state)):
            return WHOLE
        others = [self.local.values.get(x) for x in o.operands if isinstance(x, Variable)]
        cut = [x.lies[TENSOR] for x in others if x is not None]
        place = next((n for n, x in enumerate(o.operands) if x is state), None)
        if place is None:  # its moments are read first: no gradient depends on it
            return WHOLE
        own = _candidates(o, self.grid, place)
        fitting = [c for c in own if any(c.others.get(k) == lie for k, lie in _lying(o, self))]
        chosen = fitting or ([] if _is_vector(state) or any(map(_is_cut, cut)) else own)
        usable = [c.lie for c in chosen if self._is_even(state, c.lie)]
        return usable[0] if usable else WHOLE

    def _is_even(self, state: State, lie: int) -> bool:
        return state.spec.shape[lie] % self.split.tensor == 0


@dataclass(frozen=True)
class _Candidate:
    """A way to cut a weight along `lie`; others: how other operands then lie, by their place."""

    lie: int
    others: dict[int, Lie]


def _is_cut(lie: Lie) -> bool:
    return isinstance(lie, int)


def _is_vector(state: State) -> bool:
    return len(state.spec.shape) < 2


def _lying(o: Operator, divider: _Divider) -> list[tuple[int, Lie]]:
    """How other operands lie along the tensor axis, by their place, where they are cut."""
    found = []
    for k, x in enumerate(o.operands):
        known = divider.local.values.get(x) if isinstance(x, Variable) else None
        if known is not None and _is_cut(known.lies[TENSOR]):
            found.append((k, known.lies[TENSOR]))
    return found


def _candidates(o: Operator, grid: Grid, place: int) -> list[_Candidate]:
    """Ways to divide a call that cut operand `place`; those that cut a result go first."""
    specs = [x.spec if isinstance(x, Variable) else x for x in o.operands]
    results = [None if v is None else v.spec for v in o.results]
    found = []
    for s in strategies(o.op, specs, o.attrs, results):
        lie = s.takes[place]
        if isinstance(lie, int):
            others = {k: x for k, x in enumerate(s.takes) if k != place}
            found.append((not _is_cut(s.gives[0]), _Candidate(lie, others)))
    return [c for _, c in sorted(found, key=lambda pair: pair[0])]


def owners_of(step: Step) -> dict[str, State]:
    """The parameter to which each moment belongs: whose update reads it, or whose name it has."""
    found: dict[str, State] = {}
    by_name = sorted(step.parameters, key=lambda p: -len(p.name))
    for state in step.moments:
        owner = next((p for p in by_name if state.name.startswith(f"{p.name}_")), None)
        if owner is not None:
            found[state.name] = owner
    return found
