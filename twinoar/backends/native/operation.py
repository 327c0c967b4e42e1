"""One operator, or one gradient rule, compiled for arrays of certain shapes and orders.

The lean relation of `executable`: no states, no names, nothing is held after a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from twinoar.backends.native.arena import address_of, new_arena
from twinoar.backends.native.compiled import Compiled, compile_program
from twinoar.backends.native.description import is_brief, result_order
from twinoar.backends.native.instance import Instance, bytes_alone
from twinoar.compile import commands as data
from twinoar.compile.graph import Graph, Order
from twinoar.compile.pipeline import lower
from twinoar.compile.specialise import dynamic_operator
from twinoar.compile.stages import Stages
from twinoar.compile.target import Target
from twinoar.core.interpreter import eager, using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.counted import Declined, run_counted
from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.core.op.definition import Op
from twinoar.core.policy import UNRECORDED
from twinoar.core.values import Value
from twinoar.eager.tensor import SPECS, Tensor
from twinoar.errors import TwinoarError, UnsupportedError
from twinoar.runtime.allocator import Blank


def make_operation(
    function: Op | Callable,
    arguments: Sequence[Any],
    attrs: dict[str, Any],
    target: Target,
    least: int = 0,
) -> Operation | Counted | None:
    """What computes an operator on operands, or a function of arguments; None where nothing does.

    arguments: arrays or Tensors, sequences of them, and plain values. attrs: of an operator.
    least: operators below which a function is left to the interpreter.
    """
    if isinstance(function, Op) and "counted" in function.rules:
        return Counted(function, arguments, attrs)
    program = Program(getattr(function, "__name__", "rule"))
    arrays: list[np.ndarray] = []
    try:
        with using(Builder(program, policy=UNRECORDED)) as builder:
            given = tuple([_declared(x, program, arrays) for x in arguments])
            if isinstance(function, Op):
                found = builder.apply(function, given, attrs)
            else:
                found = function(*given)
    except TwinoarError:  # NumPy's kernel runs into the same and explains it
        return None
    results = list(found) if isinstance(found, (tuple, list)) else [found]
    if not all(r is None or isinstance(r, Variable) for r in results):
        return None
    program.main.outputs = [r for r in results if r is not None]
    if len(program.main.ops) < least:
        return None
    orders: dict[Variable, Order] = {}
    for v, a in zip(program.main.inputs, arrays, strict=True):
        order = order_of(a)
        if order is not None:
            orders[v] = order
    lower(program, target.rounds)
    if dynamic_operator(program) is not None or _is_view(program, target, orders):
        return None
    if any(map(is_brief, program.main.ops)):
        target = replace(target, threads=1)
    try:
        compiled = compile_program(program, target, Stages(), orders)
    except UnsupportedError:  # TWINOAR_STRICT is about Programs: eagerly NumPy is no fallback
        return None
    if compiled.hosted:
        return None
    return Operation(compiled, [r is not None for r in results], arrays)


class Operation:
    """Compiled code for a call, shared by all threads; `bind` gives what one thread runs.

    present: for each result whether it is there; others are None.
    """

    new_arena = staticmethod(new_arena)

    def __init__(self, compiled: Compiled, present: list[bool], arrays: Sequence[np.ndarray]):
        self.compiled, self.present = compiled, present
        self.arena_bytes = bytes_alone(compiled.commands)
        self.copied = [not _is_dense(a) for a in arrays]

    def bind(self, arena: np.ndarray) -> Bound:
        """The operation at work in `arena`, which nobody else uses during a run."""
        return Bound(self, arena)


class Counted:
    """A call whose data decides sizes: its operators run one by one, and are compiled each."""

    arena_bytes = 0
    is_busy = False

    def __init__(self, op: Op, arguments: Sequence[Any], attrs: dict[str, Any]):
        self.op, self.attrs = op, attrs
        self.plain = [None if isinstance(x, np.ndarray) else (x,) for x in arguments]

    def bind(self, arena: np.ndarray) -> Counted:
        """Itself: it keeps nothing."""
        return self

    def run(self, arrays: Sequence[np.ndarray]) -> tuple | None:
        """The results for these arrays; None where NumPy's kernel shall tell."""
        given = iter(arrays)
        operands = tuple([Tensor(next(given)) if x is None else x[0] for x in self.plain])
        try:
            with using(eager(UNRECORDED)):
                found = run_counted(self.op, operands, self.attrs, int)
        except (Declined, TwinoarError):  # the kernel runs into the same and explains it
            return None
        results = found if isinstance(found, tuple) else (found,)
        return tuple([r._data for r in results])


