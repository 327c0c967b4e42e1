"""A Plan for sizes that vary with numbers put in: the same steps, on memory of other sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from twinoar.compile.kernel import Kernel, Root
from twinoar.compile.pipeline import CallStep, KernelStep, Plan, Post, Step
from twinoar.compile.schedule import Loop, Nest, Reduce, Statement, Store
from twinoar.compile.storage import Storage, View
from twinoar.core.ir.program import Operator, Program, Variable, copy_program
from twinoar.core.loop.expression import Axis, Expr, axis_value, const, make, walk, weighted_sum
from twinoar.core.loop.replacing import rebuild
from twinoar.core.spec import Spec
from twinoar.core.varying import is_varying, number


class Numbers:
    """Puts `sizes` into a Plan and what belongs to it; each thing has one copy."""

    def __init__(self, program: Program, sizes: Mapping[str, int]):
        self.sizes = sizes
        self.program, self.variables = copy_program(program)
        for v in self.variables.values():
            v._spec = self.spec(v.spec)
        for o in self.program.main.ops:
            o.operands, o.attrs = self.value(o.operands), self.value(o.attrs)
        self.operators: dict[Operator, Operator] = dict(
            zip(program.main.ops, self.program.main.ops, strict=True)
        )
        self._storages: dict[Storage, Storage] = {}
        self._axes: dict[Axis, Axis] = {}
        self._made: dict[Expr, Expr] = {}

    def number(self, x: Any) -> int:
        """A size."""
        return number(x, self.sizes)

    def spec(self, spec: Spec) -> Spec:
        """Shape and dtype."""
        return Spec(tuple(map(self.number, spec.shape)), spec.dtype)

    def value(self, x: Any) -> Any:
        """An operand or attribute; what holds no sizes stays as it is."""
        if is_varying(x):
            return self.number(x)
        if type(x) in (tuple, list):
            return type(x)(map(self.value, x))
        if isinstance(x, dict):
            return {k: self.value(v) for k, v in x.items()}
        if isinstance(x, slice):
            return slice(*map(self.value, (x.start, x.stop, x.step)))
        return self.spec(x) if isinstance(x, Spec) else x

    def variable(self, v: Variable) -> Variable:
        """A value of the Program, or one that the plan has beside it."""
        if v not in self.variables:
            self.variables[v] = Variable(v.name, self.spec(v.spec))
        found: Variable = self.variables[v]
        return found

    def storage(self, s: Storage) -> Storage:
        """The memory of a value."""
        if s not in self._storages:
            self._storages[s] = Storage(self.variable(s.variable), s.order)
        return self._storages[s]

    def view(self, v: View) -> View:
        """A value inside another's memory."""
        shape, strides = map(self.number, v.shape), map(self.number, v.strides)
        return View(self.storage(v.base), self.number(v.offset), tuple(shape), tuple(strides))

    def plan(self, plan: Plan) -> Plan:
        """All of it."""
        outputs = [self._output(x) for x in plan.outputs]
        updates = {self.variables[s]: self.storage(v) for s, v in plan.updates.items()}
        found = Plan(self.program, list(map(self.step, plan.steps)), outputs, updates)
        found.in_place = {self.storage(s): self.variables[v] for s, v in plan.in_place.items()}
        return found

    def _output(self, x: object) -> object:
        return self.storage(x) if isinstance(x, Storage) else self.value(x)

    def step(self, step: Step) -> Step:
        """A step; the loops of a kernel when they are asked for."""
        if isinstance(step, KernelStep):
            return _Later(step, self)
        return CallStep(
            self.operators[step.operator],
            [self.view(x) if isinstance(x, View) else self.value(x) for x in step.operands],
            list(map(self.storage, step.reads)),
            [None if s is None else self.storage(s) for s in step.writes],
            None if step.result is None else self.view(step.result),
            [self._post(p) for p in step.posts],
        )

    def _post(self, p: Post) -> Post:
        return p if p.operand is None else replace(p, operand=self.storage(p.operand))

    # Loops.

    def kernel(self, k: Kernel) -> Kernel:
        """The loops and what they write."""
        rows, columns = list(map(self._axis, k.rows)), list(map(self._axis, k.columns))
        values = [self.variable(v) for v in k.values]
        return Kernel(rows, columns, list(map(self._root, k.roots)), values, k.is_shared)

    def nest(self, nest: Nest) -> Nest:
        """The loops as they are scheduled."""
        row, work = self._axis(nest.row), self.number(nest.work)
        return Nest(row, self._body(nest.body), work)

    def _body(self, body: Sequence[Statement]) -> list[Statement]:
        return list(map(self._statement, body))

    def _statement(self, s: Statement) -> Statement:
        if isinstance(s, Loop):
            reductions = list(map(self._reduce, s.reductions))
            return Loop(self._axis(s.axis), self._body(s.body), reductions)
        return self._reduce(s) if isinstance(s, Reduce) else Store(self._root(s.root))

    def _reduce(self, s: Reduce) -> Reduce:
        items = [(name, kind, self.expression(term)) for name, kind, term in s.items]
        return Reduce(tuple(map(self._axis, s.axes)), items)

    def _root(self, r: Root) -> Root:
        offset, value = self.expression(r.offset), self.expression(r.value)
        return Root(self.storage(r.storage), offset, value, r.combine, self.number(r.total), r.part)

    def _axis(self, a: Axis) -> Axis:
        if not is_varying(a.size):
            return a
        if a not in self._axes:
            self._axes[a] = Axis(self.number(a.size), a.name)
        return self._axes[a]

    def expression(self, e: Expr) -> Expr:
        """An expression."""
        for x in walk(e):
            if x not in self._made:
                self._made[x] = self._node(x, [self._made[c] for c in x.children])
        return self._made[e]

    def _node(self, x: Expr, children: list[Expr]) -> Expr:
        bounds = self.value(x.bounds)
        match x.kind:
            case "const":
                return const(self.number(x.value), x.dtype) if is_varying(x.value) else x
            case "axis":
                return axis_value(self._axis(x.args[0]))
            case "linear":
                constant, terms = self.value(x.args[0]), [self.number(c) for _, c in x.args[1]]
                return weighted_sum((const(constant), *children), (1, *terms))
            case "load":
                return make(
                    "load", (self.storage(x.args[0]), *children, *x.args[2:]), x.dtype, bounds
                )
            case "reduce":
                kind, axes, _ = x.args
                return make(
                    "reduce", (kind, tuple(map(self._axis, axes)), *children), x.dtype, bounds
                )
            case "bounded":
                _, size, what = x.args
                return make("bounded", (*children, self.number(size), what), x.dtype, bounds)
        return rebuild(x, children)


class _Later(KernelStep):
    """A kernel whose loops are wanted by who explains it, and by no run."""

    def __init__(self, step: KernelStep, numbers: Numbers):
        self._step, self._numbers = step, numbers
        self.reads = list(map(numbers.storage, step.reads))
        self.writes = list(map(numbers.storage, step.writes))

    @cached_property
    def kernel(self) -> Kernel:  # type: ignore[override]
        """The loops and what they write."""
        return self._numbers.kernel(self._step.kernel)

    @cached_property
    def nest(self) -> Nest:  # type: ignore[override]
        """The loops as they are scheduled."""
        return self._numbers.nest(self._step.nest)
