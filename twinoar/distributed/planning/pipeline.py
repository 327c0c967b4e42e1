"""A rank's Program cut into stages of a pipeline.

Stages are consecutive parts of the forward pass that take about as long; what belongs to an
operator of it (its gradient, the update of its weights) is done where it is. Micro-batches follow
each other one forward, one backward: a stage has as many of them in flight as stages follow it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from twinoar.core.ir.program import State, Variable
from twinoar.distributed.planning.division import Local, owners_of
from twinoar.distributed.planning.pricing import Cost, nbytes_of
from twinoar.distributed.planning.step import Step


@dataclass(frozen=True)
class Stages:
    """Which stage each operator of a rank is in, by its place among the costs.

    crossing: bytes from each stage to the next, of the forward pass. states: where they are.
    """

    of_cost: tuple[int, ...]
    crossing: tuple[int, ...]
    states: dict[State, int]
    count: int


def stages_of(step: Step, local: Local, costs: Sequence[Cost], count: int) -> Stages:
    """The stages of a pipeline of `count`."""
    forward = [n for n, c in enumerate(costs) if c.phase == "forward"]
    sums = list(itertools.accumulate(costs[n].roofline for n in forward))
    total = sums[-1] if sums else 0.0
    found: dict[int, int] = {}
    for n, so_far in zip(forward, sums, strict=True):
        middle = so_far - costs[n].roofline / 2
        found[n] = min(int(middle / total * count), count - 1) if total else 0
    stage: dict[Variable, int] = {}
    _place_forward(costs, found, stage, local)
    for name, owner in owners_of(step).items():  # a moment is where its parameter is
        moment = local.states.get(step.program.states[name])
        if moment is not None and owner in local.states:
            stage.setdefault(moment, stage.get(local.states[owner], 0))
    known = set(stage)
    for n, cost in enumerate(costs):
        if n not in found:
            found[n] = _of_rest(cost, stage, known)
        for v in cost.operator.results:
            if v is not None:
                stage.setdefault(v, found[n])
    order = tuple(found[n] for n in range(len(costs)))
    places = {s: stage[v] for s, v in local.states.items() if v in stage}
    return Stages(order, _crossing(costs, order, count), places, count)


def _place_forward(
    costs: Sequence[Cost], found: dict[int, int], stage: dict[Variable, int], local: Local
) -> None:
    """Let no operator of the forward pass be before what it reads; note where values are made."""
    states = {id(v) for v in local.states.values()}
    for n in sorted(found):
        o = costs[n].operator
        read = [x for x in o.operands if isinstance(x, Variable)]
        at = max([found[n], *(stage[x] for x in read if x in stage and id(x) not in states)])
        found[n] = at
        for x in read:
            if id(x) in states:
                stage.setdefault(x, at)
        for v in o.results:
            if v is not None:
                stage[v] = at


def _of_rest(cost: Cost, stage: Mapping[Variable, int], forward: set[Variable]) -> int:
    """Where an operator of the backward pass or the update is.

    With the last that it reads of the forward pass and of states; what reads gradients alone is
    where the last of them came to.
    """
    read = [x for x in cost.operator.operands if isinstance(x, Variable) and x in stage]
    kept = [stage[x] for x in read if x in forward]
    if kept:
        return max(kept)
    return min((stage[x] for x in read), default=0)


def _crossing(costs: Sequence[Cost], order: Sequence[int], count: int) -> tuple[int, ...]:
    """Bytes that stages give to the next: what a later one reads passes all between."""
    last: dict[Variable, int] = {}
    made: dict[Variable, int] = {}
    for cost, at in zip(costs, order, strict=True):
        if cost.phase != "forward":
            continue
        for x in cost.operator.operands:
            if isinstance(x, Variable) and x in made:
                last[x] = max(last.get(x, 0), at)
        made.update((v, at) for v in cost.operator.results if v is not None)
    found = [0] * max(count - 1, 0)
    for v, until in last.items():
        for k in range(made[v], until):
            found[k] += nbytes_of(v.spec)
    return tuple(found)
