"""A Program cut where it changes between a device and the host."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from twinoar.core.ir.program import Block, Operator, Program, State, Variable, copy_block
from twinoar.late import dataclass

SMALL = 64  # elements of what is computed on the host from values that lie there


@dataclass(frozen=True, eq=False)
class Segment:
    """Operators that run one after the other in one place.

    program: them alone; its inputs stand for `takes`, its outputs for `gives`.
    """

    program: Program
    takes: list[Variable]
    gives: list[Variable]
    on_host: bool


def segments(
    program: Program, supports: Callable[[Operator], bool], at_home: Iterable[Variable]
) -> list[Segment]:
    """The operators of a lowered Program in as few pieces as their places and what they need allow.

    supports: whether the device runs an operator; others run on the host. at_home: inputs and
    states that lie on the host, such as rates and keys: what is small and comes of them alone is
    computed there, so that no device is waited for.
    """
    home = set(at_home)
    placed = []
    for o in program.main.ops:
        on_host = not supports(o) or _stays(o, home)
        if on_host:
            home.update(v for v in o.results if v is not None)
        placed.append((on_host, o))
    cut = min((_pieces(placed, first) for first in (True, False)), key=len)
    needed = {v for v in (*program.main.outputs, *program.updates.values())}
    found = []
    for on_host, ops in reversed(cut):
        found.append(segment(program, ops, needed, on_host))
        needed |= set(found[-1].takes)
    return found[::-1]


def _pieces(
    placed: Sequence[tuple[bool, Operator]], on_host: bool
) -> list[tuple[bool, list[Operator]]]:
    """Operators with their places, of one place at a time as long as others are not needed for it.

    on_host: the place that is looked at first. What has effects stays in order.
    """
    found: list[tuple[bool, list[Operator]]] = []
    left = list(placed)
    while left:
        taken: list[Operator] = []
        later: list[tuple[bool, Operator]] = []
        lacking, is_held = set[Variable](), False
        for place, o in left:
            waits = any(x in lacking for x in o.operands if isinstance(x, Variable))
            if place is on_host and not waits and not (is_held and o.has_effect):
                taken.append(o)
                continue
            later.append((place, o))
            lacking.update(v for v in o.results if v is not None)
            is_held |= o.has_effect
        if taken:
            found.append((on_host, taken))
        left, on_host = later, not on_host
    return found


def _stays(o: Operator, home: set[Variable]) -> bool:
    """True for something small that comes of values on the host."""
    read = [x for x in o.operands if isinstance(x, Variable) and not _is_constant(x)]
    return bool(read) and all(x in home for x in read) and all(map(_is_small, o.results))


def _is_small(v: Variable | None) -> bool:
    return v is None or (v.spec.is_static and math.prod(v.spec.shape) <= SMALL)


def _is_constant(v: Variable) -> bool:
    return isinstance(v, State) and v.is_constant


def segment(program: Program, ops: list[Operator], needed: set[Any], on_host: bool) -> Segment:
    """Some operators of a Program. needed: what others take of their results."""
    made = dict.fromkeys(v for o in ops for v in o.results if v is not None)
    read = dict.fromkeys(
        x for o in ops for x in o.operands if isinstance(x, Variable) and x not in made
    )
    part = Program(program.name)
    mapping: dict[Variable, Any] = {}
    takes = [v for v in read if not _is_constant(v)]
    for v in takes:
        mapping[v] = part.main.add_input(v.spec, v.name)
    for v in read:
        if _is_constant(v):
            mapping[v] = part.add_state(v.spec, v.name, data=v.data, is_constant=True)
    part.names.taken |= program.names.taken  # what a pass makes later gets another name
    part.names.counts = dict(program.names.counts)
    gives = [v for v in made if v in needed]
    block = Block(program.names, program)
    block.ops, block.outputs = ops, gives
    copy_block(block, part.names, mapping, into=part.main)
    return Segment(part, takes, gives, on_host)
