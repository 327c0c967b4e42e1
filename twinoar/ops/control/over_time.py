"""`over_time`: a block once for each time of sequences, from what it gave the time before.

What `for` over the rows of a tensor is beside `while`: the number of iterations is a size, all
iterations have the same shapes, and what they give is kept. So its gradient is such a loop again,
the other way round, and a back end runs it without asking anybody between two iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from twinoar.core.dim import differ
from twinoar.core.dtype import float64, int64
from twinoar.core.ir.builder import replay, trace
from twinoar.core.ir.program import Block
from twinoar.core.op.declare import Shape, Spec, Tensor, op
from twinoar.errors import ShapeError
from twinoar.ops.control.branch_and_loop import while_loop
from twinoar.ops.create.fill import zeros
from twinoar.ops.math.compare import less_than
from twinoar.ops.math.fill import fill, zeros_of
from twinoar.ops.shape.concat import concat, stack
from twinoar.ops.shape.reshape import unsqueeze


class Parts(NamedTuple):
    """Operands by what they are to the loop: starts of states, sequences, what each iteration
    reads."""

    starts: tuple[Any, ...]
    sequences: tuple[Any, ...]
    rest: tuple[Any, ...]


def parts(values: Sequence[Any], carried: int, sliced: int) -> Parts:
    """The operands of an `over_time`, told apart."""
    first = carried + sliced
    return Parts(tuple(values[:carried]), tuple(values[carried:first]), tuple(values[first:]))


def before_iterations(history: Any, backward: bool) -> Any:
    """Of what an `over_time` returns for a state: what it is before each iteration, at its time."""
    return history[1:] if backward else history[:-1]


def after_iterations(history: Any, backward: bool) -> Any:
    """What a state is after each iteration, at its time."""
    return before_iterations(history, not backward)


def last_of(history: Any, backward: bool) -> Any:
    """What a state is after all iterations."""
    return history[0] if backward else history[-1]


def specs_of_iteration(given: Parts) -> tuple[Spec, ...]:
    """What an iteration gets of operands."""
    at_a_time = (Spec(x.spec.shape[1:], x.dtype) for x in given.sequences)
    return *(x.spec for x in given.starts), *at_a_time, *(x.spec for x in given.rest)


def _specs(
    *values: Any, body: Block, carried: int, sliced: int, summed: int, backward: bool
) -> tuple[Spec, ...] | Spec:
    starts, sequences, _ = parts(values, carried, sliced)
    times = sequences[0].shape[0]
    for x in sequences:
        if differ(x.shape[0], times):
            raise ShapeError(
                f"sequences must have one number of times, received {sequences[0]} and {x}"
            )
    for n, (start, v) in enumerate(zip(starts, body.outputs, strict=False)):
        if start.dtype != v.dtype or _differ(start.shape, v.spec.shape):
            raise ShapeError(
                f"state {n} is {start} before an iteration and {v.spec} after it",
                cure="keep dtype and shape, with astype or reshape",
            )
    last = len(body.outputs) - summed
    found = (
        *(Spec((times + 1, *s.shape), s.dtype) for s in starts),
        *(Spec((times, *v.spec.shape), v.dtype) for v in body.outputs[carried:last]),
        *(v.spec for v in body.outputs[last:]),
    )
    return found if len(found) != 1 else found[0]


def _differ(a: Shape, b: Shape) -> bool:
    """True for shapes that cannot be the same."""
    return len(a) != len(b) or any(differ(m, n) for m, n in zip(a, b, strict=True))


@op(infer=_specs)
def over_time(
    values: Sequence[Tensor],
    body: Block = None,  # type: ignore[assignment]  # a block is always given
    carried: int = 0,
    sliced: int = 1,
    summed: int = 0,
    backward: bool = False,
) -> Any:
    """`body` once for each time, from what it gave the time before.

    values: what each of `carried` states starts from; `sliced` sequences, [T,...]; then what each
    iteration only reads. body maps states, the sequences at a time, and the rest to the next
    states, to outputs, and to `summed` values that are added up. backward: from the last time to
    the first. Returns for each state what it is before all iterations and after each, [T+1,...], in
    the order of time; each output at all times, [T,...]; the sums. Raises ShapeError where an
    iteration changes the shape of a state, or sequences differ in their number of times.
    """
    given = parts(values, carried, sliced)
    count = given.sequences[0].spec.shape[0]
    write = _written_out if isinstance(count, int) else _looped
    found = write(body, given, count, len(body.outputs) - summed, backward)
    return found if len(found) != 1 else found[0]


def _looped(body: Block, given: Parts, count: Any, last: int, backward: bool) -> tuple[Any, ...]:
    """All iterations in a `while`, which joins what they give. last: the first output that is a
    sum."""
    starts, sequences, rest = given
    carried = len(starts)
    length = fill.function((), count, int64)

    def iteration(t: Any, *before: Any) -> list[Any]:
        at = length - 1 - t if backward else t
        found = replay(body, (*before[:carried], *(x[at] for x in sequences), *rest))
        kept, totals = before[carried : carried + last], before[carried + last :]
        rows = zip(kept, (unsqueeze(v, 0) for v in found[:last]), strict=True)
        joined = [concat([new, old] if backward else [old, new]) for old, new in rows]
        return [
            t + 1,
            *found[:carried],
            *joined,
            *(a + b for a, b in zip(totals, found[last:], strict=True)),
        ]

    histories = [unsqueeze(s, 0) for s in starts]
    nothing = [zeros([0, *v.spec.shape], v.dtype) for v in body.outputs[carried:last]]
    totals = [zeros_of(v.spec) for v in body.outputs[last:]]
    values = [0, *starts, *histories, *nothing, *totals]
    found = while_loop(lambda t, *_: less_than(t, length), iteration, values)
    return tuple(found[1 + carried :])


def _written_out(
    body: Block, given: Parts, count: int, last: int, backward: bool
) -> tuple[Any, ...]:
    """All iterations one after the other."""
    state, carried = given.starts, len(given.starts)
    kept: list[list[Any]] = [[s] for s in state] + [[] for _ in body.outputs[carried:last]]
    totals = [zeros_of(v.spec) for v in body.outputs[last:]]
    for t in range(count)[:: -1 if backward else 1]:
        found = replay(body, (*state, *(x[t] for x in given.sequences), *given.rest))
        state = found[:carried]
        for values, value in zip(kept, found[:last], strict=True):
            values.append(value)
        totals = [a + b for a, b in zip(totals, found[last:], strict=True)]
    step = -1 if backward else 1
    joined = [
        stack(values[::step]) if values else zeros([0, *v.spec.shape], v.dtype)
        for values, v in zip(kept, body.outputs[:last], strict=True)
    ]
    return *joined, *totals


@over_time.kernel
def _(*values, body, carried, sliced, summed, backward):
    state, sequences, rest = parts(values, carried, sliced)
    (count,) = {len(x) for x in sequences}
    if not count:  # what an iteration gives says what shapes there would be
        found = body(*state, *(np.zeros(x.shape[1:], x.dtype) for x in sequences), *rest)
        last = len(found) - summed
        every = (
            *(np.array(s)[None] for s in state),
            *(np.zeros((0, *a.shape), a.dtype) for a in found[carried:last]),
            *map(np.zeros_like, found[last:]),
        )
        return every if len(every) != 1 else every[0]
    histories = [np.empty((count + 1, *s.shape), s.dtype) for s in state]
    for kept, s in zip(histories, state, strict=True):
        kept[count if backward else 0] = s
    outputs: list[Any] = []
    totals: list[Any] = []
    for t in range(count)[:: -1 if backward else 1]:
        found = body(*state, *(x[t] for x in sequences), *rest)
        last = len(found) - summed
        state = found[:carried]
        for kept, s in zip(histories, state, strict=True):
            kept[t if backward else t + 1] = s
        if not outputs:
            outputs = [np.empty((count, *a.shape), a.dtype) for a in found[carried:last]]
        for kept, a in zip(outputs, found[carried:last], strict=True):
            kept[t] = a
        new = found[last:]
        totals = [a + b for a, b in zip(totals, new, strict=True)] if totals else list(new)
    every = (*histories, *outputs, *map(np.asarray, totals))
    return every if len(every) != 1 else every[0]


@over_time.grad
def _(vjp, gs, values, outs, body, carried, sliced, summed, backward):
    return _Backward(vjp(body), body, parts(values, carried, sliced), summed, backward)(outs, gs)


class _Backward:
    """The loop that takes gradients from the last iteration to the first.

    Its states are the gradients of the states; its sequences are what iterations started from and
    saw, and the gradients of outputs and of what was kept of states. It gives the gradients of the
    sequences, and adds up those of the rest.
    """

    def __init__(self, vjp: Block, body: Block, given: Parts, summed: int, backward: bool):
        self.vjp, self.body, self.given, self.backward = vjp, body, given, backward
        self.last = len(body.outputs) - summed
        inputs = (*given.starts, *given.sequences, *given.rest)
        assert len(inputs) == len(vjp.outputs)
        carried, sliced = len(given.starts), len(given.sequences)
        places = range(len(inputs))
        self.states = [n for n in places[:carried] if inputs[n].dtype.is_differentiable]
        self.slices = [n for n in places[carried : carried + sliced] if vjp.outputs[n] is not None]
        self.rest = [n for n in places[carried + sliced :] if vjp.outputs[n] is not None]

    def __call__(self, outs: Sequence[Any], gs: Sequence[Any]) -> tuple[Any, ...]:
        """The gradients of the operands. outs, gs: the results and their gradients."""
        given, carried = self.given, len(self.given.starts)
        of = [zeros_of(v.spec) if g is None else g for g, v in zip(gs, outs, strict=True)]
        ends = [last_of(of[n], self.backward) for n in self.states]
        started = [before_iterations(h, self.backward) for h in outs[:carried]]
        seen = [before_iterations(of[n], self.backward) for n in self.states]
        outputs = [of[n] for n in self._gradients(carried, self.last)]
        sums = [of[n] for n in self._gradients(self.last, len(of))]
        sequences = [*started, *given.sequences, *outputs, *seen]
        operands = [*ends, *sequences, *given.rest, *sums]
        inside = specs_of_iteration(parts(operands, len(ends), len(sequences)))
        block = trace(self._iteration, *inside).main
        found = over_time.function(
            operands, block, len(ends), len(sequences), len(self.rest), not self.backward
        )
        results = found if isinstance(found, tuple) else (found,)
        gradients: list[Any] = [None] * len(self.vjp.outputs)
        for n, history in zip(self.states, results, strict=False):
            gradients[n] = last_of(history, not self.backward)
        for n, g in zip((*self.slices, *self.rest), results[len(ends) :], strict=True):
            gradients[n] = g
        return tuple(gradients)

    def _gradients(self, first: int, last: int) -> list[int]:
        """The results from `first` on, before `last`, that gradients come from."""
        return [n for n in range(first, last) if self.body.outputs[n].dtype.is_differentiable]

    def _iteration(self, *given: Any) -> list[Any]:
        carried, sliced, rest = map(len, self.given)
        outputs = self._gradients(carried, self.last)
        sums = self._gradients(self.last, len(self.body.outputs))
        states = len(self.states)
        of_states, begun, slices, of_outputs, seen, read, of_sums = _cut(
            given, states, carried, sliced, len(outputs), states, rest, len(sums)
        )
        places, gradients = (*self.states, *outputs, *sums), (*of_states, *of_outputs, *of_sums)
        of = dict(zip(places, gradients, strict=True))
        seeds = [of[n] if n in of else zeros_of(v.spec) for n, v in enumerate(self.body.outputs)]
        found = replay(self.vjp, (*begun, *slices, *read, *seeds))
        earlier = [
            g if found[n] is None else g + found[n] for n, g in zip(self.states, seen, strict=True)
        ]
        return [*earlier, *(found[n] for n in (*self.slices, *self.rest))]


def _cut(values: Sequence[Any], *counts: int) -> Iterator[Sequence[Any]]:
    """The values in pieces of so many each."""
    first = 0
    for n in counts:
        yield values[first : first + n]
        first += n


def _samples_block(function: Callable[..., Any], *shapes: tuple[int, ...]) -> Block:
    return trace(function, *(Spec(shape, float64) for shape in shapes)).main


@over_time.samples
def _(s):
    def decaying(state: Any, x: Any, weight: Any) -> tuple[Any, ...]:
        after = state * weight + x
        return after, after * x, weight * x

    block = _samples_block(decaying, (2, 3), (2, 3), (3,))
    for times in (4, 1, 0):
        for backward in (False, True):
            values = [s.randn(*n, dtype="float64") for n in ((2, 3), (times, 2, 3), (3,))]
            yield s(values, block, 1, 1, 1, backward, half=False, gradient=times > 0)
    yield s.bad(
        ShapeError,
        "number of times",
        [s.randn(*n, dtype="float64") for n in ((2,), (3, 2), (4, 2))],
        _samples_block(lambda a, x, y: a + x + y, (2,), (2,), (2,)),
        1,
        2,
    )
