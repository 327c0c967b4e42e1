"""Tracing: a function written for eager mode runs once on Variables, and leaves a Program."""

from __future__ import annotations

import builtins
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import zip_longest
from typing import Any, Self

import numpy as np

from twinoar.core.delayed import Text
from twinoar.core.device import is_shared
from twinoar.core.dim import SymbolicDim, number_of
from twinoar.core.dtype import float64
from twinoar.core.interpreter import current, using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program, State, Variable
from twinoar.core.op.definition import Op
from twinoar.core.op.view import AnyStep, OpStep, shown
from twinoar.core.spec import Spec
from twinoar.core.tree import flatten
from twinoar.core.values import Value
from twinoar.eager.interpreter import refuse_leaf
from twinoar.eager.sharing import kin_of
from twinoar.eager.tensor import Tensor
from twinoar.errors import ConversionError, return_line
from twinoar.jit.changes import Changes
from twinoar.jit.failing import refuse_failing
from twinoar.jit.gradients import Effects, Gradients, is_made, onward
from twinoar.jit.guards import Guards
from twinoar.jit.leak import refuse_leaks, refuse_lost_gradients
from twinoar.jit.live import LivePlace, enter, read_and_assigned
from twinoar.jit.result_views import ResultView, find_views
from twinoar.jit.runtime.calls import call
from twinoar.jit.runtime.classes import Classes
from twinoar.jit.runtime.handling import refuse_handled
from twinoar.jit.runtime.journal import Attribute, Journal, Place
from twinoar.jit.runtime.objects import Objects
from twinoar.jit.runtime.perhaps import Perhaps
from twinoar.jit.runtime.sharing import Found, Sharing, Symbol
from twinoar.jit.runtime.state import UNNOTED, first_value, meet, note_layer
from twinoar.jit.runtime.stop import result_of
from twinoar.jit.runtime.undecided import require_decided
from twinoar.jit.runtime.undefined import defined, require_defined
from twinoar.late import dataclass
from twinoar.ops.create.fill import identity, written
from twinoar.static.input import InputSpec
from twinoar.static.program import Program as StaticProgram

# While a function is traced, what it assigns holds symbols: no other thread traces, or runs what
# reads and assigns Python's objects.
TRACING = threading.RLock()
LARGEST_EXAMPLE = 1 << 18  # bytes
RETRIES = 8  # traces of one call; each finds places that are read, then assigned


