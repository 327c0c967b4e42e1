"""What is known of each value before kernels are formed: its rule, its readers, how it lies.

A value is *fused* where a rule says what its elements are; other operators are *calls*, of a kernel
library or of the operator's NumPy kernel, and what these read and write lies in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, Literal

from twinoar.compile.element import has_element, result_reader
from twinoar.compile.pattern import Partial, outer_reductions
from twinoar.compile.storage import Index, Storage, View, row_major, view_through
from twinoar.core.dtype import int8, uint8
from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.core.loop.expression import Axis, Expr, axis_value, walk
from twinoar.core.loop.language import Reader, reduce
from twinoar.core.loop.replacing import rewrite
from twinoar.core.varying import is_one, typical
from twinoar.ops.control.over_time import over_time
from twinoar.ops.control.over_time import parts as loop_parts

Order = tuple[int, ...]
ROWS: Final = "rows"
BYTES = (int8, uint8)
IsCall = Callable[[Operator], Order | Literal["rows"] | None]


class Graph:
    """A Program with numbers for its sizes, value by value.

    calls: for an operator that a kernel library runs, the order in which its results lie, or ROWS
    where that is any that leaves the last dimension innermost; None for others. orders: those of
    inputs that are not row-major; where it is given, outputs too lie as it costs least.
    """

    def __init__(
        self, program: Program, calls: IsCall, orders: Mapping[Variable, Order] | None = None
    ):
        self.program = program
        self.calls: set[Operator] = set()
        self.storages: dict[Variable, Storage] = {}
        self.position: dict[Variable, int] = {}
        self.nth: dict[Variable, int] = {}
        self.users: dict[Variable, list[Operator]] = {}
        self.partials: dict[Variable, list[Partial]] = {}
        self._elements: dict[Variable, Expr | None] = {}
        self.views: dict[Variable, View] = {}
        self.returned = [v for v in program.main.outputs if isinstance(v, Variable)]
        self.updates = dict(program.updates)
        self.rows = read_by_rows(program)
        row_major_values = {*self.updates.values(), *(self.returned if orders is None else ())}
        row_major_values.update(self.rows)
        for v in [*program.main.inputs, *program.states.values()]:
            self.storages[v] = Storage(v, (orders or {}).get(v))
            self.views[v] = self.storages[v].view()
        for o in program.main.ops:
            for x in o.operands:
                if isinstance(x, Variable):
                    users = self.users.setdefault(x, [])
                    if not users or users[-1] is not o:
                        users.append(o)
        for at, o in enumerate(program.main.ops):
            order = calls(o)
            for nth, result in enumerate(o.results):
                if result is not None:
                    self.position[result], self.nth[result] = at, nth
            results = [v for v in o.results if v is not None]
            is_fused = order is None and not o.has_effect and all(map(self.is_fused, results))
            if not is_fused:
                self.calls.add(o)
            for v in results:
                if is_fused:
                    wanted = self._order_of_readers(v, calls) or self._natural_order(v)
                else:
                    wanted = self._call_order(v, order)
                self.storages[v] = Storage(v, None if v in row_major_values else wanted)
                self.views[v] = self._viewed(v)

    def _call_order(self, v: Variable, order: Order | Literal["rows"] | None) -> Order | None:
        """The order of a call's result."""
        if order == ROWS:
            return self._order_of_rows(v)
        return order if isinstance(order, tuple) and len(order) == v.spec.ndim else None

    def _order_of_readers(self, v: Variable, calls: IsCall) -> Order | None:
        """The order in which all who read integers of 8 bits write theirs; None where it differs.

        A kernel that makes them writes them so as quickly, which a copy does not: libraries copy
        bytes slowly.
        """
        users = self.users.get(v, ())
        if v.spec.dtype not in BYTES or not users:
            return None
        orders = {calls(o) if o.operands[0] is v else None for o in users}
        order = orders.pop() if len(orders) == 1 else None
        return order if isinstance(order, tuple) and len(order) == v.spec.ndim else None

    def _order_of_rows(self, v: Variable) -> Order | None:
        """The order in which those who transpose a value want it; None where they differ."""
        wanted: set[Order | None] = set()
        own = Storage(v)
        for o in self.users.get(v, ()):
            found = None
            result = o.results[0] if len(o.results) == 1 else None
            if result is not None and result.spec.ndim == v.spec.ndim:
                self.nth[result] = 0
                reader = self._result(result, lambda x: (own if x is v else Storage(x)).reader())
                view = None if reader is None or 0 in reader.shape else view_through(reader)
                if view is not None and view.base is own and not view.offset:
                    found = _permutation(own, view)
            wanted.add(found)
        return wanted.pop() if len(wanted) == 1 else None

    def is_fused(self, v: Variable) -> bool:
        """True for a value that kernels compute."""
        return (
            v.producer is not None and v.producer not in self.calls and self.element(v) is not None
        )

    def reader(self, inlined: Callable[[Variable], bool]) -> Callable[[Variable], Reader]:
        """What reads a value: computed from its operands where it is inlined, loaded otherwise.

        Each element is computed once, however many others read it.
        """

        @cache
        def read(v: Variable) -> Reader:
            if v.producer is None or not inlined(v):
                return self.storages[v].reader()
            return self.computed(v, read)

        return read

    def computed(self, v: Variable, read: Callable[[Variable], Reader]) -> Reader:
        """The reader of a value that computes it from its operands."""
        found = self._result(v, read)
        assert found is not None
        whole = found.element
        if v in self.partials:
            found.element = cache(lambda i: self._added_up(v, i, whole(i)))
        else:
            found.element = cache(whole)
        return found

    def terms(self, v: Variable, inlined: Callable[[Variable], bool], i: Index) -> list[Expr]:
        """The reductions that are accumulated for a value, at an index of it."""
        found = self._result(v, self.reader(inlined))
        assert found is not None
        return outer_reductions(found[i])

    def _added_up(self, v: Variable, i: Index, element: Expr) -> Expr:
        """`element` with its reductions read from what the threads have accumulated."""
        lies = [i[d] for d in self.storages[v].order]
        sums = {}
        for r, partial in zip(outer_reductions(element), self.partials[v], strict=True):
            load = partial.storage.reader()
            parts = partial.storage.shape[:1]
            sums[r] = reduce(r.args[0], parts, lambda p, load=load: load[(p, *lies)])
        return rewrite(element, sums.get)

    def _result(self, v: Variable, read: Callable[[Variable], Reader]) -> Reader | None:
        o = v.producer
        assert o is not None
        operands = [read(x) if isinstance(x, Variable) else x for x in o.operands]
        specs = [None if r is None else r.spec for r in o.results]
        return result_reader(o.op, operands, o.attrs, specs, self.nth[v])

    def element(self, v: Variable) -> Expr | None:
        """An element of a value in terms of its operands' elements; None where no rule says."""
        if v not in self._elements:
            reader = self._result(v, lambda x: self.storages.get(x, Storage(x)).reader())
            if reader is None:
                self._elements[v] = None
            else:
                index = [axis_value(Axis(n, f"i{d}")) for d, n in enumerate(reader.shape)]
                self._elements[v] = None if 0 in reader.shape else reader[tuple(index)]
        return self._elements[v]

    def is_view(self, v: Variable) -> bool:
        """True where each element is an element of another value, unchanged."""
        e = self.element(v) if self.is_fused(v) else None
        if e is not None and e.kind == "cast":  # as 16-bit floats are read
            e = e.args[0]
        return e is not None and e.kind == "load" and e.args[0].dtype is e.dtype is v.spec.dtype

    def _viewed(self, v: Variable) -> View:
        """Where the elements of `v` lie: in its own memory, or in that of what it is a view of."""
        found = None
        if self.is_view(v):
            reader = self._result(v, lambda x: self.views[x].reader())
            found = None if reader is None else view_through(reader)
        if found is not None and v in self.rows and not found.is_dense(self.rows[v]):
            found = None
        return found or self.storages[v].view()

    def _natural_order(self, v: Variable) -> Order | None:
        """The order that costs no transposition: that of the operand with most elements."""
        best: Storage | None = None
        o = v.producer
        assert o is not None
        for x in o.operands:
            if isinstance(x, Variable) and x in self.storages:
                s = self.storages[x]
                most = -1 if best is None else typical(best.count)
                if len(s.shape) == v.spec.ndim and typical(s.count) > most:
                    best = s
        if best is None:
            return None
        if self.is_view(v):
            reader = self._result(v, lambda x: self.storages[x].reader())
            view = None if reader is None else view_through(reader)
            if view is None:
                return None
            return by_stride(v.spec.shape, view.strides)  # type: ignore[arg-type]
        return None if best.is_row_major else best.order


