"""Which steps data can make fail, and that no state has changed when they do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from twinoar.compile.pattern import is_contiguous
from twinoar.compile.pipeline import CallStep, Plan, Step
from twinoar.core.ir.program import Operator
from twinoar.core.loop.expression import Expr, make, split, walk
from twinoar.core.loop.replacing import rewrite
from twinoar.core.varying import same, typical

IsHosted = Callable[[Operator], bool]


def write_after_checks(plan: Plan, is_hosted: IsHosted) -> None:
    """Let no state be written in place before the last step that may fail has run.

    Such a state gets its new value after the run. is_hosted: the operators that NumPy runs.
    """
    last = last_check(plan, is_hosted)
    early = {s for step in plan.steps[: last + 1] for s in step.writes}
    plan.in_place = {s: state for s, state in plan.in_place.items() if s not in early}


def last_check(plan: Plan, is_hosted: IsHosted) -> int:
    """The number of the last step that may fail although none before it has; -1 if there is none.

    Operators on NumPy may, and kernels with an index that data gives, unless all of it was checked.
    """
    last = -1
    known: set[tuple[Expr, int]] = set()
    for number, step in enumerate(plan.steps):
        if isinstance(step, CallStep):
            last = number if is_hosted(step.operator) else last
            continue
        for check in checks(step):
            index, size, _ = check.args
            key = rewrite(index, _nameless), size
            if key not in known:
                last = number
            if _sees_all(index):
                known.add(key)
    return last


def checks(step: Step) -> Iterator[Expr]:
    """The indices that a kernel checks."""
    if not isinstance(step, CallStep):
        yield from (e for e in walk(*step.kernel.expressions) if e.kind == "bounded")


def _nameless(e: Expr) -> Expr | None:
    """An element of a value, wherever it lies in it."""
    return make("var", (e.args[0], *e.args[2:]), e.dtype) if e.kind == "load" else None


def _sees_all(index: Expr) -> bool:
    """True where the loops around run through all of what an index is computed from."""
    for e in walk(index):
        if e.kind == "load":
            storage, position = e.args[:2]
            offset, terms = split(position)
            if offset or any(t.kind != "axis" for t in terms):
                return False
            steps = sorted(
                ((t.args[0].size, c) for t, c in terms.items()), key=lambda s: -typical(s[1])
            )
            if not is_contiguous(steps) or not same(math.prod(n for n, _ in steps), storage.count):
                return False
    return True
