"""One traced signature of a converted function: a Program, and how calls run it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from twinoar.autograd.tape import accumulate_in_leaf
from twinoar.backends.base import Executable, Sort, explain_all
from twinoar.core.device import to_host
from twinoar.core.interpreter import eager
from twinoar.core.ir.program import State, Variable
from twinoar.core.op.definition import Op
from twinoar.core.policy import PLAIN
from twinoar.core.recent import now
from twinoar.core.tree import LEAF, unflatten
from twinoar.eager.sharing import kin_of
from twinoar.eager.tape import freed_node
from twinoar.eager.tensor import Tensor
from twinoar.errors import ConversionError
from twinoar.jit.guards import Difference, Reading
from twinoar.jit.program_op import ProgramOp, call_program, live_states, parts_of
from twinoar.jit.result_views import link
from twinoar.jit.run import Run
from twinoar.jit.tracing import Trace
from twinoar.ops.control.number import Number
from twinoar.ops.index.selected_rows import SelectedRows, selected_rows
from twinoar.static.program import Program


class ConcreteProgram:
    """The Program of a function for one signature.

    inputs: the Variables that stand for tensor arguments, in order. outputs: those it returns.
    A result that backward() in the function went back from is not a leaf, and its graph is freed:
    backward() on it raises GradientError, as in eager mode.
    """

    def __init__(self, trace: Trace):
        self.program, self.inputs = trace.program, trace.inputs
        self.outputs = list(trace.program.main.outputs)
        self._trace, self._effects, self.changes = trace, trace.effects, trace.changes
        # The outputs, then what the function assigns to Python's objects.
        self._values = [*self.outputs, *trace.changes.results]
        self._flows = any(not v.stop_gradient for v in self._values)
        self._made = self._made_leaves()
        # The operators whose graph is freed, by value.
        makers = [v.producer if v in trace.freed else None for v in self._values]
        self._freed = [None if o is None else o.op for o in makers]
        self._is_single = (
            trace.structure == LEAF and len(self.outputs) == 1 and not trace.leaves[0].weak
        )
        self._states = live_states(self.program)
        gradients = parts_of(v for _, v, _ in trace.effects.gradients)
        self._flags = trace.effects.flags
        self._results = [*self._values, *gradients, *self._flags]
        # Of these no other argument may be the same tensor, and of those none at all.
        self._rebound = [r.position for r in self.changes.rebound]
        self._updated = {id(s.data) for s in self.program.updates}
        effects, changes = trace.effects, trace.changes
        self._prepares = bool(
            effects.arguments or self._rebound or self._updated or changes.wanting
        )
        self._leaves = bool(effects.marks or effects.gradients or self._rebound or changes)
        # It reads and assigns Python's objects: one call at a time.
        self.is_stateful = bool(trace.changes or trace.live)
        self.used = now()

    @property
    def main_program(self) -> Program:
        """The Program."""
        return self.program

    @property
    def parameters(self) -> list[Any]:
        """The live parameters that the Program reads."""
        return [s.data for s in self._states if s.is_parameter]

    def is_current(self) -> bool:
        """True while all that the trace relied on still holds."""
        return self._trace.guards.hold()

    def readings(self) -> Iterator[Reading]:
        """What the trace relied on."""
        return self._trace.guards.readings()

    def difference(self) -> Difference | None:
        """The first thing that is not as the trace found it."""
        return self._trace.guards.difference()

    def executables(self) -> dict[str, Executable]:
        """What runs the Program, by name: one for the step, or forward and backward."""
        if self._flows:
            return self._recorded.executables()
        return {self.program.name: self._run.executable}

    def explain(self, sort: Sort = "order") -> str:
        """What ran as what, a line for each part, with its time: in order, or the slowest first."""
        return explain_all(self.executables(), sort)

    def __call__(self, tensors: Sequence[Tensor], arguments: Any = ((), {})) -> Any:
        """Run on the tensor arguments. Live tensors take their updates and gradients.

        Where a result wants a gradient, it flows to the arguments and to what was captured.
        arguments: (args, kwargs), where the function changes containers in them.
        """
        if self._prepares:
            self._prepare(tensors)
        if self._flows:
            values, arrays = self._run_recorded(tensors)
        else:
            arrays = self._run([t._data for t in tensors])
            values = list(map(_detached, self._freed, arrays))
        if self._leaves:
            self._leave_gradients(arrays, tensors)
            self._leave_changes(values, tensors, arguments)
        if self._trace.views:
            link(self._trace.views, self.inputs, tensors, values)
        return values[0] if self._is_single else self._structured(values)

    def _made_leaves(self) -> list[Variable]:
        """The leaves that the function makes and returns; all of them where it has no others."""
        values, made = set(self._values), self._trace.made
        if all(v.stop_gradient for v in (*self.inputs, *live_states(self.program))):
            return made
        return [v for v in made if v in values]

    def _prepare(self, tensors: Sequence[Tensor]) -> None:
        if self._effects.arguments:
            self._refuse_captured(tensors)
        if self._rebound or self._updated:
            self._refuse_shared(tensors)
        for position in self.changes.wanting:
            tensors[position].stop_gradient = False

    def _leave_changes(
        self, values: list[Tensor], tensors: Sequence[Tensor], arguments: Any
    ) -> None:
        """Do to arguments, and to Python's objects, what the function does to them."""
        for position, result, is_recorded in self.changes.rebound:
            eager(PLAIN.recording(is_recorded)).rebind(tensors[position], values[result])
        if self.changes:
            self.changes.repeat(self._assigned(values, tensors), arguments)

    @cached_property
    def _run(self) -> Run:
        return Run(self.program, self._results)

    @cached_property
    def _recorded(self) -> ProgramOp:
        results = [*self._results, *self.program.updates.values()]
        return ProgramOp(self.program, results, made=self._made)

    def _run_recorded(self, tensors: Sequence[Tensor]) -> tuple[list[Tensor], list[np.ndarray]]:
        """The values that are returned, and the arrays of these, then of gradients."""
        # A leaf has its elements when the Program has run.
        made = {v: Tensor(np.empty(0, v.dtype.numpy), False) for v in self._made}
        values = [*tensors, *map(live_value, self._states), *made.values()]
        found = call_program(self.program, self._recorded, values)
        count = len(self._results)
        for state, following in zip(self.program.updates, found[count:], strict=True):
            live_value(state).take_data(following._data)
        arrays = [t._data for t in found[:count]]
        for v, array in zip(self._values, arrays, strict=False):
            if v in made:
                made[v]._data = array
        returned = [
            _detached(op, a) if v.stop_gradient else made.get(v, t)
            for v, op, a, t in zip(self._values, self._freed, arrays, found, strict=False)
        ]
        return returned, arrays

    def _assigned(self, values: list[Tensor], tensors: Sequence[Tensor]) -> list[Tensor]:
        """The values, what was read from Python's objects as it came; then the arguments."""
        for i, v in enumerate(self.changes.results, len(self.outputs)):
            if isinstance(v, State) and "live" in v.traits:
                values[i] = live_value(v)
        return [*values, *tensors]

    def _leave_gradients(self, arrays: list[np.ndarray], tensors: Sequence[Tensor]) -> None:
        """Put into `.grad` what the function leaves there.

        arrays: of the values, of gradients, then of what tells whether some of these are there.
        """
        effects = self._effects
        found = iter(arrays[len(self._values) :])
        captured = [(tensor, _gradient(v, found), p) for tensor, v, p in effects.captured]
        added = [(tensor, _gradient(v, found), p) for tensor, v, p in effects.added]
        added += [(tensors[i], _gradient(v, found), p) for i, v, p in effects.arguments]
        is_there: dict[bool | Variable, Any] = {
            True: True,
            **dict(zip(self._flags, map(to_host, found), strict=False)),
        }
        for tensor, mark, p in effects.marks:
            tensor._grad = mark if is_there[p] else None
        for tensor, g, p in captured:
            tensor._grad = g if is_there[p] else None
        for tensor, g, p in added:
            if is_there[p]:
                accumulate_in_leaf(tensor, g)

    def _refuse_captured(self, tensors: Sequence[Tensor]) -> None:
        """An argument whose gradient the function computes must not also be a captured leaf."""
        captured = {id(s.data) for s in self._states}
        for position, _, _ in self._effects.arguments:
            if id(tensors[position]) in captured:
                raise ConversionError(
                    f"{tensors[position].name} is an argument, and the function finds it by name",
                    cure="pass another tensor, or let the function find it by name alone",
                )

    def _refuse_shared(self, tensors: Sequence[Tensor]) -> None:
        """A tensor that is changed in place must not be in the Program under another name."""
        ids = [id(t) for t in tensors]
        shared = {i for i in ids if i in self._updated}
        if self._rebound:
            captured = {id(s.data) for s in self._states}
            changed = {ids[p] for p in self._rebound}
            shared |= {i for i in changed if i in captured or ids.count(i) > 1}
        shared |= self._changed_by_views(tensors)
        if shared:
            name = next(t.name for t in tensors if id(t) in shared)
            raise ConversionError(
                f"{name} is an argument, is changed in place, and the function finds it by "
                "another name or argument too",
                cure="pass it once, or let the function find it by one name alone",
            )

    def _changed_by_views(self, tensors: Sequence[Tensor]) -> set[int]:
        """The arguments of which another is changed in place that shares their memory."""
        changed = [tensors[p] for p in self._rebound]
        changed += [live_value(s) for s in self.program.updates]
        kin = {id(t) for x in changed if x._views or x._shown for t in kin_of(x)}
        if not kin:
            return kin
        ids = set(map(id, tensors))
        if kin & {id(s.data) for s in self._states}:  # another name of what is changed is captured
            return ids & (kin | set(map(id, changed)))
        return ids & kin

    def _structured(self, values: list[Tensor]) -> Any:
        """The values as the function returns them, with the plain leaves around them."""
        left = iter(values)
        leaves = [
            _as_found(next(left), x) if isinstance(x, Variable) else x for x in self._trace.leaves
        ]
        return unflatten(self._trace.structure, leaves)


def _gradient(v: Any, found: Iterator[np.ndarray]) -> Any:
    """A gradient of the arrays that come next: one, or two for SelectedRows."""
    if not isinstance(v, SelectedRows):
        return Tensor(next(found), False)
    positions, vectors = Tensor(next(found)), Tensor(next(found))
    return selected_rows(positions, vectors, v.height()).compact()


def _as_found(value: Tensor, v: Variable) -> Any:
    """A result as a tensor, or as the Python number that the function returns."""
    return v.python_type(value.item()) if isinstance(v, Number) else value


def _detached(freed: Op | None, array: np.ndarray) -> Tensor:
    """A result that no gradient flows out of; `freed` made it, if it was gone back from."""
    return Tensor(array) if freed is None else Tensor(array, False, freed_node(freed))


def live_value(state: State) -> Tensor:
    """The tensor that a state stands for now."""
    if "live" in state.traits:
        return state.traits["live"].tensor()
    if "read" in state.traits:
        return Tensor(np.asarray(state.traits["read"](), state.spec.dtype.numpy))
    return state.data
