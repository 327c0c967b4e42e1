"""`for`, and what it runs over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.interpreter import current
from twinoar.core.ir import Variable
from twinoar.errors import ConversionError
from twinoar.jit.runtime.calls import in_place_of
from twinoar.jit.runtime.effects import Effects, check_effects
from twinoar.jit.runtime.loop import tensor_loop
from twinoar.jit.runtime.undefined import values_of
from twinoar.ops.control_flow import as_variable


class TensorRange:
    """`range` with a bound that is a Variable."""

    def __init__(self, start: Any, stop: Any, step: Any):
        self.start, self.stop, self.step = start, stop, step

    def __iter__(self) -> Iterator[Any]:
        raise ConversionError(
            "a range over a tensor is iterated outside a converted for loop, "
            "or in one with break, continue or return",
            cure="use a while loop on a tensor, or a plain int as the bound",
        )


@in_place_of(range)
def range_(*bounds: Any) -> Any:
    """`range(...)`, also of Variables and of sizes that only a run knows."""
    if not any(isinstance(b, (Variable, SymbolicDim)) for b in bounds):
        return range(*bounds)
    given = [_size_variable(b) for b in bounds]
    if len(given) == 1:
        return TensorRange(0, given[0], 1)
    return TensorRange(given[0], given[1], given[2] if len(given) > 2 else 1)


def _size_variable(bound: Any) -> Any:
    if isinstance(bound, SymbolicDim):
        raise ConversionError(
            f"a loop runs over the size {bound}, which only a run knows",
            cure="declare the size in the InputSpec",
        )
    return bound


def for_(
    iterable: Iterable,
    body: Callable,
    names: tuple[str, ...],
    scope: dict[str, Any],
    effects: Effects,
) -> tuple:
    """`for item in iterable`: the values of `names` after it."""
    values = values_of(names, scope)
    if not isinstance(iterable, TensorRange):
        for item in _items(iterable):
            values = list(body(item, *values))
        return tuple(values)
    check_effects(
        effects,
        "a for",
        next(b for b in (iterable.stop, iterable.start, iterable.step) if isinstance(b, Variable)),
    )
    counter, stop, step = iterable.start, iterable.stop, iterable.step
    if isinstance(step, Variable):
        raise ConversionError("the step of a range must be a plain int", cure="write a while loop")
    all_names = ("the counter", *names)

    def test(i: Any, *rest: Any) -> Any:
        return i < stop if step > 0 else i > stop

    def trip(i: Any, *rest: Any) -> tuple:
        return (i + step, *body(i, *rest))

    start = counter if isinstance(counter, Variable) else as_variable(current(), counter)
    started = [start.astype(stop.dtype) if isinstance(stop, Variable) else start, *values]  # type: ignore[attr-defined]
    return tuple(tensor_loop(test, trip, all_names, started)[1:])


def _items(iterable: Any) -> Iterable:
    if isinstance(iterable, Variable):
        length = iterable.spec.shape[0] if iterable.spec.shape else 0
        if not isinstance(length, int):
            raise ConversionError(
                f"a for loop runs over the first dimension of {iterable.name} ({iterable.spec}), "
                "whose size only a run knows",
                cure="declare the size in the InputSpec, "
                "or loop over range with a tensor bound and index",
            )
        return (iterable[i] for i in range(length))  # type: ignore[index]
    return iterable