class TracingBuilder(Builder):
    """Builds the Program of a function with the meaning that eager mode gives it.

    guards: what the trace relied on. accumulated: the gradients of what the function captured, and
    of its arguments. journal: what this block's code has changed in Python's objects. objects:
    those that it met. classes: those that follow it. live: places whose values each run reads anew.
    recorded: of symbols that were changed in place, whether gradients flow to what they were
    changed to. streams: where the process wrote to when the trace began.
    """

    traces = True

    def __init__(self, program: Program, *args: Any, outer: Any = None, **kwargs: Any):
        super().__init__(program, *args, outer=outer, **kwargs)
        self.guards: Guards = Guards() if outer is None else outer.guards
        self.accumulated: Gradients = (
            Gradients(program, self.guards) if outer is None else outer.accumulated
        )
        self.objects: Objects = Objects() if outer is None else outer.objects
        self.classes: Classes = Classes() if outer is None else outer.classes
        self.live: set[Place] = set() if outer is None else outer.live
        self.recorded: dict[Any, bool] = {} if outer is None else outer.recorded
        self.sharing: Sharing = Sharing() if outer is None else outer.sharing
        self.perhaps: Perhaps = Perhaps(self.sharing.top_of) if outer is None else outer.perhaps
        self.streams = (sys.stdout, sys.stderr) if outer is None else outer.streams
        self.journal = Journal()

    @contextmanager
    def nested(self) -> Iterator[Self]:
        """A Builder of a new closed block here; its journal is undone at the end."""
        with super().nested() as inner:
            try:
                yield inner
            except Exception as error:
                error.left_block = True  # type: ignore[attr-defined]  # told to output.pass_on
                raise
            finally:
                inner.journal.undo()

    def lift(self, x: Any) -> Any:
        """`x` as an operand here; a leaf that was changed wants gradients of its new value."""
        defined(x)
        if self.follows:
            self.perhaps.require_whole(x)
        if self.follows and (stale := self.sharing.stale(x)) is not None:
            x = self._read_anew(*stale)
        if (
            self.policy.records
            and self.follows
            and isinstance(x, (Tensor, Variable))
            and not x.stop_gradient
        ):
            self.accumulated.renew(self, x)
        return super().lift(x)

    def _read_anew(self, view: Symbol, found: Found) -> Any:
        """What a view shows now, with its graph, whoever asks."""
        if not view.apart:
            with using(self.under(self.policy.recording(True))):
                return shown(found.root, found.steps)
        with using(self.under(self.policy.recording(False))):
            return identity.function(shown(found.root, found.steps))

    def note_made(self, x: Any) -> None:
        """`x` was not there before: what it holds is of this trace."""
        self.objects.note_made(x)

    def capture(self, x: Any) -> State:
        """The state that stands for live data; whether it wants a gradient becomes a guard."""
        first = first_value(self, Attribute(x, "stop_gradient"))
        self.guards.note_stop_gradient(x, x.stop_gradient if first is UNNOTED else first)
        captured = super().capture(x)
        if isinstance(x, Tensor) and (x._views or x._shown):
            for other in kin_of(x):
                state = self.program.captured.get(id(other))
                if state in self.program.updates:
                    self._refuse_kin(other)
        return captured

    def apply(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Append an operator; what a view of its first operand is."""
        out = super().apply(op, operands, attrs)
        if self.block.ops and self.follows:
            refuse_failing(self.block.ops[-1])
        if op.shows_memory and self.follows:
            several = isinstance(out, tuple)
            for nth, x in enumerate(out if several else (out,)):
                self.share(operands[0], x, OpStep(op, attrs, nth if several else None))
        return out

    def share(self, base: Any, view: Any, step: AnyStep, apart: bool = False) -> Any:
        """`view`, which shows `base` by `step`: a change in place of one is seen in the other."""
        self.sharing.note(base, view, step, apart)
        return view

    def rebind(self, target: Any, value: Any) -> None:
        """Let `target`, and what shares its memory, stand for `value` from now on."""
        if self.sharing.reseat(target, value):
            self.merge(target, value)
            return
        with using(self):
            written = self.sharing.written(target, self.lift(value))
        self.merge(target, value)
        if written is not None:
            apart, root, now = written
            (self.under(self.policy.recording(False)) if apart else self).merge(root, now)
        self.sharing.note_write(target)

    def merge(self, target: Any, value: Any) -> None:
        """Let the handle `target` stand for `value` from now on; a live tensor is updated."""
        if self.policy.records:
            live = self.accumulated.arguments.get(target, target)
            if isinstance(live, Tensor):
                refuse_leaf(live)
        else:
            value = self._unrecorded(target, value)
        self.perhaps.tear(target)
        if isinstance(target, Tensor):
            self._refuse_kin(target)
        super().rebind(target, value)
        if isinstance(target, Variable) and self.outer is None:
            self.recorded[target] = self.policy.records

    def _refuse_kin(self, live: Tensor) -> None:
        """Raise ConversionError where the Program reads another tensor of the same memory."""
        for x in kin_of(live):
            if id(x) in self.program.captured:
                raise ConversionError(
                    f"{live.name} is changed in place, and the function also reads {x.name}, which "
                    "shares its memory",
                    cure="make the one from the other within the function, or keep a copy: "
                    "x.clone()",
                )

    def _unrecorded(self, target: Any, value: Any) -> Any:
        """`value` as an in-place operator leaves it in `target` while nothing is recorded.

        The history of the target stays, as in eager mode; a leaf has none.
        """
        v = self.lift(value)
        last = target.latest() if isinstance(target, Variable) else None
        if not isinstance(v, Variable):
            return v
        if last is not None and last.spec == v.spec and self._has_history(last):
            with using(self.under(self.policy.recording(True))):
                return written.function(target, v)
        if v.stop_gradient:
            return v
        with using(self):
            return identity.function(v)

    def _has_history(self, v: Variable) -> bool:
        """True where gradients flow on from a Variable to others; of what an iteration receives,
        too."""
        if v.producer is None:
            is_leaf = isinstance(v, State) or v.home is self.program.main
            return not is_leaf and not v.stop_gradient
        return not v.stop_gradient and bool(onward(v.producer))

    def set_stop_gradient(self, target: Variable, stop: bool) -> None:
        """`target.stop_gradient = stop`: what has read it before keeps its way back.

        Raises ConversionError for a leaf inside a branch or loop, which would be one afterwards
        only if that ran.
        """
        last = target.latest()
        if last.stop_gradient is stop:
            return
        made = last.producer
        is_leaf = made is None and last.home is self.program.main
        if is_leaf and self.outer is not None:
            raise ConversionError(
                f"{last.name}.stop_gradient is set in a branch or loop that depends on a tensor",
                cure="set it before, or work on x.detach()",
            )
        is_made_leaf = not stop and last.home is self.block
        if is_leaf or (is_made_leaf and made is not None and not onward(made)):
            last.stop_gradient = stop
            return
        with using(self.under(self.policy.recording(False))):
            new = identity.function(last)
        new.stop_gradient = stop
        self.perhaps.tear(target)
        super().rebind(target, new)
        self.sharing.note_flag(target)
        if not stop:
            self.accumulated.stand_ins[new] = target

    def code_of(self, function: Callable, layer: Any = None) -> Callable:
        """A layer's `forward` or a hook, converted; what the layer is made of becomes a guard."""
        if layer is not None:
            note_layer(self, layer)
        return call(function)

    def live_number(self, name: str, read: Callable[[], float]) -> State:
        """A number that is read anew before each run, in the precision of Python's floats."""
        found = self.program.states.get(name)
        if found is None:
            found = self.program.add_state(Spec((), float64), name)
            found.traits["read"] = read
        return found

    @property
    def gradients(self) -> Gradients:
        """Those of this trace, at this place of the function."""
        return self.accumulated

    def may_raise(self, error: str) -> None:
        """Refuse it where an except of the function's own would take it."""
        refuse_handled(f"the {error}", getattr(builtins, error, None))

    def python_effect(self, what: str) -> None:
        """Refuse it: it would happen when the function is traced, and at no later call."""
        raise ConversionError(
            f"{what} changes Python's state, which a converted function would do once, when it is "
            "traced, and not at each call",
            cure="call it outside the converted function",
        )


@dataclass
class Trace:
    """A traced function: its Program, the inputs, and the result with Variables in it.

    changes: what calls do to Python's objects. freed: Variables of the results that a backward pass
    has gone back from. made: leaves that the function makes itself. live: the places that each run
    reads anew. views: results that share memory. arguments: `make_arguments`. example: the arrays
    of the call that it was made for, where they are small.
    """

    program: StaticProgram
    inputs: list[Variable]
    leaves: list[Any]
    structure: Any
    guards: Guards
    effects: Effects
    changes: Changes
    freed: set[Variable]
    made: list[Variable]
    live: list[LivePlace] = field(default_factory=list)
    views: list[ResultView] = field(default_factory=list)
    arguments: Callable[[list], tuple[tuple, dict]] | None = None
    example: list[np.ndarray] | None = None


def trace_function(
    function: Callable,
    specs: Sequence[Any],
    make_arguments: Callable[[list], tuple[tuple, dict]],
    name: str,
    live: Sequence[Any] = (),
    places: Iterable[Place] = (),
) -> Trace:
    """Build the Program of `function` by calling it once on Variables.

    specs: an InputSpec or a Tensor per tensor argument. make_arguments: arguments with the
    Variables put in. live: the Tensors of the call that the trace is for, where there is one.
    places: those known to hold other values at each call. What else turns out to be read and then
    assigned joins them, and the function is traced again. Python's objects are left as they were.
    """
    known = set(places)
    with TRACING:
        for _ in range(RETRIES):
            trace, found = _trace(function, specs, make_arguments, name, live, known)
            if found <= known:
                trace.arguments, trace.example = make_arguments, _example(live)
                return trace
            known |= found
    raise ConversionError(
        f"{name} reads and assigns other objects each time that it is traced",
        cure="assign attributes that are there before the call",
    )


def _trace(
    function: Callable,
    specs: Sequence[Any],
    make_arguments: Callable[[list], tuple[tuple, dict]],
    name: str,
    live: Sequence[Any],
    places: set[Place],
) -> tuple[Trace, set[Place]]:
    """The trace, and the places that it should have read anew."""
    program = StaticProgram(name)
    declared = (s.shape for s in specs if isinstance(s, InputSpec))
    program.shape_of(
        d for shape in declared for d in shape if isinstance(d, str)
    )  # these are taken
    inputs = [_declare(program, s, i) for i, s in enumerate(specs)]
    stopped = [v.stop_gradient for v in inputs]
    arguments = make_arguments(inputs)
    with using(TracingBuilder(program, policy=current().policy.traced)) as builder:
        accumulated, journal = builder.accumulated, builder.journal
        accumulated.arguments = dict(zip_longest(inputs, live))
        builder.objects.take(arguments)
        for x in flatten(arguments)[0]:
            meet(builder, x, whole=True)
        for x in getattr(function, "args", ()):  # the object that a method belongs to
            meet(builder, x, whole=True)
        try:
            started = enter(builder, places)
            args, kwargs = arguments
            result = result_of(function, args, kwargs)
            leaves, structure = _leaves_of(result, builder, function)
            outputs = [v for v in leaves if isinstance(v, Variable)]
            handles = [
                x
                for x, v in zip(flatten(result)[0], leaves, strict=True)
                if isinstance(v, Variable)
            ]
            views = find_views(builder.sharing, handles, inputs)
            refuse_leaks(builder)
            changes = Changes(builder, outputs, stopped)
            found = read_and_assigned(builder)
            builder.guards.forget(journal.before)
        finally:
            builder.classes.undo()
            journal.undo()
    program.main.outputs = outputs
    refuse_lost_gradients(accumulated)
    freed = _close(accumulated, [*outputs, *changes.results])
    effects = accumulated.effects()
    guards, made = builder.guards, accumulated.made_leaves()
    trace = Trace(
        program, inputs, leaves, structure, guards, effects, changes, freed, made, started, views
    )
    return trace, found


def _example(live: Sequence[Any]) -> list[np.ndarray] | None:
    """Copies of the tensors of a call, to try the Program on when it is saved."""
    if any(x is None or is_shared(x._data) for x in live):
        return None
    if sum(x._data.nbytes for x in live) > LARGEST_EXAMPLE:
        return None
    return [x.numpy() for x in live]


def _leaves_of(result: Any, builder: TracingBuilder, function: Callable) -> tuple[list[Any], Any]:
    """The leaves of a result, tensors as Variables, and its structure."""
    try:
        leaves, structure = flatten(result)
        require_defined(leaves)
        require_decided(leaves)
        return [_returned(builder, x) for x in leaves], structure
    except ConversionError as error:
        error.source = return_line(function) or error.source
        raise


def _declare(program: StaticProgram, spec: Any, position: int) -> Variable:
    if isinstance(spec, InputSpec):
        name = spec.name or f"x{position}"
        declared = spec.to_spec(program.fresh_dim)
        return program.main.add_input(declared, name, stop_gradient=spec.stop_gradient)
    return program.main.add_input(spec.spec, f"x{position}", stop_gradient=spec.stop_gradient)


def _returned(builder: TracingBuilder, x: Any) -> Any:
    """A leaf of what the function returns, with a Variable for what only a run knows."""
    if isinstance(x, Text):
        x.refuse()
    x = number_of(x) if isinstance(x, SymbolicDim) else x
    return _result(builder, x) if isinstance(x, Value) else x


def _result(builder: TracingBuilder, x: Value) -> Variable:
    """A result as a Variable; a leaf that was changed as its new value, without gradient."""
    v = builder.under(builder.policy.recording(False)).lift(x)
    leaf = builder.accumulated.stand_ins.get(v)
    return v if leaf is None or is_made(leaf) else v.producer.operands[0]


def _close(accumulated: Gradients, outputs: list[Variable]) -> set[Variable]:
    """The outputs that no gradient can go back from, as the graph behind them is freed.

    Raises ConversionError for one whose gradient would have to pass an updated parameter.
    """
    flowing = [v for v in outputs if not v.stop_gradient]
    freed = {v for v in flowing if accumulated.is_freed(v)}
    for v in flowing:
        if v not in freed and accumulated.is_behind_update(v):
            raise ConversionError(
                f"the result {v.name} wants a gradient through a parameter after its update",
                cure="return it detached: x.detach()",
            )
    for v in freed:
        v.stop_gradient = True
    return freed