def read_by_rows(program: Program) -> dict[Variable, int]:
    """What loops, branches and procedures read: from which dimension on it lies row-major."""
    found: dict[Variable, int] = {}
    for o in program.main.ops:
        if o.op is over_time:
            starts, sequences, rest = loop_parts(o.operands, o.attrs["carried"], o.attrs["sliced"])
            found.update({x: 1 for x in sequences if x not in found})
            found.update(dict.fromkeys((*starts, *rest), 0))
        elif o.blocks or ("procedure" in o.op.rules and not has_element(o.op)):
            found.update(dict.fromkeys((x for x in o.operands if isinstance(x, Variable)), 0))
    return found


def _permutation(storage: Storage, view: View) -> Order | None:
    """The order of dimensions in which `view`, a transpose, is row-major; None if it is none."""
    strides = storage.strides
    if len(set(strides)) < len(strides) or set(view.strides) != set(strides):
        return None
    order = tuple(strides.index(step) for step in view.strides)
    return order if order[-1] == len(strides) - 1 else None


def by_stride(shape: tuple[int, ...], strides: tuple[int, ...]) -> Order | None:
    """The order of dimensions whose elements lie at these strides; None for row-major."""
    steps = [0 if is_one(n) else typical(s) for s, n in zip(strides, shape, strict=True)]
    order = sorted(range(len(shape)), key=lambda d: (-steps[d], d))
    broadcast = any(s == 0 and not is_one(n) for s, n in zip(strides, shape, strict=True))
    return None if broadcast or row_major(shape, order) else tuple(order)


def sources(*roots: Expr) -> dict[Storage, list[Expr]]:
    """What expressions load, and at which positions."""
    found: dict[Storage, list[Expr]] = {}
    for e in walk(*roots):
        if e.kind == "load":
            found.setdefault(e.args[0], []).append(e.args[1])
    return found


def is_expensive(*roots: Expr) -> bool:
    """True where computing an expression again costs more than reading it: functions, divisions."""
    return any(e.kind in ("call", "div", "sqrt", "reduce", "floordiv", "mod") for e in walk(*roots))
