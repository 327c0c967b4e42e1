"""Results whose sizes the data decides, by operators whose sizes are known when they run.

A `counted` rule computes how many elements there are, asks for that number, and goes on with it:

    @nonzero_op.counted
    def _(x):
        before, count = count_chosen(x)
        size = yield count              # a number, or a symbol in a Program
        return chosen_positions(x, before, size)

So nothing has to have the greatest size there could be. Eagerly the number is read at once; a
Program is cut where one is asked for, and who runs it reads that number alone. A rule that returns
None before it asks declines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from twinoar.core.dim import SymbolicDim, names_in
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder, call_body, infer
from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.core.op.definition import Op
from twinoar.core.policy import UNRECORDED
from twinoar.late import dataclass


class Declined(Exception):
    """A rule does not serve such operands."""


def run_counted(
    op: Op, operands: tuple[Any, ...], attrs: dict[str, Any], size_of: Callable[[Any], Any]
) -> Any:
    """The results by an operator's `counted` rule, under the current interpreter.

    size_of: the number that a tensor holds. Raises Declined.
    """
    rule = op.rules["counted"](*operands, **attrs)
    try:
        asked = next(rule)
        while True:
            asked = rule.send(size_of(asked))
    except StopIteration as end:
        if end.value is None:
            raise Declined from None
        return end.value


@dataclass
class Asked:
    """The names of sizes by the Variables that hold them."""

    names: dict[Variable, list[str]] = field(default_factory=dict)

    def same(self, old: Variable, new: Variable) -> None:
        """Note that sizes which `old` brought are those of `new`."""
        for was, now in zip(old.spec.shape, new.spec.shape, strict=True):
            if isinstance(was, SymbolicDim) and {str(was)} == names_in(was) and was != now:
                for known in self.names.values():
                    if str(now) in known:
                        known.append(str(was))


def expand_counted(program: Program) -> Asked:
    """Expand, in place, operators of the main block with results whose sizes the data decides."""
    block, asked = program.main, Asked()
    builder = _Expander(program, policy=UNRECORDED)
    builder.follows, builder.asked = False, asked
    operators, block.ops = block.ops, []
    new: dict[Variable, Any] = {}
    known = {name for v in block.inputs for d in v.spec.shape for name in names_in(d)}
    for o in operators:
        o.operands = tuple(new.get(x, x) if isinstance(x, Variable) else x for x in o.operands)
        if not _opens(o, known) or not builder.can_expand(o.op):
            block.ops.append(o)
            continue
        builder.source, builder.role, builder.marks = o.source, o.role, o.marks
        try:
            with using(builder):
                found = builder.expanded(o.op, o.operands, o.attrs)
        except Declined:  # it stays as it is, so that the names of its sizes stay
            block.ops.append(o)
            continue
        results = found if isinstance(found, tuple) else (found,)
        for old, value in zip(o.results, results, strict=True):
            if old is not None:
                asked.same(old, value)
                new[old] = value
    block.outputs = [new.get(v, v) if isinstance(v, Variable) else v for v in block.outputs]
    program.updates = {s: new.get(v, v) for s, v in program.updates.items()}
    return asked


def _opens(o: Operator, known: set[str]) -> bool:
    """True where results bring sizes that nothing before told."""
    shapes = [v.spec.shape for v in o.results if v is not None]
    told = {name for shape in shapes for d in shape for name in names_in(d)}
    opened = told - known
    known |= told
    return bool(opened)


class _Expander(Builder):
    """Appends what has known sizes, and expands the rest."""

    asked: Asked

    def can_expand(self, op: Op) -> bool:
        """True for an operator that others may stand for."""
        return "counted" in op.rules or op.body is not None

    def apply(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Append an operator, or what it consists of."""
        if not self.can_expand(op) or not self._is_open(op, operands, attrs):
            return super().apply(op, operands, attrs)
        try:
            return self.expanded(op, operands, attrs)
        except Declined:
            return super().apply(op, operands, attrs)

    def expanded(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """What an operator consists of. Raises Declined."""
        if "counted" in op.rules:
            return run_counted(op, operands, attrs, self._ask)
        return call_body(op, operands, attrs)

    def _is_open(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> bool:
        specs = infer(op, tuple(map(self.lift, operands)), attrs, self.source)
        return any(s is not None and None in s.shape for s in specs)

    def _ask(self, count: Variable) -> SymbolicDim:
        size = self.program.fresh_dim()
        self.asked.names.setdefault(count, []).append(str(size))
        return size
