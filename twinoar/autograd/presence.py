"""Whether a gradient is there at all, which in a Program with branches only the data may tell.

Eager mode leaves None where no operator that ran led from a leaf to a result; the gradient of `if`
is zeros there. Followed is, last operator first, where gradients come to. A presence is True or
False, a truth value of the Program, or UNSURE where a loop decides in a way that is not computed.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, overload

from twinoar.autograd.backprop import vjp, wants_gradient
from twinoar.core.interpreter import current, recording, using
from twinoar.core.ir.builder import replay
from twinoar.core.ir.program import Block, Operator, Variable
from twinoar.core.ir.silent import silent
from twinoar.ops.control.branch_and_loop import cond, if_, while_
from twinoar.ops.math.logical import logical_or


class Unknown(Enum):
    """A presence that is not True or False. BRANCHED: the predicates of branches tell it."""

    BRANCHED = 1
    UNSURE = 2


BRANCHED, UNSURE = Unknown
Presence = bool | Variable | Unknown


def presences(
    operators: Iterable[Operator], seeds: dict[Variable, Presence], *, builds: bool = True
) -> dict[Variable, Presence]:
    """The presence of the gradients that `operators`, last first, lead to from `seeds`.

    Truth values are built under the current Builder, or without `builds` are BRANCHED.
    """
    found = dict(seeds)
    for o in operators:
        given = [False if v is None else found.get(v, False) for v in o.results]
        if all(p is False for p in given):
            continue
        for x, p in zip(o.operands, _through(o, given, builds), strict=True):
            if isinstance(x, Variable) and p is not False and wants_gradient(x):
                found[x] = either(found.get(x, False), p)
    return found


@overload
def either(a: bool | Variable, b: bool | Variable) -> bool | Variable: ...


@overload
def either(a: Presence, b: Presence) -> Presence: ...


def either(a: Presence, b: Presence) -> Presence:
    """The presence of a sum."""
    for known in (True, UNSURE, BRANCHED):
        if a is known or b is known:
            return known
    if a is False or a is b:
        return b
    return a if b is False else logical_or.function(a, b)


def _through(o: Operator, given: Sequence[Presence], builds: bool) -> Sequence[Presence]:
    """The presence of the gradients of operands, from those of results."""
    if o.op is if_:
        return _through_if(o, given, builds)
    if o.op is while_:
        return _through_while(o, given, builds)
    return [functools.reduce(either, given)] * len(o.operands)


def _through_if(o: Operator, given: Sequence[Presence], builds: bool) -> list[Presence]:
    predicate, *xs = o.operands
    blocks = [silent(o.attrs["then"]), silent(o.attrs["orelse"])]
    sides = [_of_inputs(block, given) for block in blocks]
    merged = [_merged(a, b) for a, b in zip(*sides, strict=True)]
    asked = [i for i, p in enumerate(merged) if p is BRANCHED]
    if not builds or not asked:
        return [False, *merged]

    def chosen(block: Block, known: list[Presence]) -> list[Any]:
        wanted = [known[i] for i in asked]
        if BRANCHED not in wanted:
            return wanted
        return _built(block, xs, given, asked)

    with using(recording(True)):
        found = cond(
            predicate, lambda: chosen(blocks[0], sides[0]), lambda: chosen(blocks[1], sides[1])
        )
    for i, p in zip(asked, found, strict=True):
        merged[i] = p
    return [False, *merged]


def _merged(a: Presence, b: Presence) -> Presence:
    """What is known of the presence after one of two branches."""
    if UNSURE in (a, b):
        return UNSURE
    return a if a is b else BRANCHED


def _of_inputs(block: Block, given: Sequence[Presence]) -> list[Presence]:
    """What is known of the presence at the inputs of a block, without building anything."""
    seeds: dict[Variable, Presence] = {}
    for v, p in zip(block.outputs, given, strict=True):
        if v.stop_gradient:  # detached in the block
            continue
        known = BRANCHED if isinstance(p, Variable) else p
        seeds[v] = either(seeds.get(v, False), known)
    found = presences(reversed(block.ops), seeds, builds=False)
    gradients = vjp(block).outputs
    pairs = zip(block.inputs, gradients, strict=True)
    return [False if g is None else found.get(x, False) for x, g in pairs]


def _built(
    block: Block, xs: Sequence[Any], given: Sequence[Presence], asked: list[int]
) -> list[Presence]:
    """The presence at inputs of a block, whose operators are built here again."""
    builder = current()
    inside = [builder.lift(x) for x in xs]
    seeds: dict[Variable, Presence] = {}
    for v, p in zip(replay(block, tuple(inside)), given, strict=True):
        seeds[v] = either(seeds.get(v, False), p)
    found = presences(reversed(list(builder.block.ops)), seeds)
    return [found.get(inside[i], False) for i in asked]


def _through_while(o: Operator, given: Sequence[Presence], builds: bool) -> list[Presence]:
    """No iteration leaves gradients where they are; the first may bring them on, as all others
    do."""
    body, carried = silent(o.attrs["body"]), o.attrs["carried"]
    none = [*given, *[False] * (len(o.operands) - carried)]
    one = _iteration(body, none, carried)
    two = _iteration(body, one, carried)
    if one != two or any(not isinstance(p, bool) for p in (*none, *one)):
        pairs = zip(none, vjp(body).outputs, strict=True)
        return [False if p is False and g is None else UNSURE for p, g in pairs]
    known: list[Presence] = [p if p is q else BRANCHED for p, q in zip(none, one, strict=True)]
    asked = [i for i, p in enumerate(known) if p is BRANCHED]
    if not builds or not asked:
        return known
    (runs,) = replay(silent(o.attrs["test"]), o.operands)
    found = cond(runs, lambda: [one[i] for i in asked], lambda: [none[i] for i in asked])
    for i, p in zip(asked, found, strict=True):
        known[i] = p
    return known


def _iteration(body: Block, after: Sequence[Presence], carried: int) -> list[Presence]:
    """The presence before an iteration, from what it is after it."""
    found = _of_inputs(body, after[:carried])
    pairs = zip(found[carried:], after[carried:], strict=True)
    return [*found[:carried], *(either(a, b) for a, b in pairs)]
