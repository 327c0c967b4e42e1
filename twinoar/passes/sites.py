"""The blocks of a Program as places for passes: what their inputs stand for, what may be added.

for site in sites(program):
    for o in site.block.ops:
        if isinstance(site.origin(o.operands[0]), State): ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.ops.control.outside import (
    Through,
    capture,
    carry,
    drop_unread,
    first_captured,
)
from twinoar.ops.control.over_time import last_of, over_time
from twinoar.passes.graph import Graph


@dataclass(eq=False, slots=True)
class Site:
    """A block of a Program where it stands: in an operator of another site, or outermost.

    graph: that of the outermost block, whose nodes new operators become, or None.
    """

    program: Program
    block: Block
    operator: Operator | None = None
    outer: Site | None = None
    graph: Graph | None = None

    def origin(self, x: Any) -> Any:
        """What is the value of `x` in every run of this block, from as far outside as it comes.

        It is `x` itself where it is computed here, where loops change it, and where it is no
        Variable.
        """
        if self.outer is None or not isinstance(x, Variable) or x.producer is not None:
            return x
        assert self.operator is not None
        first = first_captured(self.operator)
        if first is None:
            return x
        operand, place = first
        for n, v in enumerate(self.block.inputs[place:]):
            if v is x:
                return self.outer.origin(self.operator.operands[operand + n])
        return x

    def bring(self, x: Variable) -> Variable:
        """The input of this block that is `x`, a state or a value of a site around it."""
        if self.outer is None or x.home is self.block:
            return x
        assert self.operator is not None
        return capture(self.operator, self.outer.bring(x))[self.block]

    def before(self, o: Operator) -> using:
        """Operators called in this `with` block stand before `o`, which stands here."""
        return self._beside(o, after=False)

    def after(self, o: Operator) -> using:
        """Operators called in this `with` block stand after `o`, which stands here."""
        return self._beside(o, after=True)

    def _beside(self, o: Operator, *, after: bool) -> using:
        if self.graph is None:
            return using(_Inserting(self, o, after))
        node = self.graph._nodes[o]
        return self.graph.after(node) if after else self.graph.before(node)

    def carry(self, state: State) -> Carried:
        """A state that is to be given another value here, in each run of this block."""
        path: list[Site] = []
        site: Site | None = self
        while site is not None and site.outer is not None:
            path.append(site)
            site = site.outer
        return Carried(state, path[::-1])


class Carried:
    """A state on its way through the blocks that lead to one that changes it.

    value: what it is where it is changed.
    """

    def __init__(self, state: State, path: list[Site]):
        self.state, self.value, self._after = state, state, None  # type: Any, Any, Any
        self._inner: tuple[Site, Through] | None = None
        for site in path:
            assert site.operator is not None
            through = carry(site.operator, self.value)
            self._end(_after(site, through.result))
            self._inner = site, through
            self.value = through.inputs[site.block]

    def _end(self, value: Variable) -> None:
        """What it is where the path has come to, at the end."""
        if self._inner is None:
            self._after = value
        else:
            site, through = self._inner
            through.end(site.block, value)

    def leave(self, new: Variable) -> Variable:
        """The value of the state after the outermost operator, from what it is here."""
        new.stop_gradient = True
        self._end(new)
        found: Variable = self._after
        return found


def _after(site: Site, result: Variable) -> Variable:
    """What is carried through an operator, after it, from the result for it."""
    o = site.operator
    assert o is not None and site.outer is not None
    if o.op is not over_time:
        return result
    with site.outer.after(o):
        last: Variable = last_of(result, o.attrs["backward"])
    return last


def sites(program: Program, graph: Graph | None = None) -> Iterator[Site]:
    """All blocks, outer ones first, in the order of their operators. graph: of the Program."""
    waiting = [Site(program, program.main, graph=graph)]
    while waiting:
        site = waiting.pop(0)
        yield site
        within = [
            Site(program, block, o, site) for o in site.block.ops for block in o.blocks.values()
        ]
        waiting[:0] = within


def drop_unread_operands(program: Program) -> Program:
    """Take operands that no block reads from control flow, in place. Returns the program."""
    for site in reversed(list(sites(program))):
        if site.operator is not None:
            drop_unread(site.operator)
    return program


class _Inserting(Builder):
    """Puts operators before or after one of a block, and brings in what they read from outside."""

    def __init__(self, site: Site, near: Operator, after: bool):
        at = next(n for n, o in enumerate(site.block.ops) if o is near)
        super().__init__(site.program, site.block, at=at + after)
        self.site, self.follows = site, False
        self.source, self.role, self.marks = near.source, near.role, near.marks

    def _import(self, v: Variable) -> Variable:
        return self.site.bring(v)


__all__ = ["Carried", "Site", "drop_unread_operands", "sites"]