class Bound:
    """An operation and its memory, for one thread at a time; `is_busy` while it runs."""

    is_busy = False

    def __init__(self, operation: Operation, arena: np.ndarray):
        commands = operation.compiled.commands
        instance = self._instance = Instance(commands, operation.compiled.handles, arena)
        for place, array in commands.constants.items():
            instance.bind(place, array)
        places = [n for n, p in enumerate(commands.places) if p.role == "feed"]
        position = {place: n for n, place in enumerate(places)}
        made: dict[int, int] = {}  # the place of a result to its number among those that are made
        self._blanks: list[Blank] = []
        self._results: list[tuple[bool, int] | None] = []
        outputs = iter(commands.outputs)
        for is_present in operation.present:
            if not is_present:
                self._results.append(None)
                continue
            at = next(outputs)
            if isinstance(at, data.Value):
                self._results.append((True, position[at.span.place]))
                continue
            assert isinstance(at, int)
            if at not in made:
                made[at] = len(self._blanks)
                p = commands.places[at]
                shape: tuple[int, ...] = p.spec.shape  # type: ignore[assignment]  # known sizes
                self._blanks.append(Blank(shape, p.spec.dtype.numpy, p.order))
                places.append(at)
            self._results.append((False, made[at]))
        self._places, self._addresses = places, instance.addresses
        self._settles = bool(commands.setup)
        self._copied = operation.copied if any(operation.copied) else None
        # Most often the results are what is made, in order.
        self._is_plain = self._results == [(False, n) for n in range(len(self._blanks))]
        entry = instance.entry(len(places)) if places == [*range(len(places))] else None
        self._enter = None if entry is None else entry.run
        self._new = self._blanks[0].new if len(self._blanks) == 1 else None

    def run(self, arrays: Sequence[np.ndarray]) -> tuple:
        """The results for these arrays. Raises AxisError for an index that lies outside."""
        self.is_busy = True
        try:
            fed = arrays
            if self._copied is not None:
                pairs = zip(arrays, self._copied, strict=True)
                fed = [np.ascontiguousarray(a) if copied else a for a, copied in pairs]
            new, run = self._new, self._enter
            made = (new(),) if new is not None else tuple([b.new() for b in self._blanks])
            if run is None or not run(*map(id, fed), *map(id, made)):
                self._run(fed, made)
        finally:
            self.is_busy = False
        if self._is_plain:
            return made
        return tuple(
            [None if r is None else arrays[r[1]] if r[0] else made[r[1]] for r in self._results]
        )

    def _run(self, fed: Sequence[np.ndarray], made: Sequence[np.ndarray]) -> None:
        """Fill what is made; what failed before tells now why."""
        addresses = self._addresses
        for place, array in zip(self._places, (*fed, *made), strict=True):
            addresses[place] = address_of(array)
        if self._settles:  # into the arena, which other operations have used since
            self._instance.unsettle()
        self._instance.run()


def order_of(array: np.ndarray) -> Order | None:
    """The order in which the dimensions of an array lie; None for row-major, or one with gaps."""
    if array.flags.c_contiguous or not _is_dense(array):
        return None
    return tuple(sorted(range(array.ndim), key=lambda d: (-array.strides[d], d)))


def _is_dense(array: np.ndarray) -> bool:
    """True where the elements fill a piece of memory, in whatever order of dimensions."""
    if array.flags.c_contiguous:
        return True
    step = array.itemsize
    for stride, n in sorted(zip(array.strides, array.shape, strict=True)):
        if n != 1 and stride != step:
            return False
        step *= n
    return step == math.prod(array.shape) * array.itemsize


def _declared(x: Any, program: Program, arrays: list[np.ndarray]) -> Any:
    """An argument with inputs of the Program for its arrays, which are appended to `arrays`."""
    if isinstance(x, (tuple, list)):
        return tuple([_declared(y, program, arrays) for y in x])
    data = x._data if isinstance(x, Tensor) else x
    if not isinstance(data, np.ndarray):
        assert not isinstance(x, Value)
        return x
    arrays.append(data)
    return program.main.add_input(SPECS[data.shape, data.dtype])


def _reads_otherwise(o: Operator) -> bool:
    """True for a view of elements of another dtype, such as of the parts of complex numbers."""
    if "view" not in o.op.rules:
        return False
    x, out = o.operands[0], o.results[0]
    assert isinstance(x, Variable) and out is not None
    return x.spec.dtype is not out.spec.dtype


def _is_view(program: Program, target: Target, orders: dict[Variable, Order]) -> bool:
    """True where all results lie in operands' memory: NumPy gives views of that for nothing."""
    if all(map(_reads_otherwise, program.main.ops)):
        return True
    graph = Graph(program, partial(result_order, target=target), orders)
    outputs = [v for v in program.main.outputs if isinstance(v, Variable)]
    given = set(program.main.inputs)
    return all(graph.views[v].base.variable in given for v in outputs)
