"""A call of an operator on parts: how operands are to lie, by what moving and computing costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from twinoar.core.interpreter import current
from twinoar.core.ir.builder import infer
from twinoar.core.ir.program import Variable
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.distributed.auto_parallel.cutting import is_shared_by_all
from twinoar.distributed.auto_parallel.moving import Grid, moved
from twinoar.distributed.auto_parallel.strategies import (
    SUM,
    WHOLE,
    Lie,
    Strategy,
    local_attrs,
    partial_strategy,
    strategies,
)

NEW_CUT = 2.0  # how often a result is put together that is cut although no operand was
LINEAR = (SUM, "avg")
KEPT = 4096  # calls whose strategies are remembered


@dataclass
class Divided:
    """A value of which this rank has a part. spec: of the whole."""

    value: Any
    spec: Spec
    lies: tuple[Lie, ...]
    forms: dict[tuple[Lie, ...], Any] = field(default_factory=dict)  # other ways it was moved to

    def lying(self, lies: tuple[Lie, ...], grid: Grid) -> Any:
        """The part of it if it lies so. What was combined once stays so."""
        if lies == self.lies:
            return self.value
        if lies not in self.forms:
            self.forms[lies] = moved(self.value, self.spec, grid, self.lies, lies)
        found = self.forms[lies]
        if any(isinstance(lie, str) for lie in self.lies):
            self.value, self.lies = found, lies
        return found


def divided_call(
    op: Op, operands: Sequence[Any], attrs: Mapping[str, Any], grid: Grid
) -> list[Divided]:
    """The results of a call, each rank computing with what it has, or is given for it.

    operands: Divided, or literals. Operators go to the current interpreter.
    """
    specs = [x.spec if isinstance(x, Divided) else x for x in operands]
    variables = tuple(Variable("x", x) if isinstance(x, Spec) else x for x in specs)
    results = infer(op, variables, dict(attrs))
    takes, gives = _choice(op, specs, attrs, results, operands, grid)
    given = tuple(
        x.lying(lies, grid) if isinstance(x, Divided) else x
        for x, lies in zip(operands, takes, strict=True)
    )
    local = None if results[0] is None else grid.local(results[0], gives[0])
    found = current().apply(op, given, local_attrs(op, attrs, results[0], local))
    return [
        Divided(x, _known(spec, x), lies)
        for x, spec, lies in zip(
            found if isinstance(found, tuple) else (found,), results, gives, strict=True
        )
    ]


def _known(spec: Spec | None, x: Any) -> Spec:
    """The spec of a result; where data decides it, that of what came."""
    if spec is None or not all(isinstance(n, int) for n in spec.shape):
        found: Spec = x.spec
        return found
    return spec


def _choice(
    op: Op,
    specs: Sequence[Any],
    attrs: Mapping[str, Any],
    results: Sequence[Spec | None],
    operands: Sequence[Any],
    grid: Grid,
) -> tuple[list[tuple[Lie, ...]], list[tuple[Lie, ...]]]:
    """How each operand is to lie and each result then does, along all dimensions of the mesh."""
    takes: list[list[Lie]] = [[] for _ in specs]
    gives: list[list[Lie]] = [[] for _ in results]
    for m, count in enumerate(grid.shape):
        now = [x.lies[m] if isinstance(x, Divided) else WHOLE for x in operands]
        chosen = Strategy((WHOLE,) * len(specs), (WHOLE,) * len(results))
        if count > 1 and any(lie is not WHOLE for lie in now):
            usable = [
                s
                for s in _candidates(op, specs, attrs, results, now)
                if _fits(s.takes, s.equal, specs, takes, count)
                and _fits(s.gives, s.equal, results, gives, count)
            ]
            work = _work(op, specs, attrs, results, grid)
            travel = partial(_travel, grid, m)
            chosen = min(
                [chosen, *usable],
                key=lambda s: _cost(s, operands, results, now, count, work, travel),
            )
        for kept, lie in zip((*takes, *gives), (*chosen.takes, *chosen.gives), strict=True):
            kept.append(lie)
    return [tuple(x) for x in takes], [tuple(x) for x in gives]


def _fits(
    lies: Sequence[Lie],
    equal: bool,
    specs: Sequence[Any],
    before: Sequence[Sequence[Lie]],
    count: int,
) -> bool:
    """Whether each rank gets a part, of what no other dimension of the mesh cuts there."""
    for lie, spec, taken in zip(lies, specs, before, strict=True):
        if isinstance(lie, int):
            size = spec.shape[lie]
            if lie in taken or not is_shared_by_all(size, count) or (equal and size % count):
                return False
    return True


_known_strategies: dict[Hashable, list[Strategy]] = {}


def _candidates(
    op: Op,
    specs: Sequence[Any],
    attrs: Mapping[str, Any],
    results: Sequence[Spec | None],
    now: Sequence[Lie],
) -> Iterator[Strategy]:
    if any(s is None or not all(isinstance(n, int) for n in s.shape) for s in results):
        return
    reduction = next((lie for lie in now if lie in LINEAR), SUM)
    which = frozenset(k for k, lie in enumerate(now) if lie == reduction)
    attributes = tuple(sorted((k, _key(a)) for k, a in attrs.items()))
    key = op, tuple(map(_key, specs)), attributes, which, reduction
    found = _known_strategies.get(key)
    if found is None:
        if len(_known_strategies) >= KEPT:
            _known_strategies.clear()
        found = strategies(op, specs, attrs, results)
        linear = None
        if which:
            linear = partial_strategy(op, specs, attrs, results, which, reduction)  # type: ignore[arg-type]
        _known_strategies[key] = found = [*found, linear] if linear is not None else found
    yield from found


def _key(x: Any) -> Hashable:
    """What tells literals and attributes apart: 1 is not 1.0, nor is it True."""
    if isinstance(x, Spec):
        return x
    if isinstance(x, np.ndarray):  # the text of a long one leaves elements out
        return x.shape, x.dtype.name, x.tobytes()
    return type(x).__name__, repr(x)


def _work(
    op: Op,
    specs: Sequence[Any],
    attrs: Mapping[str, Any],
    results: Sequence[Spec | None],
    grid: Grid,
) -> float:
    """What it costs that one rank computes all of a call."""
    touched = sum(_nbytes(s) for s in (*specs, *results) if isinstance(s, Spec))
    flops = op.rules["flops"](*specs, **attrs) if "flops" in op.rules else 0
    return grid.prices.work(touched, flops)


def _travel(grid: Grid, m: int, kind: str, nbytes: float) -> float:
    """What a collective along dimension m of the mesh costs."""
    return grid.prices.travel(kind, nbytes, grid.shape[m], math.prod(grid.shape[m + 1 :]))


def _nbytes(spec: Any) -> int:
    found: int = math.prod(spec.shape) * spec.dtype.numpy.itemsize
    return found


def _cost(
    strategy: Strategy,
    operands: Sequence[Any],
    results: Sequence[Spec | None],
    now: Sequence[Lie],
    count: int,
    work: float,
    travel: Callable[[str, float], float],
) -> float:
    """What a call costs, and what is then asked of its results."""
    cost = work
    if any(isinstance(lie, int) for lie in (*strategy.takes, *strategy.gives)):
        cost = work / count
    moves = {  # an operand that stands twice moves once
        (id(x), goal): travel(_kind(lie, goal), _nbytes(x.spec))
        for x, lie, goal in zip(operands, now, strategy.takes, strict=True)
        if isinstance(x, Divided) and lie != goal and lie is not WHOLE
    }
    cost += sum(moves.values())
    is_cut = any(isinstance(lie, int) for lie in now)
    # Parts that stay such through a call cost as much as combining them, so that what several
    # calls read is combined once, before them.
    stays = any(isinstance(x, str) for x in strategy.takes)
    for result, lie in zip(results, strategy.gives, strict=True):
        if result is not None and isinstance(lie, str):
            cost += travel("all_reduce" if stays else "reduce_scatter", _nbytes(result))
        elif result is not None and isinstance(lie, int) and not is_cut:
            cost += NEW_CUT * travel("all_gather", _nbytes(result))
    return cost


def _kind(now: Lie, goal: Lie) -> str:
    """The collective by which a tensor that is not whole comes to lie otherwise."""
    if isinstance(now, str):
        return "reduce_scatter" if isinstance(goal, int) else "all_reduce"
    return "all_to_all" if isinstance(goal, int) else "all_gather"
