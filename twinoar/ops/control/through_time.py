"""A Python function once for each time of sequences: what `over_time` is built from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Variable
from twinoar.core.op.declare import Spec, Tensor
from twinoar.errors import ArgumentError
from twinoar.ops.control.branch_and_loop import as_variable, close_blocks
from twinoar.ops.control.over_time import after_iterations, last_of, over_time
from twinoar.ops.shape.concat import stack

State = tuple[Any, ...]
Step = Callable[[list[Any], State], tuple[Sequence[Any], State]]


def through_time(
    step: Step, sequences: Sequence[Tensor], start: State, backward: bool = False
) -> tuple[list[Tensor], State]:
    """What `step(slices, state)` gives at each time, [T,...], and the last state.

    step: takes the sequences at a time and a state, returns outputs and the next state. backward:
    from the last time to the first. In a Program the steps are one operator; with data at hand they
    are a Python loop. Raises ArgumentError for a loop without any time.
    """
    builder = current()
    if not builder.runs:
        return _Loop(builder, step, sequences, backward).build(start)
    count = sequences[0].shape[0]
    if not count:
        raise ArgumentError(
            "there is no time to step through", cure="give sequences of one or more"
        )
    found, state = [], start
    for t in range(count)[:: -1 if backward else 1]:
        outputs, state = step([x[t] for x in sequences], state)
        found.append(outputs)
    in_order = found[:: -1 if backward else 1]
    return [stack(list(times)) for times in zip(*in_order, strict=True)], state


class _Loop:
    """An `over_time` in the making."""

    def __init__(self, builder: Builder, step: Step, sequences: Sequence[Any], backward: bool):
        self.builder, self.step, self.backward = builder, step, backward
        self.sequences = [as_variable(builder, x) for x in sequences]

    def build(self, start: State) -> tuple[list[Tensor], State]:
        """The operator's outputs and last states.

        The step is traced until all that it changes in place is carried from iteration to
        iteration.
        """
        starts = [as_variable(self.builder, x) for x in start]
        handles: list[Variable] = []
        while True:
            inner, count = self._traced(starts, handles)
            new = [handle for handle in inner.changed if handle not in set(handles)]
            if not new:
                break
            handles += new
        block = inner.block
        following = [*block.outputs[:count], *(inner.changed[handle] for handle in handles)]
        outputs = block.outputs[count:]
        states = set(following)
        kept = [v for v in dict.fromkeys(outputs) if v not in states]
        block.outputs = [*following, *kept]
        given = [*starts, *map(self.builder.lift, handles), *self.sequences]
        captured = close_blocks([block], [inner.imported], len(given))
        out = over_time.function(
            [*given, *captured], block, len(following), len(self.sequences), 0, self.backward
        )
        results = list(out) if isinstance(out, tuple) else [out]
        histories = results[: len(following)]
        ends = [last_of(h, self.backward) for h in histories]
        for handle, end in zip(handles, ends[count:], strict=True):
            self.builder.rebind(handle, end)
        after = [after_iterations(h, self.backward) for h in histories]
        of = dict(zip(block.outputs, (*after, *results[len(following) :]), strict=True))
        return [of[v] for v in outputs], tuple(ends[:count])

    def _traced(self, starts: list[Variable], handles: list[Variable]) -> tuple[Builder, int]:
        """The nested Builder of one iteration, and how many of its outputs are the next state."""
        with self.builder.nested() as inner:
            given = [self._input(inner, v.spec) for v in (*starts, *handles)]
            slices = [self._input(inner, Spec(x.spec.shape[1:], x.dtype)) for x in self.sequences]
            for handle, v in zip(handles, given[len(starts) :], strict=True):
                inner.stand_in(handle, v)
            outputs, state = self.step(slices, tuple(given[: len(starts)]))
            inner.block.outputs = [as_variable(inner, v) for v in (*state, *outputs)]
        return inner, len(state)

    @staticmethod
    def _input(inner: Builder, spec: Spec) -> Variable:
        return inner.block.add_input(spec, stop_gradient=not spec.dtype.is_differentiable)
