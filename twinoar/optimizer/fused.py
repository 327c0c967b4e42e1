"""A whole step of an optimizer as one compiled Program: eagerly that would be dozens of operators.

The Program is built by the same code that updates parameters one by one, run once on symbols. It is
found again by all that this code looks at; parameters and moments are written in place where nobody
else holds their arrays.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from twinoar.backends.choice import is_native, may_compile
from twinoar.core.dim import symbol
from twinoar.core.dtype import int64
from twinoar.core.interpreter import using
from twinoar.core.ir.program import Program
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.jit.run import Run
from twinoar.jit.tracing import TracingBuilder
from twinoar.nn.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from twinoar.ops.index.selected_rows import SelectedRows, selected_rows
from twinoar.regularizer import L1Decay, L2Decay

LARGE = 16384  # elements of all parameters: to update fewer takes less than to compile
KEPT = 16  # steps over other parameters, or with other settings, that are remembered
# What changes gradients by a formula of its own attributes; code of users may do anything.
KNOWN = (type(None), ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue, L1Decay, L2Decay)


class FusedSteps:
    """The compiled steps of one optimizer, which copies of it do not share."""

    def __init__(self) -> None:
        self._runs: dict[Hashable, Run] = {}

    def __reduce__(self) -> tuple:
        return FusedSteps, ()

    def run(self, optimizer: Any, params_grads: list[tuple[Any, Any]]) -> bool:
        """Update the parameters, eagerly. False, and nothing done, where that is not for here."""
        if (
            not vars(type(optimizer)).get("_is_formula")
            or sum([p._data.size for p, _ in params_grads]) < LARGE
        ):
            return False
        groups = optimizer._by_group(params_grads)
        key = tuple([_key_of(optimizer, group, pairs) for group, pairs in groups])
        run = self._runs.get(key)
        if run is None or not may_compile():
            if not is_native() or not all(_is_known(group, pairs) for group, pairs in groups):
                return False
            if len(self._runs) >= KEPT:
                self._runs.clear()
            run = self._runs[key] = _compiled(optimizer, params_grads)
        run(_arrays([g for _, g in params_grads]))
        return True


def _is_known(group: Any, pairs: list[tuple[Any, Any]]) -> bool:
    return type(group.grad_clip) in KNOWN and all(
        type(group.regularizer_of(p)) in KNOWN for p, _ in pairs
    )


def _key_of(optimizer: Any, group: Any, pairs: list[tuple[Any, Any]]) -> Hashable:
    """All that the update of a group depends on, but for the numbers in arrays and the rate."""
    found: list[Any] = [_attributes(group.grad_clip), _numbers(group.settings)]
    for p, g in pairs:
        settings = optimizer.settings_for(p, group.settings)
        own = None if settings is group.settings else _numbers(settings)
        regularizer = group.regularizer_of(p)
        if regularizer is not None:
            regularizer = _attributes(regularizer)
        rate = optimizer.rate_for(p, group.rate_of(p, 1.0))
        needs_clip = getattr(p, "need_clip", True)
        x = p._data
        found += (id(p), own, regularizer, rate, needs_clip, x.shape, x.dtype, *_kind_of(g))
    return tuple(found)


def _kind_of(g: Any) -> tuple[Hashable, ...]:
    """What a step depends on of a gradient; not how many rows there are."""
    if isinstance(g, SelectedRows):
        return SelectedRows, g.vectors._data.shape[1:], g.vectors._data.dtype
    return g._data.shape, g._data.dtype


def _arrays(gradients: list[Any]) -> list[Any]:
    found = []
    for g in gradients:
        parts = (g.positions, g.vectors) if isinstance(g, SelectedRows) else (g,)
        found += [x._data for x in parts]
    return found


def _attributes(function: Any) -> Hashable:
    """A clip or a regularizer as its class and the values of its attributes."""
    kind: Any = type(function)
    if function is None or kind not in KNOWN:
        return kind
    return kind, *vars(function).values()


def _numbers(settings: Any) -> Hashable:
    return tuple([(k, v) for k, v in settings.items() if isinstance(v, (bool, int, float, str))])


def _compiled(optimizer: Any, params_grads: list[tuple[Any, Any]]) -> Run:
    program = Program("step")
    inputs = [(p, _input(program, n, g)) for n, (p, g) in enumerate(params_grads)]
    with using(TracingBuilder(program, policy=UNRECORDED)):
        optimizer._update_all(inputs)
    return Run(program, [])


def _input(program: Program, number: int, g: Any) -> Any:
    """What stands for a gradient; of SelectedRows with any number of rows."""
    if not isinstance(g, SelectedRows):
        return program.main.add_input(g.spec)
    count = symbol(f"rows{number}")
    positions = program.main.add_input(Spec((count,), int64))
    vectors = program.main.add_input(Spec((count, *g.vectors.spec.shape[1:]), g.vectors.dtype))
    return selected_rows(positions, vectors, g.height())
