"""Results of a converted function that are views: of an argument, a live tensor, or another result.

A Program gives values of their own; after a call its results share memory as those of the plain
function do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.ir.program import Variable
from twinoar.core.op.view import ALL_OF_IT, AnyStep, Step
from twinoar.eager.sharing import share
from twinoar.eager.tensor import Tensor
from twinoar.errors import ConversionError, ShapeError
from twinoar.jit.runtime.sharing import Sharing, of_sizes
from twinoar.late import dataclass


@dataclass(frozen=True)
class ResultView:
    """Result `index` shows `base` by these steps. base: a live tensor, or the place of one."""

    index: int
    base: Any
    steps: tuple[AnyStep, ...]
    apart: bool


@dataclass(frozen=True)
class Argument:
    """The place of a tensor argument."""

    position: int


@dataclass(frozen=True)
class Result:
    """The place of a result."""

    index: int


def find_views(
    sharing: Sharing, results: Sequence[Any], inputs: list[Variable]
) -> list[ResultView]:
    """The views among the tensors of a result, which are the handles that the function returns."""
    places: dict[int, Any] = {id(v): Argument(i) for i, v in enumerate(inputs)}
    found = []
    for index, x in enumerate(results):
        seen = sharing.shown(x)
        root, apart = x, False
        steps: tuple[AnyStep, ...] = ()
        if seen is not None:
            root, steps, apart = seen[1].root, seen[1].steps, seen[0].apart
        base = root if isinstance(root, Tensor) else places.get(id(root))
        if base is not None:
            found.append(ResultView(index, base, steps or (ALL_OF_IT,), apart))
        elif seen is None:
            places[id(x)] = Result(index)
    return found


def link(
    views: Sequence[ResultView],
    inputs: Sequence[Variable],
    arguments: Sequence[Tensor],
    results: Sequence[Tensor],
) -> None:
    """Let the results of a call show what those of the function show."""
    sizes = {
        str(d): n
        for v, x in zip(inputs, arguments, strict=True)
        for d, n in zip(v.spec.shape, x._data.shape, strict=True)
        if isinstance(d, SymbolicDim)
    }
    for view in views:
        base = view.base
        if isinstance(base, Argument):
            base = arguments[base.position]
        elif isinstance(base, Result):
            base = results[base.index]
        shows = results[view.index]
        if shows._shown is None and shows is not base:
            last = len(view.steps) - 1
            for i, step in enumerate(_known(s, sizes) for s in view.steps):
                part = shows if i == last else step.read(base)
                share(base, part, step, view.apart and i == last)
                base = part


def _known(step: AnyStep, sizes: dict[str, int]) -> AnyStep:
    try:
        return of_sizes(step, sizes)
    except ShapeError:
        return Step(lambda base: base, _refuse)


def _refuse(*_: Any) -> Any:
    raise ConversionError(
        "a result of a converted function is changed in place, or what it is a view of, and which "
        "part it shows was decided in the function by data",
        cure="change a copy: x = x.clone()",
    )
